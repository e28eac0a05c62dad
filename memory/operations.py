"""Adds, changes, removes and moves entries of MEMORY.md and USER.md the way Hermes itself would.

Under Hermes' lock, on what the file holds then, with the refusals of the release that wrote the home
(`tools/memory_tool.py` of 0.19, `tools/memory_tool_store.py` of 0.22), and with the same bytes as outcome. What
differs, on purpose:

- A text with a separator line, a NUL or half a character is refused; line ends become line feeds first.
- An entry changed into one that is already there leaves one of the two in the file. Hermes leaves both, and
  counts both until it reads again; the limit is checked as Hermes does.
- An entry is what the person saw, not what contains a piece of text: no match is ever ambiguous.
- A removal that empties the file is no mistake of a model: it is done. So is one from a store that is
  switched off, for that is how to get rid of what was left there.
- A write that would not read back as the same entries is refused.
- Nothing is left beside the file: no `.bak`, no temporary file.
- A save without a change writes nothing, and needs neither lock nor right to write.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermesweb.hermes.writing import NotWritten, remove_file
from memory.changes import (
    Adding,
    Change,
    Meter,
    Removing,
    Replacing,
    counted,
    meter,
    rows_after,
)
from memory.editing import (
    Fresh,
    MemoryFile,
    find,
    locked,
    read_fresh,
    refuse_disabled,
    refuse_guarded,
    refuse_unreadable_rows,
    stale,
    write,
)
from memory.parsing import DELIMITER
from memory.refusals import HalfMoved, NotEditable, OverLimit
from memory.seen import Seen, fingerprint, fingerprint_of_all
from memory.text import checked, cleaned

Done = Literal[
    "added",
    "already_there",  # an equal entry is there: nothing was written
    "replaced",
    "merged",  # the new text was there already; the entry that was changed is gone
    "unchanged",  # nothing was written
    "removed",
    "cleared",
]


@dataclass(frozen=True)
class Removed:
    """An entry that was removed. `position`: among the entries Hermes keeps, from 0, before the removal."""

    text: str
    position: int


@dataclass(frozen=True)
class Result:
    """What was done to one file. `entries`: all that are in it now. `removed`: what `undo` takes to bring it
    back. `dropped_copies`: duplicates that went with the write, as with every write of Hermes."""

    done: Done
    wrote: bool
    entries: tuple[str, ...]
    meter: Meter
    removed: tuple[Removed, ...] = ()
    dropped_copies: int = 0


@dataclass(frozen=True)
class Moved:
    """What was done to the two files of a move."""

    added_to: Result
    removed_from: Result


def add(file: MemoryFile, text: str) -> Result:
    """Add an entry at the end. An equal one is a success without a write.

    Raises StoreDisabled, EmptyText, Unstorable, SeparatorInside, ThreatFound, OverLimit, Guarded (only for
    "would_not_read_back": Hermes' guard is not for additions), and Busy, NotWritten, Unreadable.
    """
    refuse_disabled(file)
    entry = checked(text, file.rules)
    with locked(file):
        return _carry_out(file, read_fresh(file), Adding(entry), "added")


def replace(file: MemoryFile, seen: Seen, text: str) -> Result:
    """Give the entry that was seen another text. Raises what `add` raises, Stale, Guarded and NotEditable."""
    if fingerprint(cleaned(text)) == seen.entry:
        fresh = read_fresh(file)
        find(file, fresh, seen)
        return _unwritten(file, fresh, "unchanged")
    refuse_disabled(file)
    entry = checked(text, file.rules)
    with locked(file):
        fresh = read_fresh(file)
        refuse_guarded(file, fresh)
        position = find(file, fresh, seen)
        if "\0" in fresh.entries[position]:
            raise NotEditable(position)
        done: Done = "merged" if entry in fresh.entries else "replaced"
        return _carry_out(file, fresh, Replacing(position, entry), done)


def remove(file: MemoryFile, seen: Sequence[Seen]) -> Result:
    """Remove all the entries that were seen, or none. Raises Stale, Guarded, Busy, NotWritten, Unreadable."""
    with locked(file):
        fresh = read_fresh(file)
        refuse_guarded(file, fresh)
        positions = frozenset(find(file, fresh, each) for each in seen)
        if not positions:
            return _unwritten(file, fresh, "unchanged")
        return _carry_out(file, fresh, Removing(positions), "removed")


def clear(file: MemoryFile, seen: str) -> Result:
    """Remove every entry of a file that is still as it was seen (`memory.seen.seen_store`), even one that
    Hermes' guard protects. The empty file stays, as after Hermes' own removals. Raises Stale, Busy, NotWritten,
    Unreadable."""
    with locked(file):
        fresh = read_fresh(file)
        if fingerprint_of_all(fresh.entries) != seen:
            raise stale(file, fresh, None)
        if not fresh.text.raw:
            return _unwritten(file, fresh, "unchanged")
        return _carry_out(file, fresh, Removing(frozenset(range(len(fresh.entries)))), "cleared")


def undo(file: MemoryFile, removed: Sequence[Removed]) -> Result:
    """Bring removed entries back where they stood, as far as that place still is. Their text comes from the
    page: it is checked like any other, so an entry that Hermes would block cannot be brought back. Raises what
    `add` raises."""
    refuse_disabled(file)
    wanted = [Removed(checked(each.text, file.rules), each.position) for each in removed]
    with locked(file):
        fresh = read_fresh(file)
        rows = list(fresh.entries)
        for each in sorted(wanted, key=lambda one: one.position):
            rows = rows_after(rows, Adding(each.text, each.position))
        if set(rows) == set(fresh.entries):
            return _unwritten(file, fresh, "already_there")
        longest = max(len(each.text) for each in wanted)
        return _write_rows(file, fresh, _allowed(file, fresh, rows, longest), "added")


def move(file: MemoryFile, seen: Seen) -> Moved:
    """Move the entry that was seen to the other memory file of the profile: added there first, then removed
    here, with both locks held. Copies of it go too.

    Raises what `add` to the other and `remove` from this file raise; nothing is changed then. Only HalfMoved
    leaves the entry in both files. A process that is killed on the way does so too; the entry is never lost.
    """
    other = file.other
    refuse_disabled(other)
    with locked(file, other):
        fresh, there = read_fresh(file), read_fresh(other)
        refuse_guarded(file, fresh)
        text = checked(fresh.entries[find(file, fresh, seen)], file.rules)
        here = Removing(frozenset([fresh.entries.index(text)]))
        _rows_left(file, fresh, here)  # what stands against the second half is known before the first
        added = _carry_out(other, there, Adding(text), "added")
        try:
            return Moved(added, _carry_out(file, fresh, here, "removed"))
        except NotWritten as cause:
            if added.wrote:
                _take_back(other, there, HalfMoved(other.path, file.path, cause))
            raise


def _carry_out(file: MemoryFile, fresh: Fresh, change: Change, done: Done) -> Result:
    match change:
        case Adding(text):
            if text in fresh.entries:
                return _unwritten(file, fresh, "already_there")
            rows = _allowed(file, fresh, rows_after(fresh.entries, change), len(text))
        case Replacing(_, text):
            rows = _allowed(file, fresh, rows_after(fresh.entries, change), len(text))
        case Removing():
            rows = _rows_left(file, fresh, change)
    return _write_rows(file, fresh, rows, done)


def _allowed(file: MemoryFile, fresh: Fresh, rows: Sequence[str], entry: int) -> list[str]:
    if counted(rows) > file.limit:
        raise OverLimit(file.target, counted(fresh.kept), counted(rows), file.limit, entry)
    kept = list(dict.fromkeys(rows))
    refuse_unreadable_rows(file, kept)
    return kept


def _rows_left(file: MemoryFile, fresh: Fresh, change: Removing) -> list[str]:
    """The entries that are left. Raises Guarded."""
    rows = rows_after(fresh.entries, change)
    refuse_unreadable_rows(file, rows)
    return rows


def _write_rows(file: MemoryFile, fresh: Fresh, rows: Sequence[str], done: Done) -> Result:
    write(file, DELIMITER.join(rows).encode())
    left = set(rows)
    gone = tuple(Removed(text, position) for position, text in enumerate(fresh.kept) if text not in left)
    copies = len(fresh.entries) - len(fresh.kept)
    return Result(done, True, tuple(rows), meter(rows, file.limit), gone, copies)


def _unwritten(file: MemoryFile, fresh: Fresh, done: Done) -> Result:
    return Result(done, False, fresh.entries, meter(fresh.entries, file.limit))


def _take_back(file: MemoryFile, before: Fresh, half: HalfMoved) -> None:
    """Put the file back as it was before the first half of a move. Raises `half` if that fails too."""
    try:
        if before.content is None:
            remove_file(file.path, root=file.root)
        else:
            write(file, before.content)
    except NotWritten:
        raise half from half.cause
