"""Quick answers to "can the phrase be in this block at all", for files that are too large to look at closely.

Searching for one literal is twenty times as fast as an expression for every spelling of it.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from hermesweb.hermes.scan.patterns import json_units, percent, utf8, utf16_big, utf16_little


@dataclass(frozen=True)
class Anchors:
    """For phrases without enough ASCII: literals after bytes that differ by case only were made the same."""

    table: bytes
    literals: tuple[bytes, ...]

    def may_be_in(self, lowered: bytes) -> bool:
        merged = lowered.translate(self.table)
        return any(literal in merged for literal in self.literals)


def anchors_of(phrase: str, folded: str) -> Anchors:
    """Of the longest word of the phrase, as it was typed and folded."""
    typed = {unicodedata.normalize(form, phrase) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    texts = {*typed, *(text.lower() for text in typed), folded}
    words = {max(text.split(), key=len) for text in texts}
    table = list(range(256))
    for encoding in _ENCODINGS:
        for letter in set("".join(words)):
            _merge(table, (encoding(each) for each in (letter, letter.lower(), letter.upper())))
    merged = bytes(table)
    literals = {encoding(word).translate(merged) for encoding in _ENCODINGS for word in words}
    return Anchors(merged, tuple(sorted(literals)))


def _escaped(text: str) -> bytes:
    """The first letter that JSON has to escape."""
    return json_units(next((letter for letter in text if not letter.isascii()), text[0]))[0]


def _percent(text: str) -> bytes:
    return b"".join(each.encode() if each.isascii() else percent(each) for each in text)


_ENCODINGS = (utf8, utf16_little, utf16_big, _escaped, _percent)


def _merge(table: list[int], forms: Iterable[bytes]) -> None:
    first, *others = forms
    for other in others:
        if len(other) != len(first):
            continue
        for one, two in zip(first, other, strict=True):
            keep, lose = table[one], table[two]
            table[:] = [keep if byte == lose else byte for byte in table]
