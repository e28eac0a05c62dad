"""The full-text indexes of a state.db, as SQLite's FTS5 keeps them: which there are, of how many segments
each consists, and what of them belongs to no message any more. Works for every layout of Hermes 0.13 to 0.22.

The structure record is described in SQLite's ext/fts5/fts5_index.c.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

# Of Hermes' `optimize-storage`: plain tables with the old indexes' text, until it has moved it.
_MIGRATED = re.compile(r"fts_v\d+_trash_\w+")
_FTS5 = re.compile(r"\bUSING\s+fts5\s*\((?P<options>.*)\)", re.IGNORECASE | re.DOTALL)
_EXTERNAL = re.compile(r"\bcontent\s*=\s*(['\"`\[]?)\w", re.IGNORECASE)
_MESSAGES = re.compile(r"messages_fts(_trigram|_cjk)?")  # Hermes' own, whose row ids are those of messages
_TOTALS = 1  # the row of <index>_data that says how many rows there are, and words in each column
_ROWS = 10_000  # read at a time
_STRUCTURE = 10  # the row of <index>_data that names all segments
_NEWER = b"\xff\x00\x00\x01"  # the record of a contentless index that can delete

Ask = Callable[[str], Sequence[tuple[Any, ...]]]


@dataclass(frozen=True)
class Index:
    """`external`: it keeps no copy of the text, so what is deleted must be told to it with the text."""

    name: str
    external: bool


@dataclass(frozen=True)
class Segment:
    """A part of an index, in pages."""

    id: int
    pages: int


def asker(connection: sqlite3.Connection) -> Ask:
    """Questions to a plain connection; `Database.rows` is one of its own."""
    return lambda sql: connection.execute(sql).fetchall()


def indexes(ask: Ask) -> list[Index]:
    """All FTS5 tables, whatever their names."""
    rows = ask("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE '%fts5%' ORDER BY name")
    found = ((str(name), _FTS5.search(str(sql))) for name, sql in rows)
    return [Index(name, bool(_EXTERNAL.search(match["options"]))) for name, match in found if match]


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def segments(ask: Ask, index: Index) -> list[Segment]:
    """What the index consists of now; empty if its own record cannot be understood."""
    rows = ask(f"SELECT block FROM {quoted(index.name + '_data')} WHERE id = {_STRUCTURE}")  # noqa: S608
    if not rows or not isinstance(rows[0][0], bytes):
        return []
    try:
        return list(_segments(rows[0][0]))
    except IndexError:
        return []


def left_over(ask: Ask, index: Index) -> int:
    """Entries of messages that are gone: an index whose trigger did not see a message go keeps its words for
    good. 0 where it cannot be told."""
    kept = _kept(ask, index)
    return int(ask(f"SELECT COUNT(*) FROM {kept}")[0][0]) if kept else 0  # noqa: S608


def miscounts(ask: Ask, index: Index) -> bool:
    """Whether an index with external content was told to forget other words than it had: those are in it for
    good, in no entry that could be counted. It shows in the sum of words, unless there were as many."""
    tables = {name for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'table'")}
    sizes, data = f"{index.name}_docsize", quoted(index.name + "_data")
    if not index.external or sizes not in tables:
        return False
    version = ask("PRAGMA data_version")
    blocks = ask(f"SELECT block FROM {data} WHERE id = {_TOTALS}")  # noqa: S608
    counted: list[int] = []
    last = -(2**63)
    while rows := ask(f"SELECT id, sz FROM {quoted(sizes)} WHERE id > {last} ORDER BY id LIMIT {_ROWS}"):  # noqa: S608
        for _, sz in rows:
            numbers = [1, *_all_numbers(sz)] if isinstance(sz, bytes) else []
            counted = [first + second for first, second in zip_longest(counted, numbers, fillvalue=0)]
        last = rows[-1][0]
    if not counted or not blocks or ask("PRAGMA data_version") != version:
        return False  # or somebody wrote meanwhile: then it shows when nobody does
    return counted != _all_numbers(blocks[0][0])


def forget_left_over(ask: Ask, index: Index, most: int) -> None:
    """Delete up to `most` of those entries, which only an index with a copy of the text allows: others have to
    be rebuilt."""
    kept = _kept(ask, index)
    if kept and not index.external:
        ask(f"DELETE FROM {quoted(index.name)} WHERE rowid IN (SELECT id FROM {kept} LIMIT {most})")  # noqa: S608


def _kept(ask: Ask, index: Index) -> str:
    """Where such entries stand, and which they are, as SQL; "" if there is no telling."""
    tables = {name for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'table'")}
    rows = f"{index.name}_docsize" if index.external else f"{index.name}_content"
    if not {rows, "messages"} <= tables or not (index.external or _MESSAGES.fullmatch(index.name)):
        return ""
    return f"{quoted(rows)} WHERE id NOT IN (SELECT id FROM messages)"  # noqa: S608


def being_migrated(ask: Ask) -> tuple[str, ...]:
    """Tables in which Hermes keeps old indexes until it has moved them."""
    tables = ask("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return tuple(str(name) for (name,) in tables if _MIGRATED.fullmatch(str(name)))


def _segments(record: bytes) -> Iterator[Segment]:
    newer = record[4:8] == _NEWER
    numbers = _numbers(record, 8 if newer else 4)
    levels, _, _ = next(numbers), next(numbers), next(numbers)
    for _ in range(levels):
        _, count = next(numbers), next(numbers)  # the first: how many are being merged
        for _ in range(count):
            id, first, last = next(numbers), next(numbers), next(numbers)
            yield Segment(id, last - first + 1)
            for _ in range(5 if newer else 0):
                next(numbers)


def _all_numbers(record: bytes) -> list[int]:
    found: list[int] = []
    with suppress(IndexError):
        for number in _numbers(record, 0):
            found.append(number)
    return found


def _numbers(record: bytes, at: int) -> Iterator[int]:
    """SQLite's variable-length integers. Raises IndexError at the end of the record."""
    while True:
        value = 0
        for length in range(1, 10):
            byte = record[at]
            at += 1
            if length == 9:
                value = value << 8 | byte
                break
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                break
        yield value
