"""What can be done before somebody asks for it."""

from contextlib import suppress

from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver

from hermesweb import homes
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from sessions.database import Database, read_state
from sessions.errors import StateError
from sessions.list_counts import counts_of, months_of
from sessions.listing_filters import Filters
from sessions.listing_order import ordered


def load_pages() -> None:
    """Every view and every template."""
    get_resolver().url_patterns  # noqa: B018  (imports the views)
    folder = settings.BASE_DIR / "templates"
    for path in sorted(folder.rglob("*.html")):
        get_template(path.relative_to(folder).as_posix())


def look_at_conversations() -> None:
    """What the list of every profile keeps, for as long as its state.db stays the same."""
    with suppress(HermesError):
        for home in homes.configured():
            for profile in homes.profiles_of(home):
                look_at(profile)


def look_at(profile: Profile) -> None:
    with suppress(StateError, OSError):
        read_state(profile.folder, _look, copy=copy_of(settings.WORK_FOLDER, profile))


def _look(db: Database) -> None:
    ordered(db, counts_of(db).found, "activity")
    months_of(db, Filters())
