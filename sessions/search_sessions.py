"""Titles and stored system prompts with the words: hits that are sessions, not messages."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sessions import search_session_queries as queries
from sessions.database import Database
from sessions.listing_queries import text
from sessions.search_hits import Wanted, roots_of
from sessions.search_marks import marks
from sessions.search_queries import Scope
from sessions.search_results import Fragment, Hit, Where
from sessions.search_texts import fragments
from sessions.search_walk import Clock, limited

CHUNK = 20
FIELDS: frozenset[Where] = frozenset(("titles", "prompts"))


def found_sessions(
    db: Database, wanted: Wanted, scope: Scope, below: int | None, limit: int, clock: Clock
) -> tuple[list[Hit], int | None]:
    """At most `limit` hits, the session stored last first, and the row id below which others may be.

    Raises StateError, in particular StateTimeout.
    """
    hits: list[Hit] = []
    last = 2**63 - 1 if below is None else below - 1
    for row, hit in _hits(db, wanted, scope, last, clock):
        if len(hits) == limit:
            return _with_roots(db, hits), row + 1
        hits.append(hit)
    return _with_roots(db, hits), None


def _hits(db: Database, wanted: Wanted, scope: Scope, last: int, clock: Clock) -> Iterator[tuple[int, Hit]]:
    rows: set[int] = set()
    for field in FIELDS & wanted.where:
        with limited(db, clock):
            rows.update(queries.matching(db, field, wanted.query.alternatives, last))
    chosen = sorted(rows if scope.sessions is None else scope.sessions & rows, reverse=True)
    for begin in range(0, len(chosen), CHUNK):
        for row in queries.sessions(db, chosen[begin : begin + CHUNK], "prompts" in wanted.where):
            if hit := _hit(row, wanted):
                yield row[0], hit


def _hit(row: tuple[Any, ...], wanted: Wanted) -> Hit | None:
    _, id, title, source, started, prompt = row
    texts: list[tuple[Where, str]] = [("titles", text(title)), ("prompts", text(prompt))]
    for field, content in texts:
        if field in wanted.where and content and (at := marks(wanted.query.alternatives, content)):
            return _as_hit(text(id), text(title), text(source), started, field, fragments(content, at))
    return None


def _as_hit(
    id: str, title: str, source: str, at: float | None, field: Where, pieces: tuple[Fragment, ...]
) -> Hit:
    return Hit(None, id, id, title, source, "", at, field, pieces, None, None, False, False, "hides", "field")


def _with_roots(db: Database, hits: Sequence[Hit]) -> list[Hit]:
    beginnings = roots_of(db, {hit.session for hit in hits})
    return [replace(hit, root=beginnings[hit.session]) for hit in hits]
