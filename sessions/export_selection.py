"""Which sessions an export has: those of one conversation, of the ticked ones, or of all that fit a filter.

Ticked ones stand in the address only inside a token of search_token.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from django.conf import settings
from django.http import HttpRequest, QueryDict

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from hermesweb.privacy.copies import copy_of
from sessions import listing_queries as queries
from sessions.asked import ListAsked, list_asked
from sessions.database import Database, read_state
from sessions.export_queries import ids_of
from sessions.listing_catalog import catalog
from sessions.listing_filters import roots_of
from sessions.listing_order import ordered
from sessions.search_token import seal, unseal
from sessions.transcript_chain import chain_of
from sessions.transcript_queries import storable

MOST_TICKED = 1_000
What = Literal["one", "ticked", "filter"]


@dataclass(frozen=True)
class Selection:
    """`ids`: sessions of the conversations, for "one" and "ticked"; else `asked` says which fit."""

    what: What
    ids: tuple[str, ...] = ()
    asked: ListAsked = field(default_factory=ListAsked)


@dataclass(frozen=True)
class Chosen:
    """What a selection has in it now: the sessions in the order of the list."""

    conversations: int
    sessions: tuple[str, ...]


def selection_of(request: HttpRequest, profile: Profile) -> Selection:
    """What an address selects. Raises NotOurToken, and ValueError for an id that cannot be."""
    data = request.GET
    if "session" in data:
        return Selection("one", (decode_id(data["session"]),))
    if "chosen" in data:
        words = unseal(request, profile, data["chosen"])
        ids = json.loads(words.get("sessions", "[]"))
        return Selection("ticked", tuple(str(each) for each in ids))
    token = data.get("q", "")
    return Selection("filter", asked=list_asked(data, unseal(request, profile, token), token))


def seal_ticked(request: HttpRequest, profile: Profile, data: QueryDict) -> str:
    """A token with the ticked sessions of a form. Raises TooLong, and ValueError for none or a wrong one."""
    parts = list(dict.fromkeys(data.getlist("ids")))
    if not 0 < len(parts) <= MOST_TICKED:
        raise ValueError("none")
    ids = [decode_id(part) for part in parts]
    words: Mapping[str, str] = {"sessions": json.dumps(ids, separators=(",", ":"))}
    return seal(request, profile, words)


def chosen(profile: Profile, selection: Selection) -> Chosen:
    """The sessions of a selection, whole conversations. Raises StateError, NoSuchSession."""
    copy = copy_of(settings.WORK_FOLDER, profile)
    return read_state(profile.folder, lambda db: _chosen(db, selection), copy=copy)


def _chosen(db: Database, selection: Selection) -> Chosen:
    if selection.what == "filter":
        return _fitting(db, selection.asked)
    conversations = list(dict.fromkeys(_whole(db, each) for each in selection.ids))
    sessions = dict.fromkeys(session for each in conversations for session in each)
    return Chosen(len(conversations), tuple(sessions))


def _whole(db: Database, session: str) -> tuple[str, ...]:
    """The sessions inside the conversation that this one is in; itself for messages without a session row."""
    found = catalog(db)
    row = queries.row_of(db, session) if storable(session) and "sessions" in db.tables else None
    if row is None or found.place(row) is None:
        return chain_of(db, session).sessions
    return tuple(ids_of(db, found.members(found.root(row))))


def _fitting(db: Database, asked: ListAsked) -> Chosen:
    found = catalog(db)
    filters = asked.limits.filters(hidden=asked.hidden)
    fitting = roots_of(db, found, filters)
    roots = [
        root
        for root in ordered(db, found, asked.sort)
        if (fitting is None or root in fitting) and (filters.hidden or root not in found.hidden)
    ]
    rows = [row for root in roots for row in found.members(root)]
    return Chosen(len(roots), tuple(ids_of(db, rows)) if rows else ())
