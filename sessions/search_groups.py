"""Hits by conversation: each conversation once, at the place of its newest hit."""

from collections.abc import Sequence

from sessions.database import Database
from sessions.listing_catalog import Catalog, catalog
from sessions.listing_queries import row_of
from sessions.search_hits import Place, Stream, hits_of, kept, places_of, roots_of
from sessions.search_queries import HIGHEST, LOWEST, Scope, candidates
from sessions.search_results import Group
from sessions.search_scope import narrowed

HITS = 3  # of one conversation
LOOK = 50  # candidates looked at to find out about others


def grouped(stream: Stream, above: int | None, limit: int) -> tuple[list[Group], int | None]:
    """The next conversations, and the id below which there are more; None when the stream ended.

    `above`: conversations with a hit at that id or above it were on a page before.
    """
    db, found = stream.db, catalog(stream.db)
    groups: dict[str, list[Place]] = {}
    earlier: set[str] = set()
    known: dict[str, str] = {}
    for place in stream:
        session = place.found.session
        if session not in known:
            known[session] = roots_of(db, {session})[session]
        root = known[session]
        if root in earlier:
            continue
        if root not in groups:
            if above is not None and _exists(stream, found, root, above, HIGHEST):
                earlier.add(root)
                continue
            if len(groups) == limit:
                return _groups(stream, found, groups), place.found.id + 1
            groups[root] = []
        if len(groups[root]) < HITS:
            groups[root].append(place)
    return _groups(stream, found, groups), None


def _groups(stream: Stream, found: Catalog, groups: dict[str, list[Place]]) -> list[Group]:
    hits = iter(hits_of(stream.db, [place for places in groups.values() for place in places]))
    return [
        Group(
            root,
            tuple(next(hits) for _ in places),
            _exists(stream, found, root, LOWEST, places[-1].found.id - 1),
        )
        for root, places in groups.items()
    ]


def _exists(stream: Stream, found: Catalog, root: str, first: int, last: int) -> bool:
    """Whether a conversation has a hit with an id between the two."""
    scope = _inside(stream.db, stream.scope, found, root)
    if scope is None:
        return False
    questions = stream.plan.questions if all(part.indexed for part in stream.parts) else (stream.plan.scan,)
    for question in questions:
        some = candidates(stream.db, question, scope, first, last, LOOK)
        some = [each for each in some if kept(stream.wanted, each, stream.left_out.__class__())]
        if scope.sessions and not scope.inside:
            some = [each for each in some if each.session in scope.sessions]
        if some and (not some[0].loose or places_of(stream.db, stream.wanted, some, stream.plan.strict)[0]):
            return True
    return False


def _inside(db: Database, scope: Scope, found: Catalog, root: str) -> Scope | None:
    row = row_of(db, root)
    if row is None:  # messages without a session
        return None
    members: Sequence[int] = found.members(row)
    chosen = members if scope.sessions is None else scope.sessions.intersection(members)
    return narrowed(db, scope, frozenset(chosen)) if chosen else None
