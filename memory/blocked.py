"""Which entries Hermes keeps out of the prompt, by which rule, and what in them is the reason.

From `tools/threat_patterns.py` of Hermes, as `tools/memory_tool.py` uses it when it loads a store.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from unicodedata import category

from memory.threats.normal import Normal, normal
from memory.threats.rules import RELEASES, Place, Rule
from memory.threats.table import INVISIBLE, TABLE

READ_CHARACTERS = 65_536
"""Hermes looks at no more than this many characters of an entry (code points)."""

_INVISIBLE = {character: f"invisible_unicode_U+{ord(character):04X}" for character in INVISIBLE}
_INVISIBLE_RUN = re.compile(rf"([{''.join(INVISIBLE)}])\1*+")

JOINER_RULE = _INVISIBLE["\u200d"]
RULES: tuple[str, ...] = (*_INVISIBLE.values(), *dict.fromkeys(rule.name for rule in TABLE))
"""Every rule there is, by its name in Hermes, in the order of a list for people."""


@dataclass(frozen=True)
class Span:
    """A piece of the raw text that a rule reacts to: `text[start:end]`, in code points."""

    rule: str
    start: int
    end: int


def findings(text: str, release: str = "0.22") -> list[str]:
    """Return the names of the rules of that release which react to `text`, sorted. Empty: not blocked.

    Raises ValueError for a release that is not in `RELEASES`.
    """
    return _findings(text, (_known(release),))[release]


def by_release(text: str) -> dict[str, list[str]]:
    """Return the findings of every release, oldest first. It costs little more than those of one."""
    return _findings(text, RELEASES)


def spans(text: str, release: str = "0.22") -> list[Span]:
    """Return every piece of `text` that a rule of that release reacts to, in the order of the text.

    Every finding has at least one. Those of one rule do not overlap; those of several rules may.
    Raises ValueError for a release that is not in `RELEASES`.
    """
    rules = _rules_of(_known(release))
    raw = text[:READ_CHARACTERS]
    prepared = normal(raw)
    found = [span for rule in rules for span in _spans(prepared, rule)]
    found += [Span(_INVISIBLE[run[1]], *run.span()) for run in _INVISIBLE_RUN.finditer(raw)]
    return sorted(found, key=lambda span: (span.start, span.end, span.rule))


def inside_emoji(text: str, span: Span) -> bool:
    """Say whether an invisible character only holds an emoji together, as in a family or a flag.

    True for a single U+200D between two pictures; a variation selector or skin tone may follow the first.
    """
    if span.rule != JOINER_RULE or span.end - span.start != 1:
        return False
    before = re.sub("[\ufe0f\U0001f3fb-\U0001f3ff]{0,2}\\Z", "", text[max(0, span.start - 3) : span.start])
    return _is_picture(before[-1:]) and _is_picture(text[span.end : span.end + 1])


def _is_picture(character: str) -> bool:
    # The range, because this Python may not know the newest pictures yet; two arrows, used for a head that
    # shakes or nods, because Unicode counts them as mathematical symbols.
    known = "\U0001f000" <= character <= "\U0001faff" or character in ("\u2194", "\u2195")
    return known or (character != "" and category(character) == "So")


def _known(release: str) -> str:
    if release not in RELEASES:
        raise ValueError(release)
    return release


def _rules_of(*releases: str) -> list[Rule]:
    return [rule for rule in TABLE if not set(releases).isdisjoint(rule.releases)]


def _findings(text: str, releases: tuple[str, ...]) -> dict[str, list[str]]:
    raw = text[:READ_CHARACTERS]
    prepared = normal(raw)
    invisible = [name for character, name in _INVISIBLE.items() if character in raw]
    found = [rule for rule in _rules_of(*releases) if any(True for _ in _places(prepared, rule))]
    return {
        release: sorted([*invisible, *(rule.name for rule in found if release in rule.releases)])
        for release in releases
    }


def _places(prepared: Normal, rule: Rule) -> Iterator[Place]:
    return rule.places(prepared.text, prepared.folded)


def _spans(prepared: Normal, rule: Rule) -> Iterator[Span]:
    places = sorted(prepared.raw_place(*place) for place in _places(prepared, rule))
    return (Span(rule.name, *place) for place in _merged(places))


def _merged(places: Iterable[Place]) -> Iterator[Place]:
    held: Place | None = None
    for start, end in places:
        if held and start < held[1]:
            held = held[0], max(held[1], end)
            continue
        if held:
            yield held
        held = start, end
    if held:
        yield held
