"""One conversation, read as it was; one message of it whole; the prompt that is kept for a session."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from sessions.asked import SearchAsked
from sessions.errors import StateError
from sessions.query_text import Alternative, parse
from sessions.reading_asked import ReadAsked, read_asked, whole_number
from sessions.reading_page import conversation_page, message_page, prompt_page
from sessions.reading_words import state_problem
from sessions.search_token import NotOurToken, unseal
from sessions.transcript_errors import NoSuchMessage, NoSuchSession


@require_safe
@profile_page
def conversation(request: HttpRequest, profile: Profile, session: str) -> HttpResponse:
    """A part of a conversation. htmx asks for the turns alone when somebody scrolls to the end of the page."""
    asked = _asked(request, session)
    alternatives, ended = _words(request, profile, asked)
    if not asked.goes_on:
        record(request, Action.VIEWED_CONVERSATION, profile)
    found = _read(lambda: conversation_page(profile, asked, alternatives))
    results = SearchAsked(token=asked.found).address(profile) if alternatives else ""
    context = {"asked": asked, "search_ended": ended, "results": results, **found}
    part = "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers
    return render(request, "_turns.html" if part and "page" in found else "conversation.html", context)


@require_safe
@profile_page
def message(request: HttpRequest, profile: Profile, session: str, message: str) -> HttpResponse:
    """One message with all of its texts."""
    asked = _asked(request, session)
    alternatives, _ended = _words(request, profile, asked)
    record(request, Action.VIEWED_CONVERSATION, profile, about="message")
    number = whole_number(message)
    if number is None:
        raise Http404
    found = _read(lambda: message_page(profile, asked, number, alternatives))
    back = asked.at_message(number).address(profile)
    context: dict[str, Any] = {"asked": asked, "back": f"{back}#m{number}", **found}
    if turn := found.get("page"):
        context |= {"turn": turn, "exact": turn.exact, "whole": True}
    return render(request, "message.html", context)


@require_safe
@profile_page
def stored_prompt(request: HttpRequest, profile: Profile, session: str) -> HttpResponse:
    """The system prompt of a session: what its provider was sent first, memory marked."""
    asked = _asked(request, session)
    record(request, Action.VIEWED_CONVERSATION, profile, about="prompt")
    found = _read(lambda: prompt_page(profile, asked))
    context: dict[str, Any] = {"asked": asked, "back": ReadAsked(asked.session).address(profile), **found}
    if "page" in found:
        context["about"], context["prompt"] = found["page"]
    return render(request, "stored_prompt.html", context)


def _asked(request: HttpRequest, session: str) -> ReadAsked:
    try:
        return read_asked(decode_id(session), request.GET)
    except ValueError:
        raise Http404 from None


def _words(request: HttpRequest, profile: Profile, asked: ReadAsked) -> tuple[Sequence[Alternative], bool]:
    """The words of the search that led here, and whether its sign-in has ended."""
    try:
        return parse(unseal(request, profile, asked.found).get("words", "")).alternatives, False
    except NotOurToken:
        return (), True


def _read(read: Callable[[], Any]) -> dict[str, Any]:
    """What was read, or why nothing was."""
    try:
        return {"page": read()}
    except (NoSuchSession, NoSuchMessage):
        raise Http404 from None
    except StateError as problem:
        return state_problem(problem)
