"""What removing the words of deleted rows came to, as values that also go through a pipe as JSON."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from sessions.space import Space

Phase = Literal[
    "merge",  # every full-text index becomes one segment, without what was deleted
    "rebuild",  # only where an index still has entries of rows that are gone
    "checkpoint",  # the WAL is moved into the database and emptied
    "vacuum",  # the database is written anew, without free pages and slack
    "last_checkpoint",  # which the WAL holds until now
]
PHASES: tuple[Phase, ...] = get_args(Phase)
Reason = Literal[
    "hermes_has_it_open",
    "reader",  # somebody reads an older state, so the WAL has to be kept
    "busy",  # a writer was there all the time
    "too_large_while_running",  # writing it anew would make a write of Hermes fail
    "cannot_tell",  # too large as well, and whether Hermes runs cannot be seen
    "no_space",
    "being_migrated",  # Hermes itself moves its indexes just now
    "stopped",  # we were asked to
    "failed",  # see `code`
]


@dataclass(frozen=True)
class PhaseResult:
    """`reason` is there when it is waiting, `code` (SQLite's name for the error) when it failed, `space` when
    there is too little of it."""

    phase: Phase
    outcome: Literal["done", "not_needed", "waiting"]
    reason: Reason | None = None
    code: str | None = None
    space: Space | None = None


@dataclass(frozen=True)
class Residue:
    """One look at a state.db. `segments`: of each full-text index; one or none when it is merged.
    `left_over`: entries of messages that are gone, of each index. `being_migrated`: tables of Hermes that hold
    an old index until it has moved it."""

    freelist_pages: int
    database_bytes: int
    wal_bytes: int
    journal_bytes: int
    segments: dict[str, int]
    left_over: dict[str, int]
    being_migrated: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        """Whether there is no place left that is known to keep deleted words. A running Hermes makes new
        segments and free pages of its own all the time, so False proves nothing."""
        return not (
            self.freelist_pages
            or self.wal_bytes
            or self.journal_bytes
            or self.being_migrated
            or any(self.left_over.values())
            or any(count > 1 for count in self.segments.values())
        )


@dataclass(frozen=True)
class Scrubbed:
    """`residue` is None where nobody could look afterwards."""

    phases: tuple[PhaseResult, ...]
    residue: Residue | None

    @property
    def complete(self) -> bool:
        """Whether all that can be done was done: nothing is waiting, and nothing seen that contradicts."""
        seen = self.residue
        return (
            not self.waiting
            and seen is not None
            and not (seen.being_migrated or any(seen.left_over.values()) or seen.journal_bytes)
        )

    @property
    def waiting(self) -> tuple[PhaseResult, ...]:
        """What is still to be done, in order."""
        return tuple(result for result in self.phases if result.outcome == "waiting")


def as_json(value: PhaseResult | Residue) -> dict[str, Any]:
    """For `result_from` and `residue_from`."""
    return asdict(value)


def result_from(value: dict[str, Any]) -> PhaseResult:
    space = value.pop("space")
    return PhaseResult(**value, space=Space(**space) if space else None)


def residue_from(value: dict[str, Any]) -> Residue:
    return Residue(**{**value, "being_migrated": tuple(value["being_migrated"])})
