"""A full-text index is made one segment, in steps so small that no write of Hermes fails meanwhile.

Segments keep the words of deleted rows until they are merged with all older ones. `optimize` does it in one
transaction, for which a running Hermes does not wait long enough; `merge` does the same work piece by piece.
Not FTS5's own option "secure-delete": it makes the index unusable for older SQLite.
"""

import sqlite3
import time
from collections.abc import Callable

from sessions.scrubbing_indexes import Index, Segment, asker, forget_left_over, left_over, quoted, segments

GOAL_SECONDS = 0.1  # of one transaction
LEAST, FIRST, MOST = 8, 64, 8192  # pages that one transaction may write
ENTRIES = 500  # that one transaction deletes
_NOTHING_DONE = 2  # FTS5 counts the command itself as a change

Say = Callable[[int, int], None]


class Stopped(Exception):
    """It was asked to stop. What is merged stays merged, and the next time it goes on."""


def merge(
    connection: sqlite3.Connection,
    index: Index,
    *,
    gently: Callable[[], bool],
    say: Say,
    stopped: Callable[[], bool],
) -> bool:
    """Merge everything that is in the index now, and say after each step how many pages are done of how many.
    Whether there was anything to do. `gently`: whether to leave the lock to others
    between two steps.

    Raises Stopped, sqlite3.Error.
    """
    before = segments(asker(connection), index)
    left, total = {part.id for part in before}, _pages(before)
    pages, first = FIRST, True
    while True:
        if stopped():
            raise Stopped
        began = time.monotonic()
        # Less than nothing begins a merge of everything; then it is gone on with.
        worked = _step(connection, index, -pages if first else pages)
        took = time.monotonic() - began
        now = segments(asker(connection), index)
        left &= {part.id for part in now}
        say(total - min(total, _pages([part for part in now if part.id in left])), total)
        if not worked:
            return not first
        # A writer makes new segments all the time: only those from before have to go.
        if before and not left:
            return True
        first, pages = False, _next(pages, took)
        if gently():
            time.sleep(max(0.01, took / 2))


def sweep(
    connection: sqlite3.Connection, index: Index, *, gently: Callable[[], bool], stopped: Callable[[], bool]
) -> bool:
    """Delete the copies that an index has of messages that are gone, as it has when its triggers were missing
    (Hermes detaches them from an index that it does not trust). Whether there were any.

    Raises Stopped, sqlite3.Error.
    """
    if index.external or not (left := left_over(asker(connection), index)):
        return False
    while left > 0:
        if stopped():
            raise Stopped
        began = time.monotonic()
        forget_left_over(asker(connection), index, ENTRIES)
        left -= ENTRIES
        if gently():
            time.sleep(max(0.01, (time.monotonic() - began) / 2))
    return True


def _step(connection: sqlite3.Connection, index: Index, pages: int) -> bool:
    before = connection.total_changes
    table = quoted(index.name)
    connection.execute(f"INSERT INTO {table}({table}, rank) VALUES('merge', ?)", (pages,))
    return connection.total_changes - before >= _NOTHING_DONE


def _next(pages: int, took: float) -> int:
    """As many pages as the goal allows by what the last ones took; at most twice as many."""
    return max(LEAST, min(MOST, 2 * pages, round(pages * GOAL_SECONDS / max(took, 0.001))))


def _pages(parts: list[Segment]) -> int:
    return sum(part.pages for part in parts)
