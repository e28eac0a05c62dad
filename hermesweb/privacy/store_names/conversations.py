"""Copies and traces of conversations."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "session-json": (_("Session files"), _("Whole conversation and prompt. Hermes’ own delete leaves them.")),
    "request-dump": (_("Failed requests"), _("Everything that was sent to the model when a request failed.")),
    "saved-conversations": (_("Saved conversations"), _("Conversations somebody saved with /save.")),
    "session-exports": (_("Exports"), _("Conversations somebody exported.")),
    "sessions-index": (
        _("List of chats"),
        _("Names and numbers of chats."),
    ),
    "session-jsonl": (_("Older session files"), _("Conversations as older releases wrote them.")),
    "prompt-history": (_("Prompt history"), _("Every line you typed in the terminal.")),
    "paste-upload-list": (
        _("List of uploaded reports"),
        _("Addresses of debug reports on the internet. Remove those first: this is the only list."),
    ),
    "pastes": (_("Long pastes"), _("Texts you pasted into a chat.")),
    "clipboard-images": (_("Pasted pictures"), _("Pictures you pasted into a chat.")),
    "interrupt-log": (_("Interruptions"), _("The beginning of each message that interrupted the agent.")),
    "agent-log": (_("Agent log"), _("The first 80 characters of everything you wrote.")),
    "gateway-log": (_("Gateway log"), _("The beginning of messages from chats, with who wrote them.")),
    "subagent-timeout": (_("Helpers that took too long"), _("What such a helper was asked to do.")),
    "other-logs": (_("Other logs"), _("Errors, tools, updates and sign-ins, with pieces of everything.")),
    "delegation-live": (_("Work of helpers"), _("What helpers were asked, what they did and found.")),
    "delegation-spill": (_("Reports of helpers"), _("Long reports, in full.")),
    "spawn-trees": (_("Trees of helpers"), _("Who started which helper, with the texts.")),
    "moa-traces": (
        _("Traces of several models"),
        _("All messages of turns in which several models took part."),
    ),
    "hook-outputs": (_("Output of extensions"), _("Long texts that extensions added to a conversation.")),
    "web-cache": (
        _("Web pages"),
        _("Pages the agent read, in full, with what stood in forms. They never expire."),
    ),
    "processes": (_("Background commands"), _("Commands the agent runs in the background, and where.")),
    "verification": (_("Evidence of checks"), _("Commands the agent ran to check its work, with output.")),
    "response-store": (
        _("Conversations of other programs"),
        _("Whole conversations of programs that use Hermes’ interface."),
    ),
    "trajectories": (
        _("Recorded conversations"),
        _("Whole conversations in folders the agent worked in, if recording was on."),
    ),
    "checkpoints": (
        _("Earlier versions of files"),
        _("Copies of files in work folders, from before the agent changed them."),
    ),
    "disk-cleanup": (_("List of files made"), _("Paths of files the agent made.")),
    "achievements": (_("Achievements"), _("Statistics about all conversations.")),
    "terminal-sessions": (_("Terminals and conversations"), _("Which terminal had which conversation open.")),
    "nemo-relay": (_("Traces for NeMo"), _("Full records in a folder that was set for them.")),
}
