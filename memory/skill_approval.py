"""Carries out or throws away changes of skills that wait, as the person saw them.

The outcome is that of Hermes 0.19's `apply_skill_pending`, where both would apply it. 0.19 has no lock for
skills: what the change is for is read again just before, and a change of it in between is refused. 0.22 has
one for each skill (`_skill_lock_path` in its `tools/skill_manager_tool.py`), which is held where it is in use.
"""

import hashlib
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import look_at
from hermesweb.hermes.folders import discard, make_folders, remove_if_empty, remove_tree
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.locks import WAIT_SECONDS, held
from hermesweb.hermes.own import held_folder
from hermesweb.hermes.writing import (
    NotWritten,
    Watcher,
    remove_file,
    remove_leftovers,
    replace_file,
    unwatched,
)
from memory.approval import answers, content_of, found, owning, reject
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
from memory.pending import pending_folder
from memory.pending_record import PendingRecord
from memory.proposal_reasons import Reason
from memory.skill_change import SkillChange, change_of
from memory.skill_files import SKILL_FILE, find_skills, list_files, skills_folder
from memory.skill_proposal import seen_skill


def approve_skill(
    profile: Profile,
    decision: Decision,
    told: Told = untold,
    watch: Watcher = unwatched,
    seconds: float = WAIT_SECONDS,
) -> Approved:
    """Carry out one record. Raises NoSuchProposal, Changed, NotApplicable, Busy (another process is at it, after
    `seconds`) and NotWritten. The record waits as it did after each of them, its file untouched; only a whole
    skill that could not be removed to its end has fewer files then."""
    with _queue(profile, decision, seconds):
        recover_skills(profile)
        record, _ = _applicable(profile, decision)
        root, name = profile.home.root, record.payload.get("name")
        with owning(record, decision, root), hermes_lock(profile, name, seconds):
            record, change = _applicable(profile, decision)
            return _carry_out(profile, record, change, told, watch)


def approve_skills(
    profile: Profile, decisions: Iterable[Decision], told: Told = untold
) -> tuple[Answer, ...]:
    """Carry out each of the decisions, in their order. Raises nothing that concerns one record."""
    return answers(decisions, lambda each, seconds: approve_skill(profile, each, told, seconds=seconds))


def reject_skill(profile: Profile, decision: Decision) -> None:
    """Throw a record away. Raises what `memory.approval.reject` raises."""
    reject(profile, "skills", decision)


def recover_skills(profile: Profile) -> tuple[Recovered, ...]:
    """Settle what killed processes left of this profile's queue. Who does not decide in the same breath may find
    a process at work on the same file; that one then fails, and its record waits on. Raises nothing."""

    def content_now(record: PendingRecord) -> bytes | None:
        change = change_of(record, find_skills(profile))
        if change.target is not None:
            remove_leftovers(change.target, root=profile.home.root)  # of the dead process: no other is at it
            return content_of(change.target, profile.home.root)
        if change.reason is not None and change.reason.code == "no_such_skill":
            return None
        raise Unreadable(skills_folder(profile), "io")  # it cannot be told

    return recover(profile, "skills", content_now)


@contextmanager
def hermes_lock(profile: Profile, name: object, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock of a skill, if the Hermes of this home has such locks. Raises Busy, NotWritten."""
    folder, root = skills_folder(profile) / ".locks", profile.home.root
    try:
        in_use = stat.S_ISDIR(look_at(folder, root=root).st_mode)
    except Unreadable:
        in_use = False
    if not in_use or not isinstance(name, str):
        yield
        return
    digest = hashlib.sha256(name.rpartition("/")[2].encode("utf-8", "surrogatepass")).hexdigest()
    with held(folder / digest, root=root, seconds=seconds):
        yield


@contextmanager
def _queue(profile: Profile, decision: Decision, seconds: float) -> Iterator[None]:
    """One decision about skills at a time: two records for one file would each be based on the same text."""
    path = pending_folder(profile, "skills")
    try:
        with held_folder(path, root=profile.home.root, seconds=seconds):
            yield
    except NotWritten as refused:
        if (refused.path.parent, refused.why) == (path, "missing"):
            raise NoSuchProposal(decision.id) from refused
        raise


def _applicable(profile: Profile, decision: Decision) -> tuple[PendingRecord, SkillChange]:
    record = found(profile, "skills", decision)
    refuse_changed_record(decision, record)
    change = change_of(record, find_skills(profile))
    if record.payload.get("action") == "batch":
        raise NotApplicable(decision.id, Reason("batch_of_skills"))
    files = list_files(change.folder, profile.home.root) if change.folder else ()
    refuse_changed(decision, seen_skill(record, [change], files))
    if change.reason is not None:
        raise NotApplicable(decision.id, change.reason)
    return record, change


def _carry_out(
    profile: Profile, record: PendingRecord, change: SkillChange, told: Told, watch: Watcher
) -> Approved:
    root, target, folder = profile.home.root, change.target, change.folder
    if target is None or folder is None:  # never without a reason
        raise NotApplicable(record.id, Reason("no_such_file"))
    if change.before == change.after:
        discard(record.path, root=root)
        return Approved(record.id, False)
    with claimed(record, change.before, change.after, lambda: content_of(target, root), root=root, told=told):
        if change.after is not None:
            make_folders(target.parent, root=root)
            replace_file(target, change.after, root=root, watch=watch)
        elif change.action == "delete":
            remove_tree(folder, SKILL_FILE, root=root)
            _remove_empty_parent(folder, skills_folder(profile), root)
        else:
            remove_file(target, root=root)
            _remove_empty_parent(target, folder, root)
    return Approved(record.id, True)


def _remove_empty_parent(path: Path, stop: Path, root: Path) -> None:
    """The folder something was in goes too when it is empty, but one level only, as Hermes does it."""
    if path.parent != stop:
        remove_if_empty(path.parent, root=root)
