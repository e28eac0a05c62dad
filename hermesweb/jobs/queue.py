"""Starting jobs: the queue is given a job's id and nothing else, since it keeps its arguments as text."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks import task

from hermesweb.accounts.models import Person
from hermesweb.hermes.homes import Profile
from hermesweb.homes import place_of
from hermesweb.jobs import work
from hermesweb.jobs.models import Job
from hermesweb.jobs.sealing import seal


@task()
def run_job(job_id: str) -> None:
    work.run(job_id)


def start(
    kind: str,
    profile: Profile,
    person: Person | None,
    *,
    words: dict[str, Any] | None = None,
    after: timedelta | None = None,
    **checkpoint: Any,
) -> Job:
    """A new job of *kind* for *profile*, or the one that is already under way. *words* are private: they are
    encrypted and kept until it ends. It begins *after* some time, at once without."""
    with transaction.atomic():
        place = place_of(profile)
        same = Job.objects.filter(kind=kind, home=profile.home.key, profile=profile.name, place=place)
        if under_way := same.exclude(state__in=Job.ENDED).first():
            return under_way
        job = Job.objects.create(
            kind=kind,
            home=profile.home.key,
            profile=profile.name,
            place=place,
            person=person,
            checkpoint=checkpoint,
            sealed=seal(words) if words else "",
            not_before=timezone.now() + after if after else None,
        )
        enqueue(job)
    return job


def enqueue(job: Job) -> None:
    """Give a waiting job to the workers, for the time it is meant for."""
    later = job.not_before is not None and job.not_before > timezone.now()
    task = run_job.using(run_after=job.not_before) if later else run_job
    task.enqueue(str(job.pk))


def cancel(job: Job) -> None:
    """A waiting job ends at once, a running one at its next step."""
    waiting = Job.objects.filter(pk=job.pk, state=Job.State.WAITING)
    if not waiting.update(state=Job.State.CANCELLED, ended=timezone.now(), sealed=""):
        Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(cancel_wanted=True)


def go_on(job: Job) -> bool:
    """Let a job whose worker died go on from its checkpoint. False when it was not dead after all."""
    if not job.silent:
        return False
    running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempt=job.attempt)
    with transaction.atomic():
        if not running.update(state=Job.State.WAITING, cancel_wanted=False):
            return False
        enqueue(job)
    return True


def requeue_waiting() -> int:
    """At a worker's start: jobs that an earlier worker stopped or never began are queued again."""
    waiting = list(Job.objects.filter(state=Job.State.WAITING))
    for job in waiting:
        enqueue(job)
    return len(waiting)
