import hashlib
import json
import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from hermesweb.jobs.models import Job


class Report(models.Model):
    """What became of each store in one run of clearing, for as long as somebody wants to keep it.

    `content` holds ids of stores, codes, counts, and names of files that are still there: nothing that was
    removed. Its form is that of hermesweb.privacy.wiping.report.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="report")
    home = models.CharField(max_length=100)
    profile = models.CharField(max_length=64)
    place = models.CharField(max_length=16, default="")  # which folder it was: hermesweb.homes.place_of
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    made = models.DateTimeField(default=timezone.now)
    content = models.JSONField(default=dict)
    checksum = models.CharField(max_length=64)

    class Meta:
        ordering = ["-made"]
        indexes = [models.Index(fields=["home", "profile", "-made"])]

    def __str__(self) -> str:
        return f"{self.home}/{self.profile} {self.made:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.checksum = checksum_of(self.content)
        super().save(*args, **kwargs)


def canonical(content: dict[str, Any]) -> bytes:
    """JSON with sorted keys and no spaces: what "Save as JSON" gives, and what the checksum is taken of."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def checksum_of(content: dict[str, Any]) -> str:
    """SHA-256, so that a saved file can be held against the report: `sha256sum FILE`."""
    return hashlib.sha256(canonical(content)).hexdigest()
