"""Where the words of a search stand in a text.

The same rules as the word index: a word is a run of letters and digits, upper and lower case and accents make
no difference; and the same for texts no index has. A plain expression is tried first, since it is fast; only
when it finds nothing the text is folded character by character.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sessions.query_text import Alternative, Term, is_letter, is_unspaced

Range = tuple[int, int]
BEFORE, AFTER = r"(?<![^\W_])", r"(?![^\W_])"
SPACE = r"[\s\x00-\x1f\x7f\ufffd]+"  # in the words searched for, control characters are spaces too
MOST_MARKS = 200
LONGEST_FOLDED = 200_000  # characters


def marks(alternatives: Sequence[Alternative], text: str) -> tuple[Range, ...] | None:
    """Where the first alternative that fits stands: begin and end in code points. None when none fits."""
    for alternative in alternatives:
        found = [places(term, text) for term in alternative.all]
        if all(found) and not any(places(term, text, most=1) for term in alternative.none):
            return merged(place for each in found for place in each)
    return None


def places(term: Term, text: str, most: int = MOST_MARKS) -> list[Range]:
    """Begin and end of the term in the text, at most `most` times."""
    found = _matches(pattern(term), text, most)
    if found or (text.isascii() and term.text.isascii()) or term.part or len(text) > LONGEST_FOLDED:
        return found
    folded, origin = _folded(text)
    return [
        (origin[begin], origin[end - 1] + 1) for begin, end in _matches(pattern(term, True), folded, most)
    ]


def merged(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """In order, overlapping ones joined."""
    result: list[Range] = []
    for begin, end in sorted(ranges):
        if result and begin < result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((begin, end))
    return tuple(result)


@lru_cache(maxsize=500)
def pattern(term: Term, folded: bool = False) -> "re.Pattern[str]":
    """The expression for a term."""
    text = "".join(map(_fold, term.text)) if folded else term.text
    if term.exact or term.part:
        body = SPACE.join(re.escape(each) for each in text.split())
    else:
        body = r"[\W_]+".join(re.escape(each) for each in text.split())
    before = BEFORE if _bounded(text[:1]) and not term.part else ""
    after = AFTER if _bounded(text[-1:]) and not term.part and term.kind != "prefix" else ""
    return re.compile(before + body + after, re.IGNORECASE)


def _matches(expression: "re.Pattern[str]", text: str, most: int) -> list[Range]:
    found = []
    for match in expression.finditer(text):
        if match.end() > match.start():
            found.append(match.span())
        if len(found) >= most:
            break
    return found


def _bounded(character: str) -> bool:
    return bool(character) and is_letter(character)


def _folded(text: str) -> tuple[str, list[int]]:
    """Without accents and case, and for each character of it the place in `text`."""
    folded: list[str] = []
    origin: list[int] = []
    for place, character in enumerate(text):
        for each in _fold(character):
            folded.append(each)
            origin.append(place)
    return "".join(folded), origin


@lru_cache(maxsize=5000)
def _fold(character: str) -> str:
    if character.isascii():
        return character.lower()
    if unicodedata.category(character) == "Mn":
        return ""
    base, *accents = list(unicodedata.normalize("NFD", character))
    if accents and not is_unspaced(base) and all(unicodedata.category(each) == "Mn" for each in accents):
        character = base
    return character.casefold() if len(character.casefold()) == 1 else character.lower()
