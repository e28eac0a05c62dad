"""Removing left-over words as our database keeps it: the job that does it. Its phrases are only sealed in it."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings

from hermesweb.accounts.models import Person
from hermesweb.activity.log import write
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.jobs.work import JobProblem, Work
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.wiping.place import NotHere, only_one
from sessions.deletion_run import PHRASES, TooLittleSpace
from sessions.deletion_schema import DeletionRefused
from sessions.left_over_run import order_of, outcome_of, run

KIND = "left_over"


def start(profile: Profile, person: Person | None, traced: str = "") -> Job:
    """A job that removes what is left over, or the one that does it already. `traced`: a phrase to look for again."""
    return queue.start(KIND, profile, person, words={"traced": traced} if traced else None)


def run_job(work: Work, profile: Profile) -> dict[str, Any]:
    """Do, or go on with, what somebody wants. Its outcome is that of left_over_run.py."""
    at, words = work.job.checkpoint, work.words()
    order = order_of(
        profile,
        _folder(settings.WORK_FOLDER),
        words.get("traced", ""),
        while_running=True,
        tell=work.step,
        keep=lambda record: work.save_checkpoint({**at, "record": record}),
        seal=lambda phrases: work.seal({**words, "phrases": phrases}),
        phrases=words.get("phrases"),
        record=dict(at.get("record", {})),
        most_phrases=PHRASES,
    )
    try:
        with only_one(profile, settings.WORK_FOLDER):
            outcome = outcome_of(run(order))
    except NotHere as problem:
        raise JobProblem(problem.why) from None
    except TooLittleSpace as problem:
        raise JobProblem("too_little_space", **asdict(problem.space)) from None
    except DeletionRefused as problem:
        raise JobProblem("deletion_refused", why=problem.why, name=problem.name) from None
    finally:
        copy_of(settings.WORK_FOLDER, profile)  # takes away work copies that hold what is gone now
    write(
        Action.LEFT_OVER_REMOVED,
        work.job.person,
        profile,
        address="",
        about=f"{outcome['result']} {work.job.pk}",
    )
    return outcome


def run_here(
    profile: Profile, *, while_running: bool, ours: Path, tell: Callable[..., object] = lambda *_: None
) -> dict[str, Any]:
    """Do it in this process, for the command line. Raises HermesError before anything is touched."""
    order = order_of(profile, _folder(ours), while_running=while_running, tell=tell, most_phrases=PHRASES)
    with only_one(profile, ours):
        return outcome_of(run(order))


def _folder(ours: Path) -> Path:
    return ours / "deleting"
