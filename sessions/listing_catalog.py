"""What a list of conversations needs of every session, kept small and brought up to date.

Sorting by activity and counting truly need a look at all sessions. For 40,000 of them that is a tenth of a
second; so the result is kept (about 2 MB for 40,000) for as long as the files of the state.db look the same,
and after a change that only added messages or sessions just those are read.
"""

import threading
import time
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hermesweb.hermes.beside import TICK, Beside, Stamp
from sessions import listing_queries as queries
from sessions.database import Database
from sessions.errors import StateDamaged, StateError
from sessions.listing_damage import left_of
from sessions.listing_tree import Tree, tree_of
from sessions.state_files import look_at

KEPT = 8  # state.db files
PIECE = 4_000  # sessions read at once: what is only passing through costs memory too


@dataclass
class Catalog:
    """All sessions by their row ids, ascending. Times: UTC epoch seconds, 0 where there is none.

    `rank`: the place of a session among all, ordered by id. `hidden`: sessions Hermes' lists leave out.
    `orders`: whatever was sorted once, by what it was sorted by. `former`: an order by activity from before the
    last changes, and the roots that have to move in it. `damaged`: sessions are missing that cannot be read.
    """

    extent: tuple[object, ...]
    rows: "array[int]"
    started: "array[float]"
    newest: "array[float]"
    rank: "array[int]"
    tree: Tree
    hidden: set[int]
    family: int = 0  # a hash of what the tree was made of
    messages: dict[int, int] | None = None
    orders: dict[str, "array[int]"] = field(default_factory=dict)
    former: "tuple[array[int], frozenset[int]] | None" = None
    damaged: bool = False

    def place(self, row: int) -> int | None:
        """Where a session stands in the arrays."""
        found = bisect_left(self.rows, row)
        return found if found < len(self.rows) and self.rows[found] == row else None

    def root(self, row: int) -> int:
        """The row id of the session that began the conversation."""
        return self.tree.root_of.get(row, row)

    def members(self, root: int) -> list[int]:
        """Row ids of the sessions inside a conversation, the root first, then by start."""
        return self.tree.members.get(root) or [root]

    def activity(self, row: int) -> float:
        """The newest activity of a session, else its start."""
        place = self.place(row)
        return 0.0 if place is None else self.newest[place] or self.started[place]


_kept: dict[Path, tuple[Stamp | None, Catalog]] = {}
_lock = threading.Lock()


def catalog(db: Database) -> Catalog:
    """The catalogue of a state.db as it is now. Raises StateError."""
    stamp = stamp_of(db)
    with _lock:
        known_stamp, known = _kept.get(db.path, (None, None))
    if known is not None and stamp is not None and stamp == known_stamp:
        return known
    found = (_refreshed(db, known) if known is not None else None) or _read(db)
    with _lock:
        _kept.pop(db.path, None)
        _kept[db.path] = stamp, found
        while len(_kept) > KEPT:
            del _kept[next(iter(_kept))]
    return found


def forget_catalogs() -> None:
    """Drop everything kept (for tests and measurements)."""
    with _lock:
        _kept.clear()


def stamp_of(db: Database) -> Stamp | None:
    """What the files look like, to keep something for as long as they stay so; None: do not keep it."""
    try:
        files = look_at(db.path.parent, needs_index=False)
    except StateError:
        return None
    return None if _may_change_unseen(files) else files.stamp


def _may_change_unseen(files: Beside) -> bool:
    """Two writes in one tick of the clock leave the same times."""
    parts = (files.database, files.wal, files.journal)
    return any(part is not None and abs(time.time() - part.st_mtime) < TICK * 2 for part in parts)


def _read(db: Database) -> Catalog:
    if not {"sessions", "messages"} <= db.tables:
        return Catalog((), array("q"), array("d"), array("d"), array("q"), Tree(), set())
    try:
        extent: tuple[object, ...] = queries.extent(db)  # first: what is added meanwhile is then read again
    except StateDamaged:
        extent = ()
    read = Catalog(extent, array("q"), array("d"), array("d"), array("q"), Tree(), set())
    try:
        _add_all(db, read)
    except StateDamaged:
        found, read.damaged = left_of(db, queries.all_sessions)
        read.extent, read.rows, read.started, read.newest = (), array("q"), array("d"), array("d")
        _add(read, found)
    return _with_hidden(db, _with_tree(db, read))


def _add_all(db: Database, read: Catalog) -> None:
    first, piece = -queries.LAST_ROW, [()] * PIECE
    while len(piece) == PIECE:
        piece = queries.all_sessions(db, first, limit=PIECE)
        _add(read, piece)
        first = read.rows[-1] + 1 if read.rows else 0


def _add(read: Catalog, found: Sequence[queries.Row]) -> None:
    read.rows.extend(row for row, *_ in found)
    read.started.extend(begun or 0.0 for _, begun, _, _ in found)
    read.newest.extend(max(last or 0.0, noted or 0.0) for _, _, last, noted in found)


def _with_tree(db: Database, found: Catalog, known: Catalog | None = None) -> Catalog:
    if not len(found.rank):
        found.rank = array("q", [-1]) * len(found.rows)
        for rank, row in enumerate(queries.sessions_by_id(db)):
            if (place := found.place(row)) is not None:
                found.rank[place] = rank
    family, _ = left_of(db, queries.families)
    found.family = hash(tuple(family))
    if known is not None and found.family == known.family:
        found.tree = known.tree
        return found
    newest = {row: found.newest[place] for row, *_ in family if (place := found.place(row)) is not None}
    found.tree = tree_of((each for each in family if each[0] in newest), newest)
    return found


def _with_hidden(db: Database, found: Catalog) -> Catalog:
    try:
        found.hidden = queries.hidden_sessions(db)
    except StateDamaged:
        found.hidden, found.damaged = set(), True
    found.hidden.update(
        row for row, each in found.tree.relatives.items() if each.link.marks.get("_delegate_from")
    )
    return found


def _refreshed(db: Database, known: Catalog) -> Catalog | None:
    """The catalogue after sessions or messages were added; None when anything else may have happened."""
    if not known.extent or not {"sessions", "messages"} <= db.tables:
        return None
    extent = queries.extent(db)
    sessions, last, name, messages, last_message = known.extent
    if extent[:3] != (sessions, last, name) or not isinstance(last_message, int):
        return None  # a session more is rare enough
    added = queries.messages_after(db, last_message)
    if messages != extent[3] - sum(count for _, count, _ in added):
        return None
    newest = array("d", known.newest)
    times = [(row, at) for row, _, at in added] + queries.noted_activity(db)
    active = set[int]()
    for row, at in times:
        if row is not None and at and (place := known.place(row)) is not None and at > newest[place]:
            newest[place] = at
            active.add(row)
    found = Catalog(extent, known.rows, known.started, newest, known.rank, Tree(), set())
    # Which of several continuations counts depends on their newest messages.
    moved = any(row in known.tree.relatives for row, *_ in added)
    found = _with_hidden(db, _with_tree(db, found, None if moved else known))
    if found.family == known.family:
        found.former = _former(known, frozenset(map(known.root, active)))
    return found


def _former(known: Catalog, roots: frozenset[int]) -> "tuple[array[int], frozenset[int]] | None":
    if "activity" in known.orders:
        return known.orders["activity"], roots
    return (known.former[0], known.former[1] | roots) if known.former else None
