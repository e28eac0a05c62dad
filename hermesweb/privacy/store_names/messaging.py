"""Messaging platforms."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "pairing": (
        _("Who may write to Hermes"),
        _("People who are allowed in, and who asked. Without it they must pair again."),
    ),
    "channel-directory": (_("Directory of chats"), _("Names and numbers of chats and people.")),
    "rich-sent": (_("Sent messages"), _("The text of the last thousand messages sent.")),
    "sticker-cache": (_("Stickers"), _("Descriptions of stickers people sent.")),
    "message-recovery": (
        _("Missed Discord messages"),
        _("Messages of the last 30 days, to be answered later."),
    ),
    "threads": (_("Threads"), _("In which threads Hermes takes part.")),
    "dedup": (
        _("Messages already seen"),
        _("Numbers of messages and chats, so that none is answered twice."),
    ),
    "platform-rules": (_("Rules of platforms"), _("Who may comment or call, by number.")),
    "platform-media": (_("Media of platforms"), _("Pictures, voice and meetings from WhatsApp and Teams.")),
    "platform-sessions": (
        _("Sign-ins of platforms"),
        _(
            "Keys and sign-ins of WhatsApp, Matrix, Slack and others. Without them Hermes must be linked again."
        ),
    ),
    "update-relay": (
        _("Notes between restarts"),
        _("Who asked for an update or a restart, and in which chat."),
    ),
    "gateway-state": (
        _("State of the running Hermes"),
        _("Whether a gateway runs, and which chats are open."),
    ),
    "spawn-ledger": (_("Programs started by Hermes"), _("Which of them run, for all profiles.")),
}
