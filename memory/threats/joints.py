"""How two parts of a rule may be joined: by a gap of words, on one line, by a stretch, or close together.

A joint answers one question: given where a part ends, between which two positions may the next part start?
Asked with ends that only grow, both answers only grow too. That is what lets `rules.Rule` look at each
place once, where a backtracking expression would try every pair of places.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

SPACE = re.compile(r"\s+")

Window = tuple[int, int]
"""First and last position (inclusive) at which the next part may start."""


class Joint(Protocol):
    @property
    def after(self) -> str:
        """What must come directly after the part before the joint."""

    @property
    def before(self) -> str:
        """What the part after the joint starts with, beyond its own words."""

    def windows(self, text: str) -> Callable[[int], Window]:
        """Return what answers the question for `text`. It must be asked with ends that never get smaller."""


@dataclass(frozen=True)
class Words:
    """From `least` to `most` words, with white space (or what `between` says) between them."""

    least: int
    most: int
    between: str = r"\s"
    after = r"(?=\s)"
    # The white space belongs to the next part: it can only start where the word before it ends. That is
    # looked at second, because an expression that starts with a character is searched for far quicker.
    before = r"\s(?<=\w\s)\s*+"

    @cached_property
    def _reach(self) -> re.Pattern[str]:
        return re.compile(rf"(?:\s++\w++(?:[{self.between}]++\w++){{0,{self.most - 1}}}+)?+")

    def windows(self, text: str) -> Callable[[int], Window]:
        def window(end: int) -> Window:
            reached = self._reach.match(text, end)
            assert reached  # it may be empty, but it always matches
            return (_after_space(text, end) + 1 if self.least else end), reached.end()

        return window


@dataclass(frozen=True)
class SameLine:
    """White space, which may break the line, then at most `most` characters of one line."""

    most: int
    after = r"(?=\s)"
    before = ""

    def windows(self, text: str) -> Callable[[int], Window]:
        line = _Stops(text, "\n")

        def window(end: int) -> Window:
            start = _after_space(text, end)
            return start, min(start + self.most, line.next_from(start))

        return window


@dataclass(frozen=True)
class Stretch:
    """As `SameLine`, and white space again before the next part. One single blank is too little for both."""

    most: int
    after = r"(?=\s)"
    before = r"\s(?<!\s\s)\s*+"

    def windows(self, text: str) -> Callable[[int], Window]:
        line = _Stops(text, "\n")

        def window(end: int) -> Window:
            start = _after_space(text, end)
            earliest = start if start == end + 1 else end
            return earliest, min(start + self.most, line.next_from(start))

        return window


@dataclass(frozen=True)
class Close:
    """At most `most` characters, none of which is `stop`."""

    most: int
    stop: str
    after = ""
    before = ""

    def windows(self, text: str) -> Callable[[int], Window]:
        stops = _Stops(text, self.stop)
        return lambda end: (end, min(end + self.most, stops.next_from(end)))


class _Stops:
    """Where a character comes next, asked with positions that never get smaller: the text is read once."""

    def __init__(self, text: str, stop: str) -> None:
        self._text, self._stop, self._next = text, stop, -1

    def next_from(self, start: int) -> int:
        if self._next < start:
            found = self._text.find(self._stop, start)
            self._next = len(self._text) if found < 0 else found
        return self._next


def _after_space(text: str, start: int) -> int:
    space = SPACE.match(text, start)
    return space.end() if space else start
