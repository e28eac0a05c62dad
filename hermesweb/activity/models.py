from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Action(models.TextChoices):
    """What can be done. A value is kept for ever: the log refers to it."""

    SIGNED_IN = "signed_in", _("Signed in")
    SIGNED_IN_BY_LINK = "signed_in_by_link", _("Signed in by the first link")
    SIGN_IN_FAILED = "sign_in_failed", _("Sign-in failed")
    SIGNED_OUT = "signed_out", _("Signed out")
    PASSWORD_SET = "password_set", _("Chose a password")
    PASSWORD_CHANGED = "password_changed", _("Changed the password")
    VIEWED_OVERVIEW = "viewed_overview", _("Looked at the overview")
    VIEWED_MEMORY = "viewed_memory", _("Read the memory entries")
    DOWNLOADED_MEMORY = "downloaded_memory", _("Downloaded a memory file")
    MEMORY_ADDED = "memory_added", _("Added a memory entry")
    MEMORY_CHANGED = "memory_changed", _("Changed a memory entry")
    MEMORY_REMOVED = "memory_removed", _("Deleted memory entries")
    MEMORY_RESTORED = "memory_restored", _("Brought deleted memory entries back")
    MEMORY_MOVED = "memory_moved", _("Moved a memory entry to the other file")
    MEMORY_CLEARED = "memory_cleared", _("Emptied a memory file")
    MEMORY_TIDIED = "memory_tidied", _("Tidied a memory file")
    MEMORY_REFUSED = "memory_refused", _("Was refused a change of the memory")
    SIDE_FILE_REMOVED = "side_file_removed", _("Deleted a file beside the memory files")
    VIEWED_PENDING = "viewed_pending", _("Looked at what waits for approval")
    APPROVED = "approved", _("Approved a proposal")
    REJECTED = "rejected", _("Rejected a proposal")
    VIEWED_SESSIONS = "viewed_sessions", _("Looked at the list of conversations")
    SEARCHED = "searched", _("Searched the conversations")
    VIEWED_CONVERSATION = "viewed_conversation", _("Read a conversation")
    EXPORTED = "exported", _("Exported conversations")
    VIEWED_FINDINGS = "viewed_findings", _("Looked at the keys and numbers that were found")
    UNMASKED = "unmasked", _("Had a found key or number shown")
    FINDING_DISMISSED = "finding_dismissed", _("Put a found key or number aside")
    FINDING_RESTORED = "finding_restored", _("Took a found key or number back into the list")
    VIEWED_ACTIVITY = "viewed_activity", _("Looked at the activity")
    JOB_STARTED = "job_started", _("Started a job")
    JOB_CANCELLED = "job_cancelled", _("Asked a job to stop")
    JOB_CONTINUED = "job_continued", _("Let a job go on")
    COPY_REMOVED = "copy_removed", _("Removed the work copy")


class Activity(models.Model):
    """One line of the log: who did what to which profile, when, from where. Never a text of anybody."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="activities"
    )
    name = models.CharField(max_length=150, blank=True)  # stays readable when the person is gone
    # A value of Action, but not as its choices: each new action would need a migration.
    action = models.CharField(max_length=40)
    home = models.CharField(max_length=100, blank=True)
    profile = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=45, blank=True)
    about = models.CharField(max_length=60, blank=True)  # a code or an id of our own

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.name} {self.action}"

    @property
    def label(self) -> str:
        """What was done, in words; the value itself for one that a newer version wrote."""
        return str(Action(self.action).label) if self.action in Action.values else self.action
