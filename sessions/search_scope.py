"""Filters of a search as what the questions to state.db need."""

from dataclasses import replace

from sessions.database import Database
from sessions.listing_catalog import catalog
from sessions.listing_filters import Filters, chosen_sessions, roots_of
from sessions.search_queries import Scope, extent

FEW_SESSIONS = 5_000
VERY_FEW = 300  # messages
FEW_MESSAGES = 80_000  # so many ids are a set in a moment


def scope_of(db: Database, filters: Filters) -> Scope | None:
    """The scope; None when no session fits. Raises StateError.

    Every session of a conversation that fits may have hits if it fits the filters about a session itself. Few
    sessions are handed to the database; of many, each answer is looked up here.
    """
    if not filters.narrow and filters.hidden:
        return Scope()
    found = catalog(db)
    chosen, roots = chosen_sessions(db, found, filters), roots_of(db, found, filters)
    rows = frozenset(
        row
        for row in (found.rows if chosen is None else chosen)
        if (root := found.root(row)) and (roots is None or root in roots)
        if filters.hidden or root not in found.hidden
    )
    if not rows:
        return None
    if len(rows) > FEW_SESSIONS:
        return Scope(rows, since=filters.since, until=filters.until)
    return narrowed(db, Scope(rows, since=filters.since, until=filters.until), rows)


def narrowed(db: Database, scope: Scope, sessions: frozenset[int]) -> Scope:
    """The scope with these sessions only, handed to the database unless they are too many."""
    messages, first, last = extent(db, sessions)
    inside = messages <= FEW_MESSAGES
    return replace(scope, sessions=sessions, inside=inside, few=messages <= VERY_FEW, first=first, last=last)
