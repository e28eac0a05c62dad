"""state.db, what lies beside it, and its tables."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "state-db": (
        _("Conversations"),
        _("state.db with all messages, the prompts that were sent, and the search index."),
    ),
    "state-locks": (
        _("Locks of the database"),
        _("Empty files that keep two programs from repairing state.db at the same time."),
    ),
    "state-backups": (
        _("Backups of the database"),
        _("Whole copies of state.db that were put aside before an update or by hand."),
    ),
    "state-siblings": (
        _("Copies of the database"),
        _("Whole copies of state.db from repairs and updates. Nothing removes them."),
    ),
    "pending-messages": (
        _("Messages not yet stored"),
        _("Messages that could not be written into state.db and wait to be."),
    ),
    "state-sessions": (
        _("List of conversations"),
        _("Title, times, folder and chat of each, and in older releases the whole prompt with your memory."),
    ),
    "state-messages": (_("Messages"), _("Every message, also those taken back or summarised away.")),
    "state-messages-fts-content": (_("Texts of the word index"), _("A second copy of every message.")),
    "state-messages-fts-trigram-content": (
        _("Texts of the letter index"),
        _("A third copy of every message."),
    ),
    "state-messages-fts-data": (
        _("Word index"),
        _("The words of all messages. Deleted words stay until it is built again."),
    ),
    "state-messages-fts-trigram-data": (
        _("Letter index"),
        _("The messages in pieces of three letters. Deleted ones stay until it is built again."),
    ),
    "state-messages-fts-cjk": (
        _("Index for Chinese, Japanese and Korean"),
        _("The words of messages in these scripts."),
    ),
    "state-session-model-usage": (
        _("Use of models"),
        _("Which model at which address was used in each conversation, and what it cost."),
    ),
    "state-async-delegations": (
        _("Tasks for helpers"),
        _("What helpers were asked to do in the background, and what they answered."),
    ),
    "state-delivery-obligations": (
        _("Replies on their way"),
        _("The full text of final replies, kept for a week."),
    ),
    "goals": (_("Goals"), _("The text you gave with /goal, and how far it came.")),
    "state-gateway-routing": (
        _("Chats and their conversations"),
        _("Names and numbers of chats and people. Hermes reads it in again."),
    ),
    "state-telegram-dm-topic-mode": (_("Telegram chats with topics"), _("Numbers of chats and people.")),
    "state-telegram-dm-topic-bindings": (
        _("Telegram topics"),
        _("Numbers of chats and people, and names of topics."),
    ),
    "state-system-prompts": (_("Stored prompts"), _("Each prompt that was sent, with your memory in it.")),
    "state-conversation-generations": (
        _("Chats that ever were"),
        _("Every chat Hermes was part of. Hermes never clears it."),
    ),
    "state-compression-locks": (_("Locks of summaries"), _("Which conversation is being summarised.")),
    "state-schema-version": (_("Version of the database"), _("One number.")),
    "state-sqlite-sequence": (_("Row counter"), _("How many messages there ever were.")),
    "state-gateway-heartbeats": (_("Signs of life"), _("Which gateway runs.")),
    "state-session-turn-leases": (_("Conversations in use"), _("Which program has which conversation open.")),
    "state-gateway-hygiene-state": (_("Clean-up in the background"), _("When the gateway last tidied up.")),
}
