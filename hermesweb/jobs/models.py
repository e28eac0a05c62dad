import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_extensions.db.models import TimeStampedModel


class Job(TimeStampedModel):
    """A piece of long work. The queue only starts it: progress, cancelling and restarts are kept here.

    `checkpoint` and `outcome` hold counts, codes and relative places, never a text from a home. What has to be
    known for the time of the work, as a phrase that is looked for, is encrypted in `sealed` and goes at its end.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    # A worker says every 3 seconds that it lives; after five silent ones it is taken for dead.
    SILENCE = timedelta(seconds=15)
    ENDED = (State.DONE, State.FAILED, State.CANCELLED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=40)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    home = models.CharField(max_length=100)
    profile = models.CharField(max_length=64)
    place = models.CharField(max_length=16, default="")  # which folder it was: hermesweb.homes.place_of
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    step = models.CharField(max_length=60, blank=True)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    cancel_wanted = models.BooleanField(default=False)
    heartbeat = models.DateTimeField(null=True)
    attempt = models.PositiveIntegerField(default=0)
    checkpoint = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    sealed = models.TextField(blank=True)  # hermesweb.jobs.sealing
    not_before = models.DateTimeField(null=True)
    started = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)

    class Meta(TimeStampedModel.Meta):
        ordering = ["-created"]
        indexes = [models.Index(fields=["home", "profile", "kind", "-created"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"

    @property
    def over(self) -> bool:
        return self.state in self.ENDED

    @property
    def silent(self) -> bool:
        """Running on paper, but its worker has not been heard of: it died, or the machine slept."""
        heard = self.heartbeat or self.modified
        return self.state == self.State.RUNNING and timezone.now() - heard > self.SILENCE
