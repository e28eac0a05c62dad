"""One conversation, read as it was; one message of it whole; the prompt that is kept for a session."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.accounts.confirm import confirmed
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
def conversation(request: HttpRequest, profile: Profile, session: str) -> HttpResponseBase:
    """A part of a conversation. htmx asks for the turns alone when somebody scrolls to the end of the page."""
    if "unmasked" in request.GET and not _is_part(request):
        return _conversation_unmasked(request, profile, session)
    return _conversation(request, profile, session)


def _conversation(request: HttpRequest, profile: Profile, session: str) -> HttpResponse:
    asked = _asked(request, session)
    if asked.unmasked and not did_recently_reauthenticate(request):
        asked = replace(asked, unmasked=False)  # ten minutes have gone while somebody scrolled
    alternatives, ended = _words(request, profile, asked)
    if not asked.goes_on:
        record(request, Action.VIEWED_CONVERSATION, profile)
    if asked.unmasked:
        record(request, Action.UNMASKED, profile, about="conversation")
    found = _read(lambda: conversation_page(profile, asked, alternatives))
    results = SearchAsked(token=asked.found).address(profile) if alternatives else ""
    context = {"asked": asked, "search_ended": ended, "results": results, **found}
    part = _is_part(request) and "page" in found
    answer = render(request, "_turns.html" if part else "conversation.html", context)
    return _noted(answer, asked)


_conversation_unmasked = confirmed(_conversation)


@require_safe
@profile_page
def message(request: HttpRequest, profile: Profile, session: str, message: str) -> HttpResponseBase:
    """One message with all of its texts."""
    show = _message_unmasked if "unmasked" in request.GET else _message
    return show(request, profile, session, message)


def _message(request: HttpRequest, profile: Profile, session: str, message: str) -> HttpResponse:
    asked = _asked(request, session)
    alternatives, _ended = _words(request, profile, asked)
    record(request, _act(asked), profile, about="message")
    number = whole_number(message)
    if number is None:
        raise Http404
    found = _read(lambda: message_page(profile, asked, number, alternatives))
    back = asked.at_message(number).address(profile)
    context: dict[str, Any] = {"asked": asked, "back": f"{back}#m{number}", **found}
    if turn := found.get("page"):
        context |= {"turn": turn, "exact": turn.exact, "whole": True}
    return _noted(render(request, "message.html", context), asked)


_message_unmasked = confirmed(_message)


@require_safe
@profile_page
def stored_prompt(request: HttpRequest, profile: Profile, session: str) -> HttpResponseBase:
    """The system prompt of a session: what its provider was sent first, memory marked."""
    show = _stored_prompt_unmasked if "unmasked" in request.GET else _stored_prompt
    return show(request, profile, session)


def _stored_prompt(request: HttpRequest, profile: Profile, session: str) -> HttpResponse:
    asked = _asked(request, session)
    record(request, _act(asked), profile, about="prompt")
    found = _read(lambda: prompt_page(profile, asked))
    context: dict[str, Any] = {"asked": asked, "back": ReadAsked(asked.session).address(profile), **found}
    if "page" in found:
        context["about"], context["prompt"] = found["page"]
        context["unmask"] = replace(asked, unmasked=True).address(profile, "stored_prompt")
    return _noted(render(request, "stored_prompt.html", context), asked)


_stored_prompt_unmasked = confirmed(_stored_prompt)


def _is_part(request: HttpRequest) -> bool:
    return "HX-Request" in request.headers and "HX-History-Restore-Request" not in request.headers


def _act(asked: ReadAsked) -> Action:
    return Action.UNMASKED if asked.unmasked else Action.VIEWED_CONVERSATION


def _noted(answer: HttpResponse, asked: ReadAsked) -> HttpResponse:
    """For a reviewer too: it was asked for and written down."""
    answer.unmasked = asked.unmasked  # type: ignore[attr-defined]
    return answer


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
