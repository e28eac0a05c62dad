"""Search terms as SQLite wants them: for FTS5's two tokenizers and for LIKE.

unicode61 cuts text at everything that is no letter or digit and drops accents; trigram finds any three
characters. Its tables are of Unicode 6.1, ours are newer: only what was a letter (or none) long before counts
as certain, so that no word is asked of an index that cannot have it.
"""

import json
import unicodedata

from sessions.listing_filters import like_pattern
from sessions.query_text import Term, is_unspaced

_OLD = unicodedata.ucd_3_2_0
TRIGRAM = 3  # characters
SHORTEST_PREFIX = 3


def word_expression(term: Term, *, escaped: bool = False) -> str | None:
    """The term for a word index; None when that index cannot find it.

    `escaped`: as it stands in JSON (tool calls), where Hermes writes other letters than ASCII as \\uXXXX; None
    when there is no difference.
    """
    text = term.text
    if escaped:
        text = json.dumps(text)[1:-1]
        if text == term.text or (text.isascii() and term.text.isascii()):
            return None
        return f"{_quoted(text)} *" if term.part or term.kind == "prefix" else _quoted(text)
    if term.part or not _is_certain(text):
        return None
    if term.kind == "prefix" and len(text) < SHORTEST_PREFIX:
        return None  # half of all words begin so, and FTS5 puts them all together before it answers
    return f"{_quoted(text)} *" if term.kind == "prefix" and _is_letter(text[-1]) else _quoted(text)


def trigram_expression(term: Term) -> str | None:
    """The term for a trigram index; None when that index cannot find it, or a word index finds it better."""
    wanted = term.part or (term.exact and word_expression(term) is None)
    return _quoted(term.text) if wanted and len(term.text) >= TRIGRAM else None


def patterns(term: Term, *, in_json: bool = False) -> tuple[str, ...]:
    """LIKE patterns (escape: backslash) of which one fits every text with the term, and some without."""
    texts = [term.text]
    if in_json:
        texts += [each for each in _escaped_forms(term.text) if each not in texts]
    return tuple(dict.fromkeys(_loose(text) for text in texts))


def is_literal(term: Term) -> bool:
    """Whether a term has only one form, so that a plain comparison finds it, faster than LIKE."""
    return (
        term.part
        and not any(_varies(each) or each.isspace() for each in term.text)
        and (term.text.lower() == term.text.upper())
    )


def forms(term: Term, *, in_json: bool = False) -> tuple[str, ...]:
    """The forms of a literal term of which one is in every text with it."""
    return (term.text, *_escaped_forms(term.text)) if in_json else (term.text,)


def _escaped_forms(text: str) -> tuple[str, ...]:
    """The text as it stands in JSON, and in JSON inside a string of JSON."""
    once = json.dumps(text)[1:-1]
    twice = json.dumps(once)[1:-1]
    return (once,) if once in twice else (once, twice)


def _loose(text: str) -> str:
    """LIKE folds ASCII letters only, so other letters with a case or an accent may be any one character."""
    pattern = ""
    for piece in text.split():
        for character, following in zip(piece, piece[1:] + " ", strict=True):
            if _is_mark(character) or _is_mark(following):  # stored as one character or as two
                pattern += "\1"
            else:
                pattern += "\0" if _varies(character) else character
        pattern += "\1"
    escaped = like_pattern(pattern.removesuffix("\1"))
    # Between two words there may be a line break.
    return escaped.replace("\0", "_").replace("\1", "%")


def _varies(character: str) -> bool:
    if character.isascii() or is_unspaced(character):
        return False
    return character.lower() != character.upper() or bool(unicodedata.decomposition(character))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) == "Mn" and not is_unspaced(character)


def _is_certain(text: str) -> bool:
    letters = [_is_letter(each) for each in text]
    return any(letters) and all(
        certain or unicodedata.category(each)[0] not in "LNC"
        for certain, each in zip(letters, text, strict=True)
        if not each.isspace()
    )


def _is_letter(character: str) -> bool:
    return _OLD.category(character)[0] in "LN" or (character in "\u0300\u0301\u0308\u0327\u0303\u0302")


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
