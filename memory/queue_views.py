"""The queue of writes that wait: shown, approved, rejected. A decision is about what was on screen, or nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import page, profile_page, visible
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import BadHomesSetting, HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from hermesweb.hermes.locks import WAIT_SECONDS, Busy
from memory.approval import approve, recover_memory, reject
from memory.approval_answers import Decision, NoSuchProposal, NotApplicable
from memory.change_views import act
from memory.editing import MemoryFile
from memory.form_data import NotOurForm
from memory.page import files_of
from memory.pending import count_pending
from memory.queue_page import (
    NO_DRAFT,
    QueuePage,
    anchor_of,
    claims_of,
    left_over,
    opened,
    page_part,
    queue_page,
)
from memory.reason_words import decision_sentence, settled_sentence
from memory.skill_approval import approve_skill, recover_skills
from memory.switches import Subsystem
from memory.text import cleaned

DECISION = re.compile(r"(memory|skills)\.([A-Za-z0-9_-]{1,4000})\.([0-9a-f]{64}-[0-9a-f]{64})")
EDITED = re.compile(r"edited-(\d{1,4})-(memory-[A-Za-z0-9_-]{1,4000})")
ID_OF_HERMES = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True)
class Decided:
    """A decision as a form sent it."""

    subsystem: Subsystem
    decision: Decision

    @property
    def anchor(self) -> str:
        """Where it stands on the page."""
        return anchor_of(self.subsystem, self.decision.id)

    @property
    def about(self) -> str:
        """For the activity. The name of a file can hold any words, so only those that Hermes gives are noted."""
        named = ID_OF_HERMES.fullmatch(self.decision.id)
        return f"{self.subsystem} {self.decision.id if named else '?'}"


Answers = list[tuple[Decided, HermesError | None]]


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
    try:
        homes = visible(request)
    except BadHomesSetting:
        return redirect("homes")  # which says what is wrong with it
    profiles = [
        profile
        for _home, listed in homes
        for profile in listed
        if count_pending(profile).total or claims_of(profile)
    ]
    for profile in profiles:
        record(request, Action.VIEWED_PENDING, profile)
    return render(request, "all_pending.html", {"queues": [queue_page(profile) for profile in profiles]})


def show(
    request: HttpRequest, queue: QueuePage, *, editing: str = "", draft: Mapping[int, str] = NO_DRAFT,
    refused: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    """`editing`: the anchor of the proposal whose texts are open; `draft`: what a person typed there."""
    queue = opened(queue, editing, draft)
    context = {"queue": queue, "refused": refused, "left_over": left_over(queue, draft)}
    return render(request, "pending.html", context, status=status)


@act
def decide(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Approve or reject one proposal, the ticked ones, or all that were on the screen."""
    if "settle" in request.POST:
        return settle(request, profile)
    if "again" in request.POST:
        messages.info(request, _("Nothing was decided."))
        return to_queue(request, profile)
    verb = next((name for name in ("approve", "reject") if name in request.POST), None)
    if verb is None:
        raise NotOurForm
    chosen = chosen_in(request.POST, verb)
    on_screen = [decided(value).anchor for value in request.POST.getlist("shown")]
    if not chosen:
        messages.info(request, _("Nothing was decided: no proposal was ticked."))
        return to_queue(request, profile)
    answers = carried_out(profile, verb, chosen)
    done = [one for one, problem in answers if problem is None]
    note(request, profile, verb, done)
    kept = next(((one, problem) for one, problem in answers if problem and one.decision.edited), None)
    others = [
        decision_sentence(problem, skill=one.subsystem == "skills")
        for one, problem in answers
        if problem and not (kept and one is kept[0])
    ]
    say(request, verb, len(done), others)
    if kept:
        return show_again(request, profile, *kept)
    return to_queue(request, profile, next_after(on_screen, answers))


def show_again(request: HttpRequest, profile: Profile, one: Decided, problem: HermesError) -> HttpResponse:
    """The page with the editor that was open, and what was typed there."""
    status = 422 if isinstance(problem, NotApplicable) else 409
    return show(
        request, queue_page(profile), editing=one.anchor, draft=one.decision.edited,
        refused=decision_sentence(problem), status=status,
    )  # fmt: skip


