"""Copies at services of others, in words for people."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = str | Promise

WHAT_WENT: Mapping[str, Words] = {
    "prompts": _("prompts, with MEMORY.md and USER.md in them"),
    "memory": _("what was remembered"),
    "turns": _("conversations"),
    "messages": _("messages in both directions"),
    "logs": _("logs and settings"),
    "traces": _("full records of conversations"),
    "queries": _("searches and pages"),
    "texts": _("texts"),
    "recordings": _("recordings and pictures"),
    "files": _("files"),
    "tool_inputs": _("what tools were given"),
}
WHERE_TO_DELETE: Mapping[str, Words] = {
    "provider_account": _(
        "In the privacy settings of the account; it may be kept for a time the provider states."
    ),
    "memory_console": _("In the console of the memory service."),
    "chat_app": _("In the app: delete the chat for both sides."),
    "debug_delete": _("With “hermes debug delete” and the address, before the list of uploads is cleared."),
    "dataset_page": _(
        "On the page of the data set “hermes-traces”. Delete it as a whole: its history keeps files."
    ),
    "service_account": _("In the account at that service."),
    "sandbox_console": _("In the console of the sandbox service."),
    "own_machine": _("It runs on this machine: in its own settings and logs."),
}
HOW_KNOWN: Mapping[str, Words] = {
    "noted": _("Hermes noted it"),
    "configured": _("set in config.yaml"),
    "key": _("there is a key for it"),
}
