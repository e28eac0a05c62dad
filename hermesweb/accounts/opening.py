"""An owner's look into a profile of others: only with notice to them. And what they are told."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from hermesweb.accounts.access import find_or_404, owner_page, page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.models import Level, Notice, Person, ProfileAccess
from hermesweb.accounts.people import tell_members
from hermesweb.accounts.standing import Standing, open_profile, standing_of
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile


@owner_page
def open_with_notice(request: HttpRequest, home: str, profile: str) -> HttpResponseBase:
    """The page that says what opening means. Where nobody has to be told it leads on."""
    found = find_or_404(home, profile)
    if standing_of(request, home, profile) is not Standing.CLOSED:
        return redirect("overview", home, profile)
    return opening(request, found)


@confirmed
def opening(request: HttpRequest, profile: Profile) -> HttpResponse:
    onward = request.POST.get("next") or request.GET.get("next", "")
    if request.method != "POST":
        context = {"opened": profile, "members": members_of(profile), "next": onward}
        return render(request, "open_with_notice.html", context)
    person = request.user
    if not isinstance(person, Person):
        raise Http404
    tell_members(profile.home.key, profile.name, Notice.Kind.OPENED, about=person)
    open_profile(request, profile)
    record(request, Action.OPENED_WITH_NOTICE, profile)
    messages.info(
        request, _("It is open for an hour in this sign-in. Its members are told on their next page.")
    )
    if url_has_allowed_host_and_scheme(onward, allowed_hosts=None) and onward.startswith("/"):
        return redirect(onward)
    return redirect("overview", profile.home.key, profile.name)


def members_of(profile: Profile) -> list[str]:
    access = ProfileAccess.objects.filter(
        home=profile.home.key, profile=profile.name, level=Level.MEMBER
    ).select_related("person")
    return sorted(each.person.get_username() for each in access)


@page
@require_POST
def dismiss_notice(request: HttpRequest, notice: int) -> HttpResponse:
    """It was read. That it was, and what it said, stays in the activity."""
    found = get_object_or_404(Notice, pk=notice, person=request.user)
    record(request, Action.NOTICE_READ, about=found.kind)
    found.delete()
    onward = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(onward, allowed_hosts=None) and onward.startswith("/"):
        return redirect(onward)
    return redirect("start")
