"""What a person decided about a waiting write, and what came of it.

    HermesError
    └── NotApproved         nothing was changed, and the record waits as it did
        ├── NoSuchProposal  it was decided elsewhere: here by a second click, or in the chat
        ├── Changed         the record, or what was shown beside it, is not what the person saw
        └── NotApplicable   `reason` says why

Beside these a decision may end with Busy, NotWritten or Unreadable of `hermesweb.hermes`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hermesweb.hermes.errors import HermesError
from memory.changes import Meter
from memory.limits import Target
from memory.pending_record import PendingRecord
from memory.proposal import NO_EDIT, seen_halves
from memory.proposal_reasons import Reason


@dataclass(frozen=True)
class Decision:
    """What one form says. `id`: of the record; `seen`: of the proposal that was on screen; `edited`: new texts
    of the person by the number of the operation (memory only)."""

    id: str
    seen: str
    edited: Mapping[int, str] = field(default_factory=lambda: NO_EDIT)


@dataclass(frozen=True)
class Approved:
    """It was carried out, and the record is gone. `wrote` is False when all of it was there already. The meter
    is of the store after it, for memory."""

    id: str
    wrote: bool
    target: Target | None = None
    meter: Meter | None = None


class NotApproved(HermesError):
    """The root of what stands against a decision."""


# None is frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class NoSuchProposal(NotApproved):
    """No record of that id waits."""

    id: str


@dataclass(eq=False)
class Changed(NotApproved):
    """`what` is no longer as it was on screen: the record itself, or what it was shown beside."""

    id: str
    what: Literal["record", "target"]


@dataclass(eq=False)
class NotApplicable(NotApproved):
    """It cannot be carried out as it stands."""

    id: str
    reason: Reason


@dataclass(frozen=True)
class Answer:
    """What came of one decision of many: approved, or why not."""

    id: str
    approved: Approved | None
    refused: HermesError | None = None


def refuse_changed(decision: Decision, seen_now: str) -> None:
    """Raises Changed unless what was on screen is still so."""
    for what, on_screen, now in zip(
        ("record", "target"), seen_halves(decision.seen), seen_halves(seen_now), strict=True
    ):
        if on_screen != now:
            raise Changed(decision.id, "record" if what == "record" else "target")


def refuse_changed_record(decision: Decision, record: PendingRecord) -> None:
    """Raises Changed unless the record is the one that was on screen, whatever was shown beside it."""
    if seen_halves(decision.seen)[0] != record.fingerprint:
        raise Changed(decision.id, "record")
