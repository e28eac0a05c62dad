"""Which sessions are one conversation: the chain that Hermes makes when it compresses.

A session that grows too long ends with end_reason "compression" and goes on in a child. Other children are
conversations of their own: branches, delegates, resets, tool sessions. Hermes marks those in model_config.
The mark names the parent, and a continuation inherits the marks of the session it continues, so a mark only
counts when it names this parent (hermes_state_common.py of 0.22; 0.19 did not ask whom it names).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["conversation", "subagent", "tool", "kanban", "oneshot", "cron"]

FORKS = ("_branched_from", "_delegate_from", "_reset_from")
DEEPEST = 5000  # sessions of one conversation: what is longer is an accident and shown in pieces


@dataclass(frozen=True)
class Link:
    """What the chain rules need to know of a session. Times: UTC epoch seconds, None where not sane."""

    id: Any
    parent: Any
    source: str
    end_reason: str
    ended: bool
    started_at: float | None
    newest: float | None
    marks: dict[str, str]

    @property
    def kind(self) -> Kind:
        """What kind of session it is, by its source and its marks."""
        if self.source == "subagent" or "_delegate_from" in self.marks:
            return "subagent"
        return self.source if self.source in ("tool", "kanban", "oneshot", "cron") else "conversation"  # type: ignore[return-value]

    def continues(self, parent: "Link") -> bool:
        """Whether this session is `parent`, compressed."""
        return (
            parent.end_reason == "compression"
            and self.parent == parent.id
            and not any(self.marks.get(fork) == str(parent.id) for fork in FORKS)
            and self.source != "tool"
            and (self.source != "subagent" or parent.source == "subagent")
        )


def marks_of(model_config: object) -> dict[str, str]:
    """The marks in a session's model_config; none when it is no JSON."""
    if not isinstance(model_config, str) or "_from" not in model_config:
        return {}
    try:
        config = json.loads(model_config)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(config, dict):
        return {}
    return {fork: str(config[fork]) for fork in FORKS if config.get(fork)}


def root_of(link: Link, find: Callable[[Any], Link | None]) -> Link:
    """The session that began the conversation. In a cycle: the one with the smallest id."""
    seen = {link.id: link}
    for _ in range(DEEPEST):
        parent = find(link.parent) if link.parent is not None else None
        if parent is None or not link.continues(parent):
            return link
        if parent.id in seen:
            passed = list(seen.values())
            return min(passed[passed.index(seen[parent.id]) :], key=lambda each: str(each.id))
        seen[parent.id] = link = parent
    return link


def members_of(root: Link, children: Callable[[Any], Sequence[Link]]) -> list[Link]:
    """The root and all its continuations, also those that Hermes would not show; each once."""
    members, known = [root], {root.id}
    for parent in members:  # grows while it is walked
        if parent.end_reason != "compression" or len(members) > DEEPEST:
            continue
        for child in children(parent.id):
            if child.continues(parent) and child.id not in known:
                known.add(child.id)
                members.append(child)
    return members


def tip_of(root: Link, members: Sequence[Link]) -> Link:
    """The session as which Hermes shows the conversation: the newest that is worth continuing."""
    following: dict[Any, list[Link]] = {}
    for each in members:
        following.setdefault(each.parent, []).append(each)
    tip, seen = root, {root.id}
    while choice := [
        each for each in following.get(tip.id, ()) if each.continues(tip) and each.id not in seen
    ]:
        tip = max(choice, key=_preference)
        seen.add(tip.id)
    return tip


def _preference(link: Link) -> tuple[int, float, float, str]:
    rank = 2 if link.end_reason == "compression" else 0 if link.ended else 1
    started = link.started_at or 0
    return rank, link.newest or started, started, str(link.id)
