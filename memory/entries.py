"""Reads MEMORY.md and USER.md of a profile as Hermes does, and says what it makes of every entry."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermesweb.hermes.config import Config
from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import Profile
from memory.entry import Entry, entries_of
from memory.limits import TARGETS, Limit, Number, Rules, Target, effective_limit, percent
from memory.parsing import (
    DELIMITER,
    NOTHING,
    LineEnds,
    MemoryText,
    decode,
    round_trips,
    split_entries,
    used_characters,
)
from memory.switches import store_enabled

__all__ = ["FILE_NAMES", "Entry", "Store", "memory_path", "read_store"]

SIZE_LIMIT: Final = 16 * 1024 * 1024  # bytes; a full store has some 9,000 at most
ENTRY_LIMIT: Final = 20_000  # so that 16 MB of one-letter entries do not become gigabytes of objects
FILE_NAMES: Final[Mapping[Target, str]] = {"memory": "MEMORY.md", "user": "USER.md"}


@dataclass(frozen=True)
class Store:
    """One memory file under the rules of one release. Counts are in characters (code points).

    `used`: the entries Hermes keeps, joined. `raw_characters`: the whole file, byte order mark and carriage
    returns included. `problem`: why it could not be read; a store without a file has none.
    `not_loaded_because`: why a session would start without the store's entries although it is enabled: a key
    of config.yaml, or the name of the memory file that cannot be decoded.
    """

    target: Target
    path: Path
    rules: Rules
    enabled: bool
    limit: Limit
    exists: bool
    problem: Unreadable | None = None
    entries: tuple[Entry, ...] = ()
    used: int = 0
    raw_characters: int = 0
    bom: bool = False
    line_ends: LineEnds = "none"
    round_trips: bool = True
    not_loaded_because: str | None = None

    @property
    def kept(self) -> tuple[Entry, ...]:
        """The entries without the duplicates, as Hermes loads them."""
        return tuple(entry for entry in self.entries if entry.duplicate_of is None)

    @property
    def percent(self) -> int:
        """How full the store is, 0 to 100, as Hermes says it."""
        return percent(self.used, self.limit.value)

    @property
    def over_limit(self) -> bool:
        """Hermes adds nothing more until entries are removed."""
        return _exceeds(self.used, self.limit.value)

    @property
    def oversized_entry(self) -> bool:
        """One entry alone is longer than the whole limit, which no entry written by Hermes can be."""
        return any(_exceeds(entry.characters, self.limit.value) for entry in self.entries)

    @property
    def refuses_changes(self) -> bool:
        """Hermes' guard against text from elsewhere: it will change or remove no entry of this file."""
        return self.oversized_entry or (self.rules == "0.19" and not self.round_trips)


def memory_path(profile: Profile, target: Target) -> Path:
    """Where the store of a profile lies (`get_memory_dir` in Hermes' `tools/memory_tool.py`)."""
    return profile.folder / "memories" / FILE_NAMES[target]


def read_store(profile: Profile, target: Target, config: Config, rules: Rules = "0.22") -> Store:
    """The store `target` of a profile as a Hermes with these rules would load it at the start of a session.

    Raises nothing: what cannot be read becomes the `problem` of a store without entries.
    """
    # Both files, because a session loads both at once and one can keep the other out of the prompt.
    files = {each: _read(profile, each, rules) for each in TARGETS}
    holding = frozenset(each for each, file in files.items() if file.holds_entries)
    limit = effective_limit(config, target, rules, holding)
    file = files[target]
    entries = entries_of(file.content, rules)
    return Store(
        target=target,
        path=memory_path(profile, target),
        rules=rules,
        enabled=store_enabled(config, target, rules),
        limit=limit,
        exists=file.exists,
        problem=file.problem,
        entries=entries,
        used=used_characters(entry.text for entry in entries),
        raw_characters=len(file.content.raw),
        bom=file.content.bom,
        line_ends=file.content.line_ends,
        round_trips=round_trips(file.content.read_by(rules)),
        not_loaded_because=limit.because or _undecodable(files, target, rules),
    )


@dataclass(frozen=True)
class _File:
    exists: bool
    problem: Unreadable | None = None
    content: MemoryText = NOTHING
    holds_entries: bool = False


def _read(profile: Profile, target: Target, rules: Rules) -> _File:
    path = memory_path(profile, target)
    try:
        content = decode(read_file(path, root=profile.home.root, limit=SIZE_LIMIT), path)
        if content.text.count(DELIMITER) >= ENTRY_LIMIT:
            raise Unreadable(path, "too_large", size=len(content.raw.encode()))
    except Unreadable as problem:
        return _File(False) if problem.why == "missing" else _File(True, problem)
    return _File(True, None, content, bool(split_entries(content.read_by(rules))))


def _undecodable(files: Mapping[Target, _File], target: Target, rules: Rules) -> str | None:
    """In 0.19 the error over one file that is not UTF-8 ends the load of both."""
    for each in (target, *TARGETS):
        problem = files[each].problem
        if problem is not None and problem.why == "undecodable" and (rules == "0.19" or each == target):
            return FILE_NAMES[each]
    return None


def _exceeds(characters: int, limit: Number | None) -> bool:
    return limit is not None and characters > limit
