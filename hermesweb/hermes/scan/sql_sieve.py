"""Which values of a column hold a phrase: thousands of values put together are searched at once.

A text that is ASCII and has no escaped letters holds the phrase only if its words stand there as folded, which
is quick to see. Every other text is looked at closely: accents that were not typed may stand in any letter.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from hermesweb.hermes.scan.gates import Gate
from hermesweb.hermes.scan.needles import Block, Match, Needles, gate_for
from hermesweb.hermes.scan.sought import SEPARATOR, Where

_HEX = frozenset(b"0123456789abcdef")
_RUN = re.compile(r"[a-z0-9._-]+")  # what no encoding changes
_GAP = rb"(?:[^a-z0-9._\x1f-]|\\[nrt]|&[a-z0-9#]{2,5};){1,24}?"


class Values:
    """Values of one column, put together."""

    def __init__(self, together: bytes, gate: Gate) -> None:
        self.lowered = together.lower()
        self._gate = gate

    @cached_property
    def odd(self) -> list[Block]:
        """Those that need a closer look."""
        if _is_plain(self.lowered):
            return []
        return [Block(value, self._gate) for value in self.lowered.split(SEPARATOR) if not _is_plain(value)]


class Sieve:
    """For one phrase."""

    def __init__(self, needles: Needles) -> None:
        self.needles = needles
        # Nothing but ASCII folds to ASCII letters, and ASCII folds to nothing else.
        runs = [run.encode() for run in _RUN.findall(needles.folded)] if needles.folded.isascii() else []
        self._runs = sorted(runs, key=len, reverse=True)
        self._loose = re.compile(_GAP.join(map(re.escape, runs)))

    def may_hold(self, values: Values) -> bool:
        """False: none of them holds the phrase."""
        return self._may_be_plain(values.lowered) or any(map(self._is_in, values.odd))

    def match(self, content: bytes) -> Match | None:
        """The first in one value."""
        lowered = content.lower()
        if _is_plain(lowered):
            if not self._may_be_plain(lowered):
                return None
            if self.needles.folded == self.needles.piece_text:
                start = lowered.find(self.needles.piece)
                how = "bytes" if self.needles.phrase.isascii() else "normalised"
                return Match(start, start + len(self.needles.piece), how)
        return next(iter(self.needles.find(content)), None)

    def _may_be_plain(self, lowered: bytes) -> bool:
        """Whether the words stand there one after the other with anything that may be between words."""
        for run in self._runs:
            if run not in lowered:
                return False
        return bool(self._runs) and self._loose.search(lowered) is not None

    def _is_in(self, block: Block) -> bool:
        return next(iter(self.needles.find(block)), None) is not None


class Sieves:
    """Without RE2; see Sought."""

    def __init__(self, needles: Sequence[Needles]) -> None:
        self._sieves = [Sieve(each) for each in needles]
        self._gate = gate_for(needles)

    def anywhere(self, together: bytes) -> set[int]:
        """See Sought."""
        values = Values(together, self._gate)
        return {number for number, sieve in enumerate(self._sieves) if sieve.may_hold(values)}

    def in_each(self, values: Sequence[bytes], numbers: Collection[int]) -> Iterator[Where]:
        """See Sought."""
        for number in sorted(numbers):
            for row, value in enumerate(values):
                if match := self._sieves[number].match(value):
                    yield row, number, match.how


def _is_plain(lowered: bytes) -> bool:
    """ASCII in which no letter is written otherwise."""
    if not lowered.isascii() or b"\0" in lowered or (b"\\" in lowered and b"\\u" in lowered):
        return False
    return not any(len(part) > 1 and _HEX.issuperset(part[:2]) for part in lowered.split(b"%")[1:])
