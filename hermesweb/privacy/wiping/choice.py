"""What is to go: which stores a person ticked, or named on the command line."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.stores.catalogue import stores
from hermesweb.hermes.stores.store import Store

Preset = Literal["default", "conversations", "most", "everything"]
UNKNOWN: Final = "unknown"  # stands for the files that match no store
_EVERYTHING = ("default", "backups", "yours", "credentials", "contacts", "live")
_SETTINGS = ("skills_and_settings",)


# Not frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class NoSuchStore(HermesError):
    """`name` is no store that can be cleared from here."""

    name: str


@dataclass(frozen=True)
class Choice:
    """The ids of the stores that are to go. `unknown`: also the files that match no store."""

    stores: frozenset[str]
    unknown: bool = False

    def __contains__(self, store: Store) -> bool:
        return store.id in self.stores


def clearable() -> tuple[Store, ...]:
    """The stores that can be cleared from here by themselves: a table of state.db goes with the whole."""
    return tuple(
        each
        for each in stores()
        if each.where != "remote"
        and each.clearing not in ("keep", "out_of_reach")
        and each.how != "report"
        and not each.table
    )


def choose(names: Iterable[str], *, shared: bool) -> Choice:
    """The stores behind names as `manage.py wipe --stores` takes them: presets, ids, "unknown".

    `shared`: other profiles use the root-wide stores too; then these are chosen by their id only, as places
    outside the home always are. Raises NoSuchStore.
    """
    ids: set[str] = set()
    unknown = False
    known = {store.id for store in clearable()}
    for name in names:
        unknown = unknown or name in (UNKNOWN, "everything")
        if name in get_args(Preset):
            ids |= {store.id for store in clearable() if _belongs(store, name, shared=shared)}
        elif name in known:
            ids.add(name)
        elif name != UNKNOWN:
            raise NoSuchStore(name)
    return Choice(frozenset(ids), unknown)


def _belongs(store: Store, preset: str, *, shared: bool) -> bool:
    if store.where == "outside" or (store.where == "root" and shared):
        return False
    if preset == "default":
        return store.clearing == "default"
    if preset == "conversations":
        return store.clearing == "default" and store.kind not in ("memory", "memory_copies", *_SETTINGS)
    if preset == "most":
        return store.clearing in _EVERYTHING and store.kind not in (*_SETTINGS, "credentials")
    return store.clearing in _EVERYTHING
