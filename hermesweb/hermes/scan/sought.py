"""Phrases in the values of a column: thousands of values put together are searched at once."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from typing import Protocol

from hermesweb.hermes.scan.finders import Whole
from hermesweb.hermes.scan.needles import Needles

SEPARATOR = b"\x1f"  # no blank, so no phrase reaches from one value into the next

Where = tuple[int, int, str]  # place of a value in those given, number of the phrase, how as of Match


class Sought(Protocol):
    """What is looked for."""

    def anywhere(self, together: bytes) -> set[int]:
        """The numbers of the phrases that may be in values put together with SEPARATOR."""
        ...

    def in_each(self, values: Sequence[bytes], numbers: Collection[int]) -> Iterator[Where]:
        """Where the phrases with those numbers are: by number, the first in each value."""
        ...


class Wholes:
    """With RE2."""

    def __init__(self, needles: Sequence[Needles]) -> None:
        """Raises NotLinear."""
        self._finder = Whole(needles)
        self._all = len(needles)

    def anywhere(self, together: bytes) -> set[int]:
        """See Sought."""
        return self._finder.phrases_in(together)

    def in_each(self, values: Sequence[bytes], numbers: Collection[int]) -> Iterator[Where]:
        """See Sought."""
        starts = [0, *accumulate(len(value) + len(SEPARATOR) for value in values)]
        found: dict[tuple[int, int], str] = {}
        for number, match in self._finder.matches(SEPARATOR.join(values)):
            if number in numbers:
                found.setdefault((number, bisect_right(starts, match.start) - 1), match.how)
        for number, row in sorted(found):
            yield row, number, found[number, row]
