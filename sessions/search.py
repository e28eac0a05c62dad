"""Searching the conversations of a state.db: bounded in time, newest first, and honest about what was looked at.

    page = search(db, parse("garden -water"))
    page = search(db, parse("garden -water"), after=page.next)

An index answers where one can; where none is, is broken, or does not know a field, the texts are gone through
from the newest back, and the page says how far it came and where to go on.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sessions.database import Database
from sessions.errors import StateDamaged, StateTimeout
from sessions.listing_catalog import catalog
from sessions.listing_filters import Filters
from sessions.query_text import Query
from sessions.search_condition_queries import COLUMNS, INDEXED
from sessions.search_count import CAP, Counted, counted
from sessions.search_groups import grouped
from sessions.search_hermes import judged
from sessions.search_hits import Place, Stream, Wanted, hits_of, kept, places_of
from sessions.search_index import IndexState, index_state
from sessions.search_plan import Plan, plan
from sessions.search_queries import Scope, first_message, last_message, ranked, time_of
from sessions.search_results import USUAL, Hit, LookedBack, Order, Position, SearchNote, SearchPage, Where
from sessions.search_scope import scope_of
from sessions.search_sessions import found_sessions
from sessions.search_walk import Clock, ranges

ALL = Filters(hidden=True)
MOST_RANKED = 30_000  # matches that are sorted by relevance
SESSIONS = 10  # titles and prompts beside messages


@dataclass(frozen=True)
class _Asked:
    wanted: Wanted
    filters: Filters
    sort: Order
    after: Position
    limit: int
    group: bool
    thorough: bool
    count: bool
    seconds: float

    @property
    def messages(self) -> bool:
        """Whether messages are searched, not only titles and prompts."""
        return any(field in COLUMNS for field in self.wanted.where)


def search(
    db: Database,
    query: Query,
    *,
    where: Iterable[Where] = USUAL,
    filters: Filters = ALL,
    sort: Order = "newest",
    after: Position | None = None,
    limit: int = 20,
    group: bool = False,
    include_undone: bool = False,
    include_compacted: bool = False,
    thorough: bool = False,
    count: bool = True,
    seconds: float = 0.25,
) -> SearchPage:
    """A page of what fits the words. Raises StateError; a damaged index is gone around, not raised.

    `where`: in which fields. An alternative's words must all be in the message and its tool calls, or all in
    one other field. `filters` as in listing_filters, but with the time of the message itself. `after`: the
    `next` of the page before, with everything else the same. `limit`: hits, or conversations when `group`.
    `thorough`: go through the texts even where an index could answer. `count`: whether to count all matches.
    `seconds`: roughly how long it may take; a page that is not full then says how far it looked.
    """
    if not query.alternatives or not {"sessions", "messages"} <= db.tables:
        return SearchPage(query)
    wanted = Wanted(query, frozenset(where), include_undone, include_compacted)
    asked = _Asked(wanted, filters, sort, after or Position(), max(1, limit), group, thorough, count, seconds)
    index = index_state(db)
    try:
        return _page_or_thorough(db, asked, index)
    except StateDamaged:
        if index.words and index.trigrams:
            raise
        broken = replace(index, words=index.words or "index_broken", trigrams="index_broken")
        return _page(db, asked, broken)


def _page_or_thorough(db: Database, asked: _Asked, index: IndexState) -> SearchPage:
    """The page; instead of an empty one, the one without the index when that does not know everything."""
    page = _page(db, asked, index)
    if page.hits or page.groups or page.next or "long_tool_output" not in page.notes:
        return page
    again = _page(db, replace(asked, thorough=True), index)
    return replace(again, notes=(*(note for note in again.notes if note != "thorough"), "thorough"))


def _page(db: Database, asked: _Asked, index: IndexState) -> SearchPage:
    query, wanted = asked.wanted.query, asked.wanted
    scope = scope_of(db, asked.filters)
    if scope is None:
        return SearchPage(query)
    page = SearchPage(query, indexes=tuple(dict.fromkeys(filter(None, (index.words, index.trigrams)))))
    page = replace(page, rebuilt=index.rebuilt)
    if asked.after == Position() or asked.after.session is not None:
        page = _with_sessions(db, asked, scope, page)
    if not asked.messages:
        whole = asked.after.session is None and not page.more_sessions
        return _judged(db, replace(page, total=len(page.sessions), total_exact=whole), index)
    chosen = plan(db, query, wanted.where, index, asked.thorough)
    page = replace(page, notes=_notes(chosen, asked, index))
    counts = _counts(db, chosen, asked, scope, index)
    if asked.sort == "relevance":
        if counts and counts.exact and counts.total <= MOST_RANKED and _can_rank(chosen, index, asked):
            return _judged(db, _relevant(db, asked, scope, chosen, counts, page), index)
        page = replace(page, notes=(*page.notes, "relevance_refused"))
    return _judged(db, _newest(db, asked, scope, chosen, counts, page, index), index)


def _with_sessions(db: Database, asked: _Asked, scope: Scope, page: SearchPage) -> SearchPage:
    if not {"titles", "prompts"} & asked.wanted.where:
        return page
    limit, clock = SESSIONS if asked.messages else asked.limit, Clock.start(asked.seconds / 2)
    try:
        hits, below = found_sessions(db, asked.wanted, scope, asked.after.session, limit, clock)
    except (StateDamaged, StateTimeout):
        return replace(page, more_sessions=True, notes=(*page.notes, "sessions_unfinished"))
    following = None if below is None or asked.messages else Position(session=below)
    return replace(page, sessions=tuple(hits), more_sessions=below is not None, next=following)


def _counts(db: Database, chosen: Plan, asked: _Asked, scope: Scope, index: IndexState) -> Counted | None:
    if chosen.slow or index.gap or not (asked.count or asked.sort == "relevance"):
        return None
    return counted(db, asked.wanted, chosen, scope, MOST_RANKED if asked.sort == "relevance" else CAP)


def _newest(
    db: Database,
    asked: _Asked,
    scope: Scope,
    chosen: Plan,
    counts: Counted | None,
    page: SearchPage,
    index: IndexState,
) -> SearchPage:
    above = asked.after.message
    last = min(scope.last, last_message(db) if above is None else above - 1)
    first = max(scope.first, first_message(db))
    parts = ranges(first, last, index.gap)
    if asked.group:
        catalog(db)  # made anew after a change; the time for it is not the search's
    clock = Clock.start(asked.seconds)
    at_once = (asked.limit + 1) * (8 if asked.group else 1)
    stream = Stream(db, asked.wanted, chosen, scope, parts, clock, at_once)
    if asked.group:
        groups, below = grouped(stream, above, asked.limit)
        page = replace(page, groups=tuple(groups))
        shown = sum(len(group.hits) for group in groups)
    else:
        following = iter(stream)
        places = list(itertools.islice(following, asked.limit + 1))
        shown = min(len(places), asked.limit)
        below = places[shown - 1].found.id if len(places) > shown else None
        page = replace(page, hits=tuple(hits_of(db, places[:shown])))
        if below is not None and counts is None and asked.count and above is None:
            counts = _counted_on(stream, following, len(places))
    if stream.stuck and not chosen.slow:
        # The index did not even begin to answer; the newest texts do.
        slow = replace(chosen, questions=(chosen.scan,))
        return _newest(db, replace(asked, thorough=True), scope, slow, counts, page, index)
    page = _with_end(db, page, stream, below, asked.thorough)
    if stream.damaged:
        page = replace(page, notes=(*page.notes, "damaged"))
    return _with_total(page, asked, stream, counts, shown)


def _counted_on(stream: Stream, following: Iterator[Place], known: int) -> Counted:
    """Without an index: the hits after the page, counted for as long as there is time."""
    total = known + sum(1 for _ in itertools.islice(following, CAP - known))
    return Counted(total, stream.finished and not stream.damaged, stream.left_out)


def _with_end(
    db: Database, page: SearchPage, stream: Stream, below: int | None, thorough: bool
) -> SearchPage:
    if below is not None:
        return replace(page, next=Position(message=below, thorough=thorough))
    if stream.finished:
        return page
    looked = LookedBack(stream.low, time_of(db, stream.low))
    return replace(page, next=Position(message=stream.low, thorough=thorough), looked_back_to=looked)


def _with_total(
    page: SearchPage, asked: _Asked, stream: Stream, counts: Counted | None, shown: int
) -> SearchPage:
    whole = asked.after.message is None and page.next is None and not stream.damaged
    if whole and (shown == 0 or not asked.group):  # everything is on this page
        return replace(page, total=shown, total_exact=True, left_out=dict(stream.left_out))
    if counts is None:
        return replace(page, total=shown, total_exact=False, left_out=dict(stream.left_out))
    total = max(counts.total, shown)
    return replace(page, total=total, total_exact=counts.exact, left_out=dict(counts.left_out))


def _can_rank(chosen: Plan, index: IndexState, asked: _Asked) -> bool:
    return len(chosen.questions) == 1 and not index.gap and not asked.group


def _relevant(
    db: Database, asked: _Asked, scope: Scope, chosen: Plan, counts: Counted, page: SearchPage
) -> SearchPage:
    left_out: Counter[str] = Counter()
    found = ranked(db, chosen.questions[0], scope, MOST_RANKED)
    rank, below = asked.after.rank, asked.after.message
    if rank is not None and below is not None:
        found = [each for each in found if each[0] > rank or (each[0] == rank and each[1].id < below)]
    ranks, places = dict[int, float](), list[Place]()
    while found and len(places) <= asked.limit:
        batch, found = found[: asked.limit + 1], found[asked.limit + 1 :]
        usable = [
            each
            for _, each in batch
            if scope.sessions is None or scope.inside or each.session in scope.sessions
            if kept(asked.wanted, each, left_out)
        ]
        places += places_of(db, asked.wanted, usable, chosen.strict)[0]
        ranks.update((each.id, order) for order, each in batch)
    shown = places[: asked.limit]
    following = None
    if len(places) > len(shown) or found:
        last = shown[-1].found.id
        following = Position(message=last, rank=ranks[last])
    return replace(
        page,
        hits=tuple(hits_of(db, shown)),
        next=following,
        order="relevance",
        total=counts.total,
        total_exact=counts.exact,
        left_out=dict(counts.left_out),
    )


def _notes(chosen: Plan, asked: _Asked, index: IndexState) -> tuple[SearchNote, ...]:
    notes: list[SearchNote] = ["thorough"] if asked.thorough else []
    if chosen.slow or index.gap:
        notes.append("accents_count")
    if any(field in COLUMNS and field not in INDEXED for field in asked.wanted.where):
        notes.append("slow_fields")
    if index.external and not index.words and not asked.thorough and not chosen.slow:
        notes.append("long_tool_output")
    return tuple(notes)


def _judged(db: Database, page: SearchPage, index: IndexState) -> SearchPage:
    """The page with Hermes' answer to each hit."""
    hits: Sequence[Hit] = [*page.hits, *page.sessions, *(hit for group in page.groups for hit in group.hits)]
    answers = iter(judged(db, page.query.text, hits, index))
    return replace(
        page,
        hits=tuple(next(answers) for _ in page.hits),
        sessions=tuple(next(answers) for _ in page.sessions),
        groups=tuple(replace(group, hits=tuple(next(answers) for _ in group.hits)) for group in page.groups),
    )
