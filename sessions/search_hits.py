"""From candidates to hits: found again in the text where that is needed, and with what a page shows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sessions.content import preview
from sessions.database import Database
from sessions.errors import StateDamaged
from sessions.listing_catalog import catalog
from sessions.query_text import Query
from sessions.search_plan import Plan
from sessions.search_queries import READ_MORE, Candidate, Found, Scope, found_messages, lines, roots
from sessions.search_results import Fragment, Hit, Neighbour, Where
from sessions.search_texts import is_cut, located
from sessions.search_walk import Clock, Range, walk

BATCH = 25
LINE = 120  # characters of a neighbour
DEEP = 100


@dataclass(frozen=True)
class Wanted:
    """What is looked for, and which turns besides the live ones may be hits."""

    query: Query
    where: frozenset[Where]
    undone: bool
    compacted: bool


@dataclass(frozen=True)
class Place:
    """A message that is a hit: what is stored, in which field, and around the words."""

    found: Found
    field: Where
    fragments: tuple[Fragment, ...]


@dataclass
class Stream:
    """The hits from the newest back, as an iterator; between two of them it says how far it is.

    `low`: every id from there on has been looked at. `finished`: to the end. `damaged`: something could not be
    read. `left_out`: matches that were undone or compacted.
    """

    db: Database
    wanted: Wanted
    plan: Plan
    scope: Scope
    parts: Sequence[Range]
    clock: Clock
    limit: int
    low: int = field(init=False)
    finished: bool = False
    damaged: bool = False
    left_out: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.low = self.parts[0].last + 1 if self.parts else 0

    @property
    def stuck(self) -> bool:
        """Whether time ran out before anything was looked at."""
        return not self.finished and self.low > self.parts[0].last

    def __iter__(self) -> Iterator[Place]:
        for step in walk(self.db, self.plan, self.scope, self.parts, self.clock, self.limit):
            self.damaged = self.damaged or step.damaged
            usable = [each for each in step.found if self._fits(each)]
            for begin in range(0, len(usable), BATCH):
                batch = usable[begin : begin + BATCH]
                for place in self._places(batch):
                    self.low = place.found.id
                    yield place
                self.low = batch[-1].id
                if self.clock.left <= 0 and begin + BATCH < len(usable):
                    return
            self.low = step.low
        self.finished = not self.parts or self.low <= self.parts[-1].first

    def _fits(self, candidate: Candidate) -> bool:
        chosen = self.scope.sessions
        if chosen is not None and not self.scope.inside and candidate.session not in chosen:
            return False
        return kept(self.wanted, candidate, self.left_out)

    def _places(self, batch: Sequence[Candidate]) -> list[Place]:
        places, damaged = places_of(self.db, self.wanted, batch, self.plan.strict)
        self.damaged = self.damaged or damaged
        return places


def kept(wanted: Wanted, candidate: Candidate, left_out: Counter[str]) -> bool:
    """Whether a match is wanted as far as undone and compacted turns go; else it is counted."""
    if candidate.undone and not wanted.undone:
        left_out["undone"] += 1
        return False
    if candidate.compacted and not wanted.compacted:
        left_out["compacted"] += 1
        return False
    return True


def places_of(
    db: Database, wanted: Wanted, batch: Sequence[Candidate], strict: bool
) -> tuple[list[Place], bool]:
    """Those of the candidates that are hits, in their order, and whether damage hid one."""
    where = wanted.where
    found, damaged = _read(db, [each.id for each in batch], where)
    places = []
    for each in batch:
        if each.id not in found:
            continue
        stored = found[each.id]
        at = located(stored, where, wanted.query.alternatives)
        if at is None and is_cut(stored):
            stored = found_messages(db, [each.id], where, READ_MORE).get(each.id, stored)
            at = located(stored, where, wanted.query.alternatives)
        if at is None and (each.loose or strict):
            continue
        usual: Where = "messages" if "messages" in where else next(iter(where))
        places.append(Place(found[each.id], *(at or (usual, ()))))
    return places, damaged


def _read(db: Database, ids: Sequence[int], where: frozenset[Where]) -> tuple[dict[int, Found], bool]:
    try:
        return found_messages(db, ids, where), False
    except StateDamaged:
        found: dict[int, Found] = {}
    damaged = False
    for id in ids:
        try:
            found.update(found_messages(db, [id], where))
        except StateDamaged:
            damaged = True
    return found, damaged


def hits_of(db: Database, places: Sequence[Place]) -> list[Hit]:
    """The hits for a page, without Hermes' answer. Raises StateError."""
    found = [place.found for place in places]
    beginnings = roots_of(db, {each.session for each in found})
    try:
        near = lines(db, {id for each in found for id in (each.before, each.after) if id is not None})
    except StateDamaged:
        near = {}
    neighbours = {
        id: Neighbour(id, role, preview(text, LINE), tool) for id, (role, text, tool) in near.items()
    }
    return [_hit(place, beginnings, neighbours) for place in places]


def roots_of(db: Database, sessions: set[str]) -> dict[str, str]:
    """The session with which the conversation of each session began."""
    known = roots(db, sessions)
    found = {session: known.get(session, (session, 0))[0] for session in sessions}
    for session, (_, depth) in known.items():
        if depth >= DEEP:  # a cycle, or a chain longer than any real one
            found[session] = _root_by_catalog(db, session)
    return found


def _root_by_catalog(db: Database, session: str) -> str:
    tree = catalog(db).tree
    row = tree.rows.get(session)
    return session if row is None else str(tree.relatives[tree.root_of[row]].link.id)


def _hit(place: Place, beginnings: dict[str, str], neighbours: dict[int, Neighbour]) -> Hit:
    found = place.found
    return Hit(
        message=found.id,
        session=found.session,
        root=beginnings.get(found.session, found.session),
        title=found.title,
        source=found.source or "",
        role=found.role,
        at=found.at,
        field=place.field,
        fragments=place.fragments,
        before=neighbours.get(found.before) if found.before is not None else None,
        after=neighbours.get(found.after) if found.after is not None else None,
        undone=found.undone,
        compacted=found.compacted,
        hermes="finds",
        reason="",
    )
