"""What the frame of every page needs: the profile in words, what waits, whether Hermes runs."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from hermesweb.accounts.access import visible
from hermesweb.accounts.models import Notice, Person
from hermesweb.accounts.standing import Standing, standing_of
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.hermes.homes import Profile
from hermesweb.lately import lately_running
from hermesweb.sentences import Words, running_words
from hermesweb.writable import may_write
from memory.pending import count_pending

NOTICES = 2  # at once, at the top of a page


def shell(request: HttpRequest) -> Mapping[str, Any]:
    profile = getattr(request, "profile", None)
    always = {"notices": SimpleLazyObject(lambda: notices_for(request))}
    if profile is None:
        return always | {"all_waiting": SimpleLazyObject(lambda: waiting_for(request))}
    return always | {
        "profile": profile,
        "reviewing": standing_of(request, profile.home.key, profile.name) is Standing.REVIEWER,
        "pending": SimpleLazyObject(lambda: count_pending(profile)),
        "running": SimpleLazyObject(lambda: running_of(profile)),
        "may_write": SimpleLazyObject(lambda: may_write(profile)),
    }


def waiting_for(request: HttpRequest) -> int:
    """How many proposals wait in all the profiles that the person may see: a badge on pages without one."""
    try:
        found = visible(request)
    except BadHomesSetting:
        return 0
    return sum(count_pending(profile).total for _home, profiles in found for profile in profiles)


def notices_for(request: HttpRequest) -> list[Notice]:
    person = getattr(request, "user", None)
    return list(person.notices.all()[:NOTICES]) if isinstance(person, Person) else []


def running_of(profile: Profile) -> Words:
    """For the foot of every page."""
    return running_words(lately_running(profile))
