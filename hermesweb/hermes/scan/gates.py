"""A quick look for places where pieces of phrases may stand with letters that are not plain ASCII.

One byte stands for all that can begin such a letter (of the letters that the pieces have, no others): the engine
then skips from one to the next, and sees by the bytes beside it whether it can belong to a piece.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hermesweb.hermes.scan.folding import fold, letters_like
from hermesweb.hermes.scan.patterns import any_of, every_mark, percent, utf8

BEGIN, ESCAPE, OTHER = 0xFF, 0xFE, 0x7F
"""In a `plain` block: here a letter of several bytes may begin, or an escape; anything that is neither."""
_HIGH = frozenset(range(0x80, 0x100))
_ESCAPES = b"%\\"

Tails = dict[bytes, set[int]]  # the rest of a letter after its first byte, and what may stand next to it


@dataclass(frozen=True)
class Gate:
    """For `pieces`: ASCII letters and digits in lower case, two or more each.

    `table` makes a block `plain`: lower case, accented letters of one byte without accents, BEGIN.
    """

    pieces: tuple[bytes, ...]

    def places(self, plain: bytes) -> list[int]:
        """Where a letter of a piece may be written otherwise than in ASCII: at least once in each piece that is,
        as long as that is not in UTF-16."""
        found = [match.start() for match in self._pattern.finditer(plain)]
        found += [match.start() for match in self._escaped.finditer(plain)]
        return sorted(found)

    @cached_property
    def table(self) -> bytes:
        table = bytearray(bytes(range(256)).lower())
        for point in range(0xC0, 0x100):
            folded = fold(chr(point))
            if len(folded) == 1 and folded.isascii():
                table[point] = ord(folded)
        table[ESCAPE] = OTHER
        for byte in self._leads:
            table[byte] = BEGIN
        for byte in _ESCAPES:
            table[byte] = ESCAPE
        return bytes(table)

    @cached_property
    def _leads(self) -> frozenset[int]:
        forms = [utf8(each) for _, letters, _ in self._others for each in letters]
        single = (
            point for point in range(0xC0, 0x100) if any(chr(point) in each[1] for each in self._others)
        )
        wide = frozenset(point for point in single if len(fold(chr(point))) > 1)
        return frozenset(form[0] for form in (*forms, *map(utf8, every_mark()))) | wide

    @cached_property
    def _others(self) -> list[tuple[str, tuple[str, ...], tuple[str, int]]]:
        """What letters stand for, those letters, in which piece and where in that: before its beginning or past
        its end as well, if a part of what they stand for is in it."""
        found = []
        for piece in dict.fromkeys(each.decode() for each in self.pieces):
            for folded, letters in letters_like().items():
                for place in range(1 - len(folded), len(piece)):
                    low, high = max(place, 0), min(place + len(folded), len(piece))
                    if piece[low:high] == folded[low - place : high - place]:
                        found.append((folded, letters, (piece, place)))
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[bytes]:
        several = rb"(?=[\x80-\xbf])(?:%s)" % b"|".join([*self._accented(), *self._marked()])
        return re.compile(rb"\xff(?:%s)" % b"|".join([several, *self._single()]), re.DOTALL)

    def _accented(self) -> Iterator[bytes]:
        """In UTF-8, beside the letter that follows or, at the end of a piece, after the letter before."""
        before: Tails = defaultdict(set)
        after: Tails = defaultdict(set)
        alone: set[bytes] = set()
        for folded, letters, (piece, place) in self._others:
            tails = {utf8(each)[1:] for each in letters}
            follows = piece[place + len(folded) : place + len(folded) + 1]
            for tail in tails:
                if follows:
                    after[tail] |= {ord(follows), BEGIN}
                elif place > 0:
                    before[tail] |= {ord(piece[place - 1]), *_HIGH}
                else:
                    alone.add(tail)
        yield from (tails + _one_of(beside) for beside, tails in _alike(after))
        yield from (rb"(?<=%s\xff)%s" % (_one_of(beside), tails) for beside, tails in _alike(before))
        if alone:
            yield any_of(alone)

    def _marked(self) -> Iterator[bytes]:
        """What stands between two letters and makes no difference."""
        tails = any_of({utf8(mark)[1:] for mark in every_mark()})
        before = {byte for piece in self.pieces for byte in piece[:-1]} | _HIGH
        after = {byte for piece in self.pieces for byte in piece[1:]} | {BEGIN}
        yield rb"(?<=%s\xff)%s%s" % (_one_of(before), tails, _one_of(after))

    def _single(self) -> Iterator[bytes]:
        """Of one byte that can begin others as well: with two neighbours, as far as the piece has them."""
        found: dict[tuple[bytes, bytes], None] = {}
        points = [chr(point) for point in sorted(self._leads) if point >= 0xC0]
        for folded, letters, (piece, place) in self._others:
            if any(point in letters for point in points):
                end = place + len(folded)
                low, high = (2, 0) if end >= len(piece) else (0, 2) if place <= 0 else (1, 1)
                found[_known(piece[max(0, place - low) : max(0, place)]), _known(piece[end : end + high])] = (
                    None
                )
        for before, after in found:
            yield (rb"(?<=%s\xff)" % before if before else b"") + (after or rb"(?=[\x00-\xff]|\Z)")

    @cached_property
    def _escaped(self) -> re.Pattern[bytes]:
        letters = {each for _, some, _ in self._others for each in some} | set(every_mark())
        letters |= {each for piece in self.pieces for each in piece.decode() + piece.decode().upper()}
        pairs = any_of({percent(each)[1:3] for each in letters})
        units = any_of({b"%04x" % ord(each) for each in letters})
        return re.compile(rb"\xfe(?=[0-9a-fu])(?:%s|u%s)" % (pairs, units))


@lru_cache(64)
def gate_of(pieces: tuple[bytes, ...]) -> Gate:
    """One for all who look for the same."""
    return Gate(pieces)


def _known(letters: str) -> bytes:
    return b"".join(_one_of({ord(each), BEGIN}) for each in letters)


def _one_of(some: Iterable[int]) -> bytes:
    return rb"[%s]" % b"".join(rb"\x%02x" % byte for byte in sorted(some))


def _alike(tails: Tails) -> Iterator[tuple[frozenset[int], bytes]]:
    """Put together those that may have the same beside them."""
    groups: dict[frozenset[int], set[bytes]] = defaultdict(set)
    for tail, beside in tails.items():
        groups[frozenset(beside)].add(tail)
    for together, group in groups.items():
        yield together, any_of(group)
