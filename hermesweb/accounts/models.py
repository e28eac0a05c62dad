from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Person(AbstractUser):
    """Somebody who may sign in. A superuser is an owner: sees every profile, manages people and homes."""

    class Meta(AbstractUser.Meta):
        verbose_name = _("person")  # type: ignore[assignment]  # django-stubs says str
        verbose_name_plural = _("people")  # type: ignore[assignment]

    @property
    def is_owner(self) -> bool:
        return self.is_superuser


class ProfileAccess(models.Model):
    """One profile that a person who is no owner may see."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="profiles")
    home = models.CharField(max_length=100)
    profile = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "home", "profile"], name="one_access_each")]

    def __str__(self) -> str:
        return f"{self.home}/{self.profile}"


class SignInLink(models.Model):
    """A link that signs in once. Only a digest of its token is kept."""

    LASTS = timedelta(hours=24)

    digest = models.CharField(max_length=64, primary_key=True)
    made = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"made {self.made:%Y-%m-%d %H:%M}"

    @staticmethod
    def digest_of(token: str) -> str:
        return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()

    @classmethod
    def make(cls, *, keep_others: bool = False) -> str:
        """The token of a fresh link; every earlier one stops working, unless another server gave it out."""
        token = secrets.token_urlsafe(24)
        if not keep_others:
            cls.objects.all().delete()
        cls.objects.create(digest=cls.digest_of(token))
        return token

    @classmethod
    def find(cls, token: str) -> models.QuerySet[SignInLink]:
        return cls.objects.filter(digest=cls.digest_of(token), made__gt=timezone.now() - cls.LASTS)

    @classmethod
    def spend(cls, token: str) -> bool:
        """Whether *token* was good; it is not any more, also for a simultaneous second try."""
        return cls.find(token).delete()[0] == 1


def somebody_has_a_password() -> bool:
    """Whether the first sign-in is over: from then on only a password opens anything."""
    people = Person.objects.filter(is_active=True)
    return any(person.has_usable_password() for person in people.iterator())
