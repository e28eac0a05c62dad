"""What a proposal is held against: a memory file as it was read for a page, or as it is under its lock."""

from dataclasses import dataclass
from pathlib import Path

from hermesweb.hermes.config import Config
from hermesweb.hermes.errors import Unreadable
from memory.changes import Meter, counted
from memory.editing import Fresh, MemoryFile, read_fresh, writing_limit
from memory.entries import Store
from memory.limits import Number, Rules, Target
from memory.parsing import DELIMITER, NOTHING, round_trips, split_entries
from memory.refusals import Guarded
from memory.switches import store_enabled


@dataclass(frozen=True)
class State:
    """One memory file. `entries`: without the duplicates, as Hermes works on them; `longest`: characters of the
    longest entry; `problem`: why it could not be read."""

    target: Target
    path: Path
    rules: Rules
    enabled: bool
    limit: Number
    entries: tuple[str, ...]
    round_trips: bool
    problem: Unreadable | None = None

    @property
    def meter(self) -> Meter:
        """How full it is now."""
        return Meter(counted(self.entries), self.limit)

    @property
    def guarded(self) -> Guarded | None:
        """Hermes' guard against text from elsewhere, which stands against all but a single addition."""
        if any(len(entry) > self.limit for entry in self.entries):
            return Guarded(self.path, "oversized_entry")
        if self.rules == "0.19" and not self.round_trips:
            return Guarded(self.path, "does_not_round_trip")
        return None

    def would_not_read_back(self, rows: list[str]) -> Guarded | None:
        """Whether these entries, written one after the other, would be read as others."""
        same = split_entries(DELIMITER.join(rows)) == [row.strip() for row in rows]
        return None if same else Guarded(self.path, "would_not_read_back")


def state_of_store(store: Store, config: Config) -> State:
    """The state of a store that a page has read."""
    return State(
        store.target,
        store.path,
        store.rules,
        store.enabled,
        writing_limit(config, store.target, store.rules),
        tuple(entry.text for entry in store.kept),
        store.round_trips,
        store.problem,
    )


def state_of_file(file: MemoryFile) -> tuple[State, Fresh]:
    """The state of a file this very moment, and what was read for it. Raises nothing."""
    try:
        fresh = read_fresh(file)
    except Unreadable as problem:
        return _state(file, (), True, problem), Fresh(None, NOTHING, ())
    return _state(file, fresh.kept, round_trips(fresh.text.read_by(file.rules)), None), fresh


def _state(file: MemoryFile, entries: tuple[str, ...], trips: bool, problem: Unreadable | None) -> State:
    enabled = store_enabled(file.config, file.target, file.rules)
    return State(file.target, file.path, file.rules, enabled, file.limit, entries, trips, problem)
