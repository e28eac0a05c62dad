"""The order of the list of conversations, and cursors in it."""

from array import array
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from sessions import listing_queries as queries
from sessions.database import Database
from sessions.listing_catalog import Catalog
from sessions.listing_filters import counted

Sort = Literal["activity", "started", "messages", "title"]
Key = tuple[Any, ...]

UNTITLED = chr(0x10FFFF)


@dataclass(frozen=True)
class Cursor:
    """A place in the list: after (or `before`) the row with these `values` and this `id`.

    It never holds a title, so it may stand in an address. `last`: the last page, whatever the rest says.
    """

    values: tuple[float, ...] = ()
    id: str = ""
    before: bool = False
    last: bool = False


LAST = Cursor(last=True)


def ordered(db: Database, found: Catalog, sort: Sort) -> "array[int]":
    """The roots of all conversations in order, sorted once for a catalogue."""
    if sort not in found.orders:
        if sort == "activity":
            found.orders[sort] = _moved(found, *found.former) if found.former else _by_activity(found)
        else:
            keys = _keys(db, found, sort)
            roots = (row for row in found.rows if found.root(row) == row)
            found.orders[sort] = array("q", sorted(roots, key=keys))
    return found.orders[sort]


def _by_activity(found: Catalog) -> "array[int]":
    """The usual order without a call for each session: it is needed after every change."""
    active = {
        root: max(found.activity(each) for each in members) for root, members in found.tree.members.items()
    }
    inside = found.tree.root_of
    keys = [
        (-active.get(row, last or begun), -begun, -rank, row)
        for row, begun, last, rank in zip(found.rows, found.started, found.newest, found.rank, strict=True)
        if row in active or row not in inside
    ]
    keys.sort()
    return array("q", (row for *_, row in keys))


def _moved(found: Catalog, former: "array[int]", moved: frozenset[int]) -> "array[int]":
    """The order before some conversations became active, with those in their new places."""
    order = [root for root in former if root not in moved]
    for root in moved:
        insort(order, root, key=lambda each: _activity_key(found, each))
    return array("q", order)


def _activity_key(found: Catalog, root: int) -> Key:
    place = found.place(root) or 0
    activity = max(found.activity(each) for each in found.members(root))
    return -activity, -found.started[place], -found.rank[place]


def cursor_at(db: Database, found: Catalog, sort: Sort, root: int, before: bool = False) -> Cursor:
    """The place of a row."""
    values = () if sort == "title" else _keys(db, found, sort, root)(root)[:-1]
    return Cursor(values, queries.id_of(db, root), before)


def key_of(db: Database, found: Catalog, sort: Sort, root: int) -> Key:
    """What a row is sorted by."""
    return _keys(db, found, sort, root)(root)


def key_at(db: Database, found: Catalog, sort: Sort, cursor: Cursor) -> Key | None:
    """The key of a cursor's place; None when nothing is known of it any more."""
    row = queries.row_of(db, cursor.id)
    place = None if row is None else found.place(row)
    if sort == "title":
        return None if row is None or place is None else key_of(db, found, sort, row)
    expected = {"activity": 2, "started": 1, "messages": 2}[sort]
    if len(cursor.values) != expected:
        return None
    return (*cursor.values, -(found.rank[place] if place is not None else -1))


def _keys(db: Database, found: Catalog, sort: Sort, root: int | None = None) -> Callable[[int], Key]:
    """A function from a root to its key; what it needs is read before: of all roots, or of one."""
    roots = None if root is None else [root]

    def activity(row: int) -> float:
        return max(found.activity(each) for each in found.members(row))

    def started(row: int) -> float:
        return found.started[found.place(row) or 0]

    def rank(row: int) -> int:
        return -found.rank[found.place(row) or 0]

    if sort == "started":
        return lambda row: (-started(row), rank(row))
    if sort == "messages":
        counts = counted(db, found)
        return lambda row: (
            -sum(counts.get(each, 0) for each in found.members(row)),
            -activity(row),
            rank(row),
        )
    if sort == "title":
        titles = queries.titles(db, None if roots is None else [found.tree.shown(each) for each in roots])
        return lambda row: (
            titles.get(found.tree.shown(row), UNTITLED).casefold(),
            -activity(row),
            rank(row),
        )
    return lambda row: (-activity(row), -started(row), rank(row))
