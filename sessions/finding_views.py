"""Keys and personal numbers in the conversations: looked for on demand, shown masked, one at a time unmasked."""

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.models import Person
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from hermesweb.jobs import queue
from hermesweb.sentences import state_sentence
from hermesweb.views import problem as problem_page
from sessions.errors import StateError
from sessions.finding_excerpts import read_excerpts
from sessions.finding_list import findings_at
from sessions.finding_page import FindingsAsked, findings_page
from sessions.finding_words import KINDS
from sessions.models import Finding
from sessions.reading_words import state_problem


@require_safe
@profile_page
def findings(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Counts by kind and conversation; `?session=` shows each finding of one, masked."""
    asked = asked_of(request)
    record(request, Action.VIEWED_FINDINGS, profile)
    context: dict[str, Any] = {"kinds_known": KINDS}
    try:
        context["found"] = findings_page(profile, asked)
    except StateError as problem:
        context |= state_problem(problem)
    return render(request, "findings.html", context)


def asked_of(request: HttpRequest) -> FindingsAsked:
    """Raises Http404 for a session that cannot be."""
    part, kind = request.GET.get("session", ""), request.GET.get("kind", "")
    try:
        session = decode_id(part) if part else None
    except ValueError:
        raise Http404 from None
    newest, _dot, digest = request.GET.get("after", "").partition(".")
    after = (
        (int(newest), digest[:64]) if newest.isdecimal() and newest.isascii() and len(newest) < 19 else None
    )
    return FindingsAsked(
        session=session,
        kind=kind if kind in KINDS else "",
        dismissed="dismissed" in request.GET,
        after=after,
    )


@require_POST
@profile_page(reading=True)
def look_for_findings(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Start the scan."""
    person = request.user if isinstance(request.user, Person) else None
    job = queue.start("findings", profile, person)
    record(request, Action.JOB_STARTED, profile, about=f"findings {job.pk}")
    return redirect("job", job.pk)


@require_safe
@profile_page
def unmask(request: HttpRequest, profile: Profile, finding: int) -> HttpResponseBase:
    """One value, for somebody who gave their password just now. That it was shown is noted, not what."""
    return unmasked(request, profile, finding)


@confirmed
def unmasked(request: HttpRequest, profile: Profile, finding: int) -> HttpResponse:
    found = get_object_or_404(mine(profile), pk=finding)
    back = list_address(profile, found)
    try:
        read = read_excerpts(profile, [found], unmasked=found.pk)
    except StateError as problem:
        return problem_page(request, 409, _("It cannot be shown"), state_sentence(problem))
    if read.gone:
        found.delete()
        messages.warning(request, _("At that place stands something else now, so the finding was dropped."))
        return redirect(back)
    record(request, Action.UNMASKED, profile, about=found.kind)
    context = {"excerpt": read.shown[0], "kind": KINDS[found.kind], "back": back}
    answer = render(request, "finding.html", context)
    answer.unmasked = True  # type: ignore[attr-defined]  # for a reviewer too: it was asked for and written down
    return answer


@require_POST
@profile_page
def dismiss_finding(request: HttpRequest, profile: Profile) -> HttpResponse:
    """A false alarm is put aside, or taken back out."""
    key = request.POST.get("finding", "")
    if not (key.isascii() and key.isdecimal() and len(key) < 19):
        return problem_page(request, 400, _("This form is not complete"), _("Nothing was changed."))
    found = get_object_or_404(mine(profile), pk=int(key))
    wanted = "back" not in request.POST
    if mine(profile).filter(pk=found.pk, dismissed=not wanted).update(dismissed=wanted):
        record(
            request,
            Action.FINDING_DISMISSED if wanted else Action.FINDING_RESTORED,
            profile,
            about=found.kind,
        )
        done = _("Put aside as a false alarm.") if wanted else _("Back in the list.")
        messages.info(request, done)
    return redirect(list_address(profile, found, dismissed=not wanted))


def mine(profile: Profile) -> QuerySet[Finding]:
    return findings_at(profile)


def list_address(profile: Profile, finding: Finding, *, dismissed: bool | None = None) -> str:
    """The list in which the finding is."""
    path = reverse("findings", args=[profile.home.key, profile.name])
    aside = finding.dismissed if dismissed is None else dismissed
    query = {"session": finding.session} | ({"dismissed": "1"} if aside else {})
    return f"{path}?{urlencode(query)}"
