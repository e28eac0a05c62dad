"""What a person asked of the list or the search: read from a form or an address, and put into an address again.

Words that say something about people – what is searched, a title, a folder – stand in an address only inside a
token of search_token.py; the rest may be read by anybody.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, time, timedelta
from typing import Any, Literal, cast, get_args
from urllib.parse import urlencode

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.timezone import get_current_timezone

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id, encode_id
from sessions.listing import Cursor, Filters, Sort
from sessions.search_results import EVERYWHERE, USUAL, Position, Where
from sessions.search_token import TooLong, seal

State = Literal["", "open", "ended", "archived", "kept"]
LONGEST_ADDRESS = 3_800  # characters
MOST_MESSAGES = 1_000_000_000


@dataclass(frozen=True)
class Limits:
    """The filters that list and search share. `since` and `until` are days of the machine's zone, both included."""

    source: str = ""
    model: str = ""
    state: State = ""
    least: int = 0
    since: date | None = None
    until: date | None = None
    title: str = ""
    folder: str = ""

    def filters(self, *, hidden: bool) -> Filters:
        return Filters(
            sources=(self.source,) if self.source else (),
            model=self.model,
            folder=self.folder,
            title=self.title,
            since=beginning_of(self.since),
            until=beginning_of(self.until, later=1),
            archived={"archived": True, "kept": False}.get(self.state),
            open={"open": True, "ended": False}.get(self.state),
            minimum_messages=self.least,
            hidden=hidden,
        )

    @property
    def any(self) -> bool:
        return self != Limits()

    @property
    def public(self) -> dict[str, str]:
        since, until = (day.isoformat() if day else "" for day in (self.since, self.until))
        shown = {"source": self.source, "model": self.model, "state": self.state, "from": since, "to": until}
        return shown | {"least": str(self.least or "")}

    @property
    def private(self) -> dict[str, str]:
        return {"title": self.title, "folder": self.folder}


@dataclass(frozen=True)
class ListAsked:
    """A page of the list of conversations. `years`: how many twelve-month pictures further back."""

    limits: Limits = Limits()
    sort: Sort = "activity"
    hidden: bool = False
    after: Cursor | None = None
    years: int | None = None
    token: str = ""

    def address(self, profile: Profile) -> str:
        public = self.limits.public | {"sort": "" if self.sort == "activity" else self.sort}
        public |= {"hidden": "1" if self.hidden else "", "after": cursor_text(self.after)}
        public |= {"years": "" if self.years is None else str(self.years)}
        return _address("sessions", profile, public, self.token)


@dataclass(frozen=True)
class SearchAsked:
    """A page of a search."""

    words: str = ""
    limits: Limits = Limits()
    where: frozenset[Where] = USUAL
    relevance: bool = False
    group: bool = True
    undone: bool = False
    compacted: bool = False
    listed: bool = False  # only what Hermes' own lists show
    after: Position | None = None
    token: str = ""

    def address(self, profile: Profile) -> str:
        flags = {"undone": self.undone, "compacted": self.compacted, "group": self.group}
        flags |= {"listed": self.listed}
        public: dict[str, Any] = self.limits.public | {name: "1" for name, on in flags.items() if on}
        public |= {"order": "relevance" if self.relevance else "", "after": position_text(self.after)}
        public |= {"in": sorted(self.where)}
        return _address("search", profile, public, self.token)


def list_asked(data: QueryDict, private: Mapping[str, str], token: str = "") -> ListAsked:
    sort, years = data.get("sort", ""), data.get("years", "")
    return ListAsked(
        limits=_limits(data, private),
        sort=cast(Sort, sort) if sort in get_args(Sort) else "activity",
        hidden="hidden" in data,
        after=cursor_of(data.get("after", "")),
        years=_number(years, 1_000) if years else None,
        token=token,
    )


def search_asked(data: QueryDict, private: Mapping[str, str], token: str = "") -> SearchAsked:
    where = frozenset(field for field in EVERYWHERE if field in data.getlist("in"))
    relevance = data.get("order") == "relevance"
    return SearchAsked(
        words=private.get("words", ""),
        limits=_limits(data, private),
        where=where or USUAL,
        relevance=relevance,
        group="group" in data and not relevance,
        undone="undone" in data,
        compacted="compacted" in data,
        listed="listed" in data,
        after=position_of(data.get("after", "")),
        token=token,
    )


def sealed(request: HttpRequest, profile: Profile, asked: Any, private: Mapping[str, str]) -> str:
    """The address of what was asked, with its private words in a token. Raises TooLong."""
    token = seal(request, profile, {name: value for name, value in private.items() if value})
    address: str = replace(asked, token=token).address(profile)
    if len(address) > LONGEST_ADDRESS:
        raise TooLong
    return address


def beginning_of(day: date | None, later: int = 0) -> float | None:
    """UTC epoch seconds of the midnight at which a day, or one `later`, begins."""
    if day is None:
        return None
    try:
        return datetime.combine(day + timedelta(later), time(), get_current_timezone()).timestamp()
    except (OverflowError, ValueError):
        return None


# -- places in a list, as one part of an address


def cursor_text(cursor: Cursor | None) -> str:
    return (
        ""
        if cursor is None
        else encode_id(json.dumps([cursor.values, cursor.id, cursor.before, cursor.last]))
    )


def cursor_of(text: str) -> Cursor | None:
    """None for what is no cursor: the first page."""
    match _unpacked(text):
        case [list(values), str(id), bool(before), bool(last)] if all(map(_is_number, values)):
            return Cursor(tuple(values), id, before, last)
    return None


def position_text(position: Position | None) -> str:
    if position is None:
        return ""
    return encode_id(json.dumps([getattr(position, each.name) for each in fields(Position)]))


def position_of(text: str) -> Position | None:
    match _unpacked(text):
        case [message, rank, session, bool(thorough)] if (
            _is_row(message) and _is_row(session) and (rank is None or _is_number(rank))
        ):
            return Position(message, rank, session, thorough)
    return None


def _unpacked(text: str) -> Any:
    try:
        return json.loads(decode_id(text)) if text else None
    except (ValueError, RecursionError):
        return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**63


def _is_row(value: object) -> bool:
    return value is None or (isinstance(value, int) and _is_number(value))


# -- fields of a form or an address


def _limits(data: QueryDict, private: Mapping[str, str]) -> Limits:
    state = data.get("state", "")
    return Limits(
        source=data.get("source", ""),
        model=data.get("model", ""),
        state=cast(State, state) if state in get_args(State) else "",
        least=_number(data.get("least", ""), MOST_MESSAGES),
        since=_day(data.get("from", "")),
        until=_day(data.get("to", "")),
        title=private.get("title", "").strip(),
        folder=private.get("folder", "").strip(),
    )


def _number(text: str, most: int) -> int:
    return min(int(text), most) if text.isdecimal() and len(text) < 12 else 0


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _address(name: str, profile: Profile, public: Mapping[str, Any], token: str) -> str:
    chosen = {key: value for key, value in public.items() if value}
    query = urlencode(({"q": token} if token else {}) | chosen, doseq=True)
    path = reverse(name, args=[profile.home.key, profile.name])
    return f"{path}?{query}" if query else path
