"""What an owner changes about people. Each function does it whole or raises; the last owner always stays one."""

from collections.abc import Mapping

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction

from hermesweb.accounts.models import Level, Notice, Person, ProfileAccess
from hermesweb.accounts.standing import Name


class LastOwner(Exception):
    """Without this person nobody could manage people and homes any more."""


def invite(name: str) -> Person:
    """Somebody who has no password yet; a link leads to choosing one. The name has to be free."""
    person = Person(username=name)
    person.set_unusable_password()
    person.save()
    return person


def set_access(person: Person, wanted: Mapping[Name, str]) -> None:
    """Give exactly these levels. The other members of a profile are told of whom was let in."""
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=person.pk)
        had = {(each.home, each.profile): each for each in person.profiles.all()}
        person.profiles.exclude(pk__in=[had[name].pk for name in had if name in wanted]).delete()
        more = []
        for name, level in wanted.items():
            access = had.get(name)
            if access is None:
                access = ProfileAccess(person=person, home=name[0], profile=name[1])
            elif access.level == level:
                continue
            access.level = level
            access.save()
            more.append(access)
        for access in more:
            tell_members(access.home, access.profile, Notice.Kind.LET_IN, about=person)


def tell_members(home: str, profile: str, kind: str, *, about: Person) -> None:
    """A notice about somebody for each other member of a profile."""
    members = ProfileAccess.objects.filter(home=home, profile=profile, level=Level.MEMBER)
    told = [
        Notice(person_id=member, kind=kind, by=about.get_username(), home=home, profile=profile)
        for member in members.exclude(person=about).values_list("person", flat=True)
    ]
    Notice.objects.bulk_create(told)


def set_owner(person: Person, owner: bool) -> None:
    """Raises LastOwner."""
    with transaction.atomic():
        if not owner:
            keep_an_owner(person)
        Person.objects.filter(pk=person.pk).update(is_superuser=owner, is_staff=owner)


def switch(person: Person, active: bool) -> None:
    """Whether somebody may sign in. Whoever may not is signed out everywhere. Raises LastOwner."""
    with transaction.atomic():
        if not active:
            keep_an_owner(person)
            sign_out_everywhere(person)
        Person.objects.filter(pk=person.pk).update(is_active=active)


def remove(person: Person) -> None:
    """Their lines in the activity stay, with the name. Raises LastOwner."""
    with transaction.atomic():
        keep_an_owner(person)
        sign_out_everywhere(person)
        person.delete()


def keep_an_owner(person: Person) -> None:
    """Holds the rows of all owners until the end of the transaction: of two who remove each other one fails."""
    owners = list(Person.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk"))
    others = [each for each in owners if each.pk != person.pk and each.has_usable_password()]
    if person.pk in [each.pk for each in owners] and not others:
        raise LastOwner


def sign_out_everywhere(person: Person) -> None:
    for browser in UserSession.objects.filter(user=person):
        browser.end()


def reset_second_factor(person: Person) -> int:
    """How many were taken away, recovery codes included."""
    return int(Authenticator.objects.filter(user=person).delete()[0])
