"""A trace as a job: started for one person, carried out by the worker, its places forgotten after a day."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from hermesweb import homes
from hermesweb.accounts.models import Person
from hermesweb.environment import login_folder
from hermesweb.hermes.homes import Profile
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.jobs.work import JobProblem, Work, profile_of
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.trace import trace
from hermesweb.privacy.trace_places import Reach
from hermesweb.privacy.trace_result import KEPT, KIND, forget, outcome_of
from hermesweb.privacy.work_folders import work_folders

FORGET: Final = "forget_traces"


@dataclass(frozen=True)
class Busy(Exception):
    """Another trace is under way for this profile: one at a time."""

    job: Job


def start_trace(
    profile: Profile, chosen: Sequence[str], phrase: str, person: Person | None, *, owner: bool
) -> Job:
    """Look for the phrase in the `chosen` profiles of the home of `profile`. Raises Busy."""
    under_way = Job.objects.filter(
        kind=KIND, home=profile.home.key, profile=profile.name, place=homes.place_of(profile)
    ).exclude(state__in=Job.ENDED)
    if job := under_way.first():
        raise Busy(job)
    return queue.start(
        KIND, profile, person, words={"phrase": phrase}, profiles=sorted(chosen), own_database=owner
    )


def run_trace(work: Work) -> dict[str, Any]:
    """The work of the job. Its phrase goes with the end of it."""
    profile = profile_of(work)
    phrase = work.words().get("phrase")
    if not phrase:
        raise JobProblem("no_phrase")
    asked = work.job.checkpoint
    chosen = [homes.find(profile.home.key, name) for name in asked["profiles"]]
    work.step("trace")
    settings.WORK_FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = trace(
        chosen,
        phrase,
        reach=reach(chosen, own_database=asked["own_database"]),
        scratch=settings.WORK_FOLDER,
        step=lambda files, read: work.step("trace", files),
        hide_others=True,
    )
    queue.start(FORGET, profile, work.job.person, after=KEPT)
    return outcome_of(found)


def run_forgetting(work: Work) -> dict[str, Any]:
    """A day after the first trace: the places of all traces of the profile, so that none is kept longer."""
    profile = profile_of(work)
    traces = Job.objects.filter(kind=KIND, home=profile.home.key, profile=profile.name)
    forget(*traces.filter(created__lt=work.job.started or work.job.created))
    return {}


def reach(profiles: Sequence[Profile], *, own_database: bool) -> Reach:
    """Outside the home: the folder of the login, temporary files, our own folder, and where the agent worked for one
    of these profiles."""
    work = {each.name: work_folders(each, copy_of(settings.WORK_FOLDER, each)) for each in profiles}
    return Reach(login_folder(), Path(tempfile.gettempdir()), settings.DATA_FOLDER, own_database, work)
