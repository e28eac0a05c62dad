"""Some bytes, and what is made of them once for all phrases.

Nearly all that a phrase can be in is ASCII, and there a search for literals is fast. So letters that are written
in any other way (accents, marks, escapes) are picked out, and only what is around them is read as a text.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from hermesweb.hermes.scan.folding import fold, letters_like
from hermesweb.hermes.scan.patterns import any_of, every_mark, utf8, utf16_big, utf16_little

LONGEST_PIECE = 12
AROUND = 16 * LONGEST_PIECE
"""Bytes before and after a letter in which the rest of such a piece is, escaped as it may be."""
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]+")
_PERCENT = re.compile(rb"%([0-9a-f]{2})")
_JSON = re.compile(r"\\+u([0-9a-f]{4})")
_JSON_LETTER = re.compile(rb"\\u([0-9a-f]{4})")
# After the tables below: the start of a letter of several bytes with a letter beside it, a percent sign with two
# digits, or an accented letter of one byte within, at the end or at the beginning of a word.
_ODD = re.compile(
    rb"\xff(?:[\x80-\xff]{1,2}[a-z0-9\xff]|(?<=[a-z0-9]\xff)[\x80-\xff]|[0-9a-f]{2}|(?<=[a-z0-9]\xff)[a-z0-9]"
    rb"|(?<=[a-z][a-z]\xff)(?:[\t\n\r -~]|\Z)|(?<![\x00-\x08\x0e-\x1f0-9a-z\x7f-\xff]\xff)[a-z][a-z])"
)


@dataclass(frozen=True)
class Block:
    """`many`: more than a few phrases are looked for."""

    raw: bytes
    many: bool = False

    @cached_property
    def lowered(self) -> bytes:
        """ASCII letters in lower case."""
        return self.raw.lower()

    @cached_property
    def plain(self) -> bytes:
        """In lower case, accented letters of one byte without accents; b"\\xff" where a letter of several bytes
        or a percent sign may begin. As long as `raw`."""
        return self.raw.translate(_tables().plain)

    @cached_property
    def squeezed(self) -> bytes:
        """The same without NULs, as which UTF-16 of ASCII letters looks like ASCII."""
        return self.plain.translate(None, b"\0")

    @cached_property
    def is_wide(self) -> bool:
        """About every other byte is a NUL, as in UTF-16 of Latin letters."""
        return 0.4 <= self.raw.count(b"\0") / max(1, len(self.raw)) <= 0.52

    @cached_property
    def wide_text(self) -> str:
        """As UTF-16 of both byte orders, begun at any byte, folded."""
        texts = (
            self.raw[start:].decode(f"utf-16-{order}", "replace")
            for start in (0, 1)
            for order in ("le", "be")
        )
        return "\n".join(map(_folded, texts))

    @cached_property
    def odd(self) -> tuple[tuple[int, int, str], ...]:
        """From where to where a letter is written otherwise than in ASCII, with what is around it as a text."""
        return tuple((low, high, text_of(self.lowered[low:high])) for low, high in self._odd_parts())

    def _odd_parts(self) -> Iterator[tuple[int, int]]:
        low, high = 0, -1
        for spot in sorted([*self._odd_letters(), *self._json_letters()]):
            if spot - AROUND > high:
                if high > 0:
                    yield low, high
                low = max(0, spot - AROUND)
            high = spot + AROUND
        if high > 0:
            yield low, high

    def _odd_letters(self) -> Iterator[int]:
        if self.raw.isascii() and b"%" not in self.raw:
            return
        place, tables = 0, _tables()
        while match := _ODD.search(self.plain, place):
            place = match.start() + 1
            if tables.letter.match(self.raw, match.start()):
                yield match.start()

    def _json_letters(self) -> Iterator[int]:
        if b"\\u" in self.raw:
            for match in _JSON_LETTER.finditer(self.lowered):
                if int(match[1], 16) in _tables().points:
                    yield match.start()


@dataclass(frozen=True)
class Tables:
    """`plain`: see Block. `letter`: one that is another way to write ASCII letters. `points`: what JSON may have
    escaped of them."""

    plain: bytes
    letter: re.Pattern[bytes]
    points: frozenset[int]


@cache
def _tables() -> Tables:
    letters = {each for key, several in letters_like().items() if key.isascii() for each in several}
    letters |= set(every_mark())
    forms = {utf8(each) for each in letters}
    table = bytearray(bytes(range(256)).lower())
    single = [point for point in range(0xC0, 0x100) if fold(chr(point)).isascii()]
    for point in single:
        folded = fold(chr(point))
        table[point] = ord(folded) if len(folded) == 1 else 0xFF
    for lead in (*(form[0] for form in forms), ord("%")):
        table[lead] = 0xFF
    ones = [bytes((point,)) for point in single if table[point] == 0xFF]
    percent = rb"%(?:[89a-fA-F][0-9a-fA-F]|[3-7][0-9a-fA-F])"
    points = {ord(each) for each in letters} | {point for point in range(128) if chr(point).isalnum()}
    pattern = b"|".join((any_of(forms), any_of(ones), percent))
    return Tables(bytes(table), re.compile(pattern), frozenset(points))


def wide_words(phrase: str) -> frozenset[bytes]:
    """The longest word of a phrase in UTF-16, as it is in a `plain` block."""
    forms = {unicodedata.normalize(form, phrase) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    forms = {each for form in forms for each in (form, form.lower(), form.upper())}
    words = {max(form.split(), key=len) for form in forms}
    written = {utf16_little(word) for word in words} | {utf16_big(word) for word in words}
    return frozenset(each.strip(b"\0").translate(_tables().plain) for each in written)


def text_of(lowered: bytes) -> str:
    """As a folded text with its escapes undone (also twice)."""
    decoded = _PERCENT.sub(lambda found: bytes.fromhex(found[1].decode()), lowered)
    return _folded(
        _JSON.sub(lambda found: chr(int(found[1], 16)), decoded.decode("utf-8", "hermesweb_latin1"))
    )


def _folded(text: str) -> str:
    return _OUTSIDE_ASCII.sub(lambda found: _fold(found[0]), text).lower()


@lru_cache(10_000)
def _fold(text: str) -> str:
    return fold(text)


def _latin1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("hermesweb_latin1", _latin1)
