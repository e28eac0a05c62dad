"""What somebody wants deleted: one conversation, ticked ones, all that fit a filter or a search, or all unused.

Which sessions that is, is found out once, on the server, when the preview is made.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from django.conf import settings
from django.http import HttpRequest, QueryDict

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from hermesweb.privacy.copies import copy_of
from sessions.asked import SearchAsked, search_asked
from sessions.database import Database, read_state
from sessions.deletion_files import counted
from sessions.deletion_plan import plan_deletion
from sessions.deletion_values import DeletionPlan, Unused
from sessions.export_selection import chosen, selection_of
from sessions.query_text import parse
from sessions.search import search
from sessions.search_results import Position, SearchPage, Where
from sessions.search_token import unseal

What = Literal["one", "ticked", "filter", "search", "unused"]
DAYS: Final = 90
MOST_DAYS: Final = 36_500
MOST_TICKED: Final = 1_000
PAGE: Final = 200  # hits of one read
MOST_HITS: Final = 100_000
ABOUT_SESSIONS: Final[frozenset[Where]] = frozenset(("titles", "prompts"))


class NothingChosen(Exception):
    """No conversation fits, or none was ticked."""


class TooManyHits(Exception):
    """A search has so many hits that nobody can have looked at them."""


@dataclass(frozen=True)
class Asked:
    """`query`: the part of an address after the question mark, for an export of the same."""

    what: What
    ids: tuple[str, ...] = ()
    query: str = ""
    unused: Unused = field(default_factory=lambda: Unused(DAYS))

    def plain(self) -> dict[str, Any]:
        """For a draft; without the ids, which are in its plan."""
        return {"what": self.what, "query": self.query, "unused": asdict(self.unused)}


def deletion_asked(request: HttpRequest, profile: Profile) -> Asked:
    """What a form asks for. Raises NothingChosen, NotOurToken, StateError."""
    query = request.GET.urlencode()
    if "days" in request.POST:
        return Asked("unused", unused=unused_of(request.POST))
    if request.POST.get("all") == "search":
        return Asked("search", _found(request, profile), query)
    if "all" in request.POST:
        ids = chosen(profile, selection_of(request, profile)).sessions
        return Asked("filter", _some(ids), query)
    if "ids" in request.POST:
        return Asked("ticked", _ticked(request.POST))
    if "session" in request.GET:
        return Asked("one", (_id(request.GET["session"]),), query)
    raise NothingChosen


def planned(profile: Profile, asked: Asked) -> DeletionPlan:
    """What would go now, with its files counted. Raises StateError."""
    copy = copy_of(settings.WORK_FOLDER, profile)
    wish = asked.unused if asked.what == "unused" else asked.ids
    return counted(
        read_state(profile.folder, lambda db: plan_deletion(db, wish), copy=copy, seconds=30), profile
    )


def unused_of(data: QueryDict) -> Unused:
    days = data.get("days", "")
    number = int(days) if days.isdecimal() and len(days) < 8 else DAYS
    return Unused(min(max(number, 1), MOST_DAYS), "open" in data, "archived" in data, "pinned" in data)


def unused_again(plain: Mapping[str, Any]) -> Unused:
    """What a draft was asked for."""
    return Unused(**plain)


def _ticked(data: QueryDict) -> tuple[str, ...]:
    parts = list(dict.fromkeys(data.getlist("ids")))[:MOST_TICKED]
    return _some(tuple(_id(part) for part in parts))


def _id(part: str) -> str:
    try:
        return decode_id(part)
    except ValueError:
        raise NothingChosen from None


def _some(ids: tuple[str, ...]) -> tuple[str, ...]:
    if not ids:
        raise NothingChosen
    return ids


def _found(request: HttpRequest, profile: Profile) -> tuple[str, ...]:
    token = request.GET.get("q", "")
    asked = search_asked(request.GET, unseal(request, profile, token), token)
    copy = copy_of(settings.WORK_FOLDER, profile)
    return _some(read_state(profile.folder, lambda db: _sessions_found(db, asked), copy=copy, seconds=30))


def _sessions_found(db: Database, asked: SearchAsked) -> tuple[str, ...]:
    """Every session with a hit, page after page. Raises TooManyHits."""
    found: dict[str, None] = {}
    wanted = [asked.where]
    hits = 0
    for where in wanted:
        after: Position | None = None
        while True:
            page = _page(db, asked, where, after)
            found.update(dict.fromkeys(hit.session for hit in (*page.hits, *page.sessions) if hit.session))
            hits += len(page.hits)
            if hits > MOST_HITS:
                raise TooManyHits
            if page.more_sessions and where & ABOUT_SESSIONS != where:
                wanted.append(where & ABOUT_SESSIONS)  # a page of messages shows only the first of these
            if page.next is None:
                break
            after = page.next
    return tuple(found)


def _page(db: Database, asked: SearchAsked, where: frozenset[Where], after: Position | None) -> SearchPage:
    return search(
        db,
        parse(asked.words),
        where=where,
        filters=asked.limits.filters(hidden=not asked.listed),
        after=after,
        limit=PAGE,
        include_undone=asked.undone,
        include_compacted=asked.compacted,
        thorough=asked.after.thorough if asked.after else False,
        count=False,
        seconds=10,
    )
