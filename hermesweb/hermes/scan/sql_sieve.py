"""Which values of a column hold a phrase: thousands of values put together are searched at once.

A text that is ASCII and has no escaped letters holds the phrase only if its words stand there as folded, which
is quick to see. Every other text is looked at closely: accents that were not typed may stand in any letter.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from hermesweb.hermes.scan.gates import Gate
from hermesweb.hermes.scan.needles import Block, Match, Needles, gate_for

SEPARATOR = b"\x1f"  # no blank, so no phrase reaches from one value into the next
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

    @property
    def may_be_number(self) -> bool:
        return not any(letter.isalpha() and letter != "e" for letter in self.needles.folded)

    def may_hold(self, values: Values) -> bool:
        """False: none of them holds the phrase."""
        return self._may_be_plain(values.lowered) or any(map(self._is_in, values.odd))

    def match(self, value: object) -> Match | None:
        """The first in one value, which can be text (as bytes), bytes or a number."""
        content = value if isinstance(value, bytes) else str(value).encode()
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


def may_hold(sieves: Sequence[Sieve], together: bytes) -> list[int]:
    """The numbers of the phrases that may be in values put together with SEPARATOR."""
    values = Values(together, gate_for(sieve.needles for sieve in sieves))
    return [number for number, sieve in enumerate(sieves) if sieve.may_hold(values)]


def _is_plain(lowered: bytes) -> bool:
    """ASCII in which no letter is written otherwise."""
    if not lowered.isascii() or b"\0" in lowered or (b"\\" in lowered and b"\\u" in lowered):
        return False
    return not any(len(part) > 1 and _HEX.issuperset(part[:2]) for part in lowered.split(b"%")[1:])
