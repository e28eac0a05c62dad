"""Which lines of two texts are the same ones, in a time that no text can blow up.

Python's difflib alone needs a minute for 2,000 lines that were made for it. Here lines that are the only ones of
their kind on both sides are matched first, then what lies between them; difflib gets only small pieces.
"""

import bisect
import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

SMALL: Final = 2_500
"""So many pairs of lines are compared one by one; in a larger piece without a line to hold on to, none is."""
DEPTH: Final = 20

Pair = tuple[int, int]


@dataclass(frozen=True)
class _Piece:
    """Lines `old[start:end]` and `new[new_start:new_end]`."""

    start: int
    end: int
    new_start: int
    new_end: int


def matching_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[Pair]:
    """The line numbers (from 0) of the same line in both, ascending on both sides."""
    return _matched(old, new, _Piece(0, len(old), 0, len(new)), DEPTH)


def _matched(old: Sequence[str], new: Sequence[str], piece: _Piece, depth: int) -> Iterator[Pair]:
    head, tail = _equal_ends(old, new, piece)
    yield from ((piece.start + offset, piece.new_start + offset) for offset in range(head))
    inner = _Piece(piece.start + head, piece.end - tail, piece.new_start + head, piece.new_end - tail)
    yield from _inside(old, new, inner, depth)
    yield from ((piece.end - offset, piece.new_end - offset) for offset in range(tail, 0, -1))


def _equal_ends(old: Sequence[str], new: Sequence[str], piece: _Piece) -> Pair:
    shorter = min(piece.end - piece.start, piece.new_end - piece.new_start)
    head = 0
    while head < shorter and old[piece.start + head] == new[piece.new_start + head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[piece.end - 1 - tail] == new[piece.new_end - 1 - tail]:
        tail += 1
    return head, tail


def _inside(old: Sequence[str], new: Sequence[str], piece: _Piece, depth: int) -> Iterator[Pair]:
    if (piece.end - piece.start) * (piece.new_end - piece.new_start) <= SMALL:
        yield from _compared(old, new, piece)
        return
    reached, new_reached = piece.start, piece.new_start
    anchors = _ascending(_only_ones(old, new, piece)) if depth else []
    for line, new_line in anchors:
        if reached < line and new_reached < new_line:
            yield from _matched(old, new, _Piece(reached, line, new_reached, new_line), depth - 1)
        yield line, new_line
        reached, new_reached = line + 1, new_line + 1
    if anchors:
        yield from _matched(old, new, _Piece(reached, piece.end, new_reached, piece.new_end), depth - 1)


def _compared(old: Sequence[str], new: Sequence[str], piece: _Piece) -> Iterator[Pair]:
    here, there = old[piece.start : piece.end], new[piece.new_start : piece.new_end]
    for block in difflib.SequenceMatcher(None, here, there, autojunk=False).get_matching_blocks():
        for offset in range(block.size):
            yield piece.start + block.a + offset, piece.new_start + block.b + offset


def _only_ones(old: Sequence[str], new: Sequence[str], piece: _Piece) -> list[Pair]:
    here, there = old[piece.start : piece.end], new[piece.new_start : piece.new_end]
    times, new_times = Counter(here), Counter(there)
    places = {line: number for number, line in enumerate(there, piece.new_start) if new_times[line] == 1}
    return [
        (number, places[line])
        for number, line in enumerate(here, piece.start)
        if times[line] == 1 and line in places
    ]


def _ascending(pairs: list[Pair]) -> list[Pair]:
    """The most of the pairs that ascend on the other side too, by patience sorting."""
    tops: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for number, (_, new_line) in enumerate(pairs):
        pile = bisect.bisect_left(tops, new_line)
        before.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [new_line]
        piles[pile : pile + 1] = [number]
    found = []
    number = piles[-1] if piles else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
