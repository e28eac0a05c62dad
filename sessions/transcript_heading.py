"""What is to be said about a session before it is read: what it was, what it cost, what is around it."""

from dataclasses import dataclass
from typing import Final

from sessions.database import Database
from sessions.parts import as_text
from sessions.queries import LATEST_TIME
from sessions.transcript_chain import Relative, children_relatives, parent_relative
from sessions.transcript_errors import NoSuchSession
from sessions.transcript_family_queries import session_row
from sessions.transcript_queries import counts_of, exists

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


@dataclass(frozen=True)
class Tokens:
    """Counts as Hermes noted them, None where it did not."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None


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
        parent=parent_relative(db, session, row["parent_session_id"]),
        children=children_relatives(db, session),
    )


def _time(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 < value <= LATEST_TIME else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _amount(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
