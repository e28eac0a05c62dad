"""Lists and finds conversations. Words that say something about people come by POST and go on in a token."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from hermesweb.accounts.access import profile_page
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.sentences import state_sentence
from sessions.asked import ListAsked, SearchAsked, list_asked, sealed, search_asked
from sessions.errors import StateError, StateMissing, StateNeedsCopy
from sessions.list_page import list_page
from sessions.search_page import search_form, search_page
from sessions.search_token import NotOurToken, TooLong, unseal
from sessions.words import STATES, choices

shows = require_http_methods(["GET", "HEAD", "POST"])


@shows
@profile_page(reading=True)
def sessions(request: HttpRequest, profile: Profile) -> HttpResponse:
    """The list of conversations. A POST is turned into an address without private words."""
    if request.method == "POST":
        asked = list_asked(request.POST, request.POST)
        return _redirected(request, profile, asked, asked.limits.private) or _list(
            request, profile, asked, refused=too_long(), status=422
        )
    token = request.GET.get("q", "")
    try:
        asked = list_asked(request.GET, unseal(request, profile, token), token)
    except NotOurToken:
        return _list(request, profile, list_asked(request.GET, {}), refused=ended(), status=410)
    record(request, Action.VIEWED_SESSIONS, profile)
    return _list(request, profile, asked)


@shows
@profile_page(reading=True)
def search(request: HttpRequest, profile: Profile) -> HttpResponse:
    """Search the conversations. A POST is turned into an address in which nobody else can read the words."""
    if request.method == "POST":
        asked = search_asked(request.POST, request.POST)
        private = asked.limits.private | {"words": asked.words}
        return _redirected(request, profile, asked, private) or _search(
            request, profile, asked, refused=too_long(), status=422
        )
    token = request.GET.get("q", "")
    try:
        private = unseal(request, profile, token)
    except NotOurToken:
        return _search(request, profile, SearchAsked(), refused=ended(), status=410)
    asked = search_asked(request.GET, private, token) if request.GET else SearchAsked()
    if asked.words:
        record(request, Action.SEARCHED, profile)
    return _search(request, profile, asked, run=bool(request.GET))


def _redirected(
    request: HttpRequest, profile: Profile, asked: ListAsked | SearchAsked, private: Mapping[str, str]
) -> HttpResponse | None:
    """To the address of what was asked; None when it is too long for one."""
    try:
        return HttpResponseRedirect(sealed(request, profile, asked, private), status=303)
    except TooLong:
        return None


def _list(
    request: HttpRequest, profile: Profile, asked: ListAsked, *, refused: str = "", status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"asked": asked, "refused": refused, "tried": status == 422}
    try:
        context["listed"] = None if status == 422 else list_page(profile, asked)
    except StateError as problem:
        context |= _problem(problem)
    context["states"] = choices(STATES, [asked.limits.state])
    return render(request, "sessions.html", context, status=status)


def _search(
    request: HttpRequest, profile: Profile, asked: SearchAsked, *,
    run: bool = False, refused: str = "", status: int = 200,
) -> HttpResponse:  # fmt: skip
    context: dict[str, Any] = {"refused": refused}
    try:
        context["form"], context["results"] = search_page(profile, asked, run=run)
    except StateError as problem:
        context |= {"form": search_form(asked, {}, {}), **_problem(problem)}
    return render(request, "search.html", context, status=status)


def _problem(problem: StateError) -> dict[str, Any]:
    return {
        "state_problem": state_sentence(problem),
        "state_missing": isinstance(problem, StateMissing),
        "needs_copy": isinstance(problem, StateNeedsCopy),
    }


def too_long() -> str:
    return _(
        "This is too long to be looked for: about 2,000 letters fit into an address that only this sign-in can read. "
        "Nothing was searched; take a part of it."
    )


def ended() -> str:
    return _(
        "This search belongs to a sign-in that has ended. Its words were kept nowhere, so it cannot be shown again."
    )
