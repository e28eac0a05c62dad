"""Two texts side by side, word by word, as HTML: what is only in the first is deleted, only in the second new."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from hermesweb.record import record_html

TOKEN = re.compile(r"\w+|\s|[^\w\s]")
ALIKE = 0.6  # share of tokens that must stand in both
TOKENS_COMPARED = 2_000  # of each text, between what is equal at both ends; beyond that it would take seconds


@dataclass(frozen=True)
class Compared:
    """Both texts with their differences marked, and both in one: what goes, then what comes."""

    before: SafeString
    after: SafeString
    joined: SafeString


def compare(before: str, after: str) -> Compared:
    """Very long texts that differ are shown as wholly different but for their ends, true if not helpful."""
    sides: tuple[list[str], list[str], list[str]] = ([], [], [])
    for gone_text, new_text, equal in _pieces(TOKEN.findall(before), TOKEN.findall(after)):
        gone = record_html(gone_text) if equal else _wrap("del", gone_text)
        new = gone if equal else _wrap("ins", new_text)
        sides[0].append(gone)
        sides[1].append(new)
        sides[2].append(gone if equal else gone + new)
    before_html, after_html, joined = (mark_safe("".join(side)) for side in sides)  # noqa: S308  every part is escaped
    return Compared(before_html, after_html, joined)


def _pieces(first: list[str], second: list[str]) -> Iterator[tuple[str, str, bool]]:
    """What the texts consist of: pieces of both, and whether they are equal."""
    start = _equal(first, second)
    end = _equal(first[start:][::-1], second[start:][::-1])
    middle = first[start : len(first) - end], second[start : len(second) - end]
    head, tail = "".join(first[:start]), "".join(first[len(first) - end :])
    yield head, head, True
    if max(map(len, middle)) > TOKENS_COMPARED:
        yield "".join(middle[0]), "".join(middle[1]), False
    else:
        for tag, a, b, c, d in SequenceMatcher(None, *middle, autojunk=False).get_opcodes():
            yield "".join(middle[0][a:b]), "".join(middle[1][c:d]), tag == "equal"
    yield tail, tail, True


def _equal(first: Iterable[str], second: Iterable[str]) -> int:
    """How many tokens are the same from the start on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _wrap(tag: str, text: str) -> SafeString:
    return format_html("<{0}>{1}</{0}>", tag, record_html(text)) if text else SafeString("")
