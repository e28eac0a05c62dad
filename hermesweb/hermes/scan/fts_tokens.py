"""A phrase in the terms of a full-text index, cut as the index cuts texts.

SQLite's own tokenizers do it, in a database in memory. `cjk_unicode61` is Hermes' own (an extension that is not
here): like unicode61, and what is Chinese, Japanese or Korean in pairs of neighbouring letters.
"""

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import cache

from hermesweb.hermes.scan.needles import Needles
from hermesweb.hermes.scan.sql_schema import TextIndex

_CJK = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f]+")
_OWN = "cjk_unicode61"


class UnknownTokenizer(Exception):
    """Nobody here knows how the index cuts texts."""


@dataclass(frozen=True)
class Tokens:
    """Terms that stand one after the other. The last may go on in the index: "ann" also finds "anna"."""

    terms: tuple[bytes, ...]


def tokens_of(needles: Needles, index: TextIndex) -> frozenset[Tokens]:
    """Every way the phrase may be in the index, none for a phrase with nothing an index keeps.

    Raises UnknownTokenizer.
    """
    how = index.option("tokenize") or _guess(index)
    found = {_cut(text, how) for text in _texts(needles)}
    return frozenset(Tokens(terms) for terms in found if terms)


def _guess(index: TextIndex) -> str:
    if index.options is not None:
        return "unicode61"
    return next(
        (how for part, how in (("trigram", "trigram"), ("cjk", _OWN)) if part in index.name), "unicode61"
    )


def _texts(needles: Needles) -> set[str]:
    once = json.dumps(needles.phrase)[1:-1]
    return {needles.phrase, needles.folded, once, json.dumps(once)[1:-1]}


def _cut(text: str, how: str) -> tuple[bytes, ...]:
    kind = how.split()[0].strip("'\"").lower() if how.split() else ""
    if kind == _OWN:
        return _in_pairs(_cut(text, how.replace(_OWN, "unicode61", 1)))
    if kind == "trigram" and len(text) < 3:
        return (text.casefold().encode(),)
    return _cut_by_sqlite(text, how)


def _in_pairs(terms: tuple[bytes, ...]) -> tuple[bytes, ...]:
    found: list[str] = []
    for term in terms:
        text, at = term.decode(), 0
        for run in _CJK.finditer(text):
            found += [text[at : run.start()]] if run.start() > at else []
            found += [run[0][place : place + 2] for place in range(max(1, len(run[0]) - 1))]
            at = run.end()
        found += [text[at:]] if at < len(text) else []
    return tuple(each.encode() for each in found)


@cache
def _cut_by_sqlite(text: str, how: str) -> tuple[bytes, ...]:
    quoted = how.replace("'", "''")
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.text_factory = bytes
            connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='{quoted}')")
            connection.execute("INSERT INTO texts VALUES (?)", (text,))
            connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')")
            rows = connection.execute('SELECT "offset", term FROM terms ORDER BY 1 DESC')
            return tuple(term for _, term in sorted(dict(rows).items()))
    except sqlite3.Error as error:
        raise UnknownTokenizer(how) from error
