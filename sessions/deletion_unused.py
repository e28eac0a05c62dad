"""Conversations nobody has used for some days.

Not Hermes' rule (`prune_sessions` in hermes_state.py), which goes by the start in old releases and passes over
what was never ended without a word.
"""

from dataclasses import dataclass
from typing import Any, Final

from sessions.database import Database
from sessions.deletion_family import Families
from sessions.deletion_queries import activities
from sessions.deletion_values import LeftOut, Part, Reason, Unused

DAY: Final = 86_400.0  # seconds
LINE: Final = ("root", "continuation", "reset")

Members = list[tuple[str, Part]]


@dataclass(frozen=True)
class _Session:
    started: float
    newest: float
    open: bool
    archived: bool
    pinned: bool


def unused(
    db: Database, families: Families, asked: Unused, now: float
) -> tuple[list[Members], list[LeftOut]]:
    """The conversations that go, and those left out though they began before that time. Raises StateError."""
    sessions = {str(id): _session(*about) for id, *about in activities(db)}
    chosen: list[Members] = []
    left_out: list[LeftOut] = []
    for members in _conversations(families, list(sessions)):
        known = {id: sessions[id] for id, _ in members if id in sessions}
        line = [known[id] for id, part in members if part in LINE and id in known]
        why = _why_not(asked, list(known.values()), line, now - asked.days * DAY)
        if why is None:
            chosen.append(members)
        elif why != "recent" or known[members[0][0]].started < now - asked.days * DAY:
            left_out.append(LeftOut(members[0][0], why))
    return chosen, left_out


def _session(started: Any, newest: Any, noted: Any, ended: Any, archived: Any, pinned: Any) -> _Session:
    return _Session(
        started or 0.0, max(newest or 0.0, noted or 0.0), ended is None, bool(archived), bool(pinned)
    )


def _conversations(families: Families, ids: list[str]) -> list[Members]:
    """Every session once: subagents with who began them, if that is stored."""
    found: list[Members] = []
    seen: set[str] = set()
    for id in sorted(ids, key=families.is_subagent):  # stable: False comes first
        if id not in seen:
            members = [each for each in families.conversation(id) if each[0] not in seen]
            seen.update(each for each, _ in members)
            found.append(members)
    return found


def _why_not(asked: Unused, everyone: list[_Session], line: list[_Session], cutoff: float) -> Reason | None:
    activity = max((each.newest for each in everyone), default=0.0)
    activity = activity or max((each.started for each in everyone), default=0.0)
    if not activity:
        return "undated"
    if activity >= cutoff:
        return "recent"
    if not asked.include_open and any(each.open for each in line):
        return "open"
    if not asked.include_archived and any(each.archived for each in line):
        return "archived"
    if not asked.include_pinned and any(each.pinned for each in everyone):
        return "pinned"
    return None
