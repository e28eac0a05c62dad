"""One full-text index on disk: finds the few pages that can hold a term, in every segment there is.

Segments that no merge has taken up yet keep the words of rows that were deleted long ago.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from hermesweb.hermes.scan.segments import (
    MAIN,
    PAGE_BITS,
    SEGMENT_BITS,
    STRUCTURE_ROW,
    BrokenLeaf,
    Doclist,
    Entry,
    Leaf,
    Segment,
    Term,
    segments_of,
)
from hermesweb.hermes.scan.sql_reading import Reading
from hermesweb.hermes.scan.sql_schema import TextIndex, quoted

AT_ONCE = 64  # pages in one question
MOST_SEGMENTS = 1 << 16
_LOOSE = 1 << 20  # age of segments that the index itself no longer knows of


class Moved(Exception):
    """A merge took the segment away while it was read."""


@dataclass(frozen=True)
class Posting:
    """Where the doclist of a term begins. `pages`: about how many leaves it goes on for."""

    segment: Segment
    page: int
    term: Term
    pages: int


class IndexPages:
    """Raises NotReadable, BrokenLeaf and Moved from everything."""

    def __init__(self, database: Reading, index: TextIndex) -> None:
        self.database, self.index = database, index
        self.detail = index.option("detail", "full").lower()
        self._data, self._idx = quoted(index.name + "_data"), quoted(index.name + "_idx")

    def segments(self) -> tuple[Segment, ...]:
        """Those in use, the newest first, then what else lies there."""
        structure = self.database.value(f"SELECT block FROM {self._data} WHERE id = {STRUCTURE_ROW}")  # noqa: S608
        known = segments_of(structure) if structure else ()
        return known + tuple(self._loose({segment.number for segment in known}))

    def postings(self, segment: Segment, text: bytes, *, prefix: bool, most: int) -> Iterator[Posting]:
        """Of the term `text`, or of up to about `most` pages of terms that begin with it."""
        wanted = MAIN + text
        for place, (separator, page) in enumerate(self._pages(segment, wanted, prefix)):
            if place == most:
                return
            (_, leaf), *_ = self.leaves(segment, page, 1)
            yield from self._on_leaf(segment, page, leaf, separator, wanted, prefix)

    def entries(
        self, posting: Posting, wanted: Sequence[int] | None, among: Collection[int] | None
    ) -> Iterator[Entry]:
        """Of a doclist; only of leaves that can have one of the sorted row ids `wanted`, which are `among` too."""
        doclist = Doclist(self.detail, among)
        ahead = self._doclist_leaves(posting)
        leaf = next(ahead)
        start, end = posting.term.start, posting.term.end
        low: int | None = None
        while True:
            following = next(ahead, None)
            high = following.first_row_id() if following else None
            if doclist.unfinished or _overlaps(wanted, low, high):
                yield from doclist.entries(leaf, start, end)
            else:
                doclist.skip()
            if following is None:
                return
            leaf, start, end, low = following, 4, following.goes_on, high if high is not None else low

    def leaves(self, segment: Segment, page: int, count: int) -> list[tuple[int, Leaf]]:
        """(page, leaf) from `page` on, in one look."""
        first, last = segment.row(page), segment.row(min(page + count - 1, segment.last))
        sql = (
            f"SELECT id, block FROM {self._data} WHERE id = {STRUCTURE_ROW} OR id BETWEEN ? AND ? ORDER BY id"  # noqa: S608
        )
        rows = self.database.rows(sql, (first, last))
        structure = next((block for row, block in rows if row == STRUCTURE_ROW), None)
        if segment.age < _LOOSE and not _still_there(structure, segment, page):
            raise Moved
        found = [(row & (1 << PAGE_BITS) - 1, Leaf(block)) for row, block in rows if row != STRUCTURE_ROW]
        if not found or found[0][0] != page:
            raise BrokenLeaf
        return found

    def _pages(self, segment: Segment, wanted: bytes, prefix: bool) -> list[tuple[bytes, int]]:
        sql = f"SELECT term, pgno FROM {self._idx} WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1"  # noqa: S608
        rows = self.database.rows(sql, (segment.number, wanted))
        pages = [(bytes(term), number >> 1) for term, number in rows] or [(b"", segment.first)]
        if prefix:
            sql = (
                f"SELECT term, pgno FROM {self._idx} WHERE segid = ? AND term > ? AND term < ? ORDER BY term"  # noqa: S608
            )
            rows = self.database.rows(sql, (segment.number, wanted, wanted + b"\xff"))
            pages += [(bytes(term), number >> 1) for term, number in rows]
        # A merge in steps takes away leaves at the front, and leaves what points to them.
        there = [(term, page) for term, page in pages if page >= segment.first]
        return there if len(there) == len(pages) else [(b"", segment.first), *there]

    def _on_leaf(
        self, segment: Segment, page: int, leaf: Leaf, separator: bytes, wanted: bytes, prefix: bool
    ) -> Iterator[Posting]:
        for place, term in enumerate(leaf.terms()):
            if place == 0 and not term.text.startswith(separator):
                raise BrokenLeaf
            if term.text > wanted and not term.text.startswith(wanted):
                break
            if term.text == wanted or (prefix and term.text.startswith(wanted)):
                yield Posting(segment, page, term, self._length(segment, page, term))
        if not leaf.starts:
            raise BrokenLeaf

    def _length(self, segment: Segment, page: int, term: Term) -> int:
        if not term.last:
            return 1
        sql = f"SELECT pgno FROM {self._idx} WHERE segid = ? AND term > ? ORDER BY term LIMIT 1"  # noqa: S608
        following = self.database.value(sql, (segment.number, term.text))
        return ((following >> 1) if following else segment.last + 1) - page

    def _doclist_leaves(self, posting: Posting) -> Iterator[Leaf]:
        page, goes_on = posting.page, posting.term.last
        yield self.leaves(posting.segment, page, 1)[0][1]
        while goes_on and page < posting.segment.last:
            for number, leaf in self.leaves(posting.segment, page + 1, min(AT_ONCE, max(posting.pages, 1))):
                if number != page + 1:
                    raise BrokenLeaf
                page = number
                yield leaf
                if leaf.starts:
                    return

    def _loose(self, known: set[int]) -> Iterator[Segment]:
        number = 1
        sql = f"SELECT id FROM {self._data} WHERE id >= ? ORDER BY id LIMIT 1"  # noqa: S608
        while (row := self.database.value(sql, (number << SEGMENT_BITS,))) is not None:
            number = row >> SEGMENT_BITS
            if number >= MOST_SEGMENTS:
                return
            if number not in known and row >> PAGE_BITS & 0x3F == 0:
                top = f"SELECT max(id) FROM {self._data} WHERE id < ?"  # noqa: S608
                last = self.database.value(top, ((number << SEGMENT_BITS) + (1 << PAGE_BITS),))
                mask = (1 << PAGE_BITS) - 1
                yield Segment(number, _LOOSE, row & mask, last & mask)
            number += 1


def _still_there(structure: bytes | None, segment: Segment, page: int) -> bool:
    now = segments_of(structure) if structure else ()
    return any(one.number == segment.number and one.first <= page <= one.last for one in now)


def _overlaps(wanted: Sequence[int] | None, low: int | None, high: int | None) -> bool:
    """Whether one of the sorted ids is from `low` to before `high`; None: no bound."""
    if wanted is None:
        return True
    if not wanted or (low is not None and wanted[-1] < low) or (high is not None and wanted[0] >= high):
        return False
    place = bisect_left(wanted, low) if low is not None else 0
    return place < len(wanted) and (high is None or wanted[place] < high)
