"""Some bytes, and what is made of them once for all phrases.

Nearly all that a phrase can be in is ASCII, and there a search for literals is fast. So letters that are written
in any other way (accents, marks, escapes) are picked out, and only what is around them is read as a text.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from hermesweb.hermes.scan.folding import fold, letters_like
from hermesweb.hermes.scan.patterns import any_of, every_mark, utf8, utf16_big, utf16_little

LONGEST_PIECE = 12
AROUND = 16 * LONGEST_PIECE
"""Bytes before and after a letter in which the rest of such a piece is, escaped as it may be."""
_BACKSLASH = ord("\\")
_ASCII = re.compile(r"[a-z0-9]")
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]+")
_PERCENT = re.compile(rb"%([0-9a-f]{2})")
_JSON = re.compile(r"\\+u([0-9a-f]{4})")
_JSON_BYTES = re.compile(rb"\\+u([0-9a-f]{4})")
# After the tables below: the start of a letter of several bytes with a letter beside it, a percent sign with two
# digits, or an accented letter of one byte within, at the end or at the beginning of a word.
_ODD = re.compile(
    rb"\xff(?=[\x80-\xff]{1,2}[a-z0-9\xff]|(?<=[a-z0-9\x80-\xff]\xff)[\x80-\xff]|[0-9a-f]{2}|(?<=[a-z0-9]\xff)[a-z0-9]"
    rb"|(?<=[a-z][a-z]\xff)(?:[\t\n\r -~]|\Z)|(?<![\x00-\x08\x0e-\x1f0-9a-z\x7f-\xff]\xff)[a-z][a-z])"
)


Letter = tuple[int, int, bytes | None]
"""From where to where, and what it stands for (None: not known)."""


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
    def nuls(self) -> float:
        """About which part of the bytes are NULs: half of them in UTF-16 of Latin letters."""
        some = self.raw[::17] if len(self.raw) > 4_096 else self.raw
        return some.count(b"\0") / max(1, len(some))

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
    def odd(self) -> tuple["Odd", ...]:
        """The letters that are written otherwise than in ASCII."""
        return tuple(self._odd(*letter) for letter in self._letters)

    def may_have_oddly(self, piece: bytes) -> bool:
        """False: the piece is not there with some of the letters in `odd`."""
        return bool(self._letters) and (self._unsure or piece in self._in_ascii)

    @cached_property
    def _letters(self) -> "list[Letter]":
        return sorted([*self._json_letters(), *self._odd_letters()])

    @cached_property
    def _unsure(self) -> bool:
        # Beside an escape a letter need not be seen as one that is beside others.
        return any(folded is None or self.raw[start] == _BACKSLASH for start, _, folded in self._letters)

    @cached_property
    def _in_ascii(self) -> bytes:
        """All of it with such letters in ASCII."""
        plain, parts, at = self.plain, [], 0
        for start, end, folded in self._letters:
            if start >= at:
                parts += [plain[at:start], folded or b""]
                at = end
        return b"".join((*parts, plain[at:]))

    def around(self, odd: "Odd") -> bytes:
        """What is around such a letter in ASCII."""
        if odd.start not in self._around:
            part = self.raw[max(0, odd.start - AROUND) : odd.start + AROUND]
            self._around[odd.start] = _in_ascii(part.lower())
        return self._around[odd.start]

    @cached_property
    def _around(self) -> dict[int, bytes]:
        return {}

    def _odd_letters(self) -> "Iterator[Letter]":
        if self.raw.isascii() and b"%" not in self.raw:
            return
        raw, tables = self.raw, _tables()
        letter_at, folded = tables.letter.match, tables.folded
        for spot in _ODD.finditer(self.plain):
            start = spot.start()
            if letter := letter_at(raw, start):
                yield start, letter.end(), folded.get(letter[0])

    def _json_letters(self) -> "Iterator[Letter]":
        tables = _tables()
        for match in tables.escaped.finditer(self.raw):
            with suppress(ValueError, KeyError):
                yield match.start(), match.end(), tables.points[int(match[0][2:], 16)]

    def _odd(self, start: int, end: int, folded: bytes | None) -> "Odd":
        escaped = (
            b"\\u" in self.plain[max(0, start - 6) : start]
            or b"\xff" in self.plain[max(0, start - 4) : start]
        )
        before = None if escaped else _beside(self.plain[max(0, start - 1) : start])
        return Odd(start, folded, before, _beside(self.plain[end : end + 1]))


@dataclass(frozen=True)
class Odd:
    """A letter written otherwise at `start`, what it stands for (None: not known, empty: a mark that changes
    nothing), and the ASCII letters beside it (None: not known, empty: none)."""

    start: int
    folded: bytes | None
    before: bytes | None
    after: bytes | None

    def may_be_in(self, piece: bytes) -> bool:
        """Whether the piece has it with what is beside it."""
        folded, before, after = self.folded, self.before, self.after
        if folded is None:
            return True
        if not folded:
            return before is None or after is None or (before + after in piece and bool(before and after))
        if folded not in piece:
            return False
        if after is not None and not (after and folded + after in piece) and not piece.endswith(folded):
            return False
        return before is None or bool(before and before + folded in piece) or piece.startswith(folded)


def _beside(letter: bytes) -> bytes | None:
    if letter.isalnum():
        return letter
    return None if not letter.isascii() or letter in b"\\&" else b""


@dataclass(frozen=True)
class Tables:
    """`plain`: see Block. `letter`: one that is another way to write ASCII letters. `folded` and `points`:
    what they stand for, if that is ASCII, `written`: in any case, `escaped`: how JSON begins one."""

    plain: bytes
    letter: re.Pattern[bytes]
    folded: dict[bytes, bytes]
    written: dict[bytes, bytes]
    points: dict[int, bytes]
    escaped: re.Pattern[bytes]


@cache
def _tables() -> Tables:
    letters = {each: key for key, several in letters_like().items() if _ASCII.search(key) for each in several}
    letters |= dict.fromkeys(every_mark(), "")
    forms = {utf8(each): key.encode() for each, key in letters.items()}
    table = bytearray(bytes(range(256)).lower())
    single = [point for point in range(0xC0, 0x100) if fold(chr(point)).isascii()]
    for point in single:
        folded = fold(chr(point))
        table[point] = ord(folded) if len(folded) == 1 else 0xFF
    for lead in (*(form[0] for form in forms), ord("%")):
        table[lead] = 0xFF
    ones = {bytes((point,)): fold(chr(point)).encode() for point in single if table[point] == 0xFF}
    percent = rb"%(?:[89a-fA-F][0-9a-fA-F]|[3-7][0-9a-fA-F])"
    points = {ord(each): key.encode() for each, key in letters.items()}
    points |= {point: chr(point).lower().encode() for point in range(128) if chr(point).isalnum()}
    pattern = b"|".join((any_of(forms), any_of(ones), percent))
    written = {**ones, **forms}
    alone = {form: known for form, known in written.items() if known.isalnum() or not known}
    return Tables(bytes(table), re.compile(pattern), alone, written, points, re.compile(_escapes(points)))


def _escapes(points: Iterable[int]) -> bytes:
    heads = {b"%03x" % (point >> 4) for point in points}
    heads |= (
        {head.upper() for head in heads}
        | {head.title() for head in heads}
        | {head.swapcase() for head in heads}
    )
    # The engine looks for a single literal with memchr, for two of them it does not.
    return rb"\\(?=u)u(?:%s)[0-9a-fA-F]" % any_of(heads)


def wide_words(phrase: str) -> frozenset[bytes]:
    """The longest word of a phrase in UTF-16, as it is in a `plain` block."""
    forms = {unicodedata.normalize(form, phrase) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    forms = {each for form in forms for each in (form, form.lower(), form.upper())}
    words = {max(form.split(), key=len) for form in forms}
    written = {utf16_little(word) for word in words} | {utf16_big(word) for word in words}
    return frozenset(each.strip(b"\0").translate(_tables().plain) for each in written)


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
