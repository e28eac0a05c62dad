from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import profile_page
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.sentences import state_sentence
from memory.history import THOROUGH, History, look_into_history
from memory.outcome_words import OUTCOMES
from memory.page import Files, files_of
from memory.remembering import settings_of
from memory.setting_words import setting_view
from sessions.database import read_state
from sessions.promises import PromiseSearch, Refusal, broken_promises, refusals

ON_A_PAGE = 100


@dataclass(frozen=True)
class Missed:
    refusal: Refusal
    outcome: str


@require_safe
@profile_page
def memory_history(request: HttpRequest, profile: Profile) -> HttpResponse:
    """What was deleted and still stands in stored prompts, and what Hermes wanted to keep and did not."""
    record(request, Action.VIEWED_MEMORY, profile, about="history")
    files = files_of(profile)
    history = look_into_history(files, THOROUGH)
    promises, problem = promises_of(files)
    refused = refusals(history.calls.calls) if history.calls else []
    problem = history.problem or problem
    context = {
        "history": history,
        "gone": history.prompts.gone[:ON_A_PAGE] if history.prompts else (),
        "missed": [Missed(one, str(OUTCOMES[one.call.outcome])) for one in refused[:ON_A_PAGE]],
        "missed_more": max(0, len(refused) - ON_A_PAGE),
        "promises": promises,
        "problem": state_sentence(problem) if problem else "",
        "whole": complete(history, promises),
    }
    return render(request, "memory_history.html", context)


def promises_of(files: Files) -> tuple[PromiseSearch | None, HermesError | None]:
    copy = copy_of(settings.WORK_FOLDER, files.profile)
    try:
        return read_state(files.profile.folder, lambda db: broken_promises(db, THOROUGH), copy=copy), None
    except HermesError as problem:
        return None, problem


def complete(history: History, promises: PromiseSearch | None) -> bool:
    return history.complete and bool(promises and promises.complete)


@require_safe
@profile_page
def memory_settings(request: HttpRequest, profile: Profile) -> HttpResponse:
    """How Hermes is set to remember: each key, what this release makes of it, and how to change it."""
    files = files_of(profile)
    holding = frozenset(store.target for store in files.stores if store.entries)
    listed = settings_of(files.config, files.release.rules, profile.name, holding)
    context = {"settings": [setting_view(one) for one in listed], "release": files.release}
    return render(request, "memory_settings.html", context)