def settle(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Bring to its end what a process that was killed left in the middle of a decision."""
    found = [*recover_memory(files_of(profile).file("memory")), *recover_skills(profile)]
    for sentence in dict.fromkeys(settled_sentence(each.outcome) for each in found):
        messages.info(request, sentence)
    return to_queue(request, profile)


def carried_out(profile: Profile, verb: str, chosen: Sequence[Decided]) -> Answers:
    """One after the other, and none twice. Who was busy once is not waited for again."""
    answers: Answers = []
    # Its rules; what it holds is read anew under its lock each time.
    file = replace(files_of(profile).file("memory"), seconds=WAIT_SECONDS)
    for one in chosen:
        problem = decide_one(file, one, verb)
        answers.append((one, problem))
        if isinstance(problem, Busy):
            file = replace(file, seconds=0)
    return answers


def decide_one(file: MemoryFile, one: Decided, verb: str) -> HermesError | None:
    """None when it was carried out, else what stood against it."""
    try:
        if verb == "reject":
            reject(file.profile, one.subsystem, one.decision)
        elif one.subsystem == "memory":
            approve(file, one.decision)
        else:
            approve_skill(file.profile, one.decision, seconds=file.seconds)
    except HermesError as problem:
        return problem
    return None


def chosen_in(data: QueryDict, verb: str) -> list[Decided]:
    """The button names one proposal, or says that the ticked or all the shown ones are meant. Texts of an open
    editor go with their own proposal and no other."""
    value = data.get(verb, "")
    values = {"picked": data.getlist("pick"), "shown": data.getlist("shown")}.get(value, [value])
    edited: dict[str, dict[int, str]] = {}
    for anchor, number, text in edited_in(data) if verb == "approve" else ():
        edited.setdefault(anchor, {})[number] = text
    return [with_texts(decided(each), edited) for each in dict.fromkeys(values)]


def with_texts(one: Decided, edited: Mapping[str, Mapping[int, str]]) -> Decided:
    texts = edited.get(one.anchor)
    return replace(one, decision=replace(one.decision, edited=texts)) if texts else one


def decided(value: str) -> Decided:
    found = DECISION.fullmatch(value)
    try:
        name = decode_id(found[2]) if found else ""
    except ValueError:
        found = None
    if not found:
        raise NotOurForm
    return Decided(cast(Subsystem, found[1]), Decision(name, found[3]))


def edited_in(data: QueryDict) -> Iterator[tuple[str, int, str]]:
    for key, value in data.items():
        if found := EDITED.fullmatch(key):
            yield found[2], int(found[1]), cleaned(str(value))


def note(request: HttpRequest, profile: Profile, verb: str, done: Sequence[Decided]) -> None:
    """One line a decision, with the id of the record and nothing of its text."""
    action = Action.APPROVED if verb == "approve" else Action.REJECTED
    for one in done:
        record(request, action, profile, about=one.about)


def say(request: HttpRequest, verb: str, done: int, refused: Sequence[str]) -> None:
    if done:
        text = (
            ngettext("%(count)s proposal was approved.", "%(count)s proposals were approved.", done)
            if verb == "approve"
            else ngettext("%(count)s proposal was rejected.", "%(count)s proposals were rejected.", done)
        )
        messages.success(request, text % {"count": done})
    if refused:
        text = ngettext("%(count)s was not carried out:", "%(count)s were not carried out:", len(refused))
        messages.warning(request, text % {"count": len(refused)} + " " + " ".join(dict.fromkeys(refused)))


def next_after(on_screen: Sequence[str], answers: Answers) -> str:
    """The proposal behind the one that was decided, so that the keyboard goes on from there; one alone that was
    not carried out is shown again."""
    one, problem = answers[-1]
    if len(answers) == 1 and problem is not None and not isinstance(problem, NoSuchProposal):
        return one.anchor
    position = on_screen.index(one.anchor) + 1 if one.anchor in on_screen else len(on_screen)
    return next(iter(on_screen[position : position + 1]), "")


def to_queue(request: HttpRequest, profile: Profile, anchor: str = "") -> HttpResponse:
    """Back to the page the form was on."""
    address = reverse("pending", args=[profile.home.key, profile.name])
    if request.POST.get("back") == "all":
        address, anchor = reverse("all_pending"), page_part(profile) + anchor if anchor else ""
    response = redirect(f"{address}#{anchor}" if anchor else address)
    response.status_code = 303
    return response
