"""What a rule is, and how its places in a text are found in time that grows with the text only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.threats.joints import Joint

RELEASES = ("0.19", "0.22")
"""The releases of Hermes whose rules are known, oldest first."""

Place = tuple[int, int]
"""Start and end, in code points."""


@dataclass(frozen=True)
class Rule:
    """Parts in a row, each an expression that needs no backtracking, with a joint between each two.

    A place is let pass when `unless` is found in it, its next character included, with capitals as written.
    """

    name: str
    first: re.Pattern[str]
    steps: tuple[tuple[Joint, re.Pattern[str]], ...]
    releases: tuple[str, ...]
    unless: re.Pattern[str] | None

    def places(self, text: str, folded: str) -> Iterator[Place]:
        """Yield start and end of each place, ordered by end and each as short as it can be.

        `folded` is `text` in small letters, of the same length.
        """
        places: Iterator[Place] = (match.span() for match in self.first.finditer(folded))
        for joint, part in self.steps:
            places = _joined(folded, places, joint, part)
        unless = self.unless
        if unless is None:
            return places
        return (place for place in places if not unless.search(text, place[0], place[1] + 1))


def rule(
    name: str, *parts: str | Joint, releases: tuple[str, ...] = RELEASES, unless: str | None = None
) -> Rule:
    """Build a rule from expressions and joints in turn. A blank in an expression is any white space."""
    words = [part.replace(" ", r"\s++") for part in parts if isinstance(part, str)]
    joints = [part for part in parts if not isinstance(part, str)]
    befores = ["", *(joint.before for joint in joints)]
    afters = [*(joint.after for joint in joints), ""]
    first, *others = [
        re.compile(f"{before}(?:{word}){after}")
        for before, word, after in zip(befores, words, afters, strict=True)
    ]
    exception = None if unless is None else re.compile(unless)
    return Rule(name, first, tuple(zip(joints, others, strict=True)), releases, exception)


def _joined(text: str, places: Iterator[Place], joint: Joint, part: re.Pattern[str]) -> Iterator[Place]:
    # Of all places that may come before a part, the last one reaches furthest: no other need be tried.
    window = joint.windows(text)
    waiting = ((start, *window(end)) for start, end in places)
    held = next(waiting, None)
    if held is None:
        return
    coming = next(waiting, None)
    for match in part.finditer(text, held[1]):
        while coming and coming[1] <= match.start():
            held, coming = coming, next(waiting, None)
        if match.start() <= held[2]:
            yield held[0], match.end()
        elif coming is None:
            return
