"""What conversations are called where they are to be deleted: read when a page is shown, kept nowhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.conf import settings

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from sessions.content import preview
from sessions.database import Database, read_state
from sessions.errors import StateDamaged, StateError
from sessions.listing_queries import first_words, row_of
from sessions.secrets import mask, secrets_in
from sessions.transcript_family_queries import names_of
from sessions.transcript_queries import storable


@dataclass(frozen=True)
class Called:
    """`title`, else `words`, what the person said first; keys in them masked, "" where there is none. `began`: UTC
    epoch seconds, None where not sane."""

    title: str
    words: str
    began: float | None

    @property
    def name(self) -> str:
        return self.title or self.words


def called(db: Database, ids: Sequence[str]) -> dict[str, Called]:
    """Those sessions that are there. Raises StateError."""
    found = names_of(db, [id for id in ids if storable(id)])
    return {
        str(id): Called(_masked(title), "" if title else _masked(_first_words(db, str(id))), began)
        for id, (title, began) in found.items()
    }


def together(names: Mapping[str, Called], ids: Sequence[str]) -> Called | None:
    """What a conversation of these sessions is called, the first one of which is there: as its newest title."""
    first = names.get(ids[0])
    titles = (names[id].title for id in reversed(ids) if id in names and names[id].title)
    return first and replace(first, title=next(titles, first.title))


def called_now(profile: Profile, ids: Sequence[str]) -> dict[str, Called]:
    """The same, as far as it can be read just now."""
    try:
        return read_state(
            profile.folder, lambda db: called(db, ids), copy=copy_of(settings.WORK_FOLDER, profile)
        )
    except StateError:
        return {}


def _first_words(db: Database, id: str) -> str:
    row = row_of(db, id)
    try:
        return preview(first_words(db, [row]).get(row)) if row is not None else ""
    except StateDamaged:
        return ""


def _masked(text: str) -> str:
    return mask(text, secrets_in(text, ends=False))
