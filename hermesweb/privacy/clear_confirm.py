"""The last step of the wizard "Clear everything": the sums, the name, the password, and then the run."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from hermesweb.accounts.access import address_of, profile_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.models import Person
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.running import is_running
from hermesweb.homes import place_of
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.privacy.clear_draft import Draft, draft_of, drop
from hermesweb.privacy.clear_offer import offer, others
from hermesweb.privacy.clear_step import PAGE, step, taken_along, to, writable
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.look import Look, look_at
from hermesweb.privacy.store_page import place_words, remote_of
from hermesweb.privacy.wiping.perform import is_shared


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
