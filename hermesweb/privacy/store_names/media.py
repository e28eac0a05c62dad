"""Media, the browser and work."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "cache-images": (_("Pictures"), _("Pictures received and made.")),
    "cache-documents": (_("Documents"), _("Files received, with their names.")),
    "cache-audio": (_("Voice"), _("Voice notes received and speech made. Nothing removes them.")),
    "cache-videos": (_("Videos"), _("Videos received. Nothing removes them.")),
    "cache-vision": (_("Pictures shown to the model"), _("Pictures and screens the model was to look at.")),
    "cache-video": (_("Videos shown to the model"), _("Videos the model was to look at.")),
    "screenshots": (_("Pictures of web pages"), _("What the agent’s browser showed.")),
    "recordings": (_("Recordings of the browser"), _("Videos of what the agent’s browser did.")),
    "browser-profile": (
        _("Browser of the agent"),
        _("Cookies, history and sign-ins of the agent’s browser, perhaps copied from yours."),
    ),
    "workspace": (_("Work and plans"), _("Files the agent made for you, notes of meetings, plans.")),
    "sandboxes": (_("Sandboxes"), _("Everything done in a closed-off work space.")),
    "subprocess-home": (_("Home folder of tools"), _("History and sign-ins of programs the agent ran.")),
    "sandbox-remote-ids": (
        _("Names of remote sandboxes"),
        _("Copies at a service are found by these names."),
    ),
    "terminal-output": (_("Output of commands"), _("Everything that commands printed.")),
    "terminal-files": (_("Files of the agent’s terminal"), _("Commands and output on Windows.")),
    "scratch": (_("Working files of tools"), _("What tools put down for a while.")),
    "citations": (_("Sources quoted"), _("Pages the agent quoted from.")),
    "telemetry": (_("Counters of use"), _("How often what was used. Hermes asks before it counts.")),
    "pet-gen": (_("Drawn pets"), _("Pictures of the pet in the terminal.")),
    "piper-voices": (_("Voices"), _("Voices for speech, downloaded.")),
    "secret-cache": (
        _("Fetched secrets"),
        _("Secrets from Bitwarden or 1Password, readable. Hermes fetches them again."),
    ),
    "model-caches": (_("Lists of models"), _("What models and tools there are. Nothing about you.")),
}
