"""External memory providers."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "provider-holographic": (
        _("Holographic memory"),
        _("Facts about you in a database of their own. A memory reset leaves it."),
    ),
    "provider-byterover": (_("ByteRover, here"), _("Its copy of memory on this machine.")),
    "provider-retaindb": (
        _("RetainDB, not yet sent"),
        _("Parts of conversations that are sent at the next start."),
    ),
    "provider-honcho": (_("Honcho, settings"), _("Key, your name there, and which folders you worked in.")),
    "provider-honcho-outside": (
        _("Honcho, shared settings"),
        _("Key and name, in your own folder and for all homes."),
    ),
    "provider-hindsight": (_("Hindsight, settings"), _("Its settings, perhaps with a key.")),
    "provider-hindsight-outside": (
        _("Hindsight, shared settings"),
        _("Its settings and keys in your own folder."),
    ),
    "provider-mem0": (_("Mem0, settings"), _("Key and name there.")),
    "provider-mem0-data": (_("Mem0, here"), _("Its memory on this machine.")),
    "provider-mem0-outside": (
        _("Mem0, in the usual home"),
        _("Its memory in ~/.hermes, whichever home you use."),
    ),
    "provider-openviking": (_("OpenViking"), _("Its settings and what waits to be uploaded.")),
    "provider-supermemory": (_("Supermemory, settings"), _("Key and name there.")),
    "provider-byterover-remote": (
        _("ByteRover, at the service"),
        _("Every turn of conversations, if its cloud is on."),
    ),
    "provider-honcho-remote": (
        _("Honcho, at the service"),
        _("Every turn, and once for each conversation MEMORY.md, USER.md and SOUL.md."),
    ),
    "provider-hindsight-remote": (_("Hindsight, at the service"), _("Every turn of conversations.")),
    "provider-mem0-remote": (_("Mem0, at the service"), _("Every turn of conversations.")),
    "provider-openviking-remote": (
        _("OpenViking, at its server"),
        _("Every turn, and each conversation at its end."),
    ),
    "provider-retaindb-remote": (_("RetainDB, at the service"), _("Every turn, and SOUL.md.")),
    "provider-supermemory-remote": (
        _("Supermemory, at the service"),
        _("Every turn, and the whole conversation at its end."),
    ),
}
