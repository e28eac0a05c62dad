"""Trace: ask for a phrase, watch the look, read where it was found. The phrase is written down nowhere: it goes
sealed to the worker, and sealed under the sign-in in the address of the page that shows its surroundings."""

import functools
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from hermesweb.accounts.access import ProfileView, profile_page
from hermesweb.accounts.models import Person
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Home, Profile, find_profile, list_profiles
from hermesweb.hermes.scan.excerpts import NoExcerpt
from hermesweb.hermes.scan.needles import BadPhrase, needles_of
from hermesweb.homes import place_of
from hermesweb.jobs.models import Job
from hermesweb.jobs.views import is_part, job_context
from hermesweb.privacy.store_page import place_words, remote_of
from hermesweb.privacy.trace import Found
from hermesweb.privacy.trace_asked import (
    TYPED,
    VALUE,
    NothingThere,
    chosen_of,
    phrase_of,
    profiles_of,
    shown_phrase,
    typed_of,
)
from hermesweb.privacy.trace_excerpt import can_show, read_excerpt
from hermesweb.privacy.trace_job import Busy, reach, start_trace
from hermesweb.privacy.trace_page import StoreGroup, groups_of, missed_rows
from hermesweb.privacy.trace_result import KIND, MISSED, PLACES, Result, forget, result_of
from hermesweb.privacy.trace_words import bad_phrase
from hermesweb.sentences import state_sentence
from hermesweb.writable import may_write
from sessions.errors import StateError
from sessions.names import Name, names
from sessions.search_token import NotOurToken, TooLong, seal, unseal

EXCERPTS = 12  # that are read again for one page
ResultView = Callable[[HttpRequest, Profile, Job], HttpResponseBase]


def _of_their_own(view: ResultView) -> ProfileView[[uuid.UUID]]:
    """Only for who started the trace, while they may see all of its profiles. For others it is not there."""

    @functools.wraps(view)
    def checked(request: HttpRequest, profile: Profile, job: uuid.UUID) -> HttpResponseBase:
        found = _traces(request, profile).filter(pk=job).first()
        allowed = {each.name for each in profiles_of(request, profile)}
        if found is None or not allowed.issuperset(found.checkpoint["profiles"]):
            messages.info(request, _("This trace is not there any more, or it is not yours."))
            return redirect("trace", profile.home.key, profile.name)
        return view(request, profile, found)

    return checked


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@profile_page(reading=True)
def trace(request: HttpRequest, profile: Profile) -> HttpResponse:
    """The form, and the start of a look for what was typed or pointed at."""
    if request.method != "POST":
        return _form(request, profile)
    typed, chosen = typed_of(request), chosen_of(request, profile)
    try:
        phrase, source = phrase_of(request, profile)
        needles_of(phrase)
    except BadPhrase as problem:
        return _form(request, profile, typed, bad_phrase(problem), 422)
    except StateError as problem:
        return _form(request, profile, problem=state_sentence(problem), status=409)
    except NothingThere:
        return _form(request, profile, problem=_("What you pointed at is not there any more."), status=409)
    if not chosen:
        return _form(request, profile, typed, _("Tick at least one profile."), 422)
    person = request.user if isinstance(request.user, Person) else None
    try:
        job = start_trace(profile, chosen, phrase, person, owner=bool(person and person.is_owner))
    except Busy as busy:
        return _busy(request, profile, typed, busy.job)
    record(request, Action.TRACED, profile, about=str(job.pk))
    return _to_result(request, profile, job, {"phrase": phrase, "source": source})


@require_safe
@profile_page
@_of_their_own
def trace_result(request: HttpRequest, profile: Profile, found: Job) -> HttpResponse:
    """How far a look is, and what it found."""
    words, token = _words(request, profile, found)
    here = _address(profile, found, token)
    if not found.over or found.state != Job.State.DONE:
        if is_part(request) and found.over:
            return HttpResponse(headers={"HX-Refresh": "true"})
        template = "_job.html" if is_part(request) else "trace_running.html"
        return render(request, template, job_context(request, found, profile, here))
    if is_part(request):
        return HttpResponse(headers={"HX-Refresh": "true"})
    context: dict[str, Any] = {"job": found, "q": token, "phrase": _shown_phrase(words)}
    if result := result_of(found):
        shown = _shown(profile, found, result, words)
        groups = groups_of(profile.home.key, result, shown, functools.partial(_named, profile.home))
        context |= {
            "result": result,
            "groups": groups,
            "may_scrub": _may_scrub(profile.home, groups),
            "missed": missed_rows(result.not_checked),
            "more_missed": max(0, result.missed - MISSED),
            "more_places": max(0, result.places - PLACES),
            "several": len(found.checkpoint["profiles"]) > 1,
            "remote": _remote(profile),
            "chosen": found.checkpoint["profiles"],
        }
    return render(request, "trace_result.html", context)


@sensitive_post_parameters()
@require_POST
@profile_page(reading=True)
@_of_their_own
def show_hit(request: HttpRequest, profile: Profile, found: Job) -> HttpResponse:
    """Have the text around one place read again. That somebody looked is noted, not what they saw."""
    result = result_of(found)
    number = request.POST.get("hit", "")
    if result is None or not _is_place(number, result):
        return _to_result(request, profile, found, {})
    try:
        words = unseal(request, profile, request.POST.get("q", ""))
    except NotOurToken:
        words = {}
    if typed := request.POST.get("phrase", "").strip():
        words = {"phrase": typed}
    if "phrase" not in words:
        messages.info(request, _("Type the phrase again to see what is around it: it was kept nowhere."))
        return _to_result(request, profile, found, {}, "again")
    record(request, Action.VIEWED_HIT, profile, about=str(found.pk))
    shown = [each for each in words.get("shown", "").split(",") if each and each != number]
    words["shown"] = ",".join([number, *shown][:EXCERPTS])
    return _to_result(request, profile, found, {**words, "job": str(found.pk)}, f"place-{number}")


