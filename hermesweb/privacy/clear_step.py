"""What every step of the wizard "Clear everything" has."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from hermesweb.activity.log import record
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from hermesweb.privacy.clear_draft import Draft
from hermesweb.privacy.clear_words import address, after, before, steps
from hermesweb.privacy.remote import Remote
from hermesweb.privacy.store_page import place_words
from hermesweb.views import problem as problem_page
from hermesweb.writable import may_write

PAGE = require_http_methods(["GET", "HEAD", "POST"])
View = Callable[[HttpRequest, Profile], HttpResponseBase]


def writable(view: View) -> View:
    """Only where something may be cleared: not for a reviewer, not in review mode, not in a read-only folder."""

    def checked(request: HttpRequest, profile: Profile) -> HttpResponseBase:
        if may_write(profile):
            return view(request, profile)
        return problem_page(
            request,
            403,
            _("Nothing can be cleared here"),
            _("This home is open for reading only. Nothing was changed."),
        )

    checked.__name__, checked.__doc__ = view.__name__, view.__doc__
    return checked


def step(
    request: HttpRequest,
    profile: Profile,
    draft: Draft,
    name: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    record(request, Action.VIEWED_STORES, profile, about=name)  # each step says what is there
    shell = {
        "steps": steps(profile, draft, name),
        "draft": draft,
        "back": address(profile, before(name)),
        "next": address(profile, after(name)) if name != "clear_confirm" else "",
    }
    return render(request, f"{name}.html", {**shell, **context}, status=status)


def places_context(remote: Remote) -> dict[str, Any]:
    return {"places": [place_words(each) for each in remote.places], "remote_complete": remote.read_all}


def to(profile: Profile, name: str) -> HttpResponse:
    return redirect(address(profile, name))


def taken_along(request: HttpRequest, profile: Profile, draft: Draft) -> list[Activity]:
    """What this person saved as a file since the wizard was begun, by the activity."""
    lines = Activity.objects.filter(
        person_id=request.user.pk or 0,
        home=profile.home.key,
        profile=profile.name,
        action__in=(Action.EXPORTED, Action.DOWNLOADED_MEMORY),
        at__gte=datetime.fromtimestamp(draft.began, UTC),
    )
    return list(lines.order_by("-number")[:10])
