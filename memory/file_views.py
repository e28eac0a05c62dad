"""Acts on a whole memory file or on what lies beside it. What cannot be undone asks for the password first."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from hermesweb.accounts.access import profile_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from hermesweb.record import record_html
from hermesweb.sentences import unreadable_sentence
from hermesweb.views import problem as problem_page
from hermesweb.worddiff import compare
from hermesweb.writable import may_write
from memory import operations, tidy
from memory.change_views import done, status_of, to_memory, usage
from memory.entries import FILE_NAMES
from memory.form_data import fingerprint_of
from memory.limits import TARGETS, Target
from memory.page import Files, files_of
from memory.presentation import SHOWN_ENTRIES
from memory.seen import seen_store
from memory.sentences import refusal_sentence
from memory.side_files import SideFile, list_side_files, remove_side_file

SHOWN = 400  # characters of an entry in the list of those to leave out
SHOWN_SHEET = 50_000  # characters of the file before and after

PAGE = require_http_methods(["GET", "HEAD", "POST"])


def target_or_404(value: str) -> Target:
    if value not in TARGETS:
        raise Http404
    return value


def read_only(request: HttpRequest) -> HttpResponse:
    return problem_page(
        request,
        403,
        _("Nothing can be written here"),
        _("This home is open for reading only. Nothing was changed."),
    )


@PAGE
@profile_page
def clear_memory(request: HttpRequest, profile: Profile, target: str) -> HttpResponseBase:
    """Empty one memory file. GET says what goes and what stays elsewhere."""
    name = target_or_404(target)
    return read_only(request) if not may_write(profile) else clear(request, profile, name)


@confirmed
def clear(request: HttpRequest, profile: Profile, target: Target) -> HttpResponse:
    files = files_of(profile)
    refused, status = "", 200
    if request.method == "POST":
        try:
            result = operations.clear(files.file(target), fingerprint_of(request.POST))
        except HermesError as problem:
            files, status = files_of(profile), status_of(problem)
            refused = refusal_sentence(problem, saving=False)
        else:
            return done(request, profile, target, result, Action.MEMORY_CLEARED)
    store = files.store(target)
    context = {
        "store": store,
        "unreadable": unreadable_sentence(store.problem) if store.problem else "",
        "name": FILE_NAMES[target],
        "fingerprint": seen_store(store),
        "refused": refused,
    }
    return render(request, "memory_clear.html", context, status=status)


@PAGE
@profile_page
def tidy_memory(request: HttpRequest, profile: Profile, target: str) -> HttpResponse:
    """Put a file that somebody else wrote into Hermes' own form, entries left out on request: before and after."""
    name = target_or_404(target)
    if not may_write(profile):
        return read_only(request)
    files = files_of(profile)
    wish = wish_of(request)
    if request.method == "POST" and "apply" in request.POST:
        try:
            tidied = tidy.tidy(files.file(name), fingerprint_of(request.POST), wish)
        except HermesError as problem:
            refused = refusal_sentence(problem, saving=False)
            return show_tidy(request, files_of(profile), name, tidy.TIDY, refused, status_of(problem))
        if tidied.parts:
            record(request, Action.MEMORY_TIDIED, profile, about=name)
            messages.success(
                request,
                _("%(name)s is tidy now. %(usage)s")
                % {"name": FILE_NAMES[name], "usage": usage(tidied.meter)},
            )
        return to_memory(profile)
    return show_tidy(request, files, name, wish)


def wish_of(request: HttpRequest) -> tidy.Wish:
    """What the form wishes: all of it, without the ticked entries, or only without the byte order mark."""
    if request.POST.get("parts") == "mark":
        return tidy.Wish(tidy.MARK_ONLY)
    ticked = [value for value in request.POST.getlist("leave_out") if value.isdecimal() and len(value) < 7]
    return tidy.Wish(changes={int(value): None for value in ticked})


def show_tidy(
    request: HttpRequest, files: Files, target: Target, wish: tidy.Wish, refused: str = "", status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"name": FILE_NAMES[target], "target": target, "refused": refused}
    try:
        tidied = tidy.preview(files.file(target), wish)
    except HermesError as problem:
        context["refused"] = refused or refusal_sentence(problem, saving=False)
        status = max(status, status_of(problem))
    else:
        compared = compare(tidied.before[:SHOWN_SHEET], tidied.after[:SHOWN_SHEET])
        context |= {
            "tidied": tidied,
            "before": compared.before,
            "after": compared.after,
            "sheet_more": max(len(tidied.before), len(tidied.after)) > SHOWN_SHEET,
            "usage": usage(tidied.meter),
        }
    listed = files.store(target).entries[:SHOWN_ENTRIES]
    entries = [(one, record_html(one.text[:SHOWN]), max(0, len(one.text) - SHOWN)) for one in listed]
    context |= {"entries": entries, "left_out": set(wish.changes), "store": files.store(target)}
    return render(request, "memory_tidy.html", context, status=status)


@PAGE
@profile_page
def delete_side_file(request: HttpRequest, profile: Profile, name: str) -> HttpResponseBase:
    """Delete one file beside the memory files. GET shows it."""
    return read_only(request) if not may_write(profile) else delete_one(request, profile, name)


@confirmed
def delete_one(request: HttpRequest, profile: Profile, name: str) -> HttpResponse:
    file = side_file_or_404(profile, name)
    refused = ""
    if request.method == "POST":
        try:
            remove_side_file(profile, file.name, fingerprint_of(request.POST))
        except HermesError as problem:
            file, refused = side_file_or_404(profile, name), refusal_sentence(problem, saving=False)
        else:
            record(request, Action.SIDE_FILE_REMOVED, profile, about=file.kind)
            say_deleted(request, profile, file.name)
            return redirect("memory", profile.home.key, profile.name)
    content = record_html(file.content) if file.content is not None else None
    context = {"file": file, "content": content, "refused": refused}
    return render(request, "memory_side_file.html", context, status=422 if refused else 200)


def say_deleted(request: HttpRequest, profile: Profile, name: str) -> None:
    """Look for the file again before it is called gone."""
    try:
        there = any(file.name == name for file in list_side_files(profile, read=0))
    except HermesError:
        messages.warning(
            request, _("The file was deleted. Whether it is there again could not be looked at.")
        )
        return
    if there:
        messages.warning(request, _("The file was deleted, and a file of this name is there again."))
    else:
        messages.success(
            request, _("The file is deleted. It was looked for again and is not there any more.")
        )


def side_file_or_404(profile: Profile, name: str) -> SideFile:
    """By the name in the address, looked for among those that are there: no path is made of it."""
    try:
        wanted = decode_id(name)
        return next(file for file in list_side_files(profile) if file.name == wanted and file.removable)
    except (ValueError, HermesError, StopIteration):
        raise Http404 from None
