"""A phrase, and every way its bytes can look in a file."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.scan.anchors import Anchors, anchors_of, pieces_of
from hermesweb.hermes.scan.blocks import Block
from hermesweb.hermes.scan.folding import fold
from hermesweb.hermes.scan.patterns import (
    json_units,
    percent,
    utf8_pattern,
    utf16_big,
    utf16_little,
    utf16_pattern,
    words_of,
)

SHORTEST = 2
LONGEST = 1_000
NEAR = 256  # bytes looked at closely around a piece
_ESCAPE = re.compile(rb"\\u[0-9a-f]{4}")
_PERCENT = re.compile(rb"%[0-9a-f]{2}")


@dataclass(eq=False)
class BadPhrase(HermesError):
    """The phrase cannot be looked for. `why`: "too_short" (fewer than 2 letters or digits, each run of blanks
    counted as one) or "too_long" (more than 1,000 characters)."""

    why: str


@dataclass(frozen=True)
class Match:
    """Bytes `start` to `end` of what was searched. `how`: "bytes" "normalised" "json_escaped" "percent"
    "latin1" "utf16"."""

    start: int
    end: int
    how: str


@dataclass(frozen=True)
class Needles:
    """`folded`: the phrase without case and accents, one space between words. `pieces`: parts of it, in ASCII,
    of which one is in nearly every spelling."""

    phrase: str
    folded: str
    pieces: tuple[bytes, ...]

    @property
    def reach(self) -> int:
        """Bytes that one match can be long."""
        return 16 * len(self.folded) + 64

    def find(self, block: bytes | Block, *, thorough: bool = True) -> Iterator[Match]:
        """Every match in the `block`, in order for each kind of encoding. Not `thorough`: only near one of the
        pieces, which is ten times as fast; lost is then only what has accents, that were not typed, in every
        piece."""
        block = block if isinstance(block, Block) else Block(block)
        if not self._may_be_in(block, thorough):
            return
        if thorough or len(block.raw) < 2 * (NEAR + self.reach):
            yield from self._matches(block)
            return
        size = max(NEAR, len(block.raw) // 16)
        for start in range(0, len(block.raw), size):
            part = Block(block.raw[start : start + size + self.reach])
            for match in self.find(part, thorough=False):
                if match.start < size:
                    yield Match(start + match.start, start + match.end, match.how)

    def is_in(self, text: str) -> bool:
        """Whether it is in a text, with any spelling."""
        return any(True for _ in self.find(text.encode("utf-8", "surrogatepass")))

    def count(self, text: str) -> int:
        """How often it is in a text, with any spelling."""
        return sum(1 for _ in self.find(text.encode("utf-8", "surrogatepass")))

    @cached_property
    def variants(self) -> tuple[bytes, ...]:
        """The spellings that can be listed: for comparing with other programs, which ignore case themselves."""
        forms = {self.phrase, self.folded, self.folded.upper()}
        forms |= {
            unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD") for text in [*forms]
        }
        found: set[bytes] = set()
        for text in forms:
            found |= {text.encode(), utf16_little(text), utf16_big(text), percent(text)}
            found |= {percent(text).replace(b"%20", b"+"), text.encode("latin-1", "ignore")}
            for slashes in (b"\\", b"\\\\"):
                found.add(b"".join(_json(letter, slashes) for letter in text))
        return tuple(sorted(each for each in found if each and b"\n" not in each))

    @cached_property
    def _pattern(self) -> re.Pattern[bytes]:
        """For lower-cased bytes of anything but UTF-16."""
        return re.compile(utf8_pattern(self.folded), re.DOTALL)

    @cached_property
    def _wide(self) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
        little = re.compile(utf16_pattern(self.folded, utf16_little), re.DOTALL)
        big = re.compile(utf16_pattern(self.folded, utf16_big), re.DOTALL)
        return little, big

    @cached_property
    def _anchors(self) -> Anchors:
        return anchors_of(self.phrase, self.folded)

    def _may_be_in(self, block: Block, thorough: bool) -> bool:
        if self.pieces and (not thorough or block.is_plain):
            return self._has_piece(block)
        if thorough and block.many and self._word:
            return any(self._word in text for text in block.texts) or self._may_be_wide(block)
        return thorough or self._anchors.may_be_in(block.lowered)

    def _may_be_wide(self, block: Block) -> bool:
        if not self.pieces:
            return not self.phrase.isascii() or b"\0" in block.raw
        return block.is_wide or any(piece in block.lowered for piece in self._wide_pieces)

    @cached_property
    def _wide_pieces(self) -> tuple[bytes, ...]:
        return tuple(utf16_little(piece.decode())[:-1] for piece in self.pieces)

    def _has_piece(self, block: Block) -> bool:
        return any(piece in block.squeezed for piece in self.pieces)

    @cached_property
    def _word(self) -> str:
        """The longest part that a text shows as it is once its escapes are undone."""
        return max(re.findall(r"[^\W_]+", self.folded), key=len, default="")

    def _matches(self, block: Block) -> Iterator[Match]:
        for match in self._pattern.finditer(block.lowered):
            yield Match(match.start(), match.end(), self._how(match[0]))
        if self._may_be_wide(block):
            yield from self._wide_matches(block.lowered)

    def _wide_matches(self, lowered: bytes) -> Iterator[Match]:
        little, big = self._wide
        starts = set()
        for match in little.finditer(lowered):
            starts.add(match.start())
            yield Match(match.start(), match.end(), "utf16")
        for match in big.finditer(lowered):
            if match.start() + 1 not in starts:  # the same letters, seen one byte too early
                yield Match(match.start(), match.end(), "utf16")

    def _how(self, matched: bytes) -> str:
        phrase = self.phrase.encode("utf-8", "surrogatepass").lower()
        if matched == phrase:
            return "bytes"
        if _ESCAPE.search(matched) or (b"\\" in matched and b"\\" not in phrase):
            return "json_escaped"
        if _PERCENT.search(matched) and not _PERCENT.search(phrase):
            return "percent"
        try:
            text = matched.decode()
        except UnicodeDecodeError:
            return "latin1"
        return "bytes" if text.casefold() == self.phrase.casefold() else "normalised"


def needles_of(phrase: str) -> Needles:
    """What to look for. Case, accents and compatibility forms make no difference, nor does what stands between
    two words (blanks, line ends). Raises BadPhrase."""
    folded = words_of(phrase)
    if sum(1 for letter in folded if letter.isalnum()) < SHORTEST:
        raise BadPhrase("too_short")
    if len(phrase) > LONGEST:
        raise BadPhrase("too_long")
    return Needles(phrase.strip(), folded, pieces_of(_typed(phrase)))


def _typed(phrase: str) -> str:
    """Folded, with a NUL for what was not plain ASCII when it was typed: there spellings differ."""
    typed = unicodedata.normalize("NFC", phrase)
    return " ".join("".join(letter.lower() if letter.isascii() else "\0" for letter in typed).split())


def _json(letter: str, slashes: bytes) -> bytes:
    if letter in '"\\':
        return slashes + letter.encode()
    if letter.isascii():
        return letter.encode()
    return b"".join(slashes + unit for unit in json_units(letter))


__all__ = ["BadPhrase", "Block", "Match", "Needles", "fold", "needles_of"]
