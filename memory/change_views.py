"""The acts of the memory page. Each reads the form, calls one function that takes Hermes' lock, and says what
came of it. A refusal shows the page again with everything that was typed."""

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from hermesweb.accounts.access import profile_page
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.views import problem as problem_page
from hermesweb.writable import may_write
from memory import operations
from memory.changes import Adding, Change, Meter, Replacing, would_be
from memory.entries import FILE_NAMES
from memory.form_data import all_seen, known_of, removed_of, seen_of, target_of
from memory.limits import Rules, Target, usage_text
from memory.operations import Removed, Result
from memory.page import Draft, Files, PageState, files_of, memory_context
from memory.parsing import DELIMITER
from memory.refusals import Stale
from memory.seen import Seen, fingerprint
from memory.sentences import refusal_sentence
from memory.text import checked, cleaned

AT_THE_END = 1_000_000


def act(view: Callable[[HttpRequest, Profile], HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A POST of somebody who may see the profile, on a home that may be written to."""

    @functools.wraps(view)
    def checked(request: HttpRequest, profile: Profile) -> HttpResponse:
        if not may_write(profile):
            return problem_page(
                request,
                403,
                _("Nothing can be written here"),
                _("This home is open for reading only. Nothing was changed."),
            )
        return view(request, profile)

    marked: Callable[..., HttpResponseBase] = sensitive_post_parameters()(require_POST(profile_page(checked)))
    return marked


@act
def save_entry(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Add an entry, or give one that was seen another text."""
    files, target = files_of(profile), target_of(request.POST)
    text = request.POST.get("content", "")
    seen, known = edited_of(request), known_of(request.POST)
    try:
        result = (
            operations.replace(files.file(target), seen, text)
            if seen
            else operations.add(files.file(target), text)
        )
    except HermesError as problem:
        opened = cleaned(request.POST.get("opened", ""))
        return refused(request, profile, Draft(target, cleaned(text), problem, seen, opened, known))
    return done(request, profile, target, result, Action.MEMORY_CHANGED if seen else Action.MEMORY_ADDED)


@act
def save_several(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Add a text that holds separator lines as the entries it would fall into, after they were shown."""
    files, target = files_of(profile), target_of(request.POST)
    texts = request.POST.getlist("content")
    try:
        # All or nothing: an undo at the end of the file is an addition of several.
        result = operations.undo(files.file(target), [Removed(text, AT_THE_END) for text in texts])
    except HermesError as problem:
        # With its separator lines, or the text would be one entry from now on.
        return refused(request, profile, Draft(target, cleaned(DELIMITER.join(texts)), problem))
    return done(request, profile, target, result, Action.MEMORY_ADDED)


@act
def remove_entries(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Delete one entry or all that are ticked; the answer holds what brings them back."""
    files, target = files_of(profile), target_of(request.POST)
    seen = all_seen(request.POST)
    if not seen:
        messages.info(request, _("Nothing was deleted: no entry was ticked."))
        return to_memory(profile)
    try:
        result = operations.remove(files.file(target), seen)
    except HermesError as problem:
        return not_changed(request, profile, target, problem)
    record(request, Action.MEMORY_REMOVED, profile, about=f"{target} {len(result.removed)}")
    # No redirect: the text for the undo travels in this page and nowhere else.
    back = tuple(one for one in result.removed if can_come_back(one.text, files.release.rules))
    state = PageState(undo_target=target, undo=back, gone_for_good=len(result.removed) - len(back))
    return answer(request, files_of(profile), state)


def can_come_back(text: str, rules: Rules) -> bool:
    """Whether Hermes, and so we, would take this entry if it were new: a blocked one it would not."""
    try:
        checked(text, rules)
    except HermesError:
        return False
    return True


@act
def undo_removal(request: HttpRequest, profile: Profile) -> HttpResponse:
    files, target = files_of(profile), target_of(request.POST)
    removed = removed_of(request.POST)
    try:
        result = operations.undo(files.file(target), removed)
    except HermesError as problem:
        return not_changed(
            request, profile, target, problem, PageState(undo_target=target, undo=tuple(removed))
        )
    return done(request, profile, target, result, Action.MEMORY_RESTORED)


@act
def move_entry(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Move one entry to the other file: added there, then removed here."""
    files, target = files_of(profile), target_of(request.POST)
    try:
        moved = operations.move(files.file(target), seen_of(request.POST.get("seen")))
    except HermesError as problem:
        return not_changed(request, profile, target, problem)
    record(request, Action.MEMORY_MOVED, profile, about=target)
    other = FILE_NAMES["user" if target == "memory" else "memory"]
    text = _("Moved to %(name)s. %(usage)s") % {"name": other, "usage": usage(moved.added_to.meter)}
    if not moved.added_to.wrote:
        text = _("%(name)s has this entry already, so it was only removed here.") % {"name": other}
    messages.success(request, text)
    return to_memory(profile)


@act
def count_entry(request: HttpRequest, profile: Profile) -> HttpResponse:
    """The live counter: how long the text is, and what the file would come to. Writes nothing."""
    files, target = files_of(profile), target_of(request.POST)
    text = cleaned(request.POST.get("content", ""))
    after = counted(files, target, edited_of(request), text)
    return render(request, "_counter.html", {"characters": len(text), **meter_context(target, after)})


def counted(files: Files, target: Target, seen: Seen | None, text: str) -> Meter:
    store, limit = files.store(target), files.file(target).limit
    if not text and seen is None:
        return Meter(store.used, limit)
    change: Change = Adding(text)
    if seen:
        rows = [entry.position for entry in store.entries if fingerprint(entry.text) == seen.entry]
        if rows:
            nearest = min(rows, key=lambda row: abs(row - seen.position))
            change = Replacing(nearest if seen.duplicate else rows[0], text)
    return would_be(store, change, limit)


def meter_context(target: Target, meter: Meter) -> dict[str, Any]:
    return {"name": FILE_NAMES[target], "usage": usage(meter), "meter": meter}


def usage(meter: Meter) -> str:
    return usage_text(meter.used, meter.limit)


# -- answers


def to_memory(profile: Profile) -> HttpResponse:
    response = redirect("memory", profile.home.key, profile.name)
    response.status_code = 303
    return response


def answer(request: HttpRequest, files: Files, state: PageState, status: int = 200) -> HttpResponse:
    return render(request, "memory.html", memory_context(files, state), status=status)


def status_of(problem: HermesError) -> int:
    return 409 if isinstance(problem, Stale) else 422


def refused(request: HttpRequest, profile: Profile, draft: Draft) -> HttpResponse:
    """A form that could not be done, with all that was typed."""
    record_refusal(request, profile, draft.target, draft.problem)
    # Read again: what was refused may have changed since the form was looked at.
    return answer(request, files_of(profile), PageState(draft=draft), status_of(draft.problem))


def not_changed(
    request: HttpRequest,
    profile: Profile,
    target: Target,
    problem: HermesError,
    state: PageState = PageState(),  # noqa: B008  frozen
) -> HttpResponse:
    """Another act that could not be done."""
    record_refusal(request, profile, target, problem)
    shown = replace(state, refused=refusal_sentence(problem, saving=False))
    return answer(request, files_of(profile), shown, status_of(problem))


def record_refusal(request: HttpRequest, profile: Profile, target: Target, problem: HermesError) -> None:
    record(request, Action.MEMORY_REFUSED, profile, about=f"{target} {type(problem).__name__}")


def edited_of(request: HttpRequest) -> Seen | None:
    """The entry that a form of the editor is about; None for a new one."""
    return seen_of(request.POST["seen"]) if request.POST.get("seen") else None


def done(
    request: HttpRequest, profile: Profile, target: Target, result: Result, action: Action
) -> HttpResponse:
    name = FILE_NAMES[target]
    if result.wrote:
        record(request, action, profile, about=target)
    text = {
        "added": _("Added to %(name)s. %(usage)s"),
        "already_there": _("Nothing was saved: %(name)s has exactly this entry already."),
        "replaced": _("Saved in %(name)s. %(usage)s"),
        "merged": _("Saved. %(name)s had this entry already, so one of the two is gone. %(usage)s"),
        "unchanged": _("Nothing was saved: the text is as it was."),
        "removed": _("Deleted from %(name)s. %(usage)s"),
        "cleared": _("%(name)s is empty now. Copies of what was in it may stand elsewhere."),
    }[result.done] % {"name": name, "usage": usage(result.meter)}
    if result.dropped_copies:
        copies = ngettext(
            "%(count)s duplicate went with it, as at every save of Hermes.",
            "%(count)s duplicates went with it, as at every save of Hermes.",
            result.dropped_copies,
        )
        text = f"{text.removesuffix('.')}. {copies % {'count': result.dropped_copies}}"
    (messages.success if result.wrote else messages.info)(request, text)
    return to_memory(profile)
