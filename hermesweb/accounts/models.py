from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Person(AbstractUser):
    """Somebody who may sign in. A superuser is an owner: manages people and homes, sees every profile."""

    language = models.CharField(max_length=10, blank=True)  # empty: what the browser asks for
    zone = models.CharField(max_length=64, blank=True)  # empty: the machine's

    class Meta(AbstractUser.Meta):
        verbose_name = _("person")  # type: ignore[assignment]  # django-stubs says str
        verbose_name_plural = _("people")  # type: ignore[assignment]

    @property
    def is_owner(self) -> bool:
        return self.is_superuser


class Level(models.TextChoices):
    """What somebody may do with a profile."""

    MEMBER = "member", _("Member")
    REVIEWER = "reviewer", _("Reviewer")


class ProfileAccess(models.Model):
    """One profile that a person may see. A member does everything there; a reviewer only reads.

    An owner sees profiles without this; with it the profile is theirs too, and needs no notice to anybody.
    """

    person = models.ForeignKey(Person, models.CASCADE, related_name="profiles")
    home = models.CharField(max_length=100)
    profile = models.CharField(max_length=64)
    level = models.CharField(max_length=10, choices=Level.choices, default=Level.MEMBER)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "home", "profile"], name="one_access_each")]

    def __str__(self) -> str:
        return f"{self.home}/{self.profile}"


class Household(models.Model):
    """What an owner decided for everybody. There is one row, or none yet."""

    YEAR = 365

    second_factor_required = models.BooleanField(default=False)
    activity_days = models.PositiveIntegerField(default=YEAR)  # 0: for ever

    def __str__(self) -> str:
        return "household"

    @classmethod
    def now(cls) -> Household:
        return cls.objects.filter(pk=1).first() or cls(pk=1)


class Notice(models.Model):
    """Something a member is told on their next page: who opened their profile, or was let into it."""

    class Kind(models.TextChoices):
        OPENED = "opened", _("opened your profile")
        LET_IN = "let_in", _("was let into your profile")

    person = models.ForeignKey(Person, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    by = models.CharField(max_length=150)
    home = models.CharField(max_length=100)
    profile = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.kind} {self.home}/{self.profile}"


def in_a_day() -> datetime:
    return timezone.now() + SignInLink.LASTS


class SignInLink(models.Model):
    """A link that signs in once. Only a digest of its token is kept.

    Without a person it is the first link, which makes the owner; with one it is theirs: an invitation, or the
    way back in that somebody made on the machine.
    """

    LASTS = timedelta(hours=24)

    digest = models.CharField(max_length=64, primary_key=True)
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="links")
    made = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(default=in_a_day)

    def __str__(self) -> str:
        return f"made {self.made:%Y-%m-%d %H:%M}"

    @staticmethod
    def digest_of(token: str) -> str:
        return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()

    @classmethod
    def make(
        cls, person: Person | None = None, *, lasts: timedelta = LASTS, keep_others: bool = False
    ) -> str:
        """The token of a fresh link; every earlier one of the same person stops working, unless they are kept
        because another server gave them out."""
        token = secrets.token_urlsafe(24)
        if not keep_others:
            cls.objects.filter(person=person).delete()
        cls.objects.create(digest=cls.digest_of(token), person=person, until=timezone.now() + lasts)
        return token

    @classmethod
    def find(cls, token: str) -> models.QuerySet[SignInLink]:
        """The first link with this token, if it still works."""
        return cls._good(token).filter(person=None)

    @classmethod
    def find_invitation(cls, token: str) -> models.QuerySet[SignInLink]:
        """The link of a person with this token, if it still works."""
        return cls._good(token).filter(person__is_active=True)

    @classmethod
    def _good(cls, token: str) -> models.QuerySet[SignInLink]:
        return cls.objects.filter(digest=cls.digest_of(token), until__gt=timezone.now())

    @classmethod
    def spend(cls, token: str) -> bool:
        """Whether *token* was good; it is not any more, also for a simultaneous second try."""
        return cls._good(token).delete()[0] == 1


def somebody_has_a_password() -> bool:
    """Whether the first sign-in is over: from then on only a password opens anything."""
    people = Person.objects.filter(is_active=True)
    return any(person.has_usable_password() for person in people.iterator())
