"""Which sessions go together: a conversation with all its continuations, resets and subagents.

Branches stay, as in Hermes, which also takes along whatever a session's `_delegate_from` names
(`_collect_delegate_child_ids` in hermes_state.py); Hermes' own deletion of one session leaves its continuations.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sessions import listing_queries as queries
from sessions.database import Database
from sessions.deletion_values import Part
from sessions.lineage import marks_of
from sessions.listing_tree import Tree, tree_of

JOINED = ("continuation", "reset", "subagent")


@dataclass
class Families:
    """The families of a state.db. `delegates`: row ids of sessions by the id their mark names."""

    tree: Tree
    children: defaultdict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    delegates: defaultdict[str, list[tuple[int, Any]]] = field(default_factory=lambda: defaultdict(list))

    def conversation(self, id: str) -> list[tuple[str, Part]]:
        """The sessions that go when this one does, the one that began the conversation first.

        A subagent's own conversation begins with the subagent: its parent is another's.
        """
        start = self.tree.rows.get(id)
        anchor = id if start is None else self._id(self._anchor(start))
        members: dict[str, Part] = {anchor: "root"}
        waiting = [anchor]
        for parent in waiting:  # grows while it is walked
            for child, part in self._joined(parent):
                if child not in members:
                    members[child] = part
                    waiting.append(child)
        return list(members.items())

    def staying_children(self, ids: set[str]) -> list[tuple[str, str]]:
        """(parent, child) for the children of these sessions that are not among them."""
        return [
            (parent, self._id(row))
            for parent in ids
            for row in self.children.get(self.tree.rows.get(parent, -1), ())
            if self._id(row) not in ids
        ]

    def is_subagent(self, id: str) -> bool:
        """Whether some session, stored or not, began it."""
        row = self.tree.rows.get(id)
        return row is not None and self._part(row) == "subagent"

    def parent(self, id: str) -> str | None:
        """The parent of a session, if it is stored."""
        row = self.tree.rows.get(id)
        found = None if row is None else self.tree.parent(row)
        return None if found is None else str(found.link.id)

    def _anchor(self, row: int) -> int:
        seen = {row}
        while self._part(row) in ("continuation", "reset"):
            parent = self.tree.parent(row)
            if parent is None or parent.row in seen:
                break
            row = parent.row
            seen.add(row)
        return row

    def _joined(self, id: str) -> Iterator[tuple[str, Part]]:
        for row in self.children.get(self.tree.rows.get(id, -1), ()):
            part = self._part(row)
            if part in JOINED:
                yield self._id(row), part  # type: ignore[misc]
            elif self.tree.relatives[row].link.marks.get("_delegate_from"):
                yield self._id(row), "subagent"
        for _, key in self.delegates.get(id, ()):
            yield str(key), "subagent"

    def _id(self, row: int) -> str:
        return str(self.tree.relatives[row].link.id)

    def _part(self, row: int) -> str:
        return self.tree.part(row)


def families_of(db: Database) -> Families:
    """The families of the sessions there are now. Raises StateError."""
    found = Families(tree_of(queries.families(db), {}))
    for row in found.tree.relatives:
        if parent := found.tree.parent(row):
            found.children[parent.row].append(row)
    if "model_config" in db.columns("sessions"):
        marked = (
            "SELECT rowid, id, model_config FROM sessions WHERE instr(model_config, '_delegate_from') > 0"
        )
        for row, key, config in db.rows(marked):
            if parent_id := marks_of(config).get("_delegate_from"):
                found.delegates[parent_id].append((row, key))
    return found
