"""Words in pages of full-text indexes that no index has any more: in free pages, slack and journals.

Such a page shortens each term by what it shares with the term before, so that a search for the word's bytes passes
over it. Pages are known by their form: the record of a row of `…_data` and, in it, a leaf that can be decoded.
Where only a part of one is left, the written end of the word with its two lengths has to do.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from hermesweb.hermes.scan.folding import fold
from hermesweb.hermes.scan.needles import Needles
from hermesweb.hermes.scan.segments import MAIN, BrokenLeaf, Doclist, Leaf, Term, positions_of, varint

MOST_ENTRIES = 200_000
MOST_LEAF = 1 << 20
LONGEST_WORD = 250  # bytes of one whose ends are looked for: each of its lengths is one byte
SHORTEST_END = 4  # letters of a word, and half of it, that tell it where no page can be decoded
_RECORD = re.compile(
    rb"\x04\x00(?=[\x81-\xff][\x00-\x7f])|\x03\x00(?=[\x0c-\x7f])|\x05\x00(?=[\x81-\xff]{2})"
)
_WORDS = re.compile(r"[^\W_]+")

Sequenced = tuple[bytes, ...]


def sequences_of(phrase: str) -> frozenset[Sequenced]:
    """The terms of a phrase, one after the other, as words and in threes of letters."""
    small = unicodedata.normalize("NFC", phrase).lower()
    bare = "".join(
        letter for letter in unicodedata.normalize("NFD", small) if not unicodedata.combining(letter)
    )
    texts = {small, unicodedata.normalize("NFC", bare), " ".join(map(fold, phrase.split()))}
    found = {tuple(word.encode() for word in _WORDS.findall(text)) for text in texts}
    found |= {_threes(text) for text in texts if len(text) > 3}
    return frozenset(each for each in found if each)


def _threes(text: str) -> Sequenced:
    return tuple(text[place : place + 3].encode() for place in range(len(text) - 2))


@dataclass
class LeftOver:
    """Looks at regions of one file. `found`: by (how, phrase) a count and the first page. `overflow(size, page)`
    gives what of a record is on other pages (see Pages.overflow)."""

    needles: Sequence[Needles]
    overflow: Callable[[int, bytes], bytes | None] = lambda size, some: some[:size]
    found: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    _rows: dict[bytes, dict[int, set[tuple[int, int]]]] = field(default_factory=dict)
    _first: dict[bytes, tuple[str, int]] = field(default_factory=dict)
    _entries: int = 0

    def look(self, region: bytes, how: str, page: int, *, until: int | None = None) -> None:
        """At a part of the file; what begins at `until` belongs to the next part."""
        if not self.may_have(region):
            return
        until = len(region) if until is None else until
        decoded: list[tuple[int, int]] = []
        place = 0
        while (record := _RECORD.search(region, place)) and record.start() < until:
            end = self._record(region, record.end(), how, page)
            if end:
                decoded.append((record.start(), end))
            place = end or record.end()
        for start, phrases in self._ends_in(region):
            if start < until and not any(low <= start < high for low, high in decoded):
                for phrase in phrases:
                    self._add(how, phrase, page)

    def may_have(self, regions: bytes) -> bool:
        """Whether a closer look is worth it, at what may be several regions put together. Nearly always False, for
        what pages do not use."""
        return bool(_RECORD.search(regions)) or self.may_have_ends(regions)

    def may_have_ends(self, regions: bytes) -> bool:
        """The same for look_for_ends."""
        return any(least in regions for least in self._ending)

    def look_for_ends(self, region: bytes, how: str, page: int) -> None:
        """The same, where no whole page can be."""
        for _, phrases in self._ends_in(region):
            for phrase in phrases:
                self._add(how, phrase, page)

    def _ends_in(self, region: bytes) -> Iterator[tuple[int, set[int]]]:
        for least, ends in self._ending.items():
            if least in region:
                for match in ends[0].finditer(region):
                    yield match.start(), ends[1]

    def together(self) -> None:
        """After all regions: adds phrases of several terms that stand one after the other in one row."""
        for phrase, sequences in enumerate(self._sequences):
            for sequence in sequences:
                if len(sequence) > 1 and self._stand_together(sequence):
                    self._add(self._first[sequence[0]][0], phrase, self._first[sequence[0]][1])
                    break

    def _record(self, region: bytes, start: int, how: str, page: int) -> int | None:
        """Where the leaf ends; None: it is none."""
        try:
            kind, place = varint(region, start)
            size, header = (kind - 12) // 2, 2 + place - start
            if kind & 1 or not MOST_LEAF > size > 5:
                return None
            if not 4 < int.from_bytes(region[place + 2 : place + 4], "big") < size:
                return None
            whole = self.overflow(header + size, region[place - header :])
            if whole is None:
                return None
            leaf = Leaf(whole[header:])
            terms = [term for term in leaf.terms() if term.text.startswith(MAIN)]
        except (BrokenLeaf, IndexError):
            return None
        for term in terms:
            if self._wanted.match(term.text, 1):
                self._term(leaf, term, how, page)
        return min(place + size, len(region)) if terms else None

    def _term(self, leaf: Leaf, term: Term, how: str, page: int) -> None:
        text = term.text[1:]
        written = leaf.content[term.start + term.kept - len(term.text) : term.start]
        for word, phrases in self._single.items():
            # What is written in full is found as bytes.
            if text.startswith(word) and word not in written:
                for phrase in phrases:
                    self._add(how, phrase, page)
        if text in self._several:
            self._first.setdefault(text, (how, page))
            self._remember(leaf, term, self._rows.setdefault(text, defaultdict(set)))

    def _remember(self, leaf: Leaf, term: Term, rows: dict[int, set[tuple[int, int]]]) -> None:
        with suppress(BrokenLeaf):  # of an index without positions
            for entry in Doclist().entries(leaf, term.start, term.end):
                if self._entries < MOST_ENTRIES:
                    self._entries += 1
                    rows[entry.row].update(positions_of(entry.positions))

    def _add(self, how: str, phrase: int, page: int) -> None:
        self.found.setdefault((how, phrase), [0, page])[0] += 1

    def _stand_together(self, sequence: Sequenced) -> bool:
        rows = [self._rows.get(text, {}) for text in sequence]
        common = set(rows[0]).intersection(*rows[1:])
        return any(
            all((column, at + place) in there[row] for place, there in enumerate(rows))
            for row in common
            for column, at in rows[0][row]
        )

    @cached_property
    def _sequences(self) -> list[frozenset[Sequenced]]:
        return [sequences_of(each.phrase) for each in self.needles]

    @cached_property
    def _single(self) -> dict[bytes, set[int]]:
        return self._by_term(1)

    @cached_property
    def _several(self) -> dict[bytes, set[int]]:
        return self._by_term(2)

    def _by_term(self, least: int) -> dict[bytes, set[int]]:
        found: dict[bytes, set[int]] = defaultdict(set)
        for phrase, sequences in enumerate(self._sequences):
            for sequence in sequences:
                if (len(sequence) == 1) == (least == 1):
                    for text in sequence:
                        found[text].add(phrase)
        return dict(found)

    @cached_property
    def _wanted(self) -> re.Pattern[bytes]:
        return re.compile(b"|".join(map(re.escape, [*self._single, *self._several])) or rb"(?!)")

    @cached_property
    def _ending(self) -> dict[bytes, tuple[re.Pattern[bytes], set[int]]]:
        """By the least that has to be written of a word."""
        found = {}
        for word, phrases in self._single.items():
            if len(word) >= LONGEST_WORD:
                continue
            most = min(len(word) - SHORTEST_END, len(word) // 2, 120)
            ends = [bytes((kept + 1, len(word) - kept)) + word[kept:] for kept in range(1, most + 1)]
            if ends:
                found[word[most:]] = (re.compile(b"|".join(map(re.escape, ends))), phrases)
        return found
