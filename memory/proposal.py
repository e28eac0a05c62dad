"""A write to memory that waits, beside what is there today: what approving it would do, or why it would not.

From `apply_memory_pending` in Hermes' `tools/memory_tool.py` of 0.19 and 0.22. Pure: nothing is read here.
Beside what `memory.proposal_steps` names: a store that is switched off takes nothing, although the approval of
0.19 does not ask; and a file that is not UTF-8 stops its own records only, not those of the other, as in 0.19.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from memory.changes import Meter, counted
from memory.limits import Target
from memory.pending_record import PendingRecord
from memory.proposal_payload import Operation, Wish, wish_of
from memory.proposal_reasons import Reason, reason_of
from memory.proposal_state import State
from memory.proposal_steps import Step, carried_out
from memory.refusals import OverLimit

NO_EDIT: Final[Mapping[int, str]] = MappingProxyType({})


@dataclass(frozen=True)
class Proposal:
    """`steps`: the operations in their order; a batch is one unit. `after`: the meter after the whole, or after
    what would work of it; None when there is nothing to count. `rows`: all entries after it.

    `reason`: why it would not be applied; without one it can be approved. `pinned_because`: Hermes itself
    refuses it, as "unverifiable", and we apply it only to the entry on screen. `seen`: what the form carries.
    """

    record: PendingRecord
    target: Target | None
    batch: bool
    steps: tuple[Step, ...]
    seen: str
    now: Meter | None = None
    after: Meter | None = None
    rows: tuple[str, ...] = field(default=(), repr=False)
    reason: Reason | None = None
    pinned_because: Reason | None = None

    @property
    def editable(self) -> bool:
        """There is a new text, and a form can carry it."""
        texts = [step.after for step in self.steps if step.after is not None]
        return bool(texts) and not any("\0" in text for text in texts)

    @property
    def changes_nothing(self) -> bool:
        """What it adds is there already: approving it only takes it from the queue."""
        return not self.batch and all(step.already_there for step in self.steps)


def proposal_view(
    record: PendingRecord, states: Mapping[Target, State], edited: Mapping[int, str] = NO_EDIT
) -> Proposal:
    """A memory record beside the state of its store. `states` has both, under the same rules; `edited`: new
    texts of a person, by the number of the operation. Raises nothing."""
    rules = next(iter(states.values())).rules
    wish = wish_of(record, rules)
    if wish.target is None:
        return Proposal(record, None, wish.batch, (), _seen(record, ()), reason=wish.reason)
    state = states[wish.target]
    steps, rows = carried_out(wish.operations, state.entries, rules, edited)
    readable = state.problem is None
    return Proposal(
        record,
        wish.target,
        wish.batch,
        steps,
        _seen(record, steps),
        now=state.meter if readable else None,
        after=Meter(counted(rows), state.limit) if readable else None,
        rows=tuple(rows),
        reason=_reason(wish, state, steps, rows),
        pinned_because=_unverifiable(wish.operations, state),
    )


def seen_halves(seen: str) -> tuple[str, str]:
    """What `seen` says of the record, and of the entries that were shown beside it."""
    record, _, entries = seen.partition("-")
    return record, entries


def joined_seen(record: PendingRecord, shown: bytes) -> str:
    """What a form carries: a fingerprint of the record, and one of what was shown beside it."""
    return f"{record.fingerprint}-{hashlib.sha256(shown).hexdigest()}"


def _seen(record: PendingRecord, steps: tuple[Step, ...]) -> str:
    """Not the position, and nothing for an addition: neither makes a difference to what would be done."""
    shown = repr([(step.before, step.matches) for step in steps])
    return joined_seen(record, shown.encode("utf-8", "surrogatepass"))


def _reason(wish: Wish, state: State, steps: tuple[Step, ...], rows: list[str]) -> Reason | None:
    if wish.reason is not None:
        return wish.reason
    if not state.enabled:
        return Reason("store_disabled")
    if state.problem is not None:
        return Reason("store_unreadable", cause=state.problem)
    refused = next((step.reason for step in steps if step.reason is not None), None)
    return refused or _whole(wish, state, steps, rows)


def _whole(wish: Wish, state: State, steps: tuple[Step, ...], rows: list[str]) -> Reason | None:
    """What stands against the whole when every operation works."""
    adding = not wish.batch and steps[0].operation.action == "add"
    if adding and steps[0].already_there:
        return None
    if not adding and state.guarded is not None:
        return reason_of(state.guarded)
    if wish.batch and state.rules == "0.22" and state.entries and not rows:
        return Reason("would_empty_store")
    removing = not wish.batch and steps[0].operation.action == "remove"
    if not removing and counted(rows) > state.limit:
        longest = max((len(step.after or "") for step in steps), default=0)
        return reason_of(OverLimit(state.target, counted(state.entries), counted(rows), state.limit, longest))
    unreadable = state.would_not_read_back(rows)
    return None if unreadable is None else reason_of(unreadable)


def _unverifiable(operations: tuple[Operation, ...], state: State) -> Reason | None:
    if state.rules == "0.19":
        return None
    numbers = (
        number for number, each in enumerate(operations) if each.destructive and not each.matched_entry
    )
    number = next(numbers, None)
    return None if number is None else Reason("unverifiable", number)
