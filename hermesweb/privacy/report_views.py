"""Reports on clearing a profile: listed, read, saved, looked at again, finished, deleted."""

import base64
import functools
import hashlib
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, Final, ParamSpec

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.models import Person
from hermesweb.accounts.standing import may_change
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.homes import place_of
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.privacy.clear_draft import draft_of, save
from hermesweb.privacy.models import Report, canonical
from hermesweb.privacy.report_page import report_context, title
from hermesweb.privacy.wiping.report import left_to_do
from hermesweb.writable import may_write

SHOWN: Final = 100  # reports of a list
STYLE: Final = "app.css"
P = ParamSpec("P")


ReportView = Callable[Concatenate[HttpRequest, Profile, Report, P], HttpResponseBase]


def of_report(view: ReportView[P]) -> Callable[..., HttpResponseBase]:
    """Give the view the report of this profile; one that is not there any more leads to the list."""

    @functools.wraps(view)
    def checked(
        request: HttpRequest, profile: Profile, report: uuid.UUID, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        found = Report.objects.filter(pk=report, home=profile.home.key, profile=profile.name).first()
        if found is None:
            messages.info(request, _("This report is not there any more."))
            return redirect("reports", profile.home.key, profile.name)
        return view(request, profile, found, *args, **kwargs)

    return checked


@require_safe
@profile_page
def reports(request: HttpRequest, profile: Profile) -> HttpResponse:
    """The newest first; also a run that is under way."""
    found = Report.objects.filter(home=profile.home.key, profile=profile.name).select_related("person")[
        :SHOWN
    ]
    under_way = Job.objects.filter(kind="wipe", home=profile.home.key, profile=profile.name)
    context = {
        "reports": [(each, title(each.content)) for each in found],
        "under_way": under_way.exclude(state__in=Job.ENDED).first(),
        "may_clear": may_write(profile),
    }
    return render(request, "reports.html", context)


@require_safe
@profile_page
@of_report
def report(request: HttpRequest, profile: Profile, found: Report) -> HttpResponse:
    record(request, Action.VIEWED_REPORT, profile, about=str(found.pk))
    context = {
        **report_context(found),
        "same_place": found.place == place_of(profile),
        "may_clear": may_write(profile),
        "may_delete": may_change(profile),
        "looks_later": Job.objects.filter(
            kind="look_again", state=Job.State.WAITING, checkpoint__report=str(found.pk)
        ).first(),
    }
    return render(request, "report.html", context)


@require_safe
@profile_page
@of_report
def report_file(request: HttpRequest, profile: Profile, found: Report, form: str) -> HttpResponse:
    """The same as a file: JSON, of which the checksum is taken, or HTML that loads nothing and runs nothing."""
    if form not in ("html", "json"):
        raise Http404
    record(request, Action.REPORT_SAVED, profile, about=f"{form} {found.pk}")
    if form == "json":
        answer = HttpResponse(canonical(found.content), content_type="application/json")
    else:
        context = {**report_context(found), "profile": profile, "saved": True, **style()}
        answer = HttpResponse(render_to_string("report_file.html", context))
    name = f"hermes-cleared-{found.profile}-{found.made:%Y-%m-%d}.{form}"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def style() -> dict[str, str]:
    """Our style sheet, which loads nothing, and the policy that lets a browser use it and nothing else."""
    text = (Path(settings.BASE_DIR) / "static" / STYLE).read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; form-action 'none'; base-uri 'none'"
    return {"style": text, "policy": policy}


@require_POST
@profile_page(reading=True)
@of_report
def check_again(request: HttpRequest, profile: Profile, found: Report) -> HttpResponse:
    """Look now whether something came back."""
    if found.place != place_of(profile):
        messages.info(request, _("Another folder stands there now, so nothing was looked at."))
        return redirect("report", profile.home.key, profile.name, found.pk)
    person = request.user if isinstance(request.user, Person) else None
    job = queue.start("check_again", profile, person, report=str(found.pk))
    record(request, Action.JOB_STARTED, profile, about=f"check_again {job.pk}")
    return redirect("job", job.pk)


@require_POST
@profile_page
@of_report
def finish_clearing(request: HttpRequest, profile: Profile, found: Report) -> HttpResponse:
    """Put what is left into the wizard, at its last steps."""
    choice = left_to_do(found.content)
    if found.place != place_of(profile) or not may_write(profile) or not (choice.stores or choice.unknown):
        messages.info(request, _("There is nothing that could be finished from here. Nothing was changed."))
        return redirect("report", profile.home.key, profile.name, found.pk)
    draft = draft_of(request, profile)
    draft.take(choice)
    draft.chosen = draft.remote_seen = True  # the list is in the report
    draft.while_running = False
    save(request, profile, draft)
    return redirect("clear_confirm", profile.home.key, profile.name)


@require_http_methods(["GET", "HEAD", "POST"])
@profile_page
@of_report
def delete_report(request: HttpRequest, profile: Profile, found: Report) -> HttpResponseBase:
    """GET asks. The home is not touched."""
    return delete(request, profile, found)


@confirmed
def delete(request: HttpRequest, profile: Profile, found: Report) -> HttpResponse:
    if request.method == "POST":
        record(request, Action.REPORT_DELETED, profile, about=str(found.pk))
        found.delete()
        messages.success(request, _("The report is deleted. The home was not touched."))
        return redirect("reports", profile.home.key, profile.name)
    return render(request, "delete_report.html", {"report": found, "title": title(found.content)})
