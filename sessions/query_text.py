"""How the words of a search are taken. Pure text: nothing here knows a database.

    garden water      both words                    "garden water"   side by side, in this order
    garden OR water   one of them                   garden -water    the first without the second
    gard*             words that begin so           NOT water        the same as -water

OR separates alternatives, so `a b OR c` is (a and b) or c, as in Hermes' own search. Punctuation inside a word
counts (`run.py`, `C++`, `50%`), a full stop or bracket at its end does not. Nothing is ever an error: what
cannot be an operator is a word, and every decision is a note.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

LONGEST = 5_000  # characters
MOST_TERMS = 40

Kind = Literal["word", "phrase", "prefix"]
Code = Literal[
    "word",
    "phrase",
    "prefix",
    "exact",  # with its punctuation
    "part",  # Chinese, Japanese, Korean, Thai and the like: found inside longer runs too
    "without",
    "or",  # what follows is an alternative
    "and_ignored",  # words are joined anyway
    "or_ignored",  # nothing before or after it
    "not_ignored",
    "operator_as_word",  # the words were nothing but operators
    "no_operator",  # NEAR is a word here
    "open_quote",  # a quotation mark without its pair: taken to the end
    "control_characters",  # were taken as spaces
    "shortened",  # to LONGEST characters
    "too_many_words",  # the rest was left out
    "only_exclusions",  # there is nothing to find
    "nothing",  # no words at all
]

OPERATORS = ("AND", "OR", "NOT")
QUOTES = dict.fromkeys(map(ord, "“”„‟＂"), '"')
OPENING = "([{'‘«‹¿¡（「『【《〈"
CLOSING = ".,;:!?…)'’»›、。，；：！？）」』】》〉}]"
BRACKETS = {"]": "[", "}": "{"}


@dataclass(frozen=True)
class Term:
    """One thing to find. `exact`: with its punctuation. `part`: also inside a longer run of letters."""

    text: str
    kind: Kind
    exact: bool = False
    part: bool = False


@dataclass(frozen=True)
class Alternative:
    """All of `all` and none of `none`; `all` is never empty."""

    all: tuple[Term, ...]
    none: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Note:
    """One decision: its code and the words it is about."""

    code: Code
    text: str = ""


@dataclass(frozen=True)
class Query:
    """Search words and how they were taken. Without `alternatives` nothing can be found; the notes say why."""

    text: str
    alternatives: tuple[Alternative, ...]
    explanation: tuple[Note, ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """Everything that is to be found."""
        return tuple(term for each in self.alternatives for term in each.all)


@dataclass(frozen=True)
class _Piece:
    text: str
    quoted: bool
    excluded: bool
    starred: bool = False

    @property
    def operator(self) -> str:
        bare = not (self.quoted or self.excluded or self.starred)
        return self.text if bare and self.text in OPERATORS else ""


def parse(text: str) -> Query:
    """Take search words apart. Never raises; always with at least one note."""
    notes: list[Note] = []
    cleaned = _cleaned(text, notes)
    pieces = list(_pieces(cleaned, notes))
    if pieces and all(piece.operator for piece in pieces):
        notes.append(Note("operator_as_word", " ".join(piece.text for piece in pieces)))
        # As a phrase each, since a bare one would be an operator again.
        pieces = [_Piece(piece.text, quoted=True, excluded=False) for piece in pieces]
    if len(pieces) > MOST_TERMS:
        notes.append(Note("too_many_words", pieces[MOST_TERMS].text))
        pieces = pieces[:MOST_TERMS]
    alternatives = _alternatives(pieces, notes)
    usable = tuple(each for each in alternatives if each.all)
    if not pieces:
        notes.append(Note("nothing"))
    elif len(usable) < len(alternatives):
        lost = " ".join(term.text for each in alternatives if not each.all for term in each.none)
        notes.append(Note("only_exclusions", lost))
    return Query(text, usable, tuple(notes))


def is_unspaced(character: str) -> bool:
    """Whether a character is of a script that is written without spaces between words, or Hangul."""
    code = ord(character)
    return (
        0x0E00 <= code <= 0x0EFF  # Thai and Lao; then Burmese and Khmer
        or 0x1000 <= code <= 0x109F
        or 0x1780 <= code <= 0x17FF
        or 0x2E80 <= code <= 0x9FFF
        or 0xAC00 <= code <= 0xD7AF
        or 0x1100 <= code <= 0x11FF
        or 0xF900 <= code <= 0xFAFF
        or 0xFF66 <= code <= 0xFFDC
        or 0x20000 <= code <= 0x3FFFF
    )


def is_letter(character: str) -> bool:
    """Whether a character is part of a word: a letter, a digit, or a mark on one."""
    return unicodedata.category(character)[0] in "LNM" or unicodedata.category(character) == "Co"


def _cleaned(text: str, notes: list[Note]) -> str:
    if len(text) > LONGEST:
        notes.append(Note("shortened"))
        text = text[:LONGEST]
    controls = {
        ord(each): " " for each in set(text) if (each < " " and each not in "\t\n\r") or each == "\x7f"
    }
    if controls:
        notes.append(Note("control_characters"))
        text = text.translate(controls)
    # Half of a surrogate pair cannot be handed to SQLite.
    return text.translate(QUOTES).encode("utf-8", "replace").decode("utf-8")


def _pieces(text: str, notes: list[Note]) -> Iterator[_Piece]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        # Two of them begin an option of a command, not an exclusion.
        excluded = text[at] == "-" and text[at + 1 : at + 2] not in ("", "-") and not text[at + 1].isspace()
        begin = at + excluded
        if text[begin] == '"':
            end = text.find('"', begin + 1)
            if end < 0:
                notes.append(Note("open_quote", text[begin + 1 :].strip()))
                end = len(text)
            inside, at = text[begin + 1 : end].strip(), end + 1
            starred = text[at : at + 1] == "*"
            at += starred
            if inside:
                yield _Piece(inside, True, excluded, starred)
            elif end < len(text) or not text[begin + 1 :].strip():
                yield _Piece('"', True, excluded)
            continue
        end = begin
        while end < len(text) and not text[end].isspace() and text[end] != '"':
            end += 1
        yield _Piece(text[begin:end], False, excluded)
        at = end


def _alternatives(pieces: list[_Piece], notes: list[Note]) -> list[Alternative]:
    found: list[tuple[list[Term], list[Term]]] = [([], [])]
    negated = False
    for number, piece in enumerate(pieces):
        if piece.operator == "OR":
            if not any(found[-1]) or number == len(pieces) - 1 or pieces[number + 1].operator == "OR":
                notes.append(Note("or_ignored"))
            else:
                notes.append(Note("or"))
                found.append(([], []))
        elif piece.operator == "AND":
            notes.append(Note("and_ignored"))
        elif piece.operator == "NOT":
            if number == len(pieces) - 1 or pieces[number + 1].operator:
                notes.append(Note("not_ignored"))
            negated = True
            continue
        else:
            term = _term(piece)
            without = piece.excluded or negated
            found[-1][without].append(term)
            notes.append(Note("without" if without else _code(term), term.text))
            if piece.text == "NEAR" and not piece.quoted:
                notes.append(Note("no_operator", piece.text))
        negated = False
    return [Alternative(tuple(wanted), tuple(unwanted)) for wanted, unwanted in found if wanted or unwanted]


def _code(term: Term) -> Code:
    return "exact" if term.exact else "part" if term.part else term.kind


def _term(piece: _Piece) -> Term:
    if piece.quoted:
        parts = [_word(part) for part in piece.text.split()]
        exact = any(part.exact for part in parts) or not parts
        text = piece.text if exact else " ".join(part.text for part in parts)
        kind: Kind = "prefix" if piece.starred else "phrase" if len(parts) > 1 else "word"
        return Term(text, kind, exact, _is_part(text))
    bare = piece.text.rstrip("*")
    if bare != piece.text and bare and is_letter(bare[-1]):
        word = _word(bare)
        return Term(word.text, "prefix", word.exact, word.part)
    return _word(piece.text)


def _word(text: str) -> Term:
    bare = _without_brackets(text)
    if bare and all(map(is_letter, bare)) and not all(unicodedata.category(each)[0] == "M" for each in bare):
        return Term(bare, "word", part=_is_part(bare))
    return Term(bare or text, "word", exact=True, part=_is_part(bare or text))


def _without_brackets(text: str) -> str:
    """Without what a sentence puts around a word; brackets that stand in pairs are kept as meant."""
    bare = text.lstrip(OPENING) if text[:1] not in "[{" else text
    while bare and bare[-1] in CLOSING and BRACKETS.get(bare[-1], "\0") not in bare:
        bare = bare[:-1]
    return bare if any(map(is_letter, bare)) else text


def _is_part(text: str) -> bool:
    return any(map(is_unspaced, text))
