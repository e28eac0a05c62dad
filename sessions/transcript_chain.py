"""Which sessions are one conversation with a session, and what the others around it are to it.

The rules are those of `lineage`.
"""

from dataclasses import dataclass
from typing import Any, Literal

from sessions.database import Database
from sessions.lineage import FORKS, Link, members_of, root_of, tip_of
from sessions.parts import as_text
from sessions.transcript_errors import NoSuchSession
from sessions.transcript_family_queries import children_of, link_of, titles_of
from sessions.transcript_queries import exists

Relation = Literal["continuation", "branch", "reset", "subagent", "other"]


@dataclass(frozen=True)
class Relative:
    """A session beside this one. Time: UTC epoch seconds. `there`: whether it has a row."""

    id: str
    title: str
    relation: Relation
    started_at: float | None
    there: bool = True


@dataclass(frozen=True)
class Chain:
    """The sessions that are one conversation, in their order, and continuations that lead elsewhere."""

    segments: tuple[Relative, ...]
    aside: tuple[Relative, ...] = ()

    @property
    def sessions(self) -> tuple[str, ...]:
        return tuple(each.id for each in self.segments)


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


def parent_relative(db: Database, session: str, parent: Any) -> Relative | None:
    """What is known of the session above, None without one. Raises StateError."""
    if parent is None:
        return None
    above, here = link_of(db, parent), link_of(db, session)
    if above is None or here is None:
        return Relative(as_text(parent), "", "other", None, there=False)
    title = titles_of(db, [parent]).get(parent, "")
    return Relative(as_text(parent), title, relation_of(here, above), above.started_at)


def children_relatives(db: Database, session: str) -> tuple[Relative, ...]:
    """The sessions whose parent this one is. Raises StateError."""
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
    if marked:
        return names[marked]
    if child.kind == "subagent":
        return "subagent"
    return "branch" if parent.end_reason == "branched" else "other"


def _path(link: Link, members: dict[Any, Link]) -> list[Any]:
    """From the root to this session."""
    path = {link.id: link}
    while (parent := members.get(link.parent)) and parent.id not in path and link.continues(parent):
        path[parent.id] = link = parent
    return list(reversed(path))


def _named(db: Database, path: list[Any], aside: list[Any], links: dict[Any, Link]) -> Chain:
    titles = titles_of(db, [*path, *aside])

    def relative(key: Any) -> Relative:
        return Relative(as_text(key), titles.get(key, ""), "continuation", links[key].started_at)

    return Chain(tuple(map(relative, path)), tuple(map(relative, aside)))
