"""Stored text as HTML in which every character can be seen. Everything is escaped first; marks are ours."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

SEEN_ANYWAY = "\n\t "
# Seen as it is: a long text is mostly that, in whatever script. Letters and digits but the four blank ones.
PLAIN = re.compile(
    r"(?:[\n\t -~\u00a1-\u00ac\u00ae-\u00bf\u2010-\u2027\u3001-\u303e\uff01-\uff60]"
    r"|[^\W_\u115f\u1160\u3164\uffa0])+"
)
# Not in a control or format category, and still nothing to see.
BLANK = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
VARIATION = [(0xFE00, 0xFE0F), (0x180B, 0x180F), (0xE0100, 0xE01EF)]


@dataclass(frozen=True)
class Mark:
    """A stretch of the text, in code points, with the letters of our notes about it; none for found words."""

    start: int
    end: int
    note: str = ""


def unseen(character: str, before: str = "") -> bool:
    """Whether nothing, or only white space, can be seen of *character* on a page."""
    if character in SEEN_ANYWAY or "!" <= character <= "~":
        return False
    code = ord(character)
    if code == 0xFE0F and before and unicodedata.category(before) in ("So", "Sm", "Po", "Nd", "Sk"):
        return False  # asks for the coloured form of the sign before it, and is seen by that
    if code in BLANK or any(first <= code <= last for first, last in VARIATION):
        return True
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp", "Zs")


def name_of(character: str) -> str:
    return f"U+{ord(character):04X}"


def record_html(text: str, marks: Sequence[Mark] = ()) -> SafeString:
    """*text* with unseen characters named and *marks* drawn; overlapping marks share a stretch."""
    parts = [_stretch(text, start, end, marks) for start, end in _stretches(len(text), marks)]
    return mark_safe("".join(parts))  # noqa: S308  every part is escaped


def shown(text: object) -> str:
    """A short text for a heading or a cell: on one line, without anything that could reorder or hide."""
    line = " ".join(str(text).split())
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unseen(c, b) and c != " " else c for b, c in _with_before(line)
    )


def _with_before(text: str) -> Iterator[tuple[str, str]]:
    before = ""
    for character in text:
        yield before, character
        before = character


def _stretches(length: int, marks: Iterable[Mark]) -> Iterator[tuple[int, int]]:
    edges = {0, length}
    for mark in marks:
        edges.update((min(mark.start, length), min(mark.end, length)))
    ordered = sorted(edges)
    return pairwise(ordered)


def _stretch(text: str, start: int, end: int, marks: Iterable[Mark]) -> str:
    notes = [mark.note for mark in marks if mark.start <= start and end <= mark.end]
    inner = _visible(text, start, end)
    if not notes:
        return inner
    if not any(notes):
        return format_html("<mark>{}</mark>", inner)
    # The letter stands where its mark ends, once.
    ending = [mark.note for mark in marks if mark.note and mark.end == end and mark.start <= start]
    if ending:
        return format_html(
            '<mark class="rule" data-note="{}">{}</mark>', " ".join(sorted(set(ending))), inner
        )
    return format_html('<mark class="rule">{}</mark>', inner)


def _visible(text: str, start: int, end: int) -> SafeString:
    parts: list[str] = []
    position = start
    while position < end:
        if plain := PLAIN.match(text, position, end):
            parts.append(escape(plain[0]))
            position = plain.end()
            continue
        character = text[position]
        hidden = unseen(character, text[position - 1] if position else "")
        parts.append(_named(character) if hidden else escape(character))
        position += 1
    return mark_safe("".join(parts))  # noqa: S308  every part is escaped


def _named(character: str) -> str:
    # A lone surrogate or a NUL cannot stand in a page at all, and a carriage return becomes a line break:
    # only their names do.
    itself = "" if character in "\0\r" or unicodedata.category(character) == "Cs" else character
    return format_html('<span class="unseen" data-name="{}">{}</span>', name_of(character), itself)
