"""What a memory record asks for: the `payload` that Hermes replays (`apply_memory_pending` in Hermes'
`tools/memory_tool.py`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory.limits import Rules, Target
from memory.pending_record import PendingRecord
from memory.proposal_reasons import Reason

ACTIONS: Final[Mapping[Rules, frozenset[str]]] = {
    "0.19": frozenset({"add", "replace", "remove"}),
    "0.22": frozenset({"add", "replace", "remove", "patch"}),
}
DESTRUCTIVE: Final = frozenset({"replace", "remove", "patch"})
OPERATIONS_SHOWN: Final = 200


@dataclass(frozen=True)
class Operation:
    """One change. The texts are as written; `matched_entry`: the whole entry it was made against, as 0.22 notes
    it. `malformed`: the name of a value that is no text."""

    action: str
    content: str = ""
    old_text: str = ""
    matched_entry: str = ""
    malformed: str = ""

    @property
    def destructive(self) -> bool:
        """It changes or removes an entry."""
        return self.action in DESTRUCTIVE


@dataclass(frozen=True)
class Wish:
    """What a record asks for. Without a target `reason` says why."""

    target: Target | None
    operations: tuple[Operation, ...]
    batch: bool
    reason: Reason | None = None


def wish_of(record: PendingRecord, rules: Rules) -> Wish:
    """What the record asks for, under the rules of a release. Raises nothing."""
    if record.problem is not None and record.problem != "unpaired_surrogates":
        return Wish(None, (), False, Reason(record.problem, cause=record.unreadable))
    payload = record.payload
    batch = payload.get("action") == "batch"
    raw = payload.get("operations") if batch else [payload]
    rows = raw if isinstance(raw, list) else []
    operations = tuple(_operation(row, batch) for row in rows[:OPERATIONS_SHOWN])
    target = _target(payload, rules, rows if batch else [])
    return Wish(target, operations, batch, _reason(record, target, raw, rules))


def _reason(record: PendingRecord, target: Target | None, raw: object, rules: Rules) -> Reason | None:
    if record.problem is not None:
        return Reason(record.problem)
    if target is None:
        return Reason("bad_target")
    if raw and not isinstance(raw, list):
        return Reason("malformed", detail="operations")
    if not raw:
        return Reason("no_operations")
    if isinstance(raw, list) and len(raw) > OPERATIONS_SHOWN:
        return Reason("malformed", detail="operations")
    return None


def _target(payload: Mapping[str, object], rules: Rules, rows: list[object]) -> Target | None:
    """0.19 takes a missing target for MEMORY.md, and any other name too: that far we do not follow it."""
    target = payload.get("target")
    if target is None and rules == "0.19":
        target = "memory"
    nested = (row.get("target") for row in rows if isinstance(row, dict))
    if rules == "0.22" and any(each not in (None, target) for each in nested):
        return None
    return target if target in ("memory", "user") else None


def _operation(row: object, batch: bool) -> Operation:
    if not isinstance(row, Mapping):
        return Operation("", malformed="" if row is None else "operation")
    names = ("content", "old_text", "matched_entry")
    values = {name: row.get(name) for name in names}
    if batch and not values["content"]:
        values["content"] = row.get("new_text")
    wrong = [name for name in names if values[name] and not isinstance(values[name], str)]
    texts = {name: value if isinstance(value, str) else "" for name, value in values.items()}
    action = row.get("action")
    return Operation(action if isinstance(action, str) else "", malformed=wrong[0] if wrong else "", **texts)
