"""What a change makes of the entries of a store, before anything is written. Pure.

Hermes drops exact duplicates whenever it reads a store, so every write of it, and of ours, drops them too. An
entry that is changed or removed goes with its copies; a copy can be changed or removed without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.entries import Store
from memory.limits import Number, percent
from memory.parsing import DELIMITER, used_characters


@dataclass(frozen=True)
class Adding:
    """A new entry, at the end or at `position` among the entries Hermes keeps."""

    text: str
    position: int | None = None


@dataclass(frozen=True)
class Replacing:
    """The entry at `position` (duplicates included) gets another text."""

    position: int
    text: str


@dataclass(frozen=True)
class Removing:
    """The entries at `positions` (duplicates included) go."""

    positions: frozenset[int]


Change = Adding | Replacing | Removing


@dataclass(frozen=True)
class Meter:
    """How full a store is. `used` and `limit` in characters (code points)."""

    used: int
    limit: Number

    @property
    def percent(self) -> int:
        """0 to 100, as Hermes says it."""
        return percent(self.used, self.limit)

    @property
    def over(self) -> bool:
        """Hermes adds nothing more."""
        return self.used > self.limit


def rows_after(entries: Sequence[str], change: Change) -> list[str]:
    """The entries after a change, given all those of the file. May hold a text twice, when one was changed into
    another: Hermes counts both, and drops one the next time it reads."""
    first = first_positions(entries)
    match change:
        case Adding(text, position):
            kept = [entries[row] for row in first]
            return kept if text in kept else _inserted(kept, text, position)
        case Replacing(position, text):
            rows = sorted({*first, position})
            return [text if row == position else entries[row] for row in rows]
        case Removing(positions):
            return [entries[row] for row in first if row not in positions]


def first_positions(entries: Sequence[str]) -> list[int]:
    """The positions of the entries Hermes keeps: of equal ones the first."""
    seen: dict[str, int] = {}
    for position, text in enumerate(entries):
        seen.setdefault(text, position)
    return list(seen.values())


def counted(rows: Sequence[str]) -> int:
    """Characters of the rows as they stand, joined: what Hermes holds against the limit."""
    return len(DELIMITER.join(rows))


def would_be(store: Store, change: Change, limit: Number) -> Meter:
    """The meter after a change, for a counter that runs along. It checks nothing but counts as the check does.

    `limit`: of `memory.operations.writing_limit`. The text is taken as it stands, so pass it through
    `memory.text.cleaned` first. Raises nothing.
    """
    return Meter(counted(rows_after([entry.text for entry in store.entries], change)), limit)


def meter(entries: Sequence[str], limit: Number) -> Meter:
    """The meter of entries as they are."""
    return Meter(used_characters(entries), limit)


def _inserted(entries: list[str], text: str, position: int | None) -> list[str]:
    at = len(entries) if position is None else max(0, min(position, len(entries)))
    return [*entries[:at], text, *entries[at:]]
