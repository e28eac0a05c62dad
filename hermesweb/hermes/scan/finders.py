"""Every place in some bytes that has one of several phrases: the two ways to find them, and which of them it is.

With RE2 by whole expressions: one pass for the beginnings of all phrases in every spelling, which nearly always
finds nothing, and then whole phrases around what it found. Without it piece by piece (see Needles).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Protocol

from hermesweb.hermes.scan.blocks import Block
from hermesweb.hermes.scan.linear import MEMORY, NotLinear, linear
from hermesweb.hermes.scan.needles import Match, Needles, gate_for
from hermesweb.hermes.scan.patterns import beginning_of, utf8_pattern, utf16_big, utf16_little, utf16_pattern

Matches = Iterator[tuple[int, Match]]
FEW = 3
TOGETHER = 8  # phrases in one expression
LETTERS = 16  # of a phrase in it
SPELLINGS = 256  # that are remembered


class Finder(Protocol):
    """`step`: how many bytes it is best given at once. `apart`: whether others can work while it searches."""

    step: int
    apart: bool

    def matches(self, raw: bytes) -> Matches:
        """The number of a phrase and where it is; those of each phrase in order."""
        ...


@lru_cache(32)
def finder_of(needles: tuple[Needles, ...]) -> Finder:
    """The best one there is."""
    try:
        return Whole(needles)
    except NotLinear:
        return Piecewise(needles)


class Piecewise:
    """Without RE2."""

    step = 64 << 10  # stays in the processor's cache while it is looked at in several ways
    apart = False

    def __init__(self, needles: Sequence[Needles]) -> None:
        self._needles = needles
        self._gate = gate_for(needles)

    def matches(self, raw: bytes) -> Matches:
        """See Finder."""
        block = Block(raw, self._gate, many=len(self._needles) > FEW)
        for number, each in enumerate(self._needles):
            for match in each.find(block):
                yield number, match


class Whole:
    """With RE2. Raises NotLinear."""

    step = 256 << 10
    apart = True

    def __init__(self, needles: Sequence[Needles]) -> None:
        self._phrases = [_Phrase(each) for each in needles]
        self._reach = max(each.reach for each in needles)
        groups = [self._phrases[first : first + TOGETHER] for first in range(0, len(needles), TOGETHER)]
        self._begun = [
            linear(b"|".join(each.begun for each in group), any_case=True, memory=MEMORY * (1 + len(group)))
            for group in groups
        ]

    def matches(self, raw: bytes) -> Matches:
        """See Finder."""
        spans = [match.span() for begun in self._begun for match in begun.finditer(raw)]
        if not spans:
            return
        first, *others = self._phrases
        if others or not first.is_begun_whole:
            yield from self._around(raw, spans)
            return
        found, unclear = {}, []
        for start, end in spans:
            if how := first.how(raw[start:end].lower()):
                found[start] = Match(start, end, how)
            else:
                unclear.append((start, end))
        found |= {match.start: match for _, match in self._around(raw, unclear)}
        yield from ((0, found[start]) for start in sorted(found))

    def phrases_in(self, raw: bytes) -> set[int]:
        """The numbers of the phrases that are somewhere in it, without all the places of each."""
        if len(self._phrases) > 1:
            return {number for number, _ in self.matches(raw)}
        (begun,), (phrase,) = self._begun, self._phrases
        for match in begun.finditer(raw):
            low = max(0, match.start() - self._reach)
            if phrase.is_in(raw[low : match.end() + self._reach].lower()):
                return {0}
        return set()

    def _around(self, raw: bytes, spans: Iterable[tuple[int, int]]) -> Matches:
        for low, high in _widened(spans, self._reach):
            part = raw[low:high]
            lowered = part.lower()
            for number, phrase in enumerate(self._phrases):
                if len(self._phrases) > 1 and not phrase.begins_in(part):
                    continue
                for match in phrase.find(lowered):
                    yield number, Match(low + match.start, low + match.end, match.how)


class _Phrase:
    """The expressions for one phrase, over lower-cased bytes."""

    def __init__(self, needles: Needles) -> None:
        self._folded, self._needles = needles.folded, needles
        begun = beginning_of(needles.folded, LETTERS)
        self.is_begun_whole = begun == needles.folded
        self.begun = b"|".join(
            (utf8_pattern(begun), utf16_pattern(begun, utf16_little), utf16_pattern(begun, utf16_big))
        )
        self.how = lru_cache(SPELLINGS)(self._how)

    def begins_in(self, raw: bytes) -> bool:
        """Whether a closer look is worth it."""
        return self._any.search(raw) is not None

    def find(self, lowered: bytes) -> list[Match]:
        """In order, one at each place."""
        found = {match.start: match for match in self._wide(lowered)}
        for match in self._narrow.finditer(lowered):
            found[match.start()] = Match(match.start(), match.end(), self._needles.how(match[0]))
        return [found[start] for start in sorted(found)]

    def is_in(self, lowered: bytes) -> bool:
        """Whether it is anywhere."""
        return any(each.search(lowered) for each in (self._narrow, self._little, self._big))

    def _how(self, lowered: bytes) -> str | None:
        """As of Match, if that is the phrase, and nothing but the phrase, and not in UTF-16."""
        return self._needles.how(lowered) if self._narrow.fullmatch(lowered) else None

    def _wide(self, lowered: bytes) -> Iterator[Match]:
        starts = set()
        for match in self._little.finditer(lowered):
            starts.add(match.start())
            yield Match(match.start(), match.end(), "utf16")
        for match in self._big.finditer(lowered):
            if match.start() + 1 not in starts:  # the same letters, seen one byte too early
                yield Match(match.start(), match.end(), "utf16")

    @cached_property
    def _any(self) -> re.Pattern[bytes]:
        return _linear_or_not(self.begun, any_case=True, memory=2 * MEMORY)

    @cached_property
    def _narrow(self) -> re.Pattern[bytes]:
        return _linear_or_not(utf8_pattern(self._folded))

    @cached_property
    def _little(self) -> re.Pattern[bytes]:
        return _linear_or_not(utf16_pattern(self._folded, utf16_little))

    @cached_property
    def _big(self) -> re.Pattern[bytes]:
        return _linear_or_not(utf16_pattern(self._folded, utf16_big))


def _linear_or_not(pattern: bytes, *, any_case: bool = False, memory: int = 4 * MEMORY) -> re.Pattern[bytes]:
    """Around what was found it may take longer."""
    try:
        return linear(pattern, any_case=any_case, memory=memory)
    except NotLinear:
        return re.compile(pattern, re.DOTALL | re.IGNORECASE * any_case)


def _widened(spans: Iterable[tuple[int, int]], reach: int) -> Iterator[tuple[int, int]]:
    """With `reach` on both sides, those that overlap together."""
    low, high = 0, -1
    for start, end in sorted(spans):
        if start - reach > high:
            if high > 0:
                yield low, high
            low = max(0, start - reach)
        high = max(high, end + reach)
    if high > 0:
        yield low, high
