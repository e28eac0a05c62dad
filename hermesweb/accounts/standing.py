"""Where a person stands towards each profile. By names alone: nothing on disk is touched."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum

from django.db.models import Q
from django.http import HttpRequest

from hermesweb.accounts.models import Level, Person, ProfileAccess
from hermesweb.hermes.homes import Profile

Name = tuple[str, str]  # key of a home, name of a profile
OPENED = "opened"  # in the session: which profiles of others an owner opened, and until when
OPEN_SECONDS = 60 * 60

# Who asks just now, so that also a page of several profiles offers only what may be done with each.
asking: ContextVar[HttpRequest | None] = ContextVar("asking", default=None)


class Standing(Enum):
    NONE = "none"  # the profile does not exist for this person
    CLOSED = "closed"  # an owner's, with members: may be named and counted, and opened with notice
    REVIEWER = "reviewer"  # reads
    MEMBER = "member"  # everything

    @property
    def reads(self) -> bool:
        return self in (Standing.REVIEWER, Standing.MEMBER)


@dataclass(frozen=True)
class Rights:
    """What one person may do: their own profiles, and for an owner those of others and which are opened."""

    owner: bool = False
    levels: Mapping[Name, str] | None = None
    others: Collection[Name] = ()
    opened: Collection[Name] = ()

    def of(self, home: str, profile: str) -> Standing:
        name = (home, profile)
        level = (self.levels or {}).get(name)
        if level == Level.MEMBER:
            return Standing.MEMBER
        if self.owner:
            return Standing.MEMBER if name in self.opened or name not in self.others else Standing.CLOSED
        return Standing.REVIEWER if level else Standing.NONE


def rights_of(request: HttpRequest) -> Rights:
    """Looked up once for each request."""
    known: Rights | None = getattr(request, "_rights", None)
    if known is None:
        known = request._rights = look_up(request)  # type: ignore[attr-defined]
    return known


def look_up(request: HttpRequest) -> Rights:
    person = getattr(request, "user", None)
    if not isinstance(person, Person) or not person.is_active:
        return Rights()
    asked = Q(person=person) | Q(level=Level.MEMBER) if person.is_owner else Q(person=person)
    found = ProfileAccess.objects.filter(asked).values_list("person_id", "home", "profile", "level")
    rows = [(who == person.pk, (home, profile), level) for who, home, profile, level in found]
    levels = {name: level for own, name, level in rows if own}
    if not person.is_owner:
        return Rights(levels=levels)
    return Rights(True, levels, {name for own, name, _ in rows if not own}, opened_of(request))


def standing_of(request: HttpRequest, home: str, profile: str) -> Standing:
    return rights_of(request).of(home, profile)


def may_change(profile: Profile) -> bool:
    """Whether who asks just now may change this profile. Commands and jobs, for which nobody asks, may."""
    request = asking.get()
    return request is None or standing_of(request, profile.home.key, profile.name) is Standing.MEMBER


def opened_of(request: HttpRequest) -> set[Name]:
    """The profiles of others that were opened in this sign-in within the last hour."""
    opened = request.session.get(OPENED, [])
    return {(home, profile) for home, profile, until in opened if until > time.time()}


def open_profile(request: HttpRequest, profile: Profile) -> None:
    name = (profile.home.key, profile.name)
    kept = [each for each in request.session.get(OPENED, []) if (each[0], each[1]) != name]
    request.session[OPENED] = [*kept, [*name, time.time() + OPEN_SECONDS]]
    forget(request)


def forget(request: HttpRequest) -> None:
    """After a change: what was looked up holds no longer."""
    request._rights = None  # type: ignore[attr-defined]
