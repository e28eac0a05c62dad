"""The pages that a full-text index of SQLite (FTS5) keeps in its table `…_data`, decoded.

An index is a list of segments, each a sorted list of terms over pages ("leaves") of about 4,000 bytes:

    leaf      first_row:u16 end:u16 content… then, from `end` on, where terms begin: varints, each the distance
              to the one before
    content   of each term: [how much of the term before is kept, unless first on the leaf] size bytes doclist
    doclist   of each row: row id (the first of a doclist and the first on a leaf in full, others as distance),
              2 × size of the position list + 1 if the row was deleted, position list
    positions 1 column, or 2 + distance to the position before

A doclist goes on over as many leaves as it needs. The number of a leaf is in the row id of `…_data`:
segment << 37 | page. Terms carry b"0" in front (b"1" and on: of prefix indexes). Format 4, which every release
of Hermes writes; format 5 only differs in what a deletion leaves behind.
Format: https://sqlite.org/fts5.html and the head of ext/fts5/fts5_index.c.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

STRUCTURE_ROW = 10
SEGMENT_BITS, PAGE_BITS = 37, 31
MAIN = b"0"
_WITH_ORIGINS = b"\xff\x00\x00\x01"


class BrokenLeaf(Exception):
    """What should be a page of an index is not one."""


@dataclass(frozen=True)
class Segment:
    """A sorted part of an index. `age`: 0 is the one written last. Leaves `first` to `last`."""

    number: int
    age: int
    first: int
    last: int

    def row(self, page: int) -> int:
        """Where in `…_data` the leaf `page` is."""
        return (self.number << SEGMENT_BITS) + page


@dataclass(frozen=True)
class Term:
    """A term that begins on a leaf; its doclist is from `start` to `end` there, and goes on on the next leaf
    if it is the leaf's `last`. `kept`: bytes of it that are not written again, as the term before has them."""

    text: bytes
    start: int
    end: int
    kept: int
    last: bool


class Entry(NamedTuple):
    """What a doclist says of a row. `deleted`: at the time of the segment the row's earlier words went."""

    row: int
    deleted: bool
    positions: bytes


