"""Carries out or throws away writes to memory that wait, as the person saw them.

The outcome is that of `apply_memory_pending` of the release that wrote the home, byte for byte, where that
release would apply it. Under Hermes' lock of the memory file; what was on screen is looked at again under it.
Hermes has no lock for its queue: when the same record is approved in a chat at this very moment, an addition is
made once (it is there already for who comes second), and a change finds its entry once.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hermesweb.hermes.errors import HermesError, Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.folders import discard
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.locks import WAIT_SECONDS, Busy
from hermesweb.hermes.own import owned
from hermesweb.hermes.writing import NotWritten
from memory.approval_answers import (
    Answer,
    Approved,
    Decision,
    NoSuchProposal,
    NotApplicable,
    refuse_changed,
    refuse_changed_record,
)
from memory.claims import Recovered, Told, claimed, recover, untold
from memory.editing import Fresh, MemoryFile, locked, write
from memory.entries import SIZE_LIMIT
from memory.parsing import DELIMITER
from memory.pending import find_pending
from memory.pending_record import PendingRecord
from memory.proposal import Proposal, proposal_view
from memory.proposal_payload import wish_of
from memory.proposal_state import state_of_file
from memory.switches import Subsystem


def approve(memory: MemoryFile, decision: Decision, told: Told = untold) -> Approved:
    """Carry out one record. `memory`: either file of the profile; the record says which it is for.

    Raises NoSuchProposal, Changed, NotApplicable, Busy (Hermes, or another process of ours, is at it) and
    NotWritten. The record waits as it did after each of them, its file untouched.
    """
    recover_memory(memory)
    proposal, _ = _applicable(memory, decision)  # what is refused at once needs no lock, and leaves no trace
    file = replace(memory, target=proposal.target or memory.target)
    with locked(file), owning(proposal.record, decision, file.root):
        return _carry_out(file, *_applicable(file, decision), told)


def approve_all(memory: MemoryFile, decisions: Iterable[Decision], told: Told = untold) -> tuple[Answer, ...]:
    """Carry out each of the decisions, in their order, and nothing else. What is refused is not tried again,
    and who was busy once is not waited for again. Raises nothing that concerns one record."""

    def decide(decision: Decision, seconds: float) -> Approved:
        return approve(replace(memory, seconds=seconds), decision, told)

    return answers(decisions, decide, memory.seconds)


def answers(
    decisions: Iterable[Decision],
    decide: Callable[[Decision, float], Approved],
    seconds: float = WAIT_SECONDS,
) -> tuple[Answer, ...]:
    """What comes of deciding one after the other. `decide` is told how long it may wait."""
    given = []
    for decision in decisions:
        try:
            given.append(Answer(decision.id, decide(decision, seconds)))
        except HermesError as refused:
            given.append(Answer(decision.id, None, refused))
            seconds = 0 if isinstance(refused, Busy) else seconds
    return tuple(given)


def reject(profile: Profile, subsystem: Subsystem, decision: Decision) -> None:
    """Throw a record away, readable or not, as it was on screen. What it was shown beside does not matter.
    Raises NoSuchProposal, Changed, NotWritten."""
    record = found(profile, subsystem, decision)
    refuse_changed_record(decision, record)
    with _gone_if_missing(record, decision):
        discard(record.path, root=profile.home.root)


def found(profile: Profile, subsystem: Subsystem, decision: Decision) -> PendingRecord:
    """The record that a decision is about, read anew. Raises NoSuchProposal."""
    record = find_pending(profile, subsystem, decision.id)
    if record is None:
        raise NoSuchProposal(decision.id)
    return record


@contextmanager
def owning(record: PendingRecord, decision: Decision, root: Path) -> Iterator[None]:
    """Have the record for this process. Raises Busy, and NoSuchProposal if it goes away before it is claimed."""
    with _gone_if_missing(record, decision), owned(record.path, root=root):
        yield


def recover_memory(memory: MemoryFile) -> tuple[Recovered, ...]:
    """Settle what killed processes left of this profile's memory queue. Raises nothing."""

    def content_now(record: PendingRecord) -> bytes | None:
        target = wish_of(record, memory.rules).target or "memory"
        return content_of(replace(memory, target=target).path, memory.root)

    return recover(memory.profile, "memory", content_now)


def content_of(path: Path, root: Path) -> bytes | None:
    """The bytes of a file, None if there is none. Raises Unreadable."""
    try:
        return read_file(path, root=root, limit=SIZE_LIMIT)
    except Unreadable as problem:
        if problem.why == "missing":
            return None
        raise


def _applicable(memory: MemoryFile, decision: Decision) -> tuple[Proposal, Fresh]:
    """The proposal as it is now, if it is what the person saw and can be carried out."""
    record = found(memory.profile, "memory", decision)
    refuse_changed_record(decision, record)
    file = replace(memory, target=wish_of(record, memory.rules).target or memory.target)
    state, fresh = state_of_file(file)
    proposal = proposal_view(record, {file.target: state})
    refuse_changed(decision, proposal.seen)
    if decision.edited:  # which may change what the operations after it meet, but not what was on screen
        proposal = proposal_view(record, {file.target: state}, decision.edited)
    if proposal.reason is not None:
        raise NotApplicable(decision.id, proposal.reason)
    return proposal, fresh


def _carry_out(file: MemoryFile, proposal: Proposal, fresh: Fresh, told: Told) -> Approved:
    content = DELIMITER.join(proposal.rows).encode()
    wrote = not proposal.changes_nothing and content != fresh.content

    def content_now() -> bytes | None:
        return content_of(file.path, file.root)

    if wrote:
        with claimed(proposal.record, fresh.content, content, content_now, root=file.root, told=told):
            write(file, content)
    else:
        discard(proposal.record.path, root=file.root)
    return Approved(proposal.record.id, wrote, file.target, proposal.after)


@contextmanager
def _gone_if_missing(record: PendingRecord, decision: Decision) -> Iterator[None]:
    try:
        yield
    except NotWritten as refused:
        if (refused.path, refused.why) == (record.path, "missing"):
            raise NoSuchProposal(decision.id) from refused
        raise
