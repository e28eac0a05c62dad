"""A run of deleting as our database keeps it: the draft somebody agreed to, the job, and the job that finishes it.

Sampled phrases stand nowhere but sealed in a job that is not over. Where words have to wait for Hermes to be
stopped, the phrases go on to a job that waits for somebody to press "Finish"; after seven days it does what it can.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from hermesweb.accounts.models import Person
from hermesweb.activity.log import write
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.homes import place_of
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.jobs.sealing import seal, unseal
from hermesweb.jobs.work import Cancelled, JobProblem, Work
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.wiping.place import NotHere, only_one
from sessions.database import read_state
from sessions.deletion import look_again
from sessions.deletion_outcome import came_back_later, outcome_of
from sessions.deletion_run import (
    AGAIN,
    PHRASES,
    HermesRuns,
    Order,
    TooLittleSpace,
    gone_ids,
    run,
    settle,
    touched,
)
from sessions.deletion_schema import DeletionRefused
from sessions.deletion_values import DeletionPlan, plan_of
from sessions.errors import StateError
from sessions.finding_list import findings_at
from sessions.models import DeletionDraft, digest_of

KIND, FINISH, AGAIN_LATER = "delete_sessions", "scrub", "sessions_again"
SECOND_LOOK: Final = timedelta(minutes=10)
"""After this, what an open chat brought back is noticed."""
KEPT: Final = timedelta(days=7)
"""How long sampled phrases wait, sealed, for Hermes to be stopped."""
UNDONE: Final = ("waiting", "chats", "stopped")
"""Issues that another try can settle once Hermes is stopped."""


def keep_draft(
    profile: Profile, person: Person | None, plan: DeletionPlan, asked: Mapping[str, Any]
) -> DeletionDraft:
    """Freeze what is shown, and what was `asked` for it. Older drafts go."""
    DeletionDraft.objects.filter(made__lt=timezone.now() - DeletionDraft.KEPT).delete()
    return DeletionDraft.objects.create(
        home=profile.home.key,
        profile=profile.name,
        place=place_of(profile),
        person=person,
        plan=seal({"plan": plan.record(), "asked": dict(asked)}),
    )


@dataclass(frozen=True)
class Drafted:
    """A draft, opened."""

    draft: DeletionDraft
    plan: DeletionPlan
    asked: Mapping[str, Any]


def draft_of(profile: Profile, person: Person, name: uuid.UUID) -> Drafted | None:
    """What this person was shown of this profile; None where it is too old, or was never."""
    recent = timezone.now() - DeletionDraft.KEPT
    mine = DeletionDraft.objects.filter(
        home=profile.home.key, profile=profile.name, place=place_of(profile), person=person, made__gte=recent
    )
    draft = mine.filter(pk=name).first()
    words = unseal(draft.plan) if draft else {}
    return Drafted(draft, plan_of(words["plan"]), words["asked"]) if draft and words else None


def begin(profile: Profile, person: Person, drafted: Drafted) -> Job | None:
    """A job that deletes what the draft holds; None while another one deletes in this profile."""
    name = str(drafted.draft.pk)
    job = queue.start(KIND, profile, person, words={"plan": drafted.plan.record()}, draft=name)
    if job.checkpoint.get("draft") != name:
        return None
    drafted.draft.delete()
    return job


def run_job(work: Work, profile: Profile) -> dict[str, Any]:
    """Do, or go on with, a deletion. Its outcome is that of deletion_outcome.py, and "finish": the job that waits."""
    order = _order(work, profile)
    order.while_running = True
    try:
        _run(order)
    except Cancelled:
        _keep_what_was_done(work, order)
        raise
    outcome = _outcome(work, order)
    if outcome["running"] != "no" and outcome["conversations"]:
        _wait(work.job, AGAIN_LATER, {"ids": gone_ids(order)}, SECOND_LOOK)
    write(
        Action.SESSIONS_DELETED,
        work.job.person,
        profile,
        address="",
        about=f"{outcome['result']} {work.job.pk}",
    )
    return outcome


def finish_job(work: Work, profile: Profile) -> dict[str, Any]:
    """What had to wait, and the proof once more; the outcome of the deletion is replaced by the new one."""
    order = _order(work, profile)
    _run(order)
    outcome = {**outcome_of(order.plan, order.record), "finish": ""}
    first = Job.objects.filter(pk=work.job.checkpoint["deletion"]).first()
    if first is not None:
        # Whoever presses "Finish" goes on where the deletion left off, as often as it takes.
        outcome["finish"] = _later(first, order, outcome)
        Job.objects.filter(pk=first.pk).update(outcome=outcome)
    return outcome


def run_here(
    profile: Profile, plan: DeletionPlan, *, while_running: bool, ours: Path, tell: Callable[..., object]
) -> dict[str, Any]:
    """Delete in this process, for the command line. Raises HermesError, JobProblem before anything is touched."""
    order = order_here(profile, plan, while_running=while_running, ours=ours, tell=tell)
    with only_one(profile, ours):
        run(order)
    return outcome_of(plan, order.record)


def finish_now(job: Job) -> bool:
    """Let a job that waits for Hermes to be stopped begin. False when it does not wait any more."""
    waiting = Job.objects.filter(pk=job.pk, kind=FINISH, state=Job.State.WAITING)
    if not waiting.update(not_before=None):
        return False
    job.refresh_from_db()
    queue.enqueue(job)
    return True


def _order(work: Work, profile: Profile) -> Order:
    """Raises JobProblem where the plan cannot be read any more."""
    words = work.words()
    if "plan" not in words:
        raise JobProblem("plan_lost")
    return order_of(work, profile, plan_of(words["plan"]))


def order_of(work: Work, profile: Profile, plan: DeletionPlan, **more: Any) -> Order:
    """What a job is to do, or to go on with: told, kept and sealed in that job."""
    at, words = work.job.checkpoint, work.words()
    return Order(
        profile,
        plan,
        folder_in(settings.WORK_FOLDER),
        tell=work.step,
        keep=lambda record: work.save_checkpoint({**at, "record": record}),
        seal=lambda phrases: work.seal({**words, "phrases": phrases}),
        phrases=words.get("phrases"),
        record=dict(at.get("record", {})),
        most_phrases=PHRASES,
        **more,
    )


def order_here(
    profile: Profile,
    plan: DeletionPlan,
    *,
    while_running: bool,
    ours: Path,
    tell: Callable[..., object] = lambda *_: None,
) -> Order:
    """The same in this process, for the command line."""
    return Order(profile, plan, folder_in(ours), while_running=while_running, tell=tell, most_phrases=PHRASES)


def folder_in(ours: Path) -> Path:
    """Where SQLite's copy and what is searched lie meanwhile."""
    return ours / "deleting"


