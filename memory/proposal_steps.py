"""What the operations of a proposal make of the entries, one after the other. Pure.

The rules are those of `add`, `replace`, `remove`, `patch` and `apply_batch` in Hermes' `tools/memory_tool.py`
(0.19) and `tools/memory_tool_store.py` (0.22). Stricter than Hermes:

- Line ends become line feeds, and a text with a separator line or a NUL is refused, as everywhere here.
- A `matched_entry` counts in 0.19 too, which does not know it: beside its own match.
- The scan sees every new text; 0.22 overlooks `new_text`, and an entry that a patch leaves alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory.blocked import findings
from memory.limits import Rules
from memory.proposal_matching import occurrences, positions_of
from memory.proposal_payload import ACTIONS, Operation
from memory.proposal_reasons import Reason, reason_of
from memory.refusals import Refused
from memory.text import checked


@dataclass(frozen=True)
class Step:
    """One operation beside what is there. `before`: the entry it changes or removes, None for an addition or
    without a match; `after`: the entry as it would be, None for a removal. `matches`: entries that an ambiguous
    old text is found in. `findings`: what the scan says about the new text. `already_there`: an addition that
    changes nothing. `reason`: why this one is not applied."""

    number: int
    operation: Operation
    before: str | None = None
    after: str | None = None
    matches: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    already_there: bool = False
    reason: Reason | None = None


@dataclass
class Rows:
    """The entries while the operations are carried out. An operation that is refused leaves them alone."""

    rules: Rules
    entries: list[str]
    edited: Mapping[int, str] = field(default_factory=dict)

    def step(self, number: int, operation: Operation) -> Step:
        """Carry out one operation."""
        if operation.malformed:
            return Step(number, operation, reason=Reason("malformed", number, detail=operation.malformed))
        if operation.action not in ACTIONS[self.rules]:
            return Step(number, operation, reason=Reason("not_supported_action", number))
        return (
            self._addition(number, operation)
            if operation.action == "add"
            else self._change(number, operation)
        )

    def _addition(self, number: int, operation: Operation) -> Step:
        text = self.edited.get(number, operation.content)
        entry, reason = _checked(text, self.rules, number)
        there = entry in self.entries
        if reason is None and not there:
            self.entries.append(entry)
        found = tuple(findings(entry, self.rules))
        return Step(number, operation, None, entry, findings=found, already_there=there, reason=reason)

    def _change(self, number: int, operation: Operation) -> Step:
        position, matches, reason = self._located(number, operation)
        before = None if position is None else self.entries[position]
        if operation.action == "remove":
            if position is not None and reason is None:
                del self.entries[position]
            return Step(number, operation, before, None, matches, reason=reason)
        after, refused = self._new_text(number, operation, before)
        if position is not None and (reason := reason or refused) is None:
            self.entries[position] = after
        found = tuple(findings(after.strip(), self.rules))
        return Step(number, operation, before, after, matches, found, reason=reason or refused)

    def _located(
        self, number: int, operation: Operation
    ) -> tuple[int | None, tuple[str, ...], Reason | None]:
        spaces = operation.action == "patch"  # the white space around its span belongs to it
        old_text = operation.old_text if spaces else operation.old_text.strip()
        if not old_text.strip():
            return None, (), Reason("missing_old_text", number)
        positions = positions_of(old_text, self.entries, self.rules)
        matches = tuple(dict.fromkeys(self.entries[position] for position in positions))
        pinned = operation.matched_entry
        if pinned and (pinned not in self.entries or (self.rules == "0.19" and matches != (pinned,))):
            return None, matches, Reason("stale", number, matches=matches, expected=pinned)
        if pinned:
            return self.entries.index(pinned), (), None
        if not matches:
            return None, (), Reason("no_match", number)
        if len(matches) > 1:
            return None, matches, Reason("several_matches", number, matches=matches)
        return positions[0], (), None

    def _new_text(self, number: int, operation: Operation, before: str | None) -> tuple[str, Reason | None]:
        """The new entry, and why it cannot be stored. A patch leaves white space at the ends of it to be
        stripped when the file is read next, as Hermes does."""
        if number in self.edited or operation.action == "replace":
            return _checked(self.edited.get(number, operation.content), self.rules, number)
        span, text = operation.old_text, _line_feeds(operation.content)
        if not text.strip():
            return "", Reason("missing_content", number)
        if before is None:
            return text, None
        if occurrences(span, before) > 1:
            return before, Reason("span_repeated", number)
        after = before.replace(span, text, 1)
        if after == before:
            return before, Reason("span_unchanged", number)
        return after, _checked(after, self.rules, number)[1]


def carried_out(
    operations: Sequence[Operation], entries: Sequence[str], rules: Rules, edited: Mapping[int, str]
) -> tuple[tuple[Step, ...], list[str]]:
    """Every operation beside what it meets, and the entries after those that were not refused. `edited`: the
    new text of the entry that an operation adds or changes, in the place of the proposed one."""
    rows = Rows(rules, list(entries), edited)
    steps = tuple(rows.step(number, operation) for number, operation in enumerate(operations))
    return steps, rows.entries


def _checked(text: str, rules: Rules, number: int) -> tuple[str, Reason | None]:
    try:
        return checked(text, rules), None
    except Refused as refused:
        return _line_feeds(text).strip(), reason_of(refused, number)


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
