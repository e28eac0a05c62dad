"""The rows of the list of conversations, and the sessions inside one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sessions import listing_queries as queries
from sessions.content import preview
from sessions.database import Database
from sessions.errors import StateDamaged
from sessions.lineage import Kind, Link
from sessions.listing_catalog import Catalog
from sessions.listing_queries import text
from sessions.listing_tree import Part, listed_by_hermes

# What session_search and the pickers leave out, by the first schema that does (state-db facts of 0.13 to 0.22).
UNLISTED_SOURCES = ((30, ("kanban", "subagent", "tool")), (16, ("subagent", "tool")), (0, ("tool",)))


@dataclass(frozen=True)
class ConversationRow:
    """A conversation. `id`: the session that stands for it, `root`: the one it began with.

    `title` is of the newest session that has one. `messages`, tokens and `cost` (US dollars): of all its
    `parts` continuations and resets and of its `branches` and `subagents`; None where Hermes noted nothing.
    Times: UTC epoch seconds or None. `open`: has not ended. `hidden`: Hermes' own lists leave it out.
    `damaged`: something of it could not be read.
    """

    id: str
    root: str
    title: str
    preview: str
    source: str
    model: str
    folder: str
    kind: Kind
    started_at: float | None
    last_activity: float | None
    messages: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    cost_estimated: bool
    parts: int
    branches: int
    subagents: int
    open: bool
    archived: bool
    pinned: bool
    hidden: bool
    damaged: bool


@dataclass(frozen=True)
class Member:
    """A session inside a conversation. `chain`: the session whose continuation it is, itself if of none.

    `listed`: Hermes gives the session a row of its own, which it shows as `shown_as`. Times as above.
    """

    id: str
    parent: str
    part: Part
    chain: str
    title: str
    source: str
    model: str
    end_reason: str
    started_at: float | None
    last_activity: float | None
    messages: int
    open: bool
    archived: bool
    listed: bool
    shown_as: str


def rows_of(db: Database, found: Catalog, roots: Sequence[int]) -> list[ConversationRow]:
    """The rows for some roots, in their order. Raises StateError but for damage."""
    everyone = [row for root in roots for row in found.members(root)]
    try:
        known = queries.details(db, everyone)
    except StateDamaged:
        known = _one_by_one(db, everyone)
    shown = [found.tree.shown(root) for root in roots]
    words, unreadable = _first_words(db, {*roots, *shown})
    return [
        _row(found, root, known, words, unreadable) for root in roots if root in known or root in unreadable
    ]


def member_rows(db: Database, found: Catalog, rows: Sequence[int]) -> tuple[Member, ...]:
    """The sessions with these row ids. Raises StateError."""
    known = queries.details(db, [*rows, *(found.tree.tip(row) for row in rows)])
    schema = db.schema_version or 0
    return tuple(_member(found, row, known, schema) for row in rows if row in known)


def unlisted_sources(schema: int) -> tuple[str, ...]:
    """The sources that session_search of the release with this schema never shows."""
    return next(sources for first, sources in UNLISTED_SOURCES if schema >= first)


def _one_by_one(db: Database, rows: Sequence[int]) -> dict[int, dict[str, Any]]:
    known: dict[int, dict[str, Any]] = {}
    for row in rows:
        try:
            known.update(queries.details(db, [row]))
        except StateDamaged:
            continue
    return known


def _first_words(db: Database, rows: set[int]) -> tuple[dict[int, Any], set[int]]:
    try:
        return queries.first_words(db, rows), set()
    except StateDamaged:
        words: dict[int, Any] = {}
    unreadable = set()
    for row in rows:
        try:
            words.update(queries.first_words(db, [row]))
        except StateDamaged:
            unreadable.add(row)
    return words, unreadable


def _row(
    found: Catalog, root: int, known: dict[int, dict[str, Any]], words: dict[int, Any], unreadable: set[int]
) -> ConversationRow:
    members = found.members(root)
    tip = found.tree.shown(root)
    parts = [found.tree.part(row) for row in members]
    first, last = known.get(root, {}), known.get(tip, {})
    inside = [known[row] for row in members if row in known]
    cost, estimated = _cost(inside)
    return ConversationRow(
        id=text(last.get("id")),
        root=text(first.get("id")),
        title=_title(found, tip, members, known),
        preview=next(filter(None, (preview(words.get(row)) for row in (tip, root))), ""),
        source=text(first.get("source")),
        model=text(last.get("model")),
        folder=text(last.get("cwd") or first.get("cwd")),
        kind=_kind(found, root, text(first.get("source"))),
        started_at=_time(found.started[found.place(root) or 0]),
        last_activity=_time(max(found.activity(row) for row in members)),
        messages=sum(each["messages"] for each in inside),
        input_tokens=_sum(inside, "input_tokens", "cache_read_tokens", "cache_write_tokens"),
        output_tokens=_sum(inside, "output_tokens"),
        cost=cost,
        cost_estimated=estimated,
        parts=sum(part in ("root", "continuation", "reset") for part in parts),
        branches=parts.count("branch"),
        subagents=parts.count("subagent"),
        open=last.get("ended_at") is None,
        archived=bool(last.get("archived")),
        pinned=any(each.get("pinned") for each in inside),
        hidden=root in found.hidden,
        damaged=len(inside) < len(members) or bool({root, tip} & unreadable),
    )


def _member(found: Catalog, row: int, known: dict[int, dict[str, Any]], schema: int) -> Member:
    own, place = known[row], found.place(row) or 0
    chain = found.tree.chain(row)
    relatives = found.tree.relatives
    listed = listed_by_hermes(found.tree, row, schema) and row == chain
    source = text(own.get("source"))
    gone = bool(own.get("archived")) or (schema >= 30 and bool(own.get("hidden")))
    return Member(
        id=text(own["id"]),
        parent=text(own["parent"]),
        part=found.tree.part(row),
        chain=text(relatives[chain].link.id) if chain in relatives else text(own["id"]),
        title=text(own.get("title")),
        source=source,
        model=text(own.get("model")),
        end_reason=text(own.get("end_reason")),
        started_at=_time(found.started[place]),
        last_activity=_time(found.activity(row)),
        messages=own["messages"],
        open=own.get("ended_at") is None,
        archived=bool(own.get("archived")),
        listed=listed and not gone and source not in unlisted_sources(schema),
        shown_as=text(known.get(found.tree.tip(row), own)["id"]),
    )


def _kind(found: Catalog, root: int, source: str) -> Kind:
    relative = found.tree.relatives.get(root)
    if relative is not None:
        return relative.link.kind
    return Link(None, None, source, "", False, None, None, {}).kind


def _title(found: Catalog, tip: int, members: Sequence[int], known: dict[int, dict[str, Any]]) -> str:
    own = text(known.get(tip, {}).get("title"))
    if own:
        return own
    line = [row for row in members if found.tree.part(row) in ("root", "continuation", "reset")]
    return next(filter(None, (text(known.get(row, {}).get("title")) for row in reversed(line))), "")


def _sum(sessions: Sequence[dict[str, Any]], *names: str) -> int | None:
    noted = [each[name] for each in sessions for name in names if isinstance(each.get(name), int)]
    return sum(noted) if any(noted) else None


def _cost(sessions: Sequence[dict[str, Any]]) -> tuple[float | None, bool]:
    """The cost of all that noted one, and whether some of it is estimated."""
    total, known, estimated = 0.0, False, False
    for each in sessions:
        actual, guess = (_number(each.get(f"{which}_cost_usd")) for which in ("actual", "estimated"))
        if actual is not None or guess:
            known, estimated = True, estimated or actual is None
            total += actual if actual is not None else guess or 0.0
    return (total, estimated) if known else (None, False)


def _number(value: object) -> float | None:
    sane = isinstance(value, int | float) and 0 <= value < 1e9
    return float(value) if sane else None  # type: ignore[arg-type]


def _time(value: float) -> float | None:
    return value or None
