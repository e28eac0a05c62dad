"""Which lines of the activity somebody may read, and which of them they asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from hermesweb.accounts.models import Level, Person
from hermesweb.activity.models import Action, Activity

# What is in no other group changed something.
GROUPS: Final[dict[str, tuple[Any, tuple[str, ...]]]] = {
    "looked": (_("Looked at or took along"), ("viewed_", "searched", "unmasked", "exported", "downloaded_")),
    "changed": (_("Changed or decided"), ()),
    "removed": (
        _("Removed or wiped"),
        ("memory_removed", "memory_cleared", "side_file_", "sessions_deleted", "left_over_", "wipe", "removed_"),
    ),
    "signed": (
        _("Signed in and out"),
        ("sign", "password_", "browsers_", "invitation_", "second_factor_added", "second_factor_removed",
         "recovery_", "account_"),
    ),
    "people": (
        _("People and access"),
        ("person_", "link_", "access_", "owner_", "household_", "opened_", "notice_", "second_factor_reset",
         "activity_"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What to show. `who`: a number of a person; `home` and `profile` both or none; `until` is included."""

    who: int | None = None
    what: str = ""
    home: str = ""
    profile: str = ""
    since: date | None = None
    until: date | None = None
    before: int | None = None

    @property
    def narrowed(self) -> bool:
        return bool(self.who or self.what or self.profile or self.since or self.until)

    @property
    def query(self) -> str:
        """As it stands in an address, without the place in the list."""
        values = {
            "who": self.who, "what": self.what, "profile": f"{self.home}/{self.profile}" if self.profile else "",
            "since": self.since, "until": self.until,
        }  # fmt: skip
        return urlencode({name: str(value) for name, value in values.items() if value})


def asked(data: QueryDict) -> Asked:
    """What an address asks for; what cannot be understood is left out."""
    home, _slash, profile = data.get("profile", "").replace("\0", "").partition("/")
    what = data.get("what", "")
    return Asked(
        who=number(data.get("who", "")),
        what=what if what in GROUPS else "",
        home=home if profile else "",
        profile=profile,
        since=day(data.get("since", "")),
        until=day(data.get("until", "")),
        before=number(data.get("before", "")),
    )


def number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def lines_of(person: Any) -> QuerySet[Activity]:
    """An owner reads all. Others read what they did, and what was done to profiles they are a member of since
    they are."""
    if not isinstance(person, Person):
        return Activity.objects.none()
    if person.is_owner:
        return Activity.objects.all()
    mine = Q(person_id=person.pk)
    for access in person.profiles.filter(level=Level.MEMBER):
        mine |= Q(home=access.home, profile=access.profile, at__gte=access.since)
    return Activity.objects.filter(mine)


def narrowed(lines: QuerySet[Activity], wanted: Asked) -> QuerySet[Activity]:
    """The lines that were asked for, newest first."""
    if wanted.who is not None:
        lines = lines.filter(person_id=wanted.who)
    if wanted.what:
        lines = lines.filter(action__in=actions_of(wanted.what))
    if wanted.profile:
        lines = lines.filter(home=wanted.home, profile=wanted.profile)
    if wanted.since:
        lines = lines.filter(at__gte=midnight(wanted.since))
    if wanted.until and wanted.until < date.max:
        lines = lines.filter(at__lt=midnight(wanted.until + timedelta(days=1)))
    if wanted.before is not None:
        lines = lines.filter(number__lt=wanted.before)
    return lines


def actions_of(group: str) -> list[str]:
    return [action for action in Action.values if group_of(action) == group]


def group_of(action: str) -> str:
    return next(
        (name for name, (_words, starts) in GROUPS.items() if starts and action.startswith(starts)), "changed"
    )


def midnight(of: date) -> datetime:
    """Where a day begins in the zone of who reads."""
    return timezone.make_aware(datetime.combine(of, time.min))


def names(lines: Iterable[Activity]) -> dict[int, str]:
    """Who the lines are about, by number, as far as they are still there."""
    about = {number(line.about.split()[1]) for line in lines if line.about.startswith("person ")}
    found = Person.objects.filter(pk__in=[pk for pk in about if pk])
    return dict(found.values_list("pk", "username"))
