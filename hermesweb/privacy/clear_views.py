"""The wizard "Clear everything", one step a page. Nothing is removed before the last one."""

from typing import Any, get_args

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import page, profile_page, visible
from hermesweb.environment import login_folder
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.running import Running, is_running
from hermesweb.hermes.stopping import how_to_stop, services
from hermesweb.privacy.clear_draft import Draft, draft_of, save, with_ticks
from hermesweb.privacy.clear_offer import Offer, by_kind, offer, others
from hermesweb.privacy.clear_step import PAGE, places_context, step, taken_along, to, writable
from hermesweb.privacy.clear_words import STEPS, after, signs, stops, upload_commands
from hermesweb.privacy.store_page import remote_of
from hermesweb.privacy.wiping.choice import UNKNOWN, Choice, Preset, choose, clearable
from hermesweb.privacy.wiping.perform import is_shared
from hermesweb.writable import may_write


@page
@require_safe
def clear_start(request: HttpRequest) -> HttpResponse:
    """The profiles that who asks may clear."""
    try:
        found = visible(request)
    except BadHomesSetting:
        found = []
    rows = [(home, [one for one in profiles if may_write(one)]) for home, profiles in found]
    rows = [(home, profiles) for home, profiles in rows if profiles]
    return render(request, "clear_start.html", {"homes": rows, "review": settings.READ_ONLY})


@require_safe
@profile_page
@writable
def clear(request: HttpRequest, profile: Profile) -> HttpResponse:
    """What is there, and what no tool on this machine can reach."""
    draft = draft_of(request, profile)
    found = offer(request, profile, draft, alive=False)
    save(request, profile, draft)
    remote = remote_of(profile)
    context = {
        "offer": found,
        "kinds": by_kind(found.ticks),
        "other_profiles": others(request, profile) if is_shared(profile) else "",
        **places_context(remote),
    }
    return step(request, profile, draft, "clear", context)


@PAGE
@profile_page
@writable
def clear_choose(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Which stores go. Every button keeps the ticks."""
    draft = draft_of(request, profile)
    alive = is_running(profile).answer != "no"
    found = offer(request, profile, draft, alive=alive)
    if request.method == "POST":
        return take_ticks(request, profile, draft, found)
    at_remote = len(remote_of(profile).places)
    return step(request, profile, draft, "clear_choose", {"offer": found, "at_remote": at_remote})


def take_ticks(request: HttpRequest, profile: Profile, draft: Draft, found: Offer) -> HttpResponse:
    ticked = request.POST.getlist("store")
    choice = with_ticks(draft, ticked, found.ids, unknown=UNKNOWN in ticked)
    preset, go = request.POST.get("preset", ""), request.POST.get("go", "")
    if preset in get_args(Preset):
        own = {
            each.id for each in clearable() if each.where != "outside" and not is_apart(each.where, profile)
        }
        chosen = choose([preset], shared=is_shared(profile))
        # What has a tick of its own keeps it.
        choice = type(chosen)(chosen.stores | (choice.stores - own), chosen.unknown)
    if preset == "nothing":
        choice = Choice(frozenset())
    draft.take(choice)
    if go == "next" and not any(
        tick.id in choice.stores or (tick.id == UNKNOWN and choice.unknown) for tick in found.ticks
    ):
        save(request, profile, draft)
        messages.warning(request, _("Nothing is ticked that is there, so there is nothing to clear."))
        return to(profile, "clear_choose")
    draft.chosen = draft.chosen or go == "next"
    save(request, profile, draft)
    if go == "next":
        return to(profile, after("clear_choose"))
    return to(profile, go if go in STEPS else "clear_choose")


def is_apart(where: str, profile: Profile) -> bool:
    return where == "root" and is_shared(profile)


@PAGE
@profile_page
@writable
def clear_remote(request: HttpRequest, profile: Profile) -> HttpResponse:
    """What is out of reach, before the local lists of it go."""
    draft, remote = draft_of(request, profile), remote_of(profile)
    refused = False
    if request.method == "POST":
        draft.remote_seen = "seen" in request.POST or not remote.places
        save(request, profile, draft)
        go = request.POST.get("go", "next")
        if go in STEPS:
            return to(profile, go)
        if draft.remote_seen:
            return to(profile, after("clear_remote"))
        refused = True
    context = {
        "uploads": upload_commands(remote.places, profile),
        "uploads_chosen": "paste-upload-list" in draft.stores,
        "refused": refused,
        **places_context(remote),
    }
    return step(request, profile, draft, "clear_remote", context, status=422 if refused else 200)


@PAGE
@profile_page
@writable
def clear_hermes(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Whether Hermes runs, how that is known, and how to stop it."""
    draft = draft_of(request, profile)
    if request.method == "POST":
        draft.while_running = request.POST.get("while") == "running"
        save(request, profile, draft)
        return to(profile, after("clear_hermes") if draft.while_running else "clear_hermes")
    running = is_running(profile)
    return step(request, profile, draft, "clear_hermes", hermes_context(profile, running))


def hermes_context(profile: Profile, running: Running) -> dict[str, Any]:
    found = how_to_stop(profile, running, os_home=login_folder())
    set_up = [
        each for each in services(profile, login_folder()) if each.name not in {stop.name for stop in found}
    ]
    return {
        "answer": running.answer,
        "signs": list(signs(running)),
        "stops": stops(found),
        "services": set_up,
        "waiting": sum(each.stop_first or each.how == "database_delete" for each in clearable()),
    }


@require_safe
@profile_page
@writable
def clear_export(request: HttpRequest, profile: Profile) -> HttpResponse:
    """What can be taken along first."""
    draft = draft_of(request, profile)
    save(request, profile, draft)
    return step(request, profile, draft, "clear_export", {"taken": taken_along(request, profile, draft)})
