import hashlib
import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from hermesweb.hermes.ids import encode_id


class Finding(models.Model):
    """Where in a state.db a key or a personal number stands, and of which kind it is. Never the value.

    `session` is the id in the form of an address, since an id can hold what no database can; `digest` finds it.
    `message` is None for a text of the session itself. `start` and `end`: code points in the text of `column`.
    `job`: the scan that saw it last.
    """

    home = models.CharField(max_length=100)
    profile = models.CharField(max_length=64)
    place = models.CharField(max_length=16, default="")  # which folder it was: hermesweb.homes.place_of
    session = models.TextField()
    digest = models.CharField(max_length=64)
    message = models.BigIntegerField(null=True)
    column = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    start = models.BigIntegerField()
    end = models.BigIntegerField()
    dismissed = models.BooleanField(default=False)
    job = models.UUIDField()

    class Meta:
        indexes = [
            models.Index(fields=["home", "profile", "digest"]),
            models.Index(fields=["home", "profile", "message"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.column} of {self.message or 'the session'}"


def digest_of(session: str) -> str:
    return hashlib.sha256(encode_id(session).encode()).hexdigest()


class DeletionDraft(models.Model):
    """What somebody was shown before they deleted: exactly this goes, not what arrived since.

    `plan` is sealed (hermesweb.jobs.sealing) and names sessions, no texts. It is gone once the deletion has begun,
    and with the next draft after it got too old to be believed.
    """

    KEPT = timedelta(hours=2)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    home = models.CharField(max_length=100)
    profile = models.CharField(max_length=64)
    place = models.CharField(max_length=16, default="")  # which folder it was: hermesweb.homes.place_of
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True)
    made = models.DateTimeField(default=timezone.now)
    plan = models.TextField()

    def __str__(self) -> str:
        return f"{self.home}/{self.profile} {self.made:%Y-%m-%d %H:%M}"
