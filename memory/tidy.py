"""Puts a memory file into the form Hermes itself would write. Only when a person has seen before and after.

For files that somebody else wrote: with blank lines around the separators, with a separator too many, Windows'
line ends, a byte order mark, copies, or an entry longer than the whole limit, where Hermes refuses to change
or remove anything.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from memory.changes import Meter, meter
from memory.editing import Fresh, MemoryFile, locked, read_fresh, refuse_unreadable_rows, stale, write
from memory.parsing import BOM, DELIMITER, MemoryText, split_entries
from memory.refusals import OverLimit
from memory.text import checked, without_outer_separators

Part = Literal[
    "byte_order_mark",
    "line_ends",  # Windows' and old Macs'
    "layout",  # separators and white space that Hermes would not write
    "copies",
    "entries",  # what the person changed or removed
]
MARK_ONLY: Final[frozenset[Part]] = frozenset({"byte_order_mark"})

_FORM: Final[frozenset[Part]] = frozenset({"byte_order_mark", "line_ends", "layout", "copies"})


@dataclass(frozen=True)
class Wish:
    """What to do to a file. `parts`: all of the form, or the byte order mark alone. `changes`: a new text for
    the entry at a position (from 0, duplicates included), None to remove it; only together with all parts."""

    parts: frozenset[Part] = _FORM
    changes: Mapping[int, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Tidied:
    """Before and after. The texts are the whole files, `parts` what differs between them (nothing: the file is
    tidy), `copies` how many duplicates go, `meter` how full the store is then. `seen` travels with the form."""

    before: str
    after: str
    entries: tuple[str, ...]
    parts: frozenset[Part]
    copies: int
    meter: Meter
    seen: str


TIDY: Final = Wish()


def preview(file: MemoryFile, wish: Wish = TIDY) -> Tidied:
    """What `tidy` would do. Changes nothing. Raises Unreadable, Guarded, and for new texts what `add` raises;
    OverLimit only when the file would be over the limit and longer than it is."""
    return _tidied(file, read_fresh(file), wish)


def tidy(file: MemoryFile, seen: str, wish: Wish = TIDY) -> Tidied:
    """Do what was previewed, if the file is byte for byte the one that was seen. Writes nothing when there is
    nothing to do. Raises what `preview` raises, Stale, Busy, NotWritten."""
    with locked(file):
        fresh = read_fresh(file)
        tidied = _tidied(file, fresh, wish)
        if tidied.seen != seen:
            raise stale(file, fresh, None)
        if tidied.parts:
            write(file, tidied.after.encode())
        return tidied


def _tidied(file: MemoryFile, fresh: Fresh, wish: Wish) -> Tidied:
    if wish.parts == MARK_ONLY:
        after = fresh.text.raw.removeprefix(BOM)
        entries = split_entries(after.replace("\r\n", "\n").replace("\r", "\n"))
        copies = 0
    else:
        entries, copies = _new_entries(file, fresh, wish)
        after = DELIMITER.join(entries)
    return Tidied(
        before=fresh.text.raw,
        after=after,
        entries=tuple(entries),
        parts=_parts(fresh.text, after, wish),
        copies=copies,
        meter=meter(entries, file.limit),
        seen=hashlib.sha256(fresh.content or b"").hexdigest(),
    )


def _new_entries(file: MemoryFile, fresh: Fresh, wish: Wish) -> tuple[list[str], int]:
    """The entries that are left, and how many copies are not among them."""
    texts = [_new_text(file, fresh, position, wish) for position in range(len(fresh.entries))]
    wanted = _without_mark([text for text in texts if text])
    entries = list(dict.fromkeys(wanted))
    refuse_unreadable_rows(file, entries)
    now, then = meter(fresh.entries, file.limit), meter(entries, file.limit)
    if then.over and then.used > now.used:
        raise OverLimit(file.target, now.used, then.used, file.limit, max(map(len, entries)))
    return entries, len(wanted) - len(entries)


def _new_text(file: MemoryFile, fresh: Fresh, position: int, wish: Wish) -> str:
    if position in wish.changes:
        wanted = wish.changes[position]
        return "" if wanted is None else checked(wanted, file.rules)
    return without_outer_separators(fresh.entries[position])


def _without_mark(entries: list[str]) -> list[str]:
    """A mark in front of what comes first would be the mark of the file."""
    while entries and entries[0].startswith(BOM):
        first = without_outer_separators(entries[0].lstrip(BOM))
        entries = [first, *entries[1:]] if first else entries[1:]
    return entries


def _parts(text: MemoryText, after: str, wish: Wish) -> frozenset[Part]:
    if wish.parts == MARK_ONLY:
        return MARK_ONLY if text.bom else frozenset()
    entries = split_entries(text.text)
    tidy = DELIMITER.join(entries)
    found: dict[Part, bool] = {
        "byte_order_mark": text.bom,
        "line_ends": text.line_ends not in ("none", "lf"),
        "layout": tidy != text.text or any(without_outer_separators(entry) != entry for entry in entries),
        "copies": len(set(entries)) != len(entries),
        "entries": bool(wish.changes),
    }
    return frozenset(part for part, holds in found.items() if holds and text.raw != after)
