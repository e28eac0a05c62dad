"""One place at a service of others."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

What = Literal[
    "prompts",  # with MEMORY.md and USER.md in them
    "memory",
    "turns",  # of conversations
    "messages",  # in both directions
    "logs",
    "traces",
    "queries",
    "texts",
    "recordings",
    "files",
    "tool_inputs",
]
DeleteAt = Literal[
    "provider_account",  # privacy settings or support of the provider
    "memory_console",  # the provider's own console
    "chat_app",  # delete the chat for both sides
    "debug_delete",  # `hermes debug delete <url>`
    "dataset_page",  # the page of the data set at Hugging Face
    "service_account",
    "sandbox_console",
    "own_machine",  # a server of one's own
]
Known = Literal[
    "noted",  # Hermes wrote down that something went there
    "configured",  # config.yaml names it
    "key",  # there is a key for it
]

WHAT: dict[str, tuple[What, ...]] = {
    "model-provider": ("prompts", "turns"),
    "memory-provider": ("memory", "turns"),
    "messaging": ("messages",),
    "debug-share": ("logs",),
    "hf-traces": ("traces",),
    "search-browse": ("queries",),
    "speech-image": ("texts", "recordings"),
    "langfuse": ("traces",),
    "nemo": ("traces",),
    "sandbox-cloud": ("tool_inputs", "files"),
    "spotify": ("tool_inputs",),
    "google": ("tool_inputs",),
    "mcp-servers": ("tool_inputs",),
}
DELETE_AT: dict[str, DeleteAt] = {
    "model-provider": "provider_account",
    "memory-provider": "memory_console",
    "messaging": "chat_app",
    "debug-share": "debug_delete",
    "hf-traces": "dataset_page",
    "sandbox-cloud": "sandbox_console",
}
_OWN = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # noqa: S104 - compared, not listened on


@dataclass(frozen=True)
class RemotePlace:
    """`store`: the id in the catalogue. `service`: its name as written, "" if only the address is known.
    `address`: without user, password, query; may be "". `count`: chats, uploads or sandboxes where known.
    `until`: when it removes itself, UTC epoch seconds. `handles`: the names the service has for them."""

    store: str
    service: str
    address: str
    what: tuple[What, ...]
    delete_at: DeleteAt
    known: Known
    count: int | None = None
    until: float | None = None
    handles: tuple[str, ...] = ()


def place(
    store: str,
    known: Known,
    service: str = "",
    address: str = "",
    *,
    count: int | None = None,
    until: float | None = None,
    handles: tuple[str, ...] = (),
) -> RemotePlace:
    """A place of that store, with what goes to such places."""
    kind = "memory-provider" if store.startswith("provider-") else store
    address = without_secrets(address)
    delete_at = "own_machine" if is_own_machine(address) else DELETE_AT.get(kind, "service_account")
    return RemotePlace(
        store, service.strip()[:200], address, WHAT[kind], delete_at, known, count, until, handles
    )


def without_secrets(url: str) -> str:
    """An address without the user, password, query and fragment that may be in it, at most 500 characters."""
    try:
        parts = urlsplit(url.strip())
        netloc = parts.netloc.rpartition("@")[2]
        return urlunsplit((parts.scheme, netloc, parts.path, "", ""))[:500]
    except ValueError:
        return ""


def is_own_machine(url: str) -> bool:
    """Whether the address is this machine's own."""
    try:
        return urlsplit(url).hostname in _OWN
    except ValueError:
        return False
