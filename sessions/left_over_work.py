"""Removing left-over words as our database keeps it: the job that does it. Its phrases are only sealed in it."""

from pathlib import Path
from typing import Any

from django.conf import settings

from hermesweb.accounts.models import Person
from hermesweb.activity.log import write
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.jobs.work import Work
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.wiping.place import only_one
from sessions import deletion_work
from sessions.left_over_run import NOTHING, outcome_of, run

KIND = "left_over"


def start(profile: Profile, person: Person | None, traced: str = "") -> Job:
    """A job that removes what is left over, or the one that does it already. `traced`: a phrase to look for again."""
    return queue.start(KIND, profile, person, words={"traced": traced} if traced else None)


def run_job(work: Work, profile: Profile) -> dict[str, Any]:
    """Do, or go on with, what somebody wants. Its outcome is that of left_over_run.py."""
    traced = work.words().get("traced", "")
    order = deletion_work.order_of(work, profile, NOTHING, while_running=True, first_phrase=traced)
    try:
        with deletion_work.in_a_job(profile):
            outcome = outcome_of(run(order))
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


def run_here(profile: Profile, *, while_running: bool, ours: Path) -> dict[str, Any]:
    """Do it in this process, for the command line. Raises HermesError before anything is touched."""
    order = deletion_work.order_here(profile, NOTHING, while_running=while_running, ours=ours)
    with only_one(profile, ours):
        return outcome_of(run(order))
