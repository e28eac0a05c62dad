"""Outside the home."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "user-backups": (
        _("Backups in your own folder"),
        _("Zip files and exported profiles, with everything in them."),
    ),
    "openclaw-leftover": (_("Memory of an earlier agent"), _("Folders of OpenClaw and its forerunners.")),
    "tmp-results": (_("Long results"), _("Output of tools that was too long, in the temporary folder.")),
    "tmp-shell": (
        _("Files of the agent’s shell"),
        _("Commands, output and variables, left behind when Hermes was stopped."),
    ),
    "tmp-voice": (_("Recordings and pictures"), _("Left in the temporary folder.")),
    "gateway-locks": (_("Locks of gateways"), _("Empty files that keep two gateways from using one bot.")),
    "desktop-app": (_("Desktop app"), _("Drafts, history of what you typed, connections.")),
    "services": (_("Start-up entries"), _("How the system starts Hermes. Paths only.")),
    "other-clis": (_("Sign-ins of other programs"), _("Hermes reads them, but they are not its own.")),
    "worktrees": (_("Copies of repositories"), _("Branches the agent worked on.")),
    "containers": (_("Containers"), _("Skills, keys and files inside Docker containers.")),
    "remote-sandboxes": (
        _("Sandboxes on other machines"),
        _("Skills, keys and files that were copied there."),
    ),
    "os-level": (
        _("Traces of the system"),
        _("Shell history, system log, file system snapshots, swap and old disk blocks."),
    ),
}
