"""Which sessions stand inside one conversation, and as what.

Whatever has a parent in the same database belongs to the parent's conversation: its continuation after a
compression or a reset, a branch, a subagent. The marks and end reasons are Hermes' (hermes_state.py 0.13 to
0.22, hermes_state_common.py of 0.22).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from sessions.lineage import Link, marks_of, tip_of
from sessions.listing_queries import text

Part = Literal[
    "root",
    "continuation",  # the parent, compressed
    "reset",  # the parent's chat, begun anew
    "branch",
    "subagent",
    "child",  # some other session with a parent
]
RESET_REASONS = frozenset(
    ("session_reset", "session_switch", "idle", "daily", "suspended", "resume_pending_expired")
)


@dataclass(frozen=True)
class Relative:
    """A session with a parent or a child. `row`: its row id; `key`: its session key; `ended`: when."""

    row: int
    link: Link
    key: str
    ended: float | None


@dataclass(frozen=True)
class Tree:
    """The families of a state.db, by row ids: `root_of` each relative, `members` of each root (root first)."""

    relatives: dict[int, Relative] = field(default_factory=dict)
    root_of: dict[int, int] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    rows: dict[Any, int] = field(default_factory=dict)

    def parent(self, row: int) -> Relative | None:
        """The parent of a session, if it is stored."""
        relative = self.relatives.get(row)
        found = self.rows.get(relative.link.parent) if relative else None
        return None if found is None else self.relatives.get(found)

    def part(self, row: int) -> Part:
        """As what a session stands in its conversation."""
        parent = self.parent(row)
        if parent is None or self.root_of[row] == row:
            return "root"
        return _part(self.relatives[row], parent)

    def shown(self, root: int) -> int:
        """The session that stands for the conversation: the end of its line of continuations and resets."""
        if root not in self.members:
            return root
        line = [self.relatives[row] for row in self.members[root]]
        row, seen = self.tip(root), {root}
        while row not in seen or row == root:
            seen.add(row)
            parent = self.relatives.get(row)
            following = [
                each for each in line if parent and each.row not in seen and _part(each, parent) == "reset"
            ]
            if not following:
                break
            row = self.tip(max(following, key=lambda each: _age(self, each.row)).row)
        return row

    def tip(self, row: int) -> int:
        """The newest continuation of a session, as which Hermes shows it."""
        relative = self.relatives.get(row)
        if relative is None:
            return row
        family = [self.relatives[each].link for each in self.members.get(self.root_of[row], ())]
        return self.rows[tip_of(relative.link, family).id]

    def chain(self, row: int) -> int:
        """The session that began the line of continuations (compressions only) a session is in."""
        seen = {row}
        while (
            (parent := self.parent(row))
            and self.relatives[row].link.continues(parent.link)
            and parent.row not in seen
        ):
            row = parent.row
            seen.add(row)
        return row


def tree_of(found: Iterable[tuple[Any, ...]], newest: dict[int, float]) -> Tree:
    """The families among the rows of `listing_queries.families`."""
    tree = Tree()
    for row, id, parent, source, reason, has_ended, config, key, started, ended in found:
        marks = marks_of(config)
        link = Link(id, parent, text(source), text(reason), bool(has_ended), started, newest.get(row), marks)
        tree.relatives[row] = Relative(row, link, text(key), ended)
        tree.rows[id] = row
    for row in tree.relatives:
        tree.root_of[row] = _root(tree, row)
    for row in sorted(tree.relatives, key=lambda each: (each != tree.root_of[each], _age(tree, each))):
        tree.members.setdefault(tree.root_of[row], []).append(row)
    return tree


def listed_by_hermes(tree: Tree, row: int, schema: int) -> bool:
    """Whether Hermes gives a session a row of its own (as its newest continuation), its source aside."""
    relative = tree.relatives.get(row)
    if relative is None or relative.link.parent is None:
        return relative is None or not relative.link.marks.get("_delegate_from")
    marks, parent = relative.link.marks, tree.parent(row)
    if "_delegate_from" in marks:
        return False
    if "_branched_from" in marks or (parent and _left_as_branch(relative, parent)):
        return True
    return schema >= 30 and parent is not None and _part(relative, parent) == "reset"


def _root(tree: Tree, row: int) -> int:
    passed: list[int] = []
    seen: set[int] = set()
    while row not in tree.root_of:
        if row in seen:  # a cycle: the smallest id, wherever one came in
            cycle = passed[passed.index(row) :]
            root = min(cycle, key=lambda each: str(tree.relatives[each].link.id))
            break
        seen.add(row)
        passed.append(row)
        parent = tree.parent(row)
        if parent is None:
            root = row
            break
        row = parent.row
    else:
        root = tree.root_of[row]
    tree.root_of.update((each, root) for each in passed)
    return root


def _age(tree: Tree, row: int) -> tuple[float, str]:
    link = tree.relatives[row].link
    return link.started_at or 0, str(link.id)


def _part(child: Relative, parent: Relative) -> Part:
    link, marks = child.link, child.link.marks
    if link.parent != parent.link.id:
        return "child"
    names = {mark for mark, of in marks.items() if of == str(parent.link.id)}
    if link.source == "subagent" or "_delegate_from" in names:
        return "subagent"
    if link.continues(parent.link):
        return "continuation"
    if "_branched_from" in names or _left_as_branch(child, parent):
        return "branch"
    same_chat = child.key != "" and child.key == parent.key
    if "_reset_from" in names or (same_chat and parent.link.end_reason in RESET_REASONS):
        return "reset"
    return "child"


def _left_as_branch(child: Relative, parent: Relative) -> bool:
    if parent.link.end_reason != "branched" or parent.ended is None:
        return False
    return (child.link.started_at or 0) >= parent.ended
