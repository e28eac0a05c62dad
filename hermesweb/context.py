"""What the frame of every page needs: the profile in words, what waits, whether Hermes runs."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from hermesweb import homes
from hermesweb.accounts.models import Person
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.hermes.running import is_running
from hermesweb.sentences import Words, running_words
from memory.pending import count_pending


def shell(request: HttpRequest) -> Mapping[str, Any]:
    profile = getattr(request, "profile", None)
    if profile is None:
        return {"all_waiting": SimpleLazyObject(lambda: waiting_for(request))}
    return {
        "profile": profile,
        "pending": SimpleLazyObject(lambda: count_pending(profile)),
        "running": SimpleLazyObject(lambda: running_of(profile)),
    }


def waiting_for(request: HttpRequest) -> int:
    """How many proposals wait in all the profiles that the person may see: a badge on pages without one."""
    person = getattr(request, "user", None)
    if not isinstance(person, Person):
        return 0
    try:
        visible = homes.visible_to(person)
    except BadHomesSetting:
        return 0
    return sum(count_pending(profile).total for _home, profiles in visible for profile in profiles)


def running_of(profile: Any) -> Words:
    return running_words(is_running(profile))
