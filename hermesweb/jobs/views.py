import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from hermesweb.accounts.access import OnlyReading, page, profile_for
from hermesweb.accounts.standing import may_change
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.measure import Size
from hermesweb.jobs import queue
from hermesweb.jobs.kind_words import heading_of, outcome_templates, step_words, words_of
from hermesweb.jobs.models import Job
from hermesweb.picture import Row, rows_of
from hermesweb.sentences import job_problem


def find(request: HttpRequest, job_id: uuid.UUID, *, changes: bool = False) -> tuple[Job, Profile]:
    """A job is seen by whoever may see its profile; for others it does not exist. A reviewer stops only their own."""
    job = get_object_or_404(Job, pk=job_id)
    changes = changes and job.person_id != request.user.pk
    return job, profile_for(request, job.home, job.profile, changes=changes)


@page
def job(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    found, profile = find(request, job_id)
    template = "_job.html" if is_part(request) else "job.html"
    return render(request, template, job_context(request, found, profile, reverse("job", args=[job_id])))


def is_part(request: HttpRequest) -> bool:
    """After Back in the browser htmx asks for the whole page."""
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def job_context(request: HttpRequest, job: Job, profile: Profile, here: str) -> dict[str, Any]:
    """For every page that shows how far a job is. `here`: the address of that page."""
    return {
        "job": job,
        "here": here,
        "profile": profile,
        "kind_words": words_of(job),
        "heading": heading_of(job),
        "step_words": step_words(job),
        "outcome_templates": outcome_templates(job),
        "rows": counted(job),
        "problem": job_problem(job.outcome),
        "may_stop": may_change(profile) or job.person_id == request.user.pk,
        "may_go_on": may_go_on(request, job, profile),
    }


def may_go_on(request: HttpRequest, job: Job, profile: Profile) -> bool:
    """What changes the home is only for who may change it now, whoever began it."""
    return may_change(profile) or (words_of(job).reads and job.person_id == request.user.pk)


def counted(job: Job) -> list[Row]:
    groups = job.outcome.get("groups", {})
    return rows_of({group: Size(files, size) for group, (files, size) in groups.items()})


@page
@require_POST
def cancel_job(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    found, profile = find(request, job_id, changes=True)
    queue.cancel(found)
    record(request, Action.JOB_CANCELLED, profile, about=str(found.pk))
    return redirect("job", job_id)


@page
@require_POST
def continue_job(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    found, profile = find(request, job_id, changes=True)
    if not may_go_on(request, found, profile):
        raise OnlyReading
    if queue.go_on(found):
        record(request, Action.JOB_CONTINUED, profile, about=str(found.pk))
    else:
        messages.info(request, _("This job is not waiting for anybody: nothing was changed."))
    return redirect("job", job_id)
