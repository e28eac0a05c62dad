"""What conversations are called where they are only linked to: by their title, else by when they began."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from sessions.database import Database, read_state
from sessions.transcript_family_queries import names_of
from sessions.transcript_queries import storable


@dataclass(frozen=True)
class Name:
    """`title`: "" without one. `started_at`: UTC epoch seconds, None where not sane."""

    title: str
    started_at: float | None


def names(profile: Profile, sessions: Sequence[str]) -> dict[str, Name]:
    """The names of those sessions that are there. Raises StateError."""

    def look(db: Database) -> dict[str, Name]:
        found = names_of(db, [each for each in sessions if storable(each)])
        return {str(key): Name(*about) for key, about in found.items()}

    return read_state(profile.folder, look, copy=copy_of(settings.WORK_FOLDER, profile)) if sessions else {}
