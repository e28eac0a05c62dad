"""Phrases in one SQLite database: in every column of every table, and in its full-text indexes.

To be called in a process that opens no database as a plain file (see sql_files).
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hermesweb.hermes.scan.events import Event, Hit, NotChecked, Progress
from hermesweb.hermes.scan.fts_index import IndexPages, Moved
from hermesweb.hermes.scan.fts_lookup import IndexRows, rows_with
from hermesweb.hermes.scan.fts_tokens import Tokens, UnknownTokenizer, tokens_of
from hermesweb.hermes.scan.linear import NotLinear
from hermesweb.hermes.scan.needles import Needles, needles_of
from hermesweb.hermes.scan.segments import BrokenLeaf
from hermesweb.hermes.scan.sought import Sought, Wholes
from hermesweb.hermes.scan.sql_files import look_at
from hermesweb.hermes.scan.sql_reading import PAUSE, NotReadable, Reading
from hermesweb.hermes.scan.sql_rows import SHOWN, TableScan, puts_together
from hermesweb.hermes.scan.sql_schema import Schema, Table, TextIndex, schema_of
from hermesweb.hermes.scan.sql_sieve import Sieves

ATTEMPTS = 12  # at an index that a merge rearranges meanwhile
TELL_SECONDS = 0.5
_PAGE = 512  # what every size of an encrypted database can be divided by


@dataclass(frozen=True)
class Wanted:
    """What is looked for in one database, which is called `file` in what is reported."""

    file: str
    needles: tuple[Needles, ...]

    @property
    def may_be_number(self) -> bool:
        folded = (each.folded for each in self.needles)
        return any(not any(letter.isalpha() and letter != "e" for letter in each) for each in folded)


def scan_database(path: Path, phrases: Sequence[str], *, file: str | None = None) -> Iterator[Event]:
    """Hits, what could not be looked into, and from time to time how many bytes of text were looked at.

    Nothing beside the database changes, no writer waits. Raises BadPhrase.
    """
    wanted = Wanted(path.name if file is None else file, tuple(map(needles_of, phrases)))
    try:
        if look_at(path).database.st_size == 0:
            return
    except OSError:
        pass  # Reading says why
    with Reading(path) as database:
        try:
            schema = schema_of(database)
            together = puts_together(database)
        except NotReadable as problem:
            yield NotChecked(wanted.file, _why(problem, path))
            return
        yield from _parts(database, schema, wanted, together)


@lru_cache(8)
def sought_of(needles: tuple[Needles, ...]) -> Sought:
    """Making it takes longer than searching a small database."""
    try:
        return Wholes(needles)
    except NotLinear:
        return Sieves(needles)


def _parts(database: Reading, schema: Schema, wanted: Wanted, together: bool) -> Iterator[Event]:
    done = 0
    problems = {"unknown_format"} if schema.unknown else set()
    for table in schema.tables:
        sought = sought_of(wanted.needles)
        scan = TableScan(database, table, sought, together=together, numbers=wanted.may_be_number)
        try:
            for size in _told(scan):
                yield Progress(0, done + size, wanted.file)
        except NotReadable as problem:
            problems.add(_why(problem, database.path))
        done += scan.bytes
        problems |= scan.problems
        yield from _hits(table, scan, wanted)
    for index in schema.indexes:
        try:
            yield from _index_hits(database, index, wanted)
        except NotReadable as problem:
            problems.add(_why(problem, database.path))
        except BrokenLeaf:
            problems.add("damaged")
        except UnknownTokenizer:
            problems.add("unknown_format")
        except Moved:
            problems.add("changing")
    yield from (NotChecked(wanted.file, why) for why in sorted(problems))


def _told(scan: TableScan) -> Iterator[int]:
    told = time.monotonic()
    for size in scan.run():
        if time.monotonic() - told > TELL_SECONDS:
            told = time.monotonic()
            yield size


def _hits(table: Table, scan: TableScan, wanted: Wanted) -> Iterator[Hit]:
    for (column, phrase), tally in scan.tallies.items():
        where = f"{table.name}.{column}"
        yield Hit(wanted.file, where, "sql", tally.rows, None, tally.place(), phrase)


def _index_hits(database: Reading, index: TextIndex, wanted: Wanted) -> Iterator[Hit]:
    pages = IndexPages(database, index)
    for phrase, needles in enumerate(wanted.needles):
        rows = [found for each in tokens_of(needles, index) if (found := _rows_with_patience(pages, each))]
        live = sorted({row for each in rows for row in each.live})
        left_over = sorted({row for each in rows for row in each.left_over} - set(live))
        for how, ids in (("index_live", live), ("index_left_over", left_over)):
            if ids:
                place = _place(ids, rows)
                yield Hit(wanted.file, f"{index.name}_data", how, len(ids), None, place, phrase)


def _place(ids: Sequence[int], rows: Sequence[IndexRows]) -> dict[str, object]:
    stored = "whole" if any(each.whole for each in rows) else "prefix_compressed"
    more = {} if all(each.complete for each in rows) else {"more": True}
    segments = max(each.segments for each in rows)
    return {"rowids": list(ids[:SHOWN]), "stored": stored, "segments": segments, **more}


def _rows_with_patience(pages: IndexPages, tokens: Tokens) -> IndexRows | None:
    """In one moment if that is short enough, else in steps, for which the segments have to stay."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with pages.database.snapshot():
                return rows_with(pages, tokens)
        except NotReadable as problem:
            if attempt == ATTEMPTS or problem.why not in ("too_long", "changing", "locked"):
                raise
            slow = problem.why == "too_long"
        try:
            if slow:
                return rows_with(pages, tokens)
        except Moved:
            pass
        pages.database.close()
        time.sleep(PAUSE)
    raise Moved


def _why(problem: NotReadable, path: Path) -> str:
    if problem.why == "too_long":
        return "time"
    if problem.why == "not_a_database":
        try:
            size = look_at(path).database.st_size
        except OSError:
            return "io"
        return "encrypted" if size % _PAGE == 0 else "unknown_format"
    return problem.why
