"""Removing left-over words from state.db: what that is and what it needs, and the job that does it."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from hermesweb.accounts.access import profile_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.models import Person
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.running import is_running
from hermesweb.privacy.trace_asked import TYPED, shown_phrase
from hermesweb.sentences import running_words
from hermesweb.writable import may_write
from sessions.deletion_page import room
from sessions.deletion_views import read_only
from sessions.errors import StateError
from sessions.left_over_places import places
from sessions.left_over_work import start
from sessions.residue import look
from sessions.scrubbing_report import as_json
from sessions.search_token import NotOurToken, unseal

SECONDS = 3.0  # of one question while a page waits


@require_http_methods(["GET", "HEAD", "POST"])
@profile_page
def left_over(request: HttpRequest, profile: Profile) -> HttpResponseBase:
    """What is left over and what removing it needs; a POST begins it."""
    if not may_write(profile):
        return read_only(request)
    return _left_over(request, profile)


@confirmed
def _left_over(request: HttpRequest, profile: Profile) -> HttpResponse:
    traced = _traced(request, profile)
    if request.method == "POST":
        person = request.user if isinstance(request.user, Person) else None
        job = start(profile, person, traced.get("phrase", ""))
        record(request, Action.JOB_STARTED, profile, about=str(job.pk))
        return redirect("job", job.pk)
    needed, blocked = room(profile)
    context: dict[str, Any] = {
        "phrase": shown_phrase(traced["phrase"], traced.get("source", TYPED)) if "phrase" in traced else "",
        "places": tuple(places(_residue(profile))),
        "running": running_words(is_running(profile)),
        "needed": needed,
        "blocked": blocked,
    }
    return render(request, "left_over.html", context)


def _traced(request: HttpRequest, profile: Profile) -> dict[str, str]:
    """The phrase of a trace that led here; nothing for one of another sign-in."""
    try:
        return unseal(request, profile, request.GET.get("q", ""))
    except NotOurToken:
        return {}


def _residue(profile: Profile) -> dict[str, Any] | None:
    """None where it cannot be read in place just now, or not in time."""
    try:
        return as_json(look(profile.folder, seconds=SECONDS))
    except StateError:
        return None
