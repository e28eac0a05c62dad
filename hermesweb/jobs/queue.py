"""Starting jobs: the queue is given a job's id and nothing else, since it keeps its arguments as text."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django_tasks import task

from hermesweb.accounts.models import Person
from hermesweb.hermes.homes import Profile
from hermesweb.homes import place_of
from hermesweb.jobs import work
from hermesweb.jobs.models import Job


@task()
def run_job(job_id: str) -> None:
    work.run(job_id)


def start(kind: str, profile: Profile, person: Person | None, **checkpoint: Any) -> Job:
    """A new job of *kind* for *profile*, or the one that is already under way."""
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
        )
        run_job.enqueue(str(job.pk))
    return job


def cancel(job: Job) -> None:
    """A waiting job ends at once, a running one at its next step."""
    waiting = Job.objects.filter(pk=job.pk, state=Job.State.WAITING)
    if not waiting.update(state=Job.State.CANCELLED, ended=timezone.now()):
        Job.objects.filter(pk=job.pk, state=Job.State.RUNNING).update(cancel_wanted=True)


def go_on(job: Job) -> bool:
    """Let a job whose worker died go on from its checkpoint. False when it was not dead after all."""
    if not job.silent:
        return False
    running = Job.objects.filter(pk=job.pk, state=Job.State.RUNNING, attempt=job.attempt)
    with transaction.atomic():
        if not running.update(state=Job.State.WAITING, cancel_wanted=False):
            return False
        run_job.enqueue(str(job.pk))
    return True


def requeue_waiting() -> int:
    """At a worker's start: jobs that an earlier worker stopped or never began are queued again."""
    waiting = list(Job.objects.filter(state=Job.State.WAITING).values_list("pk", flat=True))
    for pk in waiting:
        run_job.enqueue(str(pk))
    return len(waiting)
