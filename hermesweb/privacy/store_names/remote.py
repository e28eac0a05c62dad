"""At services of others."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "model-provider": (
        _("Model providers"),
        _("Every prompt with MEMORY.md and USER.md, every message, pictures."),
    ),
    "memory-provider": (_("Memory provider"), _("What it was sent about you and your conversations.")),
    "messaging": (_("Messaging platforms"), _("All messages, in both directions.")),
    "debug-share": (
        _("Uploaded debug reports"),
        _("Logs and settings, at an address that anybody with it can open."),
    ),
    "hf-traces": (_("Traces at Hugging Face"), _("Whole conversations. Its history keeps older files.")),
    "search-browse": (
        _("Search and remote browsers"),
        _("What the agent searched for and which pages it opened."),
    ),
    "speech-image": (
        _("Speech and pictures"),
        _("Texts to speak, recordings to write down, pictures to make."),
    ),
    "langfuse": (_("Langfuse"), _("Full records of conversations, if it is on.")),
    "nemo": (_("NeMo"), _("Full records of conversations, if it is on.")),
    "sandbox-cloud": (_("Sandboxes in the cloud"), _("Commands and files.")),
    "spotify": (_("Spotify"), _("What the agent asked for.")),
    "google": (_("Google"), _("What the agent read and wrote there.")),
    "mcp-servers": (_("MCP servers"), _("What the agent sent to them.")),
    "hermes-itself": (
        _("Makers of Hermes"),
        _("Nothing about you: it asks for updates and lists of models."),
    ),
}
