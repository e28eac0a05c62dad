"""Deleting conversations: what is to go, the preview that is frozen, and the job that deletes exactly that."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from hermesweb.accounts.access import page, profile_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.models import Person
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.jobs import views as jobs
from hermesweb.sentences import state_sentence
from hermesweb.views import problem as problem_page
from hermesweb.writable import may_write
from sessions.deletion_asked import (
    DAYS,
    NothingChosen,
    TooManyHits,
    deletion_asked,
    planned,
)
from sessions.deletion_page import preview_of
from sessions.deletion_values import Unused
from sessions.deletion_work import FINISH, Drafted, begin, draft_of, finish_now, keep_draft
from sessions.errors import StateError
from sessions.search_token import NotOurToken

PAGE = require_http_methods(["GET", "HEAD", "POST"])


@PAGE
@profile_page
def plan_deletion(request: HttpRequest, profile: Profile) -> HttpResponse:
    """The form for what is unused. A POST, from here or from any list, freezes what would go and leads to it."""
    if request.method != "POST":
        return render(
            request, "plan_deletion.html", {"may_delete": may_write(profile), "asked": Unused(DAYS)}
        )
    if not may_write(profile):
        return read_only(request)
    try:
        asked = deletion_asked(request, profile)
        plan = planned(profile, asked)
    except NothingChosen:
        lede = _("Nothing was deleted. Tick what is to go.")
        return problem_page(request, 400, _("No conversation is ticked"), lede, back=_list(profile))
    except TooManyHits:
        lede = _("Nothing was deleted. Look for more words, or set filters.")
        return problem_page(request, 422, _("This search has too many hits"), lede)
    except NotOurToken:
        lede = _(
            "What was chosen belongs to a sign-in that has ended, and it was kept nowhere. Choose again."
        )
        return problem_page(request, 410, _("Nothing was deleted"), lede, back=_list(profile))
    except StateError as problem:
        return problem_page(request, 409, _("Nothing can be deleted"), state_sentence(problem))
    assert isinstance(request.user, Person)
    draft = keep_draft(profile, request.user, plan, asked.plain())
    record(request, Action.DELETION_PLANNED, profile, about=f"{len(plan.conversations)}")
    return redirect("deletion", profile.home.key, profile.name, draft.pk)


@PAGE
@profile_page
def deletion(request: HttpRequest, profile: Profile, draft: uuid.UUID) -> HttpResponseBase:
    """What goes, exactly as it will; a POST begins it."""
    if not may_write(profile):
        return read_only(request)
    return _deletion(request, profile, draft)


@confirmed
def _deletion(request: HttpRequest, profile: Profile, draft: uuid.UUID) -> HttpResponse:
    assert isinstance(request.user, Person)
    drafted = draft_of(profile, request.user, draft)
    if drafted is None:
        lede = _("What would have gone was shown too long ago, or it is being deleted already. Choose again.")
        return problem_page(request, 410, _("Nothing was deleted"), lede, back=_list(profile))
    if request.method == "POST" and drafted.plan.conversations:
        return _begin(request, profile, request.user, drafted)
    try:
        context: dict[str, Any] = {"preview": preview_of(profile, drafted)}
    except StateError as problem:
        return problem_page(request, 409, _("Nothing can be deleted"), state_sentence(problem))
    return render(request, "deletion.html", context)


def _begin(request: HttpRequest, profile: Profile, person: Person, drafted: Drafted) -> HttpResponse:
    draft = drafted.draft.pk
    job = begin(profile, person, drafted)
    if job is None:
        messages.info(
            request, _("Another deletion is under way in this profile. When it is over, this one can begin.")
        )
        return redirect("deletion", profile.home.key, profile.name, draft)
    record(request, Action.JOB_STARTED, profile, about=str(job.pk))
    return redirect("job", job.pk)


@page
@require_POST
def finish_deletion(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """Do what waited until Hermes is stopped."""
    found, profile = jobs.find(request, job_id, changes=True)
    if found.kind != FINISH:
        raise Http404
    if not may_write(profile):
        return read_only(request)
    if finish_now(found):
        record(request, Action.JOB_CONTINUED, profile, about=str(found.pk))
    return redirect("job", found.pk)


def _list(profile: Profile) -> str:
    return reverse("sessions", args=[profile.home.key, profile.name])


def read_only(request: HttpRequest) -> HttpResponse:
    lede = _("This home is open for reading only. Nothing was deleted.")
    return problem_page(request, 403, _("Nothing can be deleted here"), lede)
