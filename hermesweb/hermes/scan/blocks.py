"""Some bytes, and what is made of them once for all phrases.

Nearly all that a phrase can be in is ASCII, and there a search for literals is fast. So letters that are written
in any other way (accents, marks, escapes) are picked out, and only what is around them is read as a text.
"""

import codecs
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from hermesweb.hermes.scan.folding import fold, letters_like
from hermesweb.hermes.scan.gates import Gate
from hermesweb.hermes.scan.patterns import any_of, every_mark, utf8, utf16_big, utf16_little

LONGEST_PIECE = 12
AROUND = 16 * LONGEST_PIECE
"""Bytes before and after a letter in which the rest of such a piece is, escaped as it may be."""
_ASCII = re.compile(r"[a-z0-9]")
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]+")
_PERCENT = re.compile(rb"%([0-9a-f]{2})")
_JSON = re.compile(r"\\+u([0-9a-f]{4})")
_JSON_BYTES = re.compile(rb"\\+u([0-9a-f]{4})")
_SAMPLE = 64  # bytes in a row
_DENSE = 32  # places in one block, from which on what is around them is looked at together


@dataclass(frozen=True)
class Block:
    """`gate`: for the pieces that are looked for in it. `many`: more than a few phrases are."""

    raw: bytes
    gate: Gate
    many: bool = False

    @cached_property
    def lowered(self) -> bytes:
        """ASCII letters in lower case."""
        return self.raw.lower()

    @cached_property
    def plain(self) -> bytes:
        """In lower case, accented letters of one byte without accents; see Gate. As long as `raw`."""
        return self.raw.translate(self.gate.table)

    @cached_property
    def squeezed(self) -> bytes:
        """The same without NULs, as which UTF-16 of ASCII letters looks like ASCII."""
        return self.plain.translate(None, b"\0")

    @cached_property
    def nuls(self) -> float:
        """About which part of the bytes are NULs with none beside them: half of them in UTF-16 of Latin letters,
        next to none in what is filled up with NULs."""
        some = self.raw
        if len(some) > 16 * _SAMPLE:
            some = b"".join(some[at : at + _SAMPLE] for at in range(0, len(some), 16 * _SAMPLE))
        return max(0, some.count(b"\0") - 2 * some.count(b"\0\0")) / max(1, len(some))

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
    def oddly(self) -> "tuple[Oddly, ...]":
        """The parts in which a piece may be with letters written otherwise than in ASCII."""
        places = self.gate.places(self.plain)
        near = AROUND if len(places) < _DENSE else len(self.raw)
        parts: list[list[int]] = []
        for place in places:
            if parts and place - parts[-1][1] < near:
                parts[-1][1] = place
            else:
                parts.append([place, place])
        return tuple(Oddly(first, last, self._in_ascii(first, last)) for first, last in parts)

    def may_be_odd(self, low: int, high: int) -> bool:
        """Whether a letter from `low` to `high` may be written otherwise."""
        part = self.raw[low:high]
        return not part.isascii() or b"%" in part or b"\\u" in part

    def _in_ascii(self, first: int, last: int) -> bytes:
        return _in_ascii(self.raw[max(0, first - AROUND) : last + AROUND].lower())


@dataclass(frozen=True)
class Oddly:
    """From the `first` to the `last` place of such letters, and what is there and around, in ASCII."""

    first: int
    last: int
    in_ascii: bytes


@dataclass(frozen=True)
class Tables:
    """`plain`: lower case, and accented letters of one byte without accents. `letter`: one that is another way
    to write ASCII letters. `written`: what it stands for."""

    plain: bytes
    letter: re.Pattern[bytes]
    written: dict[bytes, bytes]


@cache
def _tables() -> Tables:
    letters = {each: key for key, several in letters_like().items() if _ASCII.search(key) for each in several}
    letters |= dict.fromkeys(every_mark(), "")
    forms = {utf8(each): key.encode() for each, key in letters.items()}
    table = bytearray(bytes(range(256)).lower())
    leads = {form[0] for form in forms}
    ones = {}
    for point in range(0xC0, 0x100):
        folded = fold(chr(point))
        if folded.isascii() and len(folded) == 1 and point not in leads:
            table[point] = ord(folded)
        elif folded.isascii():
            ones[bytes((point,))] = folded.encode()
    pattern = b"|".join((any_of(forms), any_of(ones)))
    return Tables(bytes(table), re.compile(pattern), {**ones, **forms})


@lru_cache(64)
def wide_words(phrase: str, gate: Gate) -> frozenset[bytes]:
    """The longest word of a phrase in UTF-16, as it is in a `plain` block."""
    forms = {unicodedata.normalize(form, phrase) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    forms = {each for form in forms for each in (form, form.lower(), form.upper())}
    words = {max(form.split(), key=len) for form in forms}
    written = {utf16_little(word) for word in words} | {utf16_big(word) for word in words}
    return frozenset(each.strip(b"\0").translate(gate.table) for each in written)


def _in_ascii(lowered: bytes) -> bytes:
    """Like text_of, but only good for what is ASCII in the end."""
    tables = _tables()
    if b"%" in lowered:
        lowered = _PERCENT.sub(lambda found: bytes.fromhex(found[1].decode()), lowered)
    if b"\\u" in lowered:
        lowered = _JSON_BYTES.sub(lambda found: utf8(chr(int(found[1], 16))), lowered)
    return tables.letter.sub(lambda found: tables.written.get(found[0], found[0]), lowered).translate(
        tables.plain
    )


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
