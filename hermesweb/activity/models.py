from typing import Any, NoReturn

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
    SIGN_IN_ENDED = "sign_in_ended", _("A sign-in ended by itself")
    BROWSERS_SIGNED_OUT = "browsers_signed_out", _("Signed other browsers out")
    INVITATION_USED = "invitation_used", _("Used a link for one sign-in")
    SECOND_FACTOR_ADDED = "second_factor_added", _("Set up a second factor")
    SECOND_FACTOR_REMOVED = "second_factor_removed", _("Removed a second factor")
    RECOVERY_CODES_MADE = "recovery_codes_made", _("Made new recovery codes")
    ACCOUNT_CHANGED = "account_changed", _("Changed language or time zone")
    PERSON_INVITED = "person_invited", _("Invited somebody")
    LINK_MADE = "link_made", _("Made a link for one sign-in")
    ACCESS_CHANGED = "access_changed", _("Changed what somebody may see")
    OWNER_MADE = "owner_made", _("Made somebody an owner")
    OWNER_ENDED = "owner_ended", _("Made an owner an ordinary person")
    PERSON_SWITCHED_OFF = "person_switched_off", _("Switched somebody’s sign-in off")
    PERSON_SWITCHED_ON = "person_switched_on", _("Switched somebody’s sign-in on")
    PERSON_REMOVED = "person_removed", _("Removed somebody")
    SECOND_FACTOR_RESET = "second_factor_reset", _("Took somebody’s second factor away")
    HOUSEHOLD_CHANGED = "household_changed", _("Changed the settings for everybody")
    OPENED_WITH_NOTICE = "opened_with_notice", _("Opened a profile of others, with notice to them")
    NOTICE_READ = "notice_read", _("Read a notice")
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
    ACTIVITY_SAVED = "activity_saved", _("Saved the activity as a file")
    ACTIVITY_CHECKED = "activity_checked", _("Checked the activity")
    ACTIVITY_TRIMMED = "activity_trimmed", _("The oldest lines of the activity were removed, as set")
    VIEWED_STORES = "viewed_stores", _("Looked at the stores")
    TRACED = "traced", _("Looked for a phrase in every store")
    VIEWED_HIT = "viewed_hit", _("Had the text around a found phrase shown")
    DELETION_PLANNED = "deletion_planned", _("Looked at what a deletion would take")
    SESSIONS_DELETED = "sessions_deleted", _("Deleted conversations")
    LEFT_OVER_REMOVED = "left_over_removed", _("Removed left-over words from state.db")
    WIPED = "wiped", _("Cleared a profile")
    VIEWED_REPORT = "viewed_report", _("Read a report")
    REPORT_SAVED = "report_saved", _("Saved a report as a file")
    REPORT_DELETED = "report_deleted", _("Deleted a report")
    JOB_STARTED = "job_started", _("Started a job")
    JOB_CANCELLED = "job_cancelled", _("Asked a job to stop")
    JOB_CONTINUED = "job_continued", _("Let a job go on")
    COPY_REMOVED = "copy_removed", _("Removed the work copy")


class AppendOnly(Exception):
    """A line of the activity stays as it is."""


class Lines(models.QuerySet["Activity"]):
    """Only `hermesweb.activity.chain` adds lines, and only it takes the oldest away."""

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnly

    delete = update = bulk_create = bulk_update = create = get_or_create = update_or_create = _refuse
    # Django's own clean-up of what belongs to a deleted row, and its save().
    _raw_delete = _update = _refuse


class Activity(models.Model):
    """One line of the log: who did what to which profile, when, from where. Never a text of anybody.

    `digest` covers the line and the digest of the one before it: see hermesweb.activity.chain.
    """

    number = models.PositiveBigIntegerField(unique=True)  # without gaps
    at = models.DateTimeField(default=timezone.now, db_index=True)
    # Nothing happens to a line when its person is removed: numbers of people are never given again.
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, related_name="activities"
    )
    name = models.CharField(max_length=150, blank=True)  # stays readable when the person is gone
    # A value of Action, but not as its choices: each new action would need a migration.
    action = models.CharField(max_length=40)
    home = models.CharField(max_length=100, blank=True)
    profile = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=45, blank=True)
    about = models.CharField(max_length=60, blank=True)  # a code or an id of our own
    digest = models.CharField(max_length=64)

    objects = Lines.as_manager()

    class Meta:
        ordering = ["-number"]
        indexes = [models.Index(fields=["home", "profile", "-number"], name="activity_of_profile")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.name} {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None or not self.digest:
            raise AppendOnly
        super().save(*args, force_insert=True)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnly

    @property
    def label(self) -> str:
        """What was done, in words; the value itself for one that a newer version wrote."""
        return str(Action(self.action).label) if self.action in Action.values else self.action


class Chain(models.Model):
    """Where the chain of lines ends, and what it began with after the oldest were removed. One row.

    Whoever adds a line holds this row, so that no two get the same number.
    """

    number = models.PositiveBigIntegerField(default=0)  # of the last line
    digest = models.CharField(max_length=64, blank=True)
    removed = models.PositiveBigIntegerField(default=0)  # the number of the last line that was removed
    removed_digest = models.CharField(max_length=64, blank=True)
    looked_on = models.DateField(null=True)  # the day on which old lines were looked for

    def __str__(self) -> str:
        return f"{self.number} {self.digest}"
