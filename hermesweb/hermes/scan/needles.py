"""A phrase, and every way its bytes can look in a file."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.scan.anchors import Anchors, anchors_of
from hermesweb.hermes.scan.blocks import LONGEST_PIECE, Block, text_of, wide_words
from hermesweb.hermes.scan.folding import fold
from hermesweb.hermes.scan.gates import Gate, gate_of
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
FEW_NULS, MANY_NULS = 0.02, 0.3
RUN = re.compile(r"[a-z0-9]+")
_ESCAPE = re.compile(rb"\\u[0-9a-f]{4}")
_ESCAPED = re.compile(rb"\\u|%")
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
    """`folded`: the phrase without case and accents, one space between words. `piece`: the longest run of ASCII
    letters in that, or its beginning; empty if there is hardly any."""

    phrase: str
    folded: str
    piece: bytes

    @cached_property
    def piece_text(self) -> str:
        """The piece."""
        return self.piece.decode()

    @property
    def reach(self) -> int:
        """Bytes that one match can be long."""
        return 16 * len(self.folded) + 64

    def find(self, block: bytes | Block) -> Iterator[Match]:
        """Every match in the `block`, in order. If it is a Block, its gate is for the piece as well."""
        block = block if isinstance(block, Block) else Block(block, self._gate)
        found = {match.start: match for match in self._matches(block)}
        yield from (found[start] for start in sorted(found))

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

    @property
    def pieces(self) -> tuple[bytes, ...]:
        """For the gate."""
        return (self.piece,) if self.piece else ()

    @cached_property
    def _gate(self) -> Gate:
        return gate_of(self.pieces)

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

    @cached_property
    def _begins(self) -> re.Pattern[bytes]:
        """The first two letters of its longest word, in every spelling."""
        word = max(re.findall(r"[^\W_]+", self.folded), key=len)
        return re.compile(utf8_pattern(word[:2]), re.DOTALL)

    @cached_property
    def _others(self) -> list[bytes]:
        """Runs of ASCII letters besides the piece."""
        return [run.encode() for run in RUN.findall(self.folded)] if self.folded.isascii() else []

    def _matches(self, block: Block) -> Iterator[Match]:
        if not self.piece:
            yield from self._without_piece(block)
            return
        parts = [(odd.first, odd.last) for odd in block.oddly if self.piece in odd.in_ascii]
        if not block.many or any(part in block.squeezed for part in self._squeezed_pieces(block.gate)):
            plain = [*_spots(block.plain, self.piece)]
            if plain and self.folded == self.piece_text:
                yield from self._simple(block, plain)
            else:
                parts += [(spot, spot) for spot in plain if self._may_be_at(block, spot)]
            yield from self._wide_ones(block)
        for low, high in self._widened(block, parts):
            yield from self._close(block, low, high)

    def _simple(self, block: Block, spots: Iterable[int]) -> Iterator[Match]:
        """One word in ASCII is there as it is."""
        size = len(self.piece)
        how = "bytes" if self.phrase.isascii() else "normalised"
        for spot in spots:
            written = block.raw[spot : spot + size]
            yield Match(spot, spot + size, how if written.isascii() else "latin1")

    def _may_be_at(self, block: Block, spot: int) -> bool:
        low, high = max(0, spot - self.reach), spot + self.reach
        if all(run in block.plain[low:high] for run in self._others):
            return True
        return block.may_be_odd(low, high)

    def _widened(self, block: Block, parts: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """With all that a match there can reach, those that overlap together."""
        low, high = 0, -1
        for start, end in sorted(parts):
            if start - self.reach > high:
                if high > 0:
                    yield low, high
                low = max(0, start - self.reach)
            high = max(high, end + self.reach)
        if high > 0:
            yield low, high

    def _close(self, block: Block, low: int, high: int) -> Iterator[Match]:
        lowered = block.lowered[low:high]
        text = text_of(lowered)
        if all(word in text for word in RUN.findall(self.folded)):
            for match in self._pattern.finditer(lowered):
                yield Match(low + match.start(), low + match.end(), self.how(match[0]))

    def _without_piece(self, block: Block) -> Iterator[Match]:
        odd = not block.raw.isascii() or _ESCAPED.search(block.raw)
        if self.folded.isascii() or (odd and self._begins.search(block.lowered)):
            for match in self._pattern.finditer(block.lowered):
                yield Match(match.start(), match.end(), self.how(match[0]))
        if (not self.phrase.isascii() or b"\0" in block.raw) and self._anchors.may_be_in(block.lowered):
            yield from self._wide_matches(block.lowered, 0)

    def _wide_ones(self, block: Block) -> Iterator[Match]:
        # With accents that were not typed only where there is more than a word of UTF-16.
        pieces = (
            self._wide_pieces(block.gate)
            if block.nuls > FEW_NULS or not self.phrase.isascii()
            else (self._wide_piece,)
        )
        spots = [spot for piece in pieces for spot in _spots(block.plain, piece)]
        parts = [(spot, spot) for spot in spots]
        if block.nuls > MANY_NULS and self.piece_text in block.wide_text:
            parts.append((0, len(block.raw)))
        for low, high in self._widened(block, parts):
            yield from self._wide_matches(block.lowered[low:high], low)

    def _wide_pieces(self, gate: Gate) -> tuple[bytes, ...]:
        """What a `plain` block with the phrase in UTF-16 has one of."""
        half = len(self.piece) // 2
        parts = (self.piece_text[:half], self.piece_text[half:]) if half > 2 else (self.piece_text,)
        pieces = tuple(utf16_little(part)[:-1] for part in parts)
        typed = wide_words(self.phrase, gate) if not self.phrase.isascii() else ()
        return pieces + tuple(word for word in typed if not any(piece in word for piece in pieces))

    @cached_property
    def _wide_piece(self) -> bytes:
        return utf16_little(self.piece_text)[:-1]

    def _squeezed_pieces(self, gate: Gate) -> tuple[bytes, ...]:
        return tuple(dict.fromkeys(piece.translate(None, b"\0") for piece in self._wide_pieces(gate)))

    def _wide_matches(self, lowered: bytes, offset: int) -> Iterator[Match]:
        little, big = self._wide
        starts = set()
        for match in little.finditer(lowered):
            starts.add(match.start())
            yield Match(offset + match.start(), offset + match.end(), "utf16")
        for match in big.finditer(lowered):
            if match.start() + 1 not in starts:  # the same letters, seen one byte too early
                yield Match(offset + match.start(), offset + match.end(), "utf16")

    def how(self, matched: bytes) -> str:
        """Of Match, for lower-cased bytes that are the phrase, not in UTF-16."""
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
    longest = max(RUN.findall(folded), key=len, default="")[:LONGEST_PIECE]
    return Needles(phrase.strip(), folded, longest.encode() if len(longest) >= SHORTEST else b"")


def gate_for(needles: Iterable[Needles]) -> Gate:
    """For all of them."""
    return gate_of(tuple(dict.fromkeys(piece for each in needles for piece in each.pieces)))


def _spots(content: bytes, piece: bytes) -> Iterator[int]:
    place = content.find(piece)
    while place >= 0:
        yield place
        place = content.find(piece, place + len(piece))


def _json(letter: str, slashes: bytes) -> bytes:
    if letter in '"\\':
        return slashes + letter.encode()
    if letter.isascii():
        return letter.encode()
    return b"".join(slashes + unit for unit in json_units(letter))


__all__ = ["BadPhrase", "Block", "Match", "Needles", "fold", "needles_of"]
