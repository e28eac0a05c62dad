"""Which store goes before which: what could bring others back first, the last safety net last."""

from typing import Final

from hermesweb.hermes.stores.catalogue import store
from hermesweb.hermes.stores.store import Store
from hermesweb.privacy.wiping.choice import UNKNOWN, Choice

# What waits to be written again, then what a provider would send again, then what the agent loads.
_FIRST: Final = ("memory-pending", "skills-pending")
_BY_KIND: Final = (
    "memory",
    "memory_copies",
    "conversations",
    "conversation_copies",
    "logs_and_caches",
    "work",
    "skills_and_settings",
    "contacts",
    "credentials",
    "program",
    "snapshots_and_backups",
)


def in_order(choice: Choice) -> list[str]:
    """The ids of the chosen stores in the order in which they are cleared; the unknown files before the
    backups, which go when everything else was looked at again."""
    ids = sorted(choice.stores, key=lambda each: (_rank(store(each)), each))
    if choice.unknown:
        backups = [each for each in ids if is_last(each)]
        ids = [each for each in ids if not is_last(each)] + [UNKNOWN, *backups]
    return ids


def is_last(name: str) -> bool:
    """Whether the store is a copy that somebody could still go back to while the rest is cleared."""
    return name != UNKNOWN and store(name).kind == "snapshots_and_backups"


def _rank(each: Store) -> tuple[int, int]:
    if each.id in _FIRST:
        return 0, 0
    if each.id.startswith("provider-"):
        return 1, 0
    return 2, _BY_KIND.index(each.kind) if each.kind in _BY_KIND else len(_BY_KIND) - 2