@contextmanager
def in_a_job(profile: Profile) -> Iterator[None]:
    """Around a run: nobody else works on the profile, and a refusal is a JobProblem."""
    try:
        with only_one(profile, settings.WORK_FOLDER):
            yield
    except NotHere as problem:
        raise JobProblem(problem.why) from None
    except HermesRuns as problem:
        raise JobProblem("hermes_runs", answer=problem.answer) from None
    except TooLittleSpace as problem:
        raise JobProblem("too_little_space", **asdict(problem.space)) from None
    except DeletionRefused as problem:
        raise JobProblem("deletion_refused", why=problem.why, name=problem.name) from None


def _run(order: Order) -> None:
    try:
        with in_a_job(order.profile):
            run(order)
    finally:
        _forget(order)


def _forget(order: Order) -> None:
    """What we keep ourselves of what is gone: work copies of state.db, and where keys stood in it."""
    copy_of(settings.WORK_FOLDER, order.profile)  # takes away those that are not up to date
    ids = gone_ids(order)
    mine = findings_at(order.profile)
    for start in range(0, len(ids), 500):
        mine.filter(digest__in=[digest_of(id) for id in ids[start : start + 500]]).delete()


def _outcome(work: Work, order: Order) -> dict[str, Any]:
    outcome = outcome_of(order.plan, order.record)
    return {**outcome, "finish": _later(work.job, order, outcome)}


def _keep_what_was_done(work: Work, order: Order) -> None:
    """A job that was stopped has no outcome of its own; the page reads it from the checkpoint."""
    with suppress(StateError):
        settle(order, "stopped")
    if not touched(order.plan, order.record):
        return
    at = work.job.checkpoint
    work.save_checkpoint({**at, "outcome": _outcome(work, order)})


def _later(first: Job, order: Order, outcome: dict[str, Any]) -> str:
    """The id of a job that waits for Hermes to be stopped, with the phrases; "" where there is nothing to wait for."""
    if outcome["result"] == "nothing" or not set(outcome["issues"]) & set(UNDONE):
        return ""
    record = {step: fact for step, fact in order.record.items() if step not in (*AGAIN, "failed")}
    words = {"plan": order.plan.record(), "phrases": order.phrases or []}
    return str(_wait(first, FINISH, words, KEPT, record=record).pk)


def _wait(first: Job, kind: str, words: dict[str, Any], time: timedelta, **checkpoint: Any) -> Job:
    """A job about the deletion `first` that begins after some time. Not `queue.start`: there is one of each kind."""
    job = Job.objects.create(
        kind=kind,
        home=first.home,
        profile=first.profile,
        place=first.place,
        person=first.person,
        checkpoint={"deletion": str(first.pk), **checkpoint},
        sealed=seal(words),
        not_before=timezone.now() + time,
    )
    queue.enqueue(job)
    return job


def look_later(work: Work, profile: Profile) -> dict[str, Any]:
    """Whether deleted sessions are there again, some time after; the outcome of their deletion says so then."""
    ids = work.words().get("ids", [])
    copy = copy_of(settings.WORK_FOLDER, profile)
    found = read_state(profile.folder, lambda db: look_again(db, ids), copy=copy, seconds=60)
    first = Job.objects.filter(pk=work.job.checkpoint["deletion"]).first()
    if first is not None and found.sessions and "result" in first.outcome:
        outcome = came_back_later(first.outcome, found.sessions)
        Job.objects.filter(pk=first.pk).update(outcome=outcome)
    return {"came_back": len(found.sessions)}
