"""People and what they may see: for owners, who confirm that it is them before anything is changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from hermesweb import homes
from hermesweb.accounts import people
from hermesweb.accounts.access import owner_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.forms import HouseholdForm, Invitation
from hermesweb.accounts.models import Household, Level, Person, ProfileAccess, SignInLink
from hermesweb.accounts.second_factor import FACTORS
from hermesweb.accounts.standing import Name
from hermesweb.activity.log import about_person, record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.listening import leads_to_oneself


@dataclass(frozen=True)
class Row:
    """A person in the list."""

    person: Person
    profiles: list[ProfileAccess]
    second_factor: bool
    joined: bool


@dataclass(frozen=True)
class Offered:
    """A profile with what a person may do there. `gone`: it is not on the disk now."""

    home: str
    label: str
    profile: str
    level: str
    gone: bool

    @property
    def field(self) -> str:
        return f"access {self.home} {self.profile}"


@owner_page
@require_safe
def people_list(request: HttpRequest) -> HttpResponse:
    everybody = Person.objects.order_by("username").prefetch_related("profiles")
    with_factor = set(everybody.filter(authenticator__type__in=FACTORS).values_list("pk", flat=True))
    rows = [
        Row(one, list(one.profiles.all()), one.pk in with_factor, one.has_usable_password())
        for one in everybody
    ]
    return render(request, "people.html", {"rows": rows, "household": Household.now()})


@owner_page
@confirmed
def invite(request: HttpRequest) -> HttpResponse:
    form = Invitation(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = people.invite(form.cleaned_data["username"])
        record(request, Action.PERSON_INVITED, about=about_person(person))
        return show_link(request, person, form)
    return render(request, "invite.html", {"form": form}, status=422 if form.is_bound else 200)


def show_link(request: HttpRequest, person: Person, form: Invitation) -> HttpResponse:
    """The link is shown in this one answer: only its digest is kept."""
    token = SignInLink.make(person, lasts=form.lasts)
    address = request.build_absolute_uri(reverse("join", args=[token]))
    host = urlsplit(address).hostname or ""
    context = {
        "person": person,
        "address": address,
        "until": person.links.get().until,
        "host": host,
        "only_here": leads_to_oneself(host),
    }
    return render(request, "invitation.html", context)


@owner_page
@confirmed
def person(request: HttpRequest, person: int) -> HttpResponse:
    """One person: what they may see, and what else can be changed."""
    found = get_object_or_404(Person, pk=person)
    if request.method == "POST":
        return save(request, found)
    return show(request, found)


def show(request: HttpRequest, found: Person, status: int = 200) -> HttpResponse:
    context = {
        "person": found,
        "offered": list(offered(found)),
        "levels": Level.choices,
        "joined": found.has_usable_password(),
        "link": found.links.first(),
    }
    return render(request, "person.html", context, status=status)


def save(request: HttpRequest, found: Person) -> HttpResponse:
    # A form that lost a part on its way takes nothing away.
    wanted = {(each.home, each.profile): request.POST.get(each.field, each.level) for each in offered(found)}
    wanted = {name: level for name, level in wanted.items() if level in Level.values}
    owner = "owner" in request.POST or (found.is_owner and "whole" not in request.POST)
    try:
        if owner != found.is_owner:
            people.set_owner(found, owner)
            record(request, Action.OWNER_MADE if owner else Action.OWNER_ENDED, about=about_person(found))
    except people.LastOwner:
        return refuse(request, found)
    note_access(request, found, wanted)
    messages.success(request, _("Saved."))
    return redirect("person", found.pk)


def note_access(request: HttpRequest, found: Person, wanted: dict[Name, str]) -> None:
    """Change it, with a line for each profile concerned."""
    before = {(each.home, each.profile): each.level for each in found.profiles.all()}
    people.set_access(found, wanted)
    known = {(profile.home.key, profile.name): profile for _home, profile in every_profile()}
    for name in sorted({*before, *wanted}):
        if before.get(name) != wanted.get(name):
            about = f"{about_person(found)} {wanted.get(name, 'none')}"
            record(request, Action.ACCESS_CHANGED, known.get(name), about=about)


def refuse(request: HttpRequest, found: Person) -> HttpResponse:
    text = _("Nothing was changed: this is the last owner, and somebody has to manage people and homes.")
    messages.error(request, text)
    return show(request, Person.objects.get(pk=found.pk), status=422)


@owner_page
@confirmed
def new_link(request: HttpRequest, person: int) -> HttpResponse:
    """Another invitation, for somebody who has not chosen a password yet. Who has one gets a link only on the
    machine: an owner could else sign in as them."""
    found = get_object_or_404(Person, pk=person)
    form = Invitation(request.POST or None, person=found)
    if found.has_usable_password() or not found.is_active:
        messages.info(request, _("No link was made: an invitation is for somebody without a password."))
        return redirect("person", found.pk)
    if request.method == "POST" and form.is_valid():
        record(request, Action.LINK_MADE, about=about_person(found))
        return show_link(request, found, form)
    return render(
        request, "invite.html", {"form": form, "person": found}, status=422 if form.is_bound else 200
    )


@owner_page
@confirmed
def switch_person(request: HttpRequest, person: int) -> HttpResponse:
    """Switch somebody's sign-in off or on. GET leads to their page."""
    found = get_object_or_404(Person, pk=person)
    if request.method != "POST":
        return redirect("person", found.pk)
    active = "on" in request.POST
    try:
        people.switch(found, active)
    except people.LastOwner:
        return refuse(request, found)
    record(
        request,
        Action.PERSON_SWITCHED_ON if active else Action.PERSON_SWITCHED_OFF,
        about=about_person(found),
    )
    text = _("They can sign in again.") if active else _("They are signed out everywhere and cannot sign in.")
    messages.success(request, text)
    return redirect("person", found.pk)


@owner_page
@confirmed
def remove_person(request: HttpRequest, person: int) -> HttpResponse:
    found = get_object_or_404(Person, pk=person)
    if request.method != "POST":
        return render(request, "remove_person.html", {"person": found})
    about, myself = about_person(found), found.pk == request.user.pk
    try:
        people.remove(found)
    except people.LastOwner:
        return refuse(request, found)
    if myself:
        request.session.flush()
        return redirect("account_login")
    record(request, Action.PERSON_REMOVED, about=about)
    messages.success(request, _("Removed. What they did stays in the activity."))
    return redirect("people")


@owner_page
@confirmed
def household(request: HttpRequest) -> HttpResponseBase:
    """What holds for everybody: the second factor, and how long the activity is kept."""
    form = HouseholdForm(request.POST or None, instance=Household.now())
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        factor = "factor" if saved.second_factor_required else "no_factor"
        record(request, Action.HOUSEHOLD_CHANGED, about=f"{factor} {saved.activity_days}")
        messages.success(request, _("Saved."))
        return redirect("people")
    return render(request, "household.html", {"form": form}, status=422 if form.is_bound else 200)


def offered(found: Person) -> Iterator[Offered]:
    """Every profile there is, and those somebody has that are not there now."""
    has = {(each.home, each.profile): each.level for each in found.profiles.all()}
    for label, profile in every_profile():
        level = has.pop((profile.home.key, profile.name), "")
        yield Offered(profile.home.key, label, profile.name, level, gone=False)
    for (home, name), level in sorted(has.items()):
        yield Offered(home, home, name, level, gone=True)


def every_profile() -> Iterator[tuple[str, Any]]:
    try:
        configured = homes.configured()
    except BadHomesSetting:
        return
    for home in configured:
        for profile in homes.profiles_of(home):
            yield home.label, profile
