"""What our own database noted about a profile: gone with the conversations it was about."""

from contextlib import suppress
from typing import Final

from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from django.db.models import Q

from hermesweb.hermes.homes import Profile

# Who may see what, who did what, and what was cleared: these stay, and hold no text and no id of a conversation.
KEPT: Final = frozenset(("accounts.ProfileAccess", "accounts.Notice", "activity.Activity", "privacy.Report"))
CLEARING_JOBS: Final = ("wipe", "look_again", "check_again")


def noted_models() -> list[type[models.Model]]:
    """Every model of ours whose rows are about one profile and go with it."""
    return [
        model
        for model in apps.get_models()
        if model._meta.label not in KEPT and {"home", "profile"} <= {each.name for each in model._meta.fields}
    ]


def forget(profile: Profile) -> int:
    """Remove these rows, of every folder that had this name; how many there were. A job that still runs ends at
    its next step. The old pages leave our journal too, unless somebody reads just now. Raises DatabaseError."""
    about = Q(home=profile.home.key, profile=profile.name)
    removed = 0
    with transaction.atomic():
        for model in noted_models():
            rows = model._default_manager.filter(about)
            if model._meta.label == "jobs.Job":
                rows = rows.exclude(kind__in=CLEARING_JOBS)
            removed += rows.count()
            rows.delete()
    _empty_the_journal()
    return removed


def forget_if_there(profile: Profile) -> int:
    """The same for the command line, which also works without a database of ours."""
    try:
        return forget(profile)
    except DatabaseError:
        return 0


def _empty_the_journal() -> None:
    if connection.vendor == "sqlite":
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
