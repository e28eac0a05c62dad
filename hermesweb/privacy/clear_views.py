"""The wizard "Clear everything", one step a page. Nothing is removed before the last one."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from hermesweb.accounts.access import address_of, page, profile_page, visible
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.models import Person
from hermesweb.activity.log import record
from hermesweb.activity.models import Action, Activity
from hermesweb.environment import login_folder
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.running import Running, is_running
from hermesweb.hermes.stopping import how_to_stop, services
from hermesweb.homes import place_of
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.privacy.clear_draft import Draft, draft_of, drop, save, with_ticks
from hermesweb.privacy.clear_offer import Offer, by_kind, offer, others
from hermesweb.privacy.clear_words import STEPS, address, after, before, signs, steps, stops, upload_commands
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.look import Look, look_at
from hermesweb.privacy.remote import Remote
from hermesweb.privacy.store_page import place_words, remote_of
from hermesweb.privacy.wiping.choice import UNKNOWN, Choice, choose, clearable
from hermesweb.privacy.wiping.perform import is_shared
from hermesweb.views import problem as problem_page
from hermesweb.writable import may_write

PAGE = require_http_methods(["GET", "HEAD", "POST"])
PRESETS: Final = ("default", "conversations", "most", "everything")
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
    if preset in PRESETS:
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


@PAGE
@profile_page
@writable
def clear_confirm(request: HttpRequest, profile: Profile) -> HttpResponseBase:
    """The sums, the name, the password, and then the run."""
    draft = draft_of(request, profile)
    missing = first_missing(profile, draft)
    return to(profile, missing) if missing else confirm(request, profile, draft)


def first_missing(profile: Profile, draft: Draft) -> str:
    """The first step without an answer."""
    if not draft.chosen:
        return "clear_choose"
    if not draft.remote_seen and remote_of(profile).places:
        return "clear_remote"
    if not draft.while_running and is_running(profile).answer != "no":
        return "clear_hermes"
    return ""


@confirmed
def confirm(request: HttpRequest, profile: Profile, draft: Draft) -> HttpResponse:
    typed = request.POST.get("name", "").strip()
    if request.method == "POST" and typed == profile.name:
        return start(request, profile, draft)
    look = look_at(profile, copy=copy_of(settings.WORK_FOLDER, profile))
    context = {
        "offer": offer(request, profile, draft, alive=look.running.answer != "no"),
        "look": look,
        **counts_that_go(draft, look),
        "other_profiles": others(request, profile) if is_shared(profile) else "",
        "places": [place_words(each) for each in remote_of(profile).places],
        "taken": taken_along(request, profile, draft),
        "while_running": draft.while_running and look.running.answer != "no",
        "typed": typed,
        "wrong": request.method == "POST",
    }
    return step(request, profile, draft, "clear_confirm", context, status=422 if context["wrong"] else 200)


def counts_that_go(draft: Draft, look: Look) -> dict[str, int]:
    """Only what lies in a ticked store: one of the two files, or one of the two queues, can stay."""
    files = zip(("memory-md", "user-md"), look.stores, strict=True)
    queues = (("memory-pending", look.pending.memory), ("skills-pending", look.pending.skills))
    return {
        "entries": sum(len(held.entries) for store, held in files if store in draft.stores),
        "proposals": sum(waiting for store, waiting in queues if store in draft.stores),
    }


def start(request: HttpRequest, profile: Profile, draft: Draft) -> HttpResponse:
    under_way = Job.objects.filter(
        kind="wipe", home=profile.home.key, profile=profile.name, place=place_of(profile)
    )
    if running := under_way.exclude(state__in=Job.ENDED).first():
        messages.info(request, _("This profile is being cleared already. What you chose is kept for later."))
        return redirect("job", running.pk)
    person = request.user if isinstance(request.user, Person) else None
    job = queue.start("wipe", profile, person, address=address_of(request), **draft.wish.plain())
    record(request, Action.WIPED, profile, about=str(job.pk))
    drop(request, profile)
    return redirect("job", job.pk)


# -- what every step has


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
