"""The list of conversations: one row for each, however many sessions Hermes made of it.

Paged by key, not by number: a cursor says which row the page before ended with, so that a page shows the right
rows also when the agent has added some in between. Rules: sessions/listing_tree.py; hermes_state.py.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from sessions import listing_queries as queries
from sessions.database import Database
from sessions.listing_catalog import Catalog, catalog
from sessions.listing_filters import Filters, chosen_sessions, roots_of
from sessions.listing_order import LAST, Cursor, Key, Sort, cursor_at, key_at, key_of, ordered
from sessions.listing_rows import ConversationRow, Member, member_rows, rows_of

__all__ = ["LAST", "ConversationRow", "Cursor", "Filters", "Member", "Month", "Page", "Sort"]


@dataclass(frozen=True)
class Page:
    """Some rows of the list. `next` and `previous`: for the page after and before, None where there is none.

    `total`: conversations that fit the filters; `hidden`: how many of those that fit Hermes' own lists leave
    out (they are in `total` and in the rows only when the filters say so). `first`: number of the first row,
    from 1; 0 for no rows. `damaged`: sessions are missing that cannot be read.
    """

    rows: tuple[ConversationRow, ...]
    next: Cursor | None
    previous: Cursor | None
    total: int
    hidden: int
    first: int
    damaged: bool = False


@dataclass(frozen=True)
class Month:
    """How many conversations had a session in a month."""

    year: int
    month: int
    conversations: int


def list_conversations(
    db: Database,
    filters: Filters = Filters(),  # noqa: B008  (frozen)
    sort: Sort = "activity",
    after: Cursor | None = None,
    limit: int = 50,
) -> Page:
    """A page of conversations, newest activity (or the largest, or the first title) first.

    `after`: a cursor of a page with the same sort, or LAST. Activity is the newest
    message of any session inside, else the start. Raises StateError; damage makes single rows `damaged`.
    """
    found = catalog(db)
    chosen = roots_of(db, found, filters)
    order = ordered(db, found, sort)
    fitting = order if chosen is None else [root for root in order if root in chosen]
    visible = fitting if filters.hidden else [root for root in fitting if root not in found.hidden]
    hidden = sum(root in found.hidden for root in fitting) if filters.hidden else len(fitting) - len(visible)
    begin, end = _range(db, found, visible, sort, after, max(1, limit))
    shown = visible[begin:end]
    before = cursor_at(db, found, sort, visible[begin], before=True) if begin else None
    following = cursor_at(db, found, sort, visible[end - 1]) if end < len(visible) else None
    rows = tuple(rows_of(db, found, shown))
    number = begin + 1 if shown else 0
    return Page(rows, following, before, len(visible), hidden, number, found.damaged)


def members(db: Database, session: str) -> tuple[Member, ...]:
    """All sessions inside the conversation that `session` is in, the one it began with first.

    Empty when there is no such session. Raises StateError.
    """
    found = catalog(db)
    row = queries.row_of(db, session)
    if row is None or found.place(row) is None:
        return ()
    return member_rows(db, found, found.members(found.root(row)))


def months(db: Database, filters: Filters = Filters(), zone: tzinfo = UTC) -> tuple[Month, ...]:  # noqa: B008
    """How many conversations fit the filters in each month, oldest first, months without any included.

    A conversation counts in every month in which one of its sessions lasted, so a month has as many as
    `list_conversations` with that month as `since` and `until`. Raises StateError.
    """
    found = catalog(db)
    chosen, sessions = roots_of(db, found, filters), chosen_sessions(db, found, filters)
    times = [at for at in (*found.started, *found.newest) if at]
    if not times:
        return ()
    year, month, starts = _starts_of_months(zone, min(times), max(times))
    seen: defaultdict[int, set[int]] = defaultdict(set)
    inside, hidden = found.tree.root_of, set() if filters.hidden else found.hidden
    for row, began, last in zip(found.rows, found.started, found.newest, strict=True):
        root = inside.get(row, row)
        if root in hidden or not (began or last):
            continue
        if (chosen is not None and root not in chosen) or (sessions is not None and row not in sessions):
            continue
        first, newest = bisect_right(starts, began or last), bisect_right(starts, max(began, last))
        for each in range(first, newest + 1):
            seen[each].add(root)
    if not seen:
        return ()
    begin, end = year * 12 + month - 1, range(min(seen), max(seen) + 1)
    return tuple(Month((begin + n) // 12, (begin + n) % 12 + 1, len(seen.get(n, ()))) for n in end)


def sources(db: Database) -> dict[str, int]:
    """How many conversations began in each source, most first. Raises StateError."""
    return _beginnings(db, "source")


def models(db: Database) -> dict[str, int]:
    """How many conversations began with each model, most first. Raises StateError."""
    return _beginnings(db, "model")


def _beginnings(db: Database, name: str) -> dict[str, int]:
    if name not in db.columns("sessions"):
        return {}
    found = catalog(db)
    counts = queries.sessions_by(db, name)
    inside = [row for row, root in found.tree.root_of.items() if row != root]
    for value in queries.values_of(db, name, inside):
        counts[value] -= 1
    return dict(sorted(((value, n) for value, n in counts.items() if n > 0), key=lambda each: -each[1]))


def _range(
    db: Database, found: Catalog, roots: Sequence[int], sort: Sort, after: Cursor | None, limit: int
) -> tuple[int, int]:
    """Begin and end of a page in the ordered roots."""
    if after is not None and after.last:
        return _last(roots, limit)
    key = None if after is None else key_at(db, found, sort, after)
    if after is None or key is None:
        return 0, min(limit, len(roots))

    def by_key(root: int) -> Key:
        return key_of(db, found, sort, root)

    if after.before:
        end = bisect_left(roots, key, key=by_key)
        return (0, min(limit, len(roots))) if end <= limit else (end - limit, end)
    begin = bisect_right(roots, key, key=by_key)
    if begin >= len(roots):  # what came after is gone
        return _last(roots, limit)
    return begin, min(begin + limit, len(roots))


def _last(roots: Sequence[int], limit: int) -> tuple[int, int]:
    return max(0, (len(roots) - 1) // limit * limit), len(roots)


def _starts_of_months(zone: tzinfo, first: float, last: float) -> tuple[int, int, list[float]]:
    """The month in which `first` is, and when each one after it begins, until that of `last`."""
    begin, end = datetime.fromtimestamp(first, zone), datetime.fromtimestamp(last, zone)
    months = range(begin.year * 12 + begin.month, end.year * 12 + end.month)
    starts = [datetime(each // 12, each % 12 + 1, 1, tzinfo=zone).timestamp() for each in months]
    return begin.year, begin.month, starts
