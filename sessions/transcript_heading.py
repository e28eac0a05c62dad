"""What is to be said about a session before it is read: what it was, what it cost, what is around it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from sessions.database import Database
from sessions.lineage import FORKS, Kind, Link, members_of, root_of, tip_of
from sessions.parts import Passage, as_text, passage
from sessions.queries import LATEST_TIME
from sessions.transcript_errors import NoSuchSession
from sessions.transcript_family_queries import children_of, link_of, prompt_of, session_row, titles_of
from sessions.transcript_queries import counts_of, exists

Relation = Literal["continuation", "branch", "reset", "subagent", "other"]

_TEXTS: Final = (
    "title",
    "source",
    "model",
    "end_reason",
    "cwd",
    "user_id",
    "billing_provider",
    "cost_status",
)
_TOKENS: Final = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
)
_COSTS: Final = ("actual_cost_usd", "estimated_cost_usd")
_TIMES: Final = ("started_at", "ended_at")
_FLAGS: Final = ("archived", "pinned", "hidden")
_COLUMNS: Final = (*_TEXTS, *_TOKENS, *_COSTS, *_TIMES, *_FLAGS, "parent_session_id")


class Block(Protocol):
    """A stretch of a prompt that came from memory, in code points."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True)
class Tokens:
    """Counts as Hermes noted them, None where it did not."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True)
class Relative:
    """A session beside this one. Time: UTC epoch seconds. `there`: whether it has a row."""

    id: str
    title: str
    relation: Relation
    started_at: float | None
    there: bool = True


@dataclass(frozen=True)
class Heading:
    """About one session. Times: UTC epoch seconds, None where not sane; costs in US dollars.

    `live`, `undone`, `compacted`: messages, counted. `stored`: False for messages without a session row.
    """

    id: str
    stored: bool
    title: str = ""
    source: str = ""
    model: str = ""
    provider: str = ""
    started_at: float | None = None
    ended_at: float | None = None
    open: bool = False
    end_reason: str = ""
    folder: str = ""
    user: str = ""
    archived: bool = False
    pinned: bool = False
    hidden: bool = False
    tokens: Tokens = Tokens()
    cost: float | None = None
    cost_estimated: bool = False
    live: int = 0
    undone: int = 0
    compacted: int = 0
    parent: Relative | None = None
    children: tuple[Relative, ...] = ()

    @property
    def messages(self) -> int:
        return self.live + self.undone + self.compacted


@dataclass(frozen=True)
class Chain:
    """The sessions that are one conversation, in their order, and continuations that lead elsewhere."""

    segments: tuple[Relative, ...]
    aside: tuple[Relative, ...] = ()

    @property
    def sessions(self) -> tuple[str, ...]:
        return tuple(each.id for each in self.segments)


@dataclass(frozen=True)
class Prompt:
    """The system prompt as it is kept. `blocks`: (start, end) of what memory put there, in code points.

    `hash`: where it is shared with other sessions. `text` is None when only its hash is left.
    """

    text: Passage | None
    hash: str = ""
    blocks: tuple[tuple[int, int], ...] = field(default=())


def heading(db: Database, session: str) -> Heading:
    """About one session. Raises StateError, NoSuchSession."""
    if not exists(db, session):
        raise NoSuchSession(session)
    live, undone, compacted = counts_of(db, session)
    row = session_row(db, session, _COLUMNS)
    if row is None:
        return Heading(session, stored=False, live=live, undone=undone, compacted=compacted)
    texts = {name: as_text(row[name]) for name in _TEXTS}
    cost = next((_amount(row[name]) for name in _COSTS if _amount(row[name]) is not None), None)
    return Heading(
        id=session,
        stored=True,
        title=texts["title"],
        source=texts["source"],
        model=texts["model"],
        provider=texts["billing_provider"],
        started_at=_time(row["started_at"]),
        ended_at=_time(row["ended_at"]),
        open=row["ended_at"] is None,
        end_reason=texts["end_reason"],
        folder=texts["cwd"],
        user=texts["user_id"],
        archived=bool(row["archived"]),
        pinned=bool(row["pinned"]),
        hidden=bool(row["hidden"]),
        tokens=Tokens(*(_count(row[name]) for name in _TOKENS)),
        cost=cost,
        cost_estimated=cost is not None and _amount(row["actual_cost_usd"]) is None,
        live=live,
        undone=undone,
        compacted=compacted,
        parent=_parent(db, session, row["parent_session_id"]),
        children=_children(db, session),
    )


def chain_of(db: Database, session: str) -> Chain:
    """The conversation a session belongs to: from its root through it to its newest continuation.

    Raises StateError, NoSuchSession.
    """
    if not exists(db, session):
        raise NoSuchSession(session)
    link = link_of(db, session)
    if link is None:
        return Chain((Relative(session, "", "other", None, there=False),))
    root = root_of(link, lambda key: link_of(db, key))
    members = members_of(root, lambda key: children_of(db, key))
    links = {each.id: each for each in [*members, link]}
    path = _path(tip_of(link, members), links)
    if link.id not in path:
        path = _path(link, links)
    return _named(db, path, [key for key in links if key not in path], links)


def stored_prompt(
    db: Database, session: str, blocks_of: Callable[[str], Sequence[Block]], characters: int | None = None
) -> Prompt | None:
    """The system prompt of a session, cut at `characters`; None when none is kept for it.

    `blocks_of` finds the memory blocks in a prompt (`memory.prompt.blocks_in`). Raises StateError.
    """
    stored, key = prompt_of(db, session)
    if stored is None:
        return Prompt(None, key) if key else None
    text = passage(stored, None)
    blocks = tuple((block.start, block.end) for block in blocks_of(text.text))
    return Prompt(Passage(text.text[:characters], text.characters), key, blocks)


def _path(link: Link, members: dict[Any, Link]) -> list[Any]:
    """From the root to this session."""
    path = [link.id]
    while (parent := members.get(link.parent)) and parent.id not in path and link.continues(parent):
        path.insert(0, parent.id)
        link = parent
    return path


def _named(db: Database, path: list[Any], aside: list[Any], links: dict[Any, Link]) -> Chain:
    titles = titles_of(db, [*path, *aside])

    def relative(key: Any) -> Relative:
        return Relative(as_text(key), titles.get(key, ""), "continuation", links[key].started_at)

    return Chain(tuple(map(relative, path)), tuple(map(relative, aside)))


def _parent(db: Database, session: str, parent: Any) -> Relative | None:
    if parent is None:
        return None
    above, here = link_of(db, parent), link_of(db, session)
    if above is None or here is None:
        return Relative(as_text(parent), "", "other", None, there=False)
    title = titles_of(db, [parent]).get(parent, "")
    return Relative(as_text(parent), title, relation_of(here, above), above.started_at)


def _children(db: Database, session: str) -> tuple[Relative, ...]:
    here = link_of(db, session)
    found = children_of(db, session) if here else []
    titles = titles_of(db, [each.id for each in found])
    return tuple(
        Relative(as_text(each.id), titles.get(each.id, ""), relation_of(each, here), each.started_at)
        for each in found
        if here is not None
    )


def relation_of(child: Link, parent: Link) -> Relation:
    """What a session is to its parent."""
    if child.continues(parent):
        return "continuation"
    names: dict[str, Relation] = dict(zip(FORKS, ("branch", "subagent", "reset"), strict=True))
    marked = next((fork for fork in FORKS if child.marks.get(fork) == str(parent.id)), None)
    kind: Kind = child.kind
    if marked:
        return names[marked]
    if kind == "subagent":
        return "subagent"
    return "branch" if parent.end_reason == "branched" else "other"


def _time(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 < value <= LATEST_TIME else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _amount(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
