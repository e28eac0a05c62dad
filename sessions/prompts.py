"""Where memory text already is: in the system prompts that state.db keeps of past and open sessions.

A prompt is written once at the start of a session and again after compression and /undo, so it still holds
what has been deleted from a memory file since, and what an open session goes on sending to its provider.
How memory stands in a prompt is told by a function that the caller brings along (`memory.prompt.parts_of`).
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from sessions.database import Database
from sessions.errors import StateDamaged, StateTimeout
from sessions.prompt_queries import (
    PromptRow,
    PromptSession,
    pages_of_hashes,
    pages_of_prompts,
    sessions_by_row,
    shared_prompt,
)

NEWEST = 20  # sessions named for a text; the others are only counted
GONE_TEXTS, GONE_CHARACTERS = 1000, 1_000_000  # of deleted entries that are kept track of
REMEMBERED = 2_000  # different prompts whose result is kept in mind
ELSEWHERE_CHARACTERS = 12  # shorter entries ("tea") stand in any prompt by chance

Stopped = Literal["time", "damage", "size"]


class Parts(Protocol):
    """A prompt taken apart: the entries in its memory blocks, the whole blocks, and what is around them."""

    @property
    def entries(self) -> frozenset[str]: ...
    @property
    def blocks(self) -> frozenset[str]: ...
    @property
    def pieces(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Standing:
    """In which stored prompts a text is.

    `sessions`: how many have it in a memory block, `open` of them not ended; `newest` of them by name.
    `elsewhere`: how many more only have it in another part of the prompt, a weaker sign. `unowned`: stored
    prompts with it in a memory block that no session refers to any more.
    """

    text: str
    sessions: int = 0
    open: int = 0
    elsewhere: int = 0
    unowned: int = 0
    newest: tuple[PromptSession, ...] = ()


@dataclass(frozen=True)
class PromptSearch:
    """What a look through the stored prompts found.

    `texts`: for every text asked about. `gone`: entries in memory blocks that were not asked about, those in
    most prompts first. `sessions`: how many prompts of sessions were read, newest first, `since`: start of
    the oldest of them (UTC epoch seconds). `stopped`: why there may be more: the time was over, the database
    is damaged, or (`gone` only) there were too many.
    """

    texts: Mapping[str, Standing]
    gone: tuple[Standing, ...]
    sessions: int
    since: float | None
    stopped: Stopped | None

    @property
    def complete(self) -> bool:
        return self.stopped is None


def search_prompts(
    db: Database, texts: Collection[str], parts_of: Callable[[str], Parts], seconds: float = 4
) -> PromptSearch:
    """Look for texts (memory entries as rendered, or whole blocks) in all stored prompts.

    Stops after `seconds` and then says how far it came. Raises StateError, but not for damage or a statement
    that takes too long after the first page: that ends the look.
    """
    search = _Search(frozenset(texts), parts_of)
    _run(search, db, time.monotonic() + seconds)
    named = sessions_by_row(db, (row for tally in search.tallies() for row in tally.newest))
    gone = sorted(search.gone.values(), key=lambda tally: (-tally.sessions, -tally.unowned, tally.text))
    return PromptSearch(
        texts={text: tally.standing(named) for text, tally in search.asked.items()},
        gone=tuple(tally.standing(named) for tally in gone),
        sessions=search.sessions,
        since=search.since,
        stopped=search.stopped,
    )


def _run(search: "_Search", db: Database, deadline: float) -> None:
    try:
        for _ in _steps(search, db):
            if time.monotonic() > deadline:
                search.stopped = "time"
                return
    except (StateTimeout, StateDamaged) as problem:
        if search.sessions == 0:
            raise
        search.stopped = "time" if isinstance(problem, StateTimeout) else "damage"


def _steps(search: "_Search", db: Database) -> Iterator[None]:
    """One thing after the other, with a look at the clock after each."""
    for page in pages_of_prompts(db):
        for row in page:
            search.session(row, db)
            if row.hash is not None:
                yield
        yield
    for keys in pages_of_hashes(db):
        for key in keys:
            if key not in search.owned:
                search.unowned(shared_prompt(db, key))
                yield


@dataclass
class _Tally:
    text: str
    sessions: int = 0
    open: int = 0
    elsewhere: int = 0
    unowned: int = 0
    newest: list[int] = field(default_factory=list)

    def add(self, row: PromptRow) -> None:
        self.sessions += 1
        self.open += row.open
        if len(self.newest) < NEWEST:
            self.newest.append(row.rowid)

    def standing(self, named: Mapping[int, PromptSession]) -> Standing:
        newest = tuple(named[row] for row in self.newest if row in named)
        return Standing(self.text, self.sessions, self.open, self.elsewhere, self.unowned, newest)


@dataclass(frozen=True)
class _Found:
    """What is in one prompt: texts asked about, the same outside the blocks, and other entries."""

    asked: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


_NOTHING: Final = _Found()


class _Search:
    def __init__(self, texts: frozenset[str], parts_of: Callable[[str], Parts]) -> None:
        self.asked = {text: _Tally(text) for text in texts}
        self.gone: dict[str, _Tally] = {}
        self.known: dict[object, _Found] = {}
        self.owned: set[object] = set()  # hashes that a session refers to
        self.sessions = 0
        self.since: float | None = None
        self.stopped: Stopped | None = None
        self._parts_of = parts_of
        self._long = tuple(text for text in texts if len(text) >= ELSEWHERE_CHARACTERS)
        self._around: dict[int, frozenset[str]] = {}
        self._characters = 0

    def tallies(self) -> Iterator[_Tally]:
        yield from self.asked.values()
        yield from self.gone.values()

    def session(self, row: PromptRow, db: Database) -> None:
        found = self._of_row(row, db)
        if found is None:
            return
        self.sessions += 1
        self.since = row.started_at or self.since
        for text in found.asked:
            self.asked[text].add(row)
        for text in found.elsewhere:
            self.asked[text].elsewhere += 1
        for tally in self._others(found):
            tally.add(row)

    def unowned(self, prompt: bytes | None) -> None:
        found = self._read(prompt) if prompt else _NOTHING
        for text in found.asked:
            self.asked[text].unowned += 1
        for tally in self._others(found):
            tally.unowned += 1

    def _of_row(self, row: PromptRow, db: Database) -> _Found | None:
        """None for a session without a prompt."""
        if row.inline:
            return self._remembered(hash(row.inline), lambda: row.inline)
        if row.hash is None:
            return None
        self.owned.add(row.hash)
        return self._remembered(row.hash, lambda: shared_prompt(db, row.hash))

    def _remembered(self, key: object, prompt: Callable[[], bytes | None]) -> _Found:
        if key in self.known:
            return self.known[key]
        content = prompt()
        found = self._read(content) if content else _NOTHING
        if len(self.known) < REMEMBERED:
            self.known[key] = found
        return found

    def _read(self, content: bytes) -> _Found:
        parts = self._parts_of(content.decode("utf-8", "replace"))
        asked = frozenset(text for text in self.asked if text in parts.entries or text in parts.blocks)
        around = frozenset(text for piece in parts.pieces for text in self._in_piece(piece))
        others = frozenset(self._one_copy(text) for text in parts.entries if text not in self.asked)
        return _Found(asked, around - asked, others)

    def _in_piece(self, piece: str) -> frozenset[str]:
        """The texts in a piece of a prompt. The fixed piece before the blocks is the same in many prompts."""
        key = hash(piece)
        if key not in self._around:
            if len(self._around) >= REMEMBERED:
                self._around.clear()
            self._around[key] = frozenset(text for text in self._long if text in piece)
        return self._around[key]

    def _one_copy(self, text: str) -> str:
        return self.gone[text].text if text in self.gone else text

    def _others(self, found: _Found) -> Iterator[_Tally]:
        for text in found.others:
            if text not in self.gone:
                if len(self.gone) >= GONE_TEXTS or self._characters + len(text) > GONE_CHARACTERS:
                    self.stopped = "size"
                    continue
                self._characters += len(text)
                self.gone[text] = _Tally(text)
            yield self.gone[text]
