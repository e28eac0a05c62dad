"""Which rows the full-text indexes of a database still have anything of: the proof that they are gone.

Every page of every segment is read, so this takes about a minute for 100 MB of index. Where only one segment is
left, merging has dropped what was deleted.
"""

import time
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

from hermesweb.hermes.scan.fts_index import AT_ONCE, IndexPages
from hermesweb.hermes.scan.fts_lookup import among
from hermesweb.hermes.scan.segments import BrokenLeaf, Doclist, Entry, Leaf, Segment
from hermesweb.hermes.scan.sql_reading import Reading
from hermesweb.hermes.scan.sql_schema import schema_of


@dataclass(frozen=True)
class IndexRemains:
    """Of one index: row ids that it still counts, row ids whose words are still written, the number of segments
    on the disk, and whether all of them were read in time."""

    index: str
    counted: tuple[int, ...]
    written: tuple[int, ...]
    segments: int
    complete: bool


def rows_in_index(path: Path, row_ids: Collection[int], *, seconds: float = 60) -> tuple[IndexRemains, ...]:
    """For each FTS5 index of the database. `seconds`: for all of them together.

    Raises NotReadable, BrokenLeaf and Moved (a writer merged meanwhile: ask again).
    """
    until = time.monotonic() + seconds
    with Reading(path) as database:
        indexes = [IndexPages(database, index) for index in schema_of(database).indexes]
        return tuple(_remains(pages, frozenset(row_ids), until) for pages in indexes)


def _remains(pages: IndexPages, row_ids: frozenset[int], until: float) -> IndexRemains:
    counted: set[int] = set()
    if pages.index.there("_docsize"):
        counted = among(pages.database, pages.index.name + "_docsize", "id", sorted(row_ids))
    segments = pages.segments()
    written: set[int] = set()
    complete = True
    for segment in segments:
        for entry in _entries(pages, segment, row_ids):
            if entry is None:
                complete = time.monotonic() < until
                if not complete:
                    break
            elif entry.positions or not entry.deleted:
                written.add(entry.row)
        if not complete:
            break
    name = pages.index.name
    return IndexRemains(name, tuple(sorted(counted)), tuple(sorted(written)), len(segments), complete)


def _entries(pages: IndexPages, segment: Segment, row_ids: frozenset[int]) -> Iterator[Entry | None]:
    """All of these rows in a segment; None after each question, to look at the clock."""
    doclist = Doclist(pages.detail, row_ids)
    page = segment.first
    while page <= segment.last:
        some = pages.leaves(segment, page, AT_ONCE)
        for number, leaf in some:
            if number != page:
                raise BrokenLeaf
            yield from doclist.entries(leaf, 4, leaf.goes_on)
            if leaf.starts:
                doclist = yield from _begun_here(leaf, pages.detail, row_ids)
            page += 1
        yield None


def _begun_here(leaf: Leaf, detail: str, row_ids: frozenset[int]) -> Generator[Entry, None, Doclist]:
    """Returns the last one, which the next leaf may go on with."""
    doclist = Doclist(detail, row_ids)
    for term in leaf.terms():
        doclist = Doclist(detail, row_ids)
        yield from doclist.entries(leaf, term.start, term.end)
    return doclist
