"""Which calls of the memory tool are on record, and which of them an entry of today comes from.

What the agent saves in a conversation is on record as a tool call with its answer. What is not: writes that
were approved later, edits by hand, what was deleted since, and what the background review saves. 0.19 and 0.22
run that apart from state.db (tried on both; 0.22 notes what it cost); older builds wrote its turns into the
session, behind a prompt of its own.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from sessions.database import Database
from sessions.errors import StateDamaged, StateTimeout
from sessions.memory_operations import (
    SEPARATOR,
    Answer,
    Operation,
    Outcome,
    answer_of,
    operations_of,
    target_of,
)
from sessions.memory_queries import (
    CALL_WINDOW,
    MessageRow,
    answers_after,
    calls_in,
    names_of,
    question_before,
    reviews_of,
    time_at,
    windows,
)
from sessions.prompt_queries import text
from sessions.tool_calls import ToolCall, tool_calls_of

CALLS = 5000  # kept at most
# How the prompts begin that the background review asks the agent with (agent/background_review.py).
_REVIEW_STARTS: Final = tuple(
    f"Review the conversation above and {rest}"
    for rest in ("consider saving to memory", "update the skill library", "update two things")
)

Stopped = Literal["time", "damage", "size"]


@dataclass(frozen=True)
class MemoryCall:
    """One call of the memory tool with its answer.

    `message`: id of the agent's message. `at`: UTC epoch seconds, None where not sane. `background`: asked for
    by the background review. `undone`: the turn was taken back, which does not take back what was saved.
    `error`: Hermes' own words, cut. `pending_id`: the record of a write that waits for approval.
    """

    session: str
    title: str
    source: str
    message: int
    at: float | None
    background: bool
    undone: bool
    target: str
    operations: tuple[Operation, ...]
    outcome: Outcome
    error: str = ""
    pending_id: str | None = None


@dataclass(frozen=True)
class Review:
    """A background review that 0.22 noted the cost of; what it saved is in no message. Times as everywhere."""

    session: str
    title: str
    source: str
    first: float | None
    last: float | None


@dataclass(frozen=True)
class CallSearch:
    """The calls found, newest first. `since`: the time of the oldest message looked
    at. `stopped`: why there
    may be older ones: the time was over, the database is damaged, or there were too many."""

    calls: tuple[MemoryCall, ...]
    since: float | None
    stopped: Stopped | None

    @property
    def complete(self) -> bool:
        return self.stopped is None


@dataclass(frozen=True)
class Origin:
    """How an entry came to be. `earlier`: the origin of the entry it was made from, if it was changed."""

    entry: str
    call: MemoryCall
    operation: Operation
    earlier: "Origin | None" = field(default=None, repr=False)

    @property
    def steps(self) -> tuple["Origin", ...]:
        """This one and all earlier ones, newest first."""
        steps, origin = [self], self.earlier
        while origin:
            steps.append(origin)
            origin = origin.earlier
        return tuple(steps)


def memory_calls(db: Database, seconds: float = 4, limit: int = CALLS) -> CallSearch:
    """All calls of the memory tool, newest first, each once however often compression copied it.

    Raises StateError, but not for damage or slowness after the first find: that ends the look.
    """
    found = _Found(time.monotonic() + seconds, limit)
    try:
        found.look(db)
    except (StateTimeout, StateDamaged) as problem:
        if not found.calls:
            raise
        found.stopped = "time" if isinstance(problem, StateTimeout) else "damage"
    names = names_of(db, {row.session for row, _, _ in found.calls.values()})
    calls = tuple(_call(row, call, answer, names, db) for row, call, answer in found.calls.values())
    return CallSearch(tuple(sorted(calls, key=lambda call: -call.message)), found.since, found.stopped)


def background_reviews(db: Database, limit: int = 200) -> tuple[Review, ...]:
    """The newest background reviews that are on record. Raises StateError."""
    rows = reviews_of(db, limit)
    names = names_of(db, {session for session, _, _ in rows})
    return tuple(Review(text(key), *names.get(key, ("", "")), first, last) for key, first, last in rows)


def origins(calls: Iterable[MemoryCall]) -> "Origins":
    """Go through the calls in the order of time and note which entries each made and unmade."""
    found = Origins()
    for call in sorted(calls, key=lambda call: call.message):
        found.follow(call)
    return found


class Origins:
    """Where entries come from, as far as tool calls tell."""

    def __init__(self) -> None:
        self._alive: dict[str, dict[str, Origin]] = {}
        self._waiting: dict[tuple[str, str], MemoryCall] = {}

    def of(self, target: str, entry: str) -> Origin | None:
        """The origin of an entry that is in the file `target` ("memory" or "user") today. None: not found."""
        return self._alive.get(target, {}).get(entry.strip())

    def proposed(self, target: str, entry: str) -> MemoryCall | None:
        """The newest call that put aside this very entry for approval. An approval leaves no message."""
        return self._waiting.get((target, entry.strip()))

    def follow(self, call: MemoryCall) -> None:
        """Take one more call, later than all before it."""
        for operation in call.operations:
            if call.outcome == "waiting" and operation.after:
                self._waiting[call.target, operation.after.strip()] = call
            if call.outcome == "saved":
                self._apply(call, operation, self._alive.setdefault(call.target, {}))

    def _apply(self, call: MemoryCall, operation: Operation, alive: dict[str, Origin]) -> None:
        if operation.action == "add":
            self._add(call, operation, None, alive)
        elif operation.action in ("replace", "patch", "remove"):
            before = operation.before or _match(alive, operation.old_text.strip())
            earlier = alive.pop(before.strip(), None) if before else None
            if operation.action != "remove":
                self._add(call, _completed(operation, before), earlier, alive)

    @staticmethod
    def _add(
        call: MemoryCall, operation: Operation, earlier: Origin | None, alive: dict[str, Origin]
    ) -> None:
        for part in (operation.after or "").split(SEPARATOR):
            # An entry that was there already is not added again.
            if entry := part.strip():
                alive.setdefault(entry, Origin(entry, call, operation, earlier))


def _match(alive: Mapping[str, Origin], old_text: str) -> str | None:
    """The one entry that an older Hermes must have meant; None when that cannot be told."""
    if old_text in alive:
        return old_text
    found = [entry for entry in alive if old_text and old_text in entry]
    return found[0] if len(found) == 1 else None


def _completed(operation: Operation, before: str | None) -> Operation:
    after = operation.after
    if after is None and before and operation.old_text:
        after = before.replace(operation.old_text, operation.content, 1)
    return Operation(operation.action, operation.content, operation.old_text, before, after)


class _Found:
    """Calls by what makes them the same in every copy."""

    def __init__(self, deadline: float, limit: int) -> None:
        self.calls: dict[object, tuple[MessageRow, ToolCall, Answer]] = {}
        self.since: float | None = None
        self.stopped: Stopped | None = None
        self._deadline, self._limit = deadline, limit

    def look(self, db: Database) -> None:
        for window in windows(db, CALL_WINDOW):
            for row in calls_in(db, window):
                for call, answer in _answered(db, row):
                    self._add(row, call, answer)
                if self._over():
                    self.since = row.at or self.since
                    return
            self.since = time_at(db, window) or self.since
            if self._over():
                return

    def _over(self) -> bool:
        if len(self.calls) >= self._limit:
            self.stopped = "size"
        elif time.monotonic() > self._deadline:
            self.stopped = "time"
        return self.stopped is not None

    def _add(self, row: MessageRow, call: ToolCall, answer: Answer) -> None:
        # A copy has the same id and arguments; without an id every message is one of its own. The oldest is
        # the original, and the last to come.
        key = (call.id, repr(call.arguments)) if call.id else (row.id, len(self.calls))
        kept = self.calls.pop(key, None)
        if kept and answer.outcome in ("unclear", "no_answer"):
            answer = kept[2]
        self.calls[key] = (row, call, answer)


def _answered(db: Database, row: MessageRow) -> Iterator[tuple[ToolCall, Answer]]:
    calls = [call for call in tool_calls_of(row.tool_calls) if call.name == "memory"]
    answers = answers_after(db, row) if calls else []
    by_id = {call_id: content for call_id, _, content in answers if call_id}
    in_order = iter([content for call_id, tool, content in answers if not call_id and tool in ("memory", "")])
    for call in calls:
        yield call, answer_of(by_id.get(call.id) if call.id in by_id else next(in_order, None))


def _call(
    row: MessageRow, call: ToolCall, answer: Answer, names: Mapping[Any, tuple[str, str]], db: Database
) -> MemoryCall:
    question = question_before(db, row)
    title, source = names.get(row.session, ("", ""))
    return MemoryCall(
        session=text(row.session),
        title=title,
        source=source,
        message=row.id,
        at=row.at,
        background=question is not None and question.content.lstrip().startswith(_REVIEW_STARTS),
        undone=row.undone,
        target=target_of(call.arguments),
        operations=operations_of(call.arguments, answer),
        outcome=answer.outcome,
        error=answer.error,
        pending_id=answer.pending_id,
    )
