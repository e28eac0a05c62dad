"""What never arrived: memory calls that were refused, and replies that promise to remember but do not.

The commonest complaint about memory is a fact that the agent said it would keep. Both ways in which that goes
wrong leave a trace in state.db. A turn is what lies between a person's message and the next one.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from sessions.content import plain_text, preview
from sessions.database import Database
from sessions.errors import StateDamaged, StateTimeout
from sessions.memory_calls import MemoryCall, Origins
from sessions.memory_operations import ACCEPTED
from sessions.memory_queries import (
    REPLY_WINDOW,
    MessageRow,
    names_of,
    question_before,
    replies_in,
    time_at,
    turn_of,
    windows,
)
from sessions.promise_words import HINTS, promise_in, saves
from sessions.prompt_queries import text
from sessions.tool_calls import tool_calls_of

ARRIVED: Final = frozenset(("saved", "no_change"))
PROMISES = 200  # kept at most
SHOWN_CHARACTERS = 300

Stopped = Literal["time", "damage", "size"]


@dataclass(frozen=True)
class Refusal:
    """A call of the memory tool that changed nothing. `texts`: what it should have written, in its words.

    `arrived`: all of it was there already by another call, or was saved by a later one.
    """

    call: MemoryCall
    texts: tuple[str, ...]
    arrived: bool


@dataclass(frozen=True)
class Promise:
    """A reply that promises to remember, in a turn without any call that saves.

    `message`: id of the reply, `question`: id of the message it answers, if one. `sentence`: the promise,
    `said`: what the person had said; both cut. `tools`: the tools used in the turn, such as one that writes a
    file. `undone`: the turn was taken back. `at`: UTC epoch seconds, None where not sane.
    """

    session: str
    title: str
    source: str
    message: int
    question: int | None
    at: float | None
    sentence: str
    said: str
    tools: tuple[str, ...]
    undone: bool


@dataclass(frozen=True)
class PromiseSearch:
    """The promises found, newest first. `since`: the time of the oldest message looked at. `stopped`: why there
    may be older ones: the time was over, the database is damaged, or there were too many."""

    promises: tuple[Promise, ...]
    since: float | None
    stopped: Stopped | None

    @property
    def complete(self) -> bool:
        return self.stopped is None


def refusals(calls: Iterable[MemoryCall]) -> list[Refusal]:
    """Those of the calls that Hermes refused, newest first. An answer that cannot be understood is none."""
    known, past = sorted(calls, key=lambda call: call.message), Origins()
    found: list[Refusal] = []
    last = {made: call.message for call in known if call.outcome in ARRIVED for made in _made(call)}
    for call in known:
        past.follow(call)
        if call.outcome not in ACCEPTED and call.outcome != "unclear":
            texts = tuple(operation.content for operation in call.operations if operation.content.strip())
            made = _made(call)
            arrived = all(past.of(*each) or last.get(each, call.message) > call.message for each in made)
            found.append(Refusal(call, texts, arrived and 0 < len(made) == len(call.operations)))
    return found[::-1]


def broken_promises(db: Database, seconds: float = 4, limit: int = PROMISES) -> PromiseSearch:
    """Replies that promise to remember although nothing was saved in the turn, newest first.

    Raises StateError, but not for damage or slowness after the first find: that ends the look.
    """
    found = _Found(time.monotonic() + seconds, limit)
    try:
        found.look(db)
    except (StateTimeout, StateDamaged) as problem:
        if not found.replies:
            raise
        found.stopped = "time" if isinstance(problem, StateTimeout) else "damage"
    replies = sorted(found.replies.values(), key=lambda reply: -reply.row.id)
    names = names_of(db, {reply.row.session for reply in replies})
    promises = tuple(_promise(reply, names) for reply in replies)
    return PromiseSearch(promises, found.since, found.stopped)


def _made(call: MemoryCall) -> list[tuple[str, str]]:
    """The entries that a call makes when it is accepted, with their store."""
    return [(call.target, each.after.strip()) for each in call.operations if each.after]


@dataclass(frozen=True)
class _Reply:
    row: MessageRow
    question: MessageRow | None
    sentence: str
    tools: tuple[str, ...]


class _Found:
    """Replies with a promise that no call of their turn keeps."""

    def __init__(self, deadline: float, limit: int) -> None:
        self.replies: dict[object, _Reply] = {}  # by what is the same in every copy
        self.since: float | None = None
        self.stopped: Stopped | None = None
        self._deadline, self._limit = deadline, limit

    def look(self, db: Database) -> None:
        for window in windows(db, REPLY_WINDOW):
            for row in replies_in(db, window, HINTS):
                self._reply(db, row)
                if self._over():
                    self.since = row.at or self.since
                    return
            self.since = time_at(db, window) or self.since
            if self._over():
                return

    def _reply(self, db: Database, row: MessageRow) -> None:
        sentence = promise_in(plain_text(row.content))
        if sentence is None:
            return
        tools = _tools(turn_of(db, row))
        if not any(saves(tool) for tool in tools):
            question = question_before(db, row)
            # Compression copies messages; the oldest is the original, and the last to come.
            key = (row.content, question.content if question else row.id)
            self.replies[key] = _Reply(row, question, sentence, tools)

    def _over(self) -> bool:
        if len(self.replies) >= self._limit:
            self.stopped = "size"
        elif time.monotonic() > self._deadline:
            self.stopped = "time"
        return self.stopped is not None


def _tools(turn: Iterable[MessageRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(call.name for row in turn for call in tool_calls_of(row.tool_calls)))


def _promise(reply: _Reply, names: dict[Any, tuple[str, str]]) -> Promise:
    row, question = reply.row, reply.question
    title, source = names.get(row.session, ("", ""))
    return Promise(
        session=text(row.session),
        title=title,
        source=source,
        message=row.id,
        question=question.id if question else None,
        at=row.at,
        sentence=reply.sentence[:SHOWN_CHARACTERS],
        said=preview(question.content, SHOWN_CHARACTERS) if question else "",
        tools=reply.tools,
        undone=row.undone,
    )
