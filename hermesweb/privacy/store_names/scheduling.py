"""Scheduled jobs, boards and projects."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "cron-jobs": (_("Scheduled jobs"), _("What should be done when, and who gets the result.")),
    "cron-output": (_("Results of scheduled jobs"), _("What they answered.")),
    "cron-exec": (_("Runs of scheduled jobs"), _("When they ran, errors, messages on their way and notes.")),
    "cron-suggestions": (_("Suggested jobs"), _("What the agent thinks you might want regularly.")),
    "cron-locks": (_("Locks of scheduled jobs"), _("Empty files that keep a job from running twice.")),
    "kanban-db": (_("Boards"), _("Tasks, comments and results.")),
    "kanban-locks": (
        _("Locks of the boards"),
        _("Empty files that keep two programs from writing at the same time."),
    ),
    "kanban-files": (
        _("Files of the boards"),
        _("Attachments, work folders and everything the workers said."),
    ),
    "projects": (_("Projects"), _("Names and folders of projects.")),
}
