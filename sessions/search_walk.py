"""Going through the messages from the newest to the oldest, in ranges of ids, for as long as there is time.

A range is small enough that no statement takes long: not for the person who waits, and not for a writer of a
database in rollback mode, which has to wait for every reader.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sessions.database import Database
from sessions.errors import StateDamaged, StateTimeout
from sessions.search_plan import Plan, Question
from sessions.search_queries import Candidate, Scope, candidates

INDEX_RANGE, SCAN_RANGE = 200_000, 10_000  # ids of the first statement
LARGEST, SMALLEST = 2**62, 500
QUICK, SLOW = 0.02, 0.08  # seconds of a statement: the next range is larger, or smaller


@dataclass
class Clock:
    """How long a search may still take. Something is always looked at, however late it is."""

    seconds: float
    began: float

    @classmethod
    def start(cls, seconds: float) -> "Clock":
        return cls(seconds, time.monotonic())

    @property
    def left(self) -> float:
        return self.seconds - (time.monotonic() - self.began)


@dataclass(frozen=True)
class Step:
    """What one range gave: its candidates, newest first, and the lowest id that has been looked at."""

    found: tuple[Candidate, ...]
    low: int
    damaged: bool = False


@dataclass(frozen=True)
class Range:
    """Ids from `first` to `last`; `indexed`: the indexes know them."""

    first: int
    last: int
    indexed: bool


def ranges(first: int, last: int, gap: tuple[int, int] | None) -> list[Range]:
    """The ids from `last` down to `first`, cut where an unfinished index ends."""
    if gap is None:
        found = [Range(first, last, True)]
    else:
        found = [
            Range(max(first, gap[1] + 1), last, True),
            Range(max(first, gap[0] + 1), min(last, gap[1]), False),
            Range(first, min(last, gap[0]), True),
        ]
    return [each for each in found if each.first <= each.last]


def walk(
    db: Database, plan: Plan, scope: Scope, parts: Sequence[Range], clock: Clock, limit: int
) -> Iterator[Step]:
    """Steps through the ranges until the end or until time is up. Raises StateError.

    `limit`: candidates wanted at once; it grows, in case few of them are hits.
    """
    for part in parts:
        questions = plan.questions if part.indexed else (plan.scan,)
        scanning = any(not question.table for question in questions)
        # A set of chosen sessions is made anew for each statement, and it is small.
        size = LARGEST if scope.inside else SCAN_RANGE if scanning else INDEX_RANGE
        last = part.last
        while last >= part.first:
            first = max(part.first, last - size + 1)
            began = time.monotonic()
            try:
                with limited(db, clock):
                    step = _step(db, questions, scope, first, last, limit)
            except StateTimeout:
                if clock.left <= 0 or size <= SMALLEST:
                    return
                size = max(SMALLEST, min(size, last - part.first + 1) // 8)
                continue
            except StateDamaged:
                if any(question.table for question in questions):
                    raise
                if size > 1 and clock.left > 0:
                    size = max(1, min(size, last - part.first + 1) // 8)
                    continue
                step = Step((), first, damaged=True)
            yield step
            last = step.low - 1
            limit = min(limit * 2, 5_000)
            if clock.left <= 0:
                return
            size = _next_size(size, time.monotonic() - began)


@contextmanager
def limited(db: Database, clock: Clock) -> Iterator[None]:
    """No statement in this block takes longer than the clock has left, or a moment if it is late already."""
    usual = db.seconds
    db.seconds = min(usual, max(clock.left, 0.1))
    try:
        yield
    finally:
        db.seconds = usual


def _next_size(size: int, took: float) -> int:
    if took < QUICK:
        return min(LARGEST, size * 4)
    return max(SMALLEST, size // 2) if took > SLOW else size


def _step(
    db: Database, questions: Sequence[Question], scope: Scope, first: int, last: int, limit: int
) -> Step:
    low = first
    found: dict[int, Candidate] = {}
    for question in questions:
        rows = candidates(db, question, scope, first, last, limit)
        if len(rows) == limit:
            low = max(low, rows[-1].id)
        for row in rows:
            known = found.get(row.id)
            # What one question is sure of need not be found again because another is not.
            found[row.id] = row if known is None or known.loose else known
    return Step(tuple(found[id] for id in sorted(found, reverse=True) if id >= low), low)
