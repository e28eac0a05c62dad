import secrets
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from hermesweb import homes as configured
from hermesweb.accounts.access import listed, page, profile_page
from hermesweb.accounts.models import Person
from hermesweb.accounts.standing import standing_of
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.hermes.homes import Profile, condition, is_home, leads_to
from hermesweb.jobs import queue
from hermesweb.overview import overview_context
from hermesweb.privacy.copies import copy_of, remove_copies
from hermesweb.sentences import bad_homes_setting, place_what


@page
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """To the one profile a person has, or to the list of them."""
    try:
        profiles = [profile for _home, found in listed(request) for profile in found]
    except BadHomesSetting:
        profiles = []
    if len(profiles) == 1:
        return redirect("overview", profiles[0].home.key, profiles[0].name)
    return redirect("homes")


@page
@require_safe
def homes(request: HttpRequest) -> HttpResponse:
    try:
        found = listed(request)
        problem = ""
    except BadHomesSetting as bad:
        found, problem = [], bad_homes_setting(bad)
    owner = isinstance(request.user, Person) and request.user.is_owner
    if owner and not any(
        is_home(home.root) or condition(profiles[0]).state == "unreadable"
        for home, profiles in found
        if profiles
    ):
        places = [(place, place_what(place)) for place in configured.looked_at()]
        return render(request, "no_home.html", {"places": places, "problem": problem})
    rows = [
        (home, [row_of(request, profile) for profile in profiles], is_home(home.root), leads_to(home))
        for home, profiles in found
    ]
    return render(request, "homes.html", {"homes": rows, "review": settings.READ_ONLY, "owner": owner})


def row_of(request: HttpRequest, profile: Profile) -> tuple[Profile, Any, str]:
    """A profile, how it is, and where who asks stands towards it."""
    return profile, condition(profile), standing_of(request, profile.home.key, profile.name).value


@require_safe
@profile_page
def overview(request: HttpRequest, profile: Profile) -> HttpResponse:
    record(request, Action.VIEWED_OVERVIEW, profile)
    return render(request, "overview.html", overview_context(profile))


@require_POST
@profile_page(reading=True)
def measure(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Count every file of the profile, however many there are."""
    return _start(request, profile, "measure")


@require_POST
@profile_page(reading=True)
def make_copy(request: HttpRequest, profile: Profile) -> HttpResponse:
    """A private work copy of state.db, for a home that SQLite cannot read in place."""
    return _start(request, profile, "work_copy")


@require_POST
@profile_page
def remove_copy(request: HttpRequest, profile: Profile) -> HttpResponse:
    if copy_of(settings.WORK_FOLDER, profile) and remove_copies(settings.WORK_FOLDER, profile):
        record(request, Action.COPY_REMOVED, profile)
        messages.success(request, _("The work copy is removed. The home itself was not touched."))
    return redirect("overview", profile.home.key, profile.name)


def _start(request: HttpRequest, profile: Profile, kind: str) -> HttpResponse:
    person = request.user if isinstance(request.user, Person) else None
    job = queue.start(kind, profile, person)
    record(request, Action.JOB_STARTED, profile, about=f"{kind} {job.pk}")
    return redirect("job", job.pk)


# -- what does not work out


def problem(request: HttpRequest, status: int, heading: str, lede: str, **more: Any) -> HttpResponse:
    return render(request, "problem.html", {"heading": heading, "lede": lede, **more}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem(request, 400, _("This request was not understood"), _("Nothing was changed."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem(request, 403, _("This is not allowed"), _("Nothing was changed."))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return problem(
        request,
        403,
        _("This form did not come from a page of hermesweb"),
        _("Nothing was changed. Open the page again and repeat what you wanted to do."),
    )


def too_many(request: HttpRequest) -> HttpResponse:
    return problem(
        request,
        429,
        _("Too many tries"),
        _("From this address the password was tried too often. Nothing was opened. Wait five minutes."),
    )


def wrong_method(request: HttpRequest) -> HttpResponse:
    """For somebody who opens the address of a form: a browser's own page would be a dead end."""
    return problem(
        request,
        405,
        _("There is no page at this address"),
        _("It only takes the answers of a form. Nothing was changed."),
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return problem(
        request,
        404,
        _("There is nothing at this address"),
        _("The home, the profile or the page does not exist, or it is not yours to see."),
    )


def fault(request: HttpRequest) -> HttpResponse:
    """Nothing of the fault itself is shown: it can quote what Hermes stored. The log has its place."""
    request.reference = new_reference()  # type: ignore[attr-defined]  # hermesweb.logs writes it too
    if request.method in ("GET", "HEAD"):
        lede = _("The page could not be made. Nothing was changed in the Hermes home by it.")
    else:
        # It may have failed after the act itself: only a look can tell.
        lede = _("Whether it was carried out is not known. Look at what is there now before you repeat it.")
    return problem(
        request,
        500,
        _("Something went wrong in hermesweb"),
        lede,
        reference=request.reference,  # type: ignore[attr-defined]
    )


def new_reference() -> str:
    return f"{secrets.token_hex(2)}-{secrets.token_hex(2)}"
