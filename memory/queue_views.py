"""The queue of writes that wait: shown, approved, rejected. A decision is about what was on screen, or nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from hermesweb import homes
from hermesweb.accounts.access import page, profile_page
from hermesweb.accounts.models import Person
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from memory.approval import approve, reject
from memory.approval_answers import Decision, NotApplicable
from memory.change_views import act
from memory.form_data import NotOurForm
from memory.page import files_of
from memory.pending import count_pending
from memory.queue_page import QueuePage, anchor_of, queue_page
from memory.reason_words import decision_sentence
from memory.skill_approval import approve_skill
from memory.switches import Subsystem

DECISION = re.compile(r"(memory|skills)\.([A-Za-z0-9_-]{1,4000})\.([0-9a-f]{64}-[0-9a-f]{64})")
EDITED = re.compile(r"edited-(\d{1,4})")


@dataclass(frozen=True)
class Decided:
    """A decision as a form sent it."""

    subsystem: Subsystem
    decision: Decision

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return anchor_of(self.subsystem, self.decision.id)


@require_safe
@profile_page
def pending(request: HttpRequest, profile: Profile) -> HttpResponse:
    """The queue of one profile, oldest first. `?edit=memory-<id>` opens the texts of one proposal."""
    record(request, Action.VIEWED_PENDING, profile)
    return show(request, queue_page(profile), editing=request.GET.get("edit", ""))


@require_safe
@page
def all_pending(request: HttpRequest) -> HttpResponse:
    """The queues of every profile that the person may see."""
    person = request.user
    visible = homes.visible_to(person) if isinstance(person, Person) else []
    profiles = [profile for _home, listed in visible for profile in listed if count_pending(profile).total]
    for profile in profiles:
        record(request, Action.VIEWED_PENDING, profile)
    return render(request, "all_pending.html", {"queues": [queue_page(profile) for profile in profiles]})


def show(
    request: HttpRequest, queue: QueuePage, *, editing: str = "", draft: Mapping[int, str] | None = None,
    refused: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    context = {"queue": queue, "editing": editing, "draft": draft or {}, "refused": refused}
    return render(request, "pending.html", context, status=status)


@act
def decide(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Approve or reject one proposal, the ticked ones, or all that were on the screen."""
    verb = next((name for name in ("approve", "reject") if name in request.POST), None)
    if verb is None:
        raise NotOurForm
    chosen = chosen_in(request.POST, verb)
    if not chosen:
        messages.info(request, _("Nothing was decided: no proposal was ticked."))
        return to_queue(request, profile)
    answers = [(one, decide_one(profile, one, verb)) for one in chosen]
    done = [one for one, problem in answers if problem is None]
    note(request, profile, verb, done)
    edited = [one for one in chosen if one.decision.edited]
    if edited and answers[0][1] is not None:
        problem = answers[0][1]
        return show(
            request, queue_page(profile), editing=edited[0].anchor, draft=edited[0].decision.edited,
            refused=decision_sentence(problem), status=422 if isinstance(problem, NotApplicable) else 409,
        )  # fmt: skip
    say(request, verb, len(done), [problem for _one, problem in answers if problem is not None])
    return to_queue(request, profile, next_after(request.POST, chosen))


def decide_one(profile: Profile, one: Decided, verb: str) -> HermesError | None:
    """None when it was carried out, else what stood against it."""
    try:
        if verb == "reject":
            reject(profile, one.subsystem, one.decision)
        elif one.subsystem == "memory":
            approve(files_of(profile).file("memory"), one.decision)
        else:
            approve_skill(profile, one.decision)
    except HermesError as problem:
        return problem
    return None


def chosen_in(data: QueryDict, verb: str) -> list[Decided]:
    """The button names one proposal, or says that the ticked or all the shown ones are meant."""
    value = data.get(verb, "")
    if value == "picked":
        return [decided(each) for each in data.getlist("pick")]
    if value == "shown":
        return [decided(each) for each in data.getlist("shown")]
    return [decided(value, edited_in(data))]


def decided(value: str, edited: Mapping[int, str] | None = None) -> Decided:
    found = DECISION.fullmatch(value)
    try:
        name = decode_id(found[2]) if found else ""
    except ValueError:
        found = None
    if not found:
        raise NotOurForm
    return Decided(cast(Subsystem, found[1]), Decision(name, found[3], edited or {}))


def edited_in(data: QueryDict) -> dict[int, str]:
    pairs = ((EDITED.fullmatch(key), value) for key, value in data.items())
    return {int(found[1]): str(value) for found, value in pairs if found}


def note(request: HttpRequest, profile: Profile, verb: str, done: Sequence[Decided]) -> None:
    """One line a decision, with the id of the record and nothing of its text."""
    action = Action.APPROVED if verb == "approve" else Action.REJECTED
    for one in done:
        record(request, action, profile, about=f"{one.subsystem} {one.decision.id}"[:60])


def say(request: HttpRequest, verb: str, done: int, problems: Sequence[HermesError]) -> None:
    if done:
        text = (
            ngettext("%(count)s proposal was approved.", "%(count)s proposals were approved.", done)
            if verb == "approve"
            else ngettext("%(count)s proposal was rejected.", "%(count)s proposals were rejected.", done)
        )
        messages.success(request, text % {"count": done})
    if problems:
        text = ngettext("%(count)s was not carried out:", "%(count)s were not carried out:", len(problems))
        reasons = dict.fromkeys(decision_sentence(problem) for problem in problems)
        messages.warning(request, text % {"count": len(problems)} + " " + " ".join(reasons))


def next_after(data: QueryDict, chosen: Sequence[Decided]) -> str:
    """The proposal behind the one that was decided, so that the keyboard goes on from there."""
    anchors = [decided(value).anchor for value in data.getlist("shown")]
    last = chosen[-1].anchor
    position = anchors.index(last) + 1 if last in anchors else 0
    return next(iter(anchors[position : position + 1]), "")


def to_queue(request: HttpRequest, profile: Profile, anchor: str = "") -> HttpResponse:
    """Back to the page the form was on."""
    own = reverse("pending", args=[profile.home.key, profile.name])
    address = reverse("all_pending") if request.POST.get("back") == "all" else own
    response = redirect(f"{address}#{anchor}" if anchor else address)
    response.status_code = 303
    return response
