"""Which rows a full-text index still has a phrase of, and which of these rows are gone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hermesweb.hermes.scan.fts_index import IndexPages, Posting
from hermesweb.hermes.scan.fts_tokens import Tokens
from hermesweb.hermes.scan.segments import positions_of
from hermesweb.hermes.scan.sql_reading import NotReadable, Reading
from hermesweb.hermes.scan.sql_schema import TextIndex, quoted

MOST_ROWS = 100_000
MOST_PAGES = 64  # of terms that only begin with the last word
SHORTEST_BEGINNING = 2  # letters of a last word that may go on
_AT_ONCE = 500


class Written(NamedTuple):
    """An entry of a row for the term `text`, in a segment of that `age`."""

    text: bytes
    age: int
    deleted: bool
    positions: bytes

    @property
    def has_words(self) -> bool:
        """A note that the row's words went is not the words."""
        return bool(self.positions) or not self.deleted


Entries = dict[int, list[Written]]  # by row id


@dataclass(frozen=True)
class IndexRows:
    """`live` and `left_over`: row ids, sorted. `whole`: some term is on its page unshortened. `complete` is
    False when more than MOST_ROWS have it."""

    live: tuple[int, ...]
    left_over: tuple[int, ...]
    whole: bool
    segments: int
    complete: bool


def rows_with(pages: IndexPages, tokens: Tokens) -> IndexRows | None:
    """None: no row. Raises NotReadable, BrokenLeaf, Moved."""
    postings: list[list[Posting]] = []
    for each in _postings(pages, tokens):
        postings.append(list(each))
        if not postings[-1]:
            return None
    found, complete = _narrowed(pages, postings)
    if not found[0]:
        return None
    # Without positions, all the terms somewhere in a row is all that can be known.
    ordered = len(found) > 1 and pages.detail == "full"
    current = {row for row in found[0] if _stand_together(found, row, ordered=ordered, current=True)}
    others = found[0].keys() - current
    earlier = {row for row in others if _stand_together(found, row, ordered=ordered, current=False)}
    there = _rows_there(pages.database, pages.index, sorted(current))
    live, left_over = current & there, (current - there) | earlier
    if not (live or left_over):
        return None
    every = [posting for one in postings for posting in one]
    return IndexRows(
        tuple(sorted(live)),
        tuple(sorted(left_over)),
        whole=all(any(posting.term.kept <= 1 for posting in one) for one in postings),
        segments=len({posting.segment.number for posting in every}),
        complete=complete,
    )


def _postings(pages: IndexPages, tokens: Tokens) -> Iterator[Iterator[Posting]]:
    segments = pages.segments()
    for place, text in enumerate(tokens.terms):
        last = place == len(tokens.terms) - 1
        prefix = last and len(text.decode("utf-8", "replace")) >= SHORTEST_BEGINNING

        def everywhere(text: bytes = text, prefix: bool = prefix) -> Iterator[Posting]:
            for segment in segments:
                yield from pages.postings(segment, text, prefix=prefix, most=MOST_PAGES)

        yield everywhere()


def _narrowed(pages: IndexPages, postings: list[list[Posting]]) -> tuple[list[Entries], bool]:
    """Entries of each term, of rows that have all the terms; the rarest term is read first."""
    order = sorted(range(len(postings)), key=lambda place: sum(one.pages for one in postings[place]))
    found: list[Entries] = [{} for _ in postings]
    rows: list[int] | None = None
    complete = True
    for place in order:
        found[place], whole = _entries(pages, postings[place], rows)
        complete = complete and whole
        rows = sorted(found[place])
    for entries in found:
        for row in entries.keys() - set(rows or ()):
            del entries[row]
    return found, complete


def _entries(pages: IndexPages, postings: list[Posting], rows: list[int] | None) -> tuple[Entries, bool]:
    found: Entries = defaultdict(list)
    wanted = None if rows is None else set(rows)
    for posting in postings:
        for entry in pages.entries(posting, rows, wanted):
            written = Written(posting.term.text, posting.segment.age, entry.deleted, entry.positions)
            found[entry.row].append(written)
            if len(found) >= MOST_ROWS:
                return dict(found), False
    return {row: every for row, every in found.items() if any(one.has_words for one in every)}, True


def _stand_together(found: Sequence[Entries], row: int, *, ordered: bool, current: bool) -> bool:
    """Whether the terms stand one after the other in the row; `current`: in its newest words."""
    starts: set[tuple[int, int]] | None = None
    for place, entries in enumerate(found):
        there = entries.get(row, [])
        there = [one for one in (_newest(there) if current else there) if one.has_words]
        if not there:
            return False
        if not ordered:
            continue
        now = {(column, at - place) for one in there for column, at in positions_of(one.positions)}
        starts = now if starts is None else starts & now
    return starts is None or bool(starts)


def _newest(entries: Sequence[Written]) -> list[Written]:
    """Of each term, what the newest segment says: it alone is what a search would find."""
    newest: dict[bytes, Written] = {}
    for one in entries:
        if one.text not in newest or one.age < newest[one.text].age:
            newest[one.text] = one
    return list(newest.values())


def _rows_there(database: Reading, index: TextIndex, rows: Sequence[int]) -> set[int]:
    """Those that the index still counts and that its content still has."""
    there = set(rows)
    for table, row_id in _witnesses(index):
        try:
            there = among(database, table, row_id, sorted(there))
        except NotReadable as problem:
            if problem.why in ("locked", "changing"):
                raise
    return there


def _witnesses(index: TextIndex) -> Iterator[tuple[str, str]]:
    if index.options is None:
        if index.there("_docsize"):
            yield index.name + "_docsize", "id"
        return
    if index.option("columnsize") != "0":
        yield index.name + "_docsize", "id"
    content = index.option("content", index.name + "_content")
    if content:
        own = content == index.name + "_content" and "content" not in index.options
        yield content, "id" if own else index.option("content_rowid", "rowid")


def among(database: Reading, table: str, row_id: str, rows: Iterable[int]) -> set[int]:
    """Those of the row ids that the table has. Raises NotReadable."""
    found: set[int] = set()
    ids = list(rows)
    name = quoted(row_id) if row_id != "rowid" else row_id
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        marks = ",".join("?" * len(some))
        sql = f"SELECT {name} FROM {quoted(table)} WHERE {name} IN ({marks})"  # noqa: S608
        found.update(row[0] for row in database.rows(sql, some))
    return found