@sensitive_post_parameters()
@require_POST
@profile_page(reading=True)
@_of_their_own
def name_phrase(request: HttpRequest, profile: Profile, found: Job) -> HttpResponse:
    """The phrase once more, for a result that was opened without it."""
    phrase = request.POST.get("phrase", "").strip()
    return _to_result(request, profile, found, {"phrase": phrase} if phrase else {})


@require_POST
@profile_page(reading=True)
@_of_their_own
def forget_trace(request: HttpRequest, profile: Profile, found: Job) -> HttpResponse:
    """Take away what was found before its day is over."""
    forget(found)
    messages.info(request, _("What this trace found is forgotten."))
    return redirect("trace", profile.home.key, profile.name)


def _form(
    request: HttpRequest, profile: Profile, phrase: str = "", problem: str = "", status: int = 200
) -> HttpResponse:
    ticked = set(request.POST.getlist("profiles")) if "phrase" in request.POST else {profile.name}
    everything = [each.name for each in profiles_of(request, profile)]
    context = {
        "phrase": phrase,
        "problem_words": problem,
        "choices": [(name, name in ticked) for name in everything],
        "earlier": [job for job in _traces(request, profile)[:10] if not job.over or "sealed" in job.outcome],
    }
    return render(request, "trace.html", context, status=status)


def _busy(request: HttpRequest, profile: Profile, phrase: str, job: Job) -> HttpResponse:
    words = _("Another trace is under way for this profile. Nothing was started; wait for it, or stop it.")
    if job.person_id != request.user.pk:
        words = _(
            "Somebody else’s trace is under way for this profile. Nothing was started; try again later."
        )
    return _form(request, profile, phrase, words, 409)


def _traces(request: HttpRequest, profile: Profile) -> QuerySet[Job]:
    return Job.objects.filter(
        kind=KIND,
        person=request.user.pk,
        home=profile.home.key,
        profile=profile.name,
        place=place_of(profile),
    )


def _shown_phrase(words: dict[str, str]) -> str:
    return shown_phrase(words["phrase"], words.get("source", TYPED)) if "phrase" in words else ""


def _is_place(number: str, result: Result) -> bool:
    return number.isascii() and number.isdecimal() and len(number) < 7 and int(number) < len(result.found)


def _words(request: HttpRequest, profile: Profile, job: Job) -> tuple[dict[str, str], str]:
    """What the address holds, and the token again; nothing for one of another sign-in."""
    token = request.GET.get("q", "")
    try:
        return unseal(request, profile, token), token
    except NotOurToken:
        return {}, ""


def _address(profile: Profile, job: Job, token: str) -> str:
    path = reverse("trace_result", args=[profile.home.key, profile.name, job.pk])
    return f"{path}?{urlencode({'q': token})}" if token else path


def _to_result(
    request: HttpRequest, profile: Profile, job: Job, words: dict[str, str], place: str = ""
) -> HttpResponse:
    try:
        token = seal(request, profile, words)
    except TooLong:
        token = ""  # then the result is shown without the texts around
    return HttpResponseRedirect(_address(profile, job, token) + (f"#{place}" if place else ""), status=303)


def _shown(profile: Profile, job: Job, result: Result, words: dict[str, str]) -> dict[int, SafeString | None]:
    """The texts that somebody had shown, read now; None for what is not there any more."""
    if words.get("job") != str(job.pk):
        return {}
    texts: dict[int, SafeString | None] = {}
    numbers = [int(each) for each in words.get("shown", "").split(",") if each]
    shown = [result.found[number] for number in numbers if number < len(result.found)]
    where = reach(_worked_in(profile.home, shown), own_database=False)
    for number in numbers:
        if number < len(result.found) and can_show(result.found[number]):
            try:
                texts[number] = read_excerpt(
                    profile.home, where, result.found[number], words["phrase"],
                    hide=words.get("source") == VALUE,
                )  # fmt: skip
            except (NoExcerpt, BadPhrase):
                texts[number] = None
    return texts


def _may_scrub(home: Home, groups: Sequence[StoreGroup]) -> set[str]:
    """The profiles in whose state.db something is left over that whoever asks may remove."""
    allowed = set()
    for name in {group.profile for group in groups if group.left_over_in_state}:
        with suppress(HermesError):  # it was removed since
            if may_write(find_profile(home, name)):
                allowed.add(name)
    return allowed


def _named(home: Home, profile: str, sessions: Sequence[str]) -> Mapping[str, Name]:
    """What the conversations are called, as far as that can be read just now."""
    try:
        return names(find_profile(home, profile), sessions)
    except HermesError:
        return {}


def _worked_in(home: Home, found: Sequence[Found]) -> list[Profile]:
    """Whose folders of work some of these lie in: only then they have to be known."""
    names = {each.profile for each in found if each.file.startswith("/")}
    there = {each.name: each for each in list_profiles(home)}
    return [there[name] for name in sorted(names & there.keys())]


def _remote(profile: Profile) -> list[str]:
    """The services that something of this profile went to, by name."""
    return sorted({place_words(each).name for each in remote_of(profile).places})