def varint(content: bytes, at: int) -> tuple[int, int]:
    """SQLite's: seven bits a byte, the ninth all eight. The number and where the next one begins."""
    byte = content[at]
    if byte < 0x80:
        return byte, at + 1
    value = byte & 0x7F
    for place in range(at + 1, at + 8):
        byte = content[place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + 1
    return value << 8 | content[at + 8], at + 9


def signed(value: int) -> int:
    return value - (1 << 64) if value & 1 << 63 else value


def segments_of(structure: bytes) -> tuple[Segment, ...]:
    """From the row STRUCTURE_ROW of `…_data`; the newest first. Raises BrokenLeaf."""
    origins = structure[4:8] == _WITH_ORIGINS
    at = 8 if origins else 4
    found: list[Segment] = []
    try:
        levels, at = varint(structure, at)
        _count, at = varint(structure, at)
        _writes, at = varint(structure, at)
        for _level in range(levels):
            _merging, at = varint(structure, at)
            size, at = varint(structure, at)
            level = []
            for _ in range(size):
                numbers, at = _varints(structure, at, 8 if origins else 3)
                level.append(numbers[:3])
            found += [Segment(number, 0, first, last) for number, first, last in reversed(level)]
    except IndexError:
        raise BrokenLeaf from None
    # Freed segments stay in the list with no leaves.
    there = (segment for segment in found if 0 < segment.first <= segment.last)
    return tuple(Segment(one.number, age, one.first, one.last) for age, one in enumerate(there))


def _varints(content: bytes, at: int, count: int) -> tuple[list[int], int]:
    numbers = []
    for _ in range(count):
        number, at = varint(content, at)
        numbers.append(number)
    return numbers, at


class Leaf:
    """One page. `end`: where its content ends; `first_row`: offset of the first row id that begins a run here
    in full (0: none), which is where a doclist from the page before has its first whole entry."""

    def __init__(self, content: bytes) -> None:
        if len(content) < 4:
            raise BrokenLeaf
        self.content = content
        self.first_row = int.from_bytes(content[:2], "big")
        self.end = int.from_bytes(content[2:4], "big")
        if not 4 <= self.end <= len(content) or self.first_row >= max(self.end, 5):
            raise BrokenLeaf
        self.starts = self._starts()

    def _starts(self) -> list[int]:
        starts, at, place = [], self.end, 0
        try:
            while at < len(self.content):
                distance, at = varint(self.content, at)
                place += distance
                starts.append(place)
        except IndexError:
            raise BrokenLeaf from None
        if starts and (starts[0] < 4 or starts[-1] >= self.end or any(map(_not_rising, starts, starts[1:]))):
            raise BrokenLeaf
        return starts

    @property
    def goes_on(self) -> int:
        """Where what the page before began ends on this one."""
        return self.starts[0] if self.starts else self.end

    def first_row_id(self) -> int | None:
        """Of the doclist that came from the page before."""
        if not 4 <= self.first_row < self.goes_on:
            return None
        return signed(varint(self.content, self.first_row)[0])

    def terms(self) -> Iterator[Term]:
        """In order. Raises BrokenLeaf."""
        text = b""
        last = len(self.starts) - 1
        try:
            for place, start in enumerate(self.starts):
                kept, at = varint(self.content, start) if place else (0, start)
                size, at = varint(self.content, at)
                end = self.end if place == last else self.starts[place + 1]
                if kept > len(text) or at + size > end or not (kept or size):
                    raise BrokenLeaf
                text = text[:kept] + self.content[at : at + size]
                yield Term(text, at + size, end, kept, place == last)
        except IndexError:
            raise BrokenLeaf from None


def _not_rising(one: int, next_one: int) -> bool:
    return next_one <= one


class Doclist:
    """Reads entries off the leaves of one doclist, handed over one after the other.

    `detail`: "full", "column" or "none", as the index was made. `wanted`: row ids of which entries are given, all
    for None.
    """

    def __init__(self, detail: str = "full", wanted: Collection[int] | None = None) -> None:
        self.detail, self._wanted = detail, wanted
        self._row: int | None = None
        self._left = 0  # bytes of the position list that are still to come
        self._begun = b""
        self._deleted = False

    @property
    def unfinished(self) -> bool:
        """The last entry goes on on the next leaf."""
        return self._left > 0

    def skip(self) -> None:
        """The next leaf was left out."""
        self._row, self._left, self._begun = None, 0, b""

    def entries(self, leaf: Leaf, start: int, end: int) -> Iterator[Entry]:
        """Those that are complete with this leaf, whose part of the doclist is from `start` to `end`.

        Raises BrokenLeaf.
        """
        content, at = leaf.content, start
        if self._left:
            step = min(self._left, end - at)
            self._begun += content[at : at + step]
            self._left -= step
            at += step
            if self._left:
                return
            if self._wanted is None or (self._row or 0) in self._wanted:
                yield Entry(self._row or 0, self._deleted, self._begun)
        if self._row is None and at != leaf.first_row and start == 4:
            at = leaf.first_row or end
        try:
            yield from self._whole(leaf, at, end)
        except IndexError:
            raise BrokenLeaf from None

    def _whole(self, leaf: Leaf, at: int, end: int) -> Iterator[Entry]:
        content = leaf.content
        while at < end:
            full = self._row is None or at == leaf.first_row
            number, at = (content[at], at + 1) if content[at] < 0x80 else varint(content, at)
            self._row = signed(number if full else (self._row or 0) + number & (1 << 64) - 1)
            if self.detail == "none":
                deleted = at < end and content[at] == 0
                at += deleted
                at += at < end and content[at] == 0
                if self._wanted is None or self._row in self._wanted:
                    yield Entry(self._row, deleted, b"")
                continue
            if at >= end:
                raise BrokenLeaf
            number, at = (content[at], at + 1) if content[at] < 0x80 else varint(content, at)
            size, self._deleted = number >> 1, bool(number & 1)
            if at + size > end:
                if end < leaf.end:
                    raise BrokenLeaf
                self._begun, self._left = content[at:end], at + size - end
                return
            if self._wanted is None or self._row in self._wanted:
                yield Entry(self._row, self._deleted, content[at : at + size])
            at += size


def positions_of(content: bytes) -> Iterator[tuple[int, int]]:
    """(column, position) of a position list of detail "full". Raises BrokenLeaf."""
    column = position = at = 0
    try:
        while at < len(content):
            number, at = varint(content, at)
            if number == 1:
                column, at = varint(content, at)
                number, at = varint(content, at)
                position = 0
            if number < 2:
                raise BrokenLeaf
            position += number - 2
            yield column, position
    except IndexError:
        raise BrokenLeaf from None
