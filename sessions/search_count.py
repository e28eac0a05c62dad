"""How many matches there are, when an index can tell without reading every text."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sessions.database import Database
from sessions.errors import StateTimeout
from sessions.search_hits import Wanted
from sessions.search_plan import Plan
from sessions.search_queries import (
    HIGHEST,
    LOWEST,
    Candidate,
    Scope,
    candidates,
    count,
    first_message,
    last_message,
)
from sessions.search_walk import Clock, limited

CAP = 10_001  # one more than a page says exactly
SECONDS = 0.1
PIECE = 100_000  # ids of the first piece


@dataclass(frozen=True)
class Counted:
    """`exact`: there are no more. `left_out` as in SearchPage."""

    total: int
    exact: bool
    left_out: Mapping[str, int]


def counted(db: Database, wanted: Wanted, plan: Plan, scope: Scope, most: int) -> Counted:
    """The matches, counted up to `most`, or as far as a moment lets. Raises StateError.

    What only the text itself can tell is not looked at, so then the number is not exact.
    """
    clock = Clock.start(SECONDS)
    if len(plan.questions) == 1 and (scope.sessions is None or scope.inside):
        found = _by_sql(db, plan, scope, most, clock)
    else:
        found = _by_ids(db, plan, scope, most, clock)
    sure = found.exact and not plan.strict and not any(question.loose for question in plan.questions)
    left_out = {name: count for name, count in found.left_out.items() if count and not _wants(wanted, name)}
    return Counted(found.total - sum(left_out.values()), sure, left_out)


def _wants(wanted: Wanted, name: str) -> bool:
    return wanted.undone if name == "undone" else wanted.compacted


def _by_sql(db: Database, plan: Plan, scope: Scope, most: int, clock: Clock) -> Counted:
    """In some pieces, so that a number is there when time is up."""
    last, lowest = min(scope.last, last_message(db)), max(scope.first, first_message(db))
    size = PIECE if scope.sessions is None else (last - lowest) // 16 + 1
    total, left_out = 0, Counter[str]()
    while last >= lowest:
        if clock.left <= 0 or total >= most:
            return Counted(total, False, left_out)
        try:
            with limited(db, clock):
                first = max(lowest, last - size + 1)
                found, undone, compacted = count(db, plan.questions[0], scope, first, last, most - total)
        except StateTimeout:
            return Counted(total, False, left_out)
        total += found
        left_out.update(undone=undone, compacted=compacted)
        last, size = first - 1, size * 4
    return Counted(total, total < most, left_out)


def _by_ids(db: Database, plan: Plan, scope: Scope, most: int, clock: Clock) -> Counted:
    found: dict[int, Candidate] = {}
    whole = True
    for question in plan.questions:
        try:
            with limited(db, clock):
                some = candidates(db, question, scope, LOWEST, HIGHEST, most)
        except StateTimeout:
            whole = False
            continue
        whole = whole and len(some) < most
        found.update((each.id, each) for each in some)
    inside = [
        each
        for each in found.values()
        if scope.sessions is None or scope.inside or each.session in scope.sessions
    ]
    left_out = {
        "undone": sum(each.undone for each in inside),
        "compacted": sum(each.compacted for each in inside),
    }
    return Counted(len(inside), whole, left_out)
