"""Hits by conversation: each conversation once, at the place of its newest hit."""

from collections import Counter
from collections.abc import Sequence

from sessions.database import Database
from sessions.errors import StateTimeout
from sessions.listing_catalog import Catalog, catalog
from sessions.listing_queries import row_of
from sessions.search_hits import Place, Stream, hits_of, kept, places_of, roots_of
from sessions.search_queries import HIGHEST, LOWEST, Candidate, Scope, candidates
from sessions.search_results import Group
from sessions.search_scope import narrowed
from sessions.search_walk import limited

HITS = 3  # of one conversation
LOOK = 50  # candidates looked at to find them


def grouped(stream: Stream, above: int | None, limit: int) -> tuple[list[Group], int | None]:
    """The next conversations, and the id below which there are more; None when the stream ended.

    `above`: conversations with a hit at that id or above it were on a page before.
    """
    db, found = stream.db, catalog(stream.db)
    newest: dict[str, Place] = {}
    earlier: set[str] = set()
    known: dict[str, str] = {}
    for place in stream:
        session = place.found.session
        if session not in known:
            known[session] = roots_of(db, {session})[session]
        root = known[session]
        if root in newest or root in earlier:
            continue
        if above is not None and _inside(stream, found, root, above, HIGHEST, 1):
            earlier.add(root)
        elif len(newest) == limit:
            return _groups(stream, found, newest), place.found.id + 1
        else:
            newest[root] = place
    return _groups(stream, found, newest), None


def _groups(stream: Stream, found: Catalog, newest: dict[str, Place]) -> list[Group]:
    places: dict[str, list[Place]] = {}
    late = set()
    for root, place in newest.items():
        places[root] = [place]
        if stream.clock.left > 0:
            places[root] += _inside(stream, found, root, LOWEST, place.found.id - 1, HITS)
        else:
            late.add(root)
    shown = iter(hits_of(stream.db, [place for each in places.values() for place in each[:HITS]]))
    return [
        Group(root, tuple(next(shown) for _ in each[:HITS]), len(each) > HITS or root in late)
        for root, each in places.items()
    ]


def _inside(stream: Stream, found: Catalog, root: str, first: int, last: int, most: int) -> list[Place]:
    """Some hits of a conversation with ids between the two, newest first."""
    scope = _scope(stream.db, stream.scope, found, root)
    if scope is None:
        return []
    # Few texts are looked at sooner than an index that may have to put half of its words together first.
    whole = all(part.indexed for part in stream.parts) and not scope.few
    some: dict[int, Candidate] = {}
    for question in stream.plan.questions if whole else (stream.plan.scan,):
        try:
            with limited(stream.db, stream.clock):
                found_here = candidates(stream.db, question, scope, first, last, LOOK)
        except StateTimeout:
            continue
        for each in found_here:
            if scope.inside or each.session in (scope.sessions or ()):
                some.setdefault(each.id, each)
    usable = [some[id] for id in sorted(some, reverse=True) if kept(stream.wanted, some[id], Counter())]
    places: list[Place] = []
    while usable and len(places) < most:
        places += places_of(stream.db, stream.wanted, usable[:most], stream.plan.strict)[0]
        usable = usable[most:]
    return places[:most]


def _scope(db: Database, scope: Scope, found: Catalog, root: str) -> Scope | None:
    row = row_of(db, root)
    if row is None:  # messages without a session
        return None
    members: Sequence[int] = found.members(row)
    chosen = members if scope.sessions is None else scope.sessions.intersection(members)
    return narrowed(db, scope, frozenset(chosen)) if chosen else None
