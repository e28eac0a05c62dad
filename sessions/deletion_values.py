"""What a deletion is made of: the plan that a person agrees to, and what came of it.

A plan holds ids and numbers only, no text, so that it can be kept with a job. What arrived after it was made
is not part of it: each session says how far its messages went.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Part = Literal["root", "continuation", "reset", "subagent"]
Reason = Literal[
    "open",  # has not ended
    "archived",
    "pinned",
    "recent",  # began long ago, but was used since
    "undated",  # no believable time in it
    "leased",  # a turn is being taken in it
    "locked",  # it is being compressed
    "missing",  # nothing has this id
    "changed",  # something was added to it after the plan was made
    "begun",  # the same, when some of its messages were deleted already
    "odd_id",  # a session of it is called by what is no text: only clearing everything takes it along
]
QuoteKind = Literal["summary", "branch_copy", "search_result", "delegation_result"]


@dataclass(frozen=True)
class Unused:
    """Conversations without activity for `days`; those open, archived or pinned only if said so."""

    days: float
    include_open: bool = False
    include_archived: bool = False
    include_pinned: bool = False


@dataclass(frozen=True)
class PlannedSession:
    """A session that goes. `last_message`: the highest row id of its `messages`, 0 for none."""

    id: str
    part: Part
    messages: int
    last_message: int


@dataclass(frozen=True)
class PlannedConversation:
    """A whole conversation that goes, the session it began with first.

    `delegations`, `summaries`: names of folders and files below cache/delegation that only its rows tell. `began`:
    UTC epoch seconds, None where not sane.
    """

    sessions: tuple[PlannedSession, ...]
    delegations: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    began: float | None = None

    @property
    def id(self) -> str:
        return self.sessions[0].id

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(each.id for each in self.sessions)

    @property
    def messages(self) -> int:
        return sum(each.messages for each in self.sessions)


@dataclass(frozen=True)
class LeftOut:
    """A conversation (the id it was asked for by, or its first) that stays."""

    id: str
    why: Reason


@dataclass(frozen=True)
class Quote:
    """`count` messages of a session that stays repeat something of what goes."""

    kind: QuoteKind
    session: str
    count: int


@dataclass(frozen=True)
class Counts:
    """What goes. `segments`: continuations and resets beside the first session. `text_bytes`: of messages.

    `rows`: by table, what belongs to the sessions beside them. `branches`: sessions that stay and lose their
    parent. `prompts`: stored system prompts that nothing refers to any more.
    """

    conversations: int = 0
    sessions: int = 0
    segments: int = 0
    subagents: int = 0
    branches: int = 0
    messages: int = 0
    text_bytes: int = 0
    prompts: int = 0
    files: int = 0
    rows: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class DeletionPlan:
    """`quotes_complete` is False when there was no time to look everywhere. `made_at`: UTC epoch seconds."""

    conversations: tuple[PlannedConversation, ...]
    left_out: tuple[LeftOut, ...]
    counts: Counts
    quotes: tuple[Quote, ...]
    quotes_complete: bool
    made_at: float

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(id for each in self.conversations for id in each.ids)

    def record(self) -> dict[str, Any]:
        """The plan as values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class DeletedRows:
    """`sessions`: ids of which nothing is left in the database, among them `already_gone`. `rows`: by table.

    `left_out`: conversations of the plan that were not touched, except for those that are "begun".
    `stale_indexes`: full-text tables that no trigger keeps in step, so that the words are still in them;
    `old_indexes`: tables of an index being replaced, which still hold words. `kept`: tables that Hermes keeps
    on purpose.
    """

    sessions: tuple[str, ...]
    already_gone: tuple[str, ...]
    rows: Mapping[str, int]
    left_out: tuple[LeftOut, ...]
    stale_indexes: tuple[str, ...]
    old_indexes: tuple[str, ...]
    kept: tuple[str, ...]


def plan_of(record: Mapping[str, Any]) -> DeletionPlan:
    """The plan that `DeletionPlan.record` made, also after JSON. Raises KeyError, TypeError."""
    conversations = tuple(
        PlannedConversation(
            tuple(PlannedSession(**session) for session in each["sessions"]),
            tuple(each["delegations"]),
            tuple(each["summaries"]),
            each.get("began"),
        )
        for each in record["conversations"]
    )
    return DeletionPlan(
        conversations,
        tuple(LeftOut(**each) for each in record["left_out"]),
        Counts(**record["counts"]),
        tuple(Quote(**each) for each in record["quotes"]),
        record["quotes_complete"],
        record["made_at"],
    )
