"""The list of conversations as its page shows it."""

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.defaultfilters import date as date_words

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.record import shown
from sessions import listing_queries as queries
from sessions.asked import ListAsked
from sessions.database import Database, read_state
from sessions.list_counts import counts_of, months_of
from sessions.listing import LAST, ConversationRow, Cursor, Member, Month, list_conversations
from sessions.listing import Page as Listed
from sessions.listing_catalog import catalog
from sessions.listing_rows import member_rows
from sessions.secrets import mask, secrets_in
from sessions.words import SORTS, STATES, choices, part_words, source_name

HEIGHT = 50  # units of the picture
SHOWN = 30  # sessions inside one conversation


@dataclass(frozen=True)
class Part:
    """A session inside a conversation. `number`: its place in the line of continuations, 0 outside."""

    member: Member
    icon: str
    words: str
    ended: str
    number: int


@dataclass(frozen=True)
class Row:
    """A conversation with the sessions inside it; none when it is a single one."""

    row: ConversationRow
    source: str
    preview: str
    parts: tuple[Part, ...]
    inside: int

    @property
    def more(self) -> int:
        return self.inside - len(self.parts)


@dataclass(frozen=True)
class Bar:
    """A month of the picture, as a link that filters."""

    name: str
    year: int
    conversations: int
    height: float
    address: str
    current: bool

    @property
    def top(self) -> float:
        return HEIGHT - self.height


@dataclass(frozen=True)
class Picture:
    """Twelve months; `earlier` and `later` lead to the twelve beside them, `anytime` to all without a date."""

    bars: tuple[Bar, ...]
    earlier: str
    later: str
    anytime: str


@dataclass(frozen=True)
class ListPage:
    """Everything the page shows. Addresses are "" where there is nothing."""

    asked: ListAsked
    page: Listed
    rows: tuple[Row, ...]
    sessions: int
    picture: Picture | None
    sorts: tuple[tuple[str, str, bool], ...]
    switched: str
    everything: str
    newer: str
    older: str
    last: str
    sources: tuple[tuple[str, str, bool], ...]
    models: tuple[tuple[str, str, bool], ...]
    states: tuple[tuple[str, str, bool], ...]

    @property
    def end(self) -> int:
        return self.page.first + len(self.page.rows) - 1 if self.page.rows else 0


@dataclass(frozen=True)
class _Found:
    page: Listed
    months: tuple[Month, ...]
    inside: Mapping[str, tuple[int, tuple[Member, ...]]]
    sessions: int
    sources: Mapping[str, int]
    models: Mapping[str, int]


def list_page(profile: Profile, asked: ListAsked) -> ListPage:
    """Read the list. Raises StateError."""
    copy = copy_of(settings.WORK_FOLDER, profile)
    found = read_state(profile.folder, lambda db: _found(db, asked), copy=copy)
    page = found.page

    def at(cursor: Cursor | None) -> str:
        return "" if cursor is None else replace(asked, after=cursor).address(profile)

    first = replace(asked, after=None)
    return ListPage(
        asked=asked,
        page=page,
        rows=tuple(_row(row, *found.inside.get(row.root, (0, ()))) for row in page.rows),
        sessions=found.sessions,
        picture=_picture(profile, asked, found.months),
        sorts=tuple(
            (replace(first, sort=sort).address(profile), str(name), sort == asked.sort)  # type: ignore[arg-type]
            for sort, name in SORTS.items()
        ),
        switched=replace(first, hidden=not asked.hidden).address(profile),
        everything=ListAsked().address(profile),
        newer=at(page.previous),
        older=at(page.next),
        last=at(LAST if page.next else None),
        sources=counted_choices(found.sources, asked.limits.source, names=True),
        models=counted_choices(found.models, asked.limits.model),
        states=tuple(choices(STATES, [asked.limits.state])),
    )


def counted_choices(
    counts: Mapping[str, int], chosen: str, *, names: bool = False
) -> tuple[tuple[str, str, bool], ...]:
    """Value, label with its count, and whether it is chosen, of a list to choose from."""
    found = {
        value: f"{source_name(value) if names else shown(value)} ({intcomma(n)})"
        for value, n in counts.items()
        if value
    }
    if chosen and chosen not in found:
        found[chosen] = shown(chosen)
    return tuple(choices(found, [chosen]))


def _found(db: Database, asked: ListAsked) -> _Found:
    filters = asked.limits.filters(hidden=asked.hidden)
    anytime = replace(filters, since=None, until=None)
    page, counts = list_conversations(db, filters, asked.sort, asked.after), counts_of(db)
    return _Found(
        page=page,
        months=months_of(db, anytime),
        inside=_inside(db, page.rows),
        sessions=len(catalog(db).rows),
        sources=counts.sources,
        models=counts.models,
    )


def _inside(db: Database, rows: Sequence[ConversationRow]) -> dict[str, tuple[int, tuple[Member, ...]]]:
    """How many sessions are inside the conversations that have several, and the first of them."""
    found, inside = catalog(db), dict[str, tuple[int, tuple[Member, ...]]]()
    for row in rows:
        place = queries.row_of(db, row.root)
        everyone = [] if place is None else found.members(place)
        if len(everyone) > 1:
            inside[row.root] = len(everyone), member_rows(db, found, everyone[:SHOWN])
    return inside


def _row(row: ConversationRow, inside: int, members: tuple[Member, ...]) -> Row:
    parts, number = [], 0
    for member, icon, words, ended in part_words(members):
        in_line = member.part in ("root", "continuation", "reset")
        number += in_line
        parts.append(Part(member, icon, words, ended, number if in_line else 0))
    preview = mask(row.preview, secrets_in(row.preview, ends=False))
    return Row(row, source_name(row.source), preview, tuple(parts), inside)


# -- the picture of the months


def _picture(profile: Profile, asked: ListAsked, found: Sequence[Month]) -> Picture | None:
    if not found:
        return None
    back = asked.years if asked.years is not None else _years_back(asked, found[-1])
    end = len(found) - 12 * min(back, (len(found) - 1) // 12)
    shown_months = found[max(0, end - 12) : end]
    most = max(month.conversations for month in shown_months) or 1

    def turned(years: int) -> str:
        return replace(asked, after=None, years=years).address(profile)

    return Picture(
        tuple(_bar(profile, asked, month, most) for month in shown_months),
        turned(back + 1) if end > 12 else "",
        turned(back - 1) if end < len(found) else "",
        replace(asked, limits=replace(asked.limits, since=None, until=None), after=None).address(profile),
    )


def _years_back(asked: ListAsked, newest: Month) -> int:
    """To the twelve months in which the chosen one is."""
    day = asked.limits.since
    months_back = (newest.year - day.year) * 12 + newest.month - day.month if day else 0
    return max(0, months_back // 12)


def _bar(profile: Profile, asked: ListAsked, month: Month, most: int) -> Bar:
    first = date(month.year, month.month, 1)
    last = first.replace(day=monthrange(month.year, month.month)[1])
    limits = replace(asked.limits, since=first, until=last)
    height = max(1.0, round(48 * month.conversations / most, 1)) if month.conversations else 0.0
    return Bar(
        name=date_words(first, "M"),
        year=month.year,
        conversations=month.conversations,
        height=height,
        address=replace(asked, limits=limits, after=None, years=None).address(profile),
        current=asked.limits.since == first and asked.limits.until == last,
    )
