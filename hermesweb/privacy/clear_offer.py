"""The stores of a profile as the wizard offers them: what is there, in groups, each with a tick."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from hermesweb.accounts.access import listed
from hermesweb.accounts.standing import rights_of
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.inventory import Holding, Inventory
from hermesweb.hermes.stores.store import Store
from hermesweb.homes import profiles_of
from hermesweb.privacy.clear_draft import Draft
from hermesweb.privacy.copies import folder_of
from hermesweb.privacy.store_page import PATIENCE, inventory_of
from hermesweb.privacy.store_words import HAZARDS, KINDS, words_of
from hermesweb.privacy.wiping.choice import UNKNOWN, clearable
from hermesweb.privacy.wiping.config import held_settings
from hermesweb.privacy.wiping.perform import WORK_COPIES, is_shared

Words = str | Promise

GROUPS: Final[dict[str, tuple[Words, Words]]] = {
    "default": (gettext_lazy("Written by Hermes"), gettext_lazy("Ticked unless you say otherwise.")),
    "backups": (
        gettext_lazy("Snapshots and backups"),
        gettext_lazy("Your last way back. They hold every conversation of their day, and the keys."),
    ),
    "yours": (gettext_lazy("Written by you"), gettext_lazy("You made it, or the agent made it for you.")),
    "credentials": (gettext_lazy("Keys and sign-ins"), gettext_lazy("Hermes must sign in again afterwards.")),
    "contacts": (gettext_lazy("Contacts"), gettext_lazy("People must pair again afterwards.")),
    "live": (
        gettext_lazy("State of a running Hermes"),
        gettext_lazy("It means nothing once Hermes has stopped."),
    ),
    "shared": (gettext_lazy("Shared with other profiles"), ""),
    "outside": (
        gettext_lazy("Outside the home"),
        gettext_lazy(
            "At fixed places in the folder of the login, or for temporary files. Only files of the owner."
        ),
    ),
    UNKNOWN: (
        gettext_lazy("Unknown files"),
        gettext_lazy("They belong to no store we know, and may not be Hermes’ at all."),
    ),
}
# Of all that can be said of a store, what somebody should know before it goes.
_TOLD: Final = (
    "last_way_back",
    "upload_list",
    "holds_credentials",
    "stock_text",
    "comes_back",
    "elsewhere_too",
)
# What the words over a group say already.
_SAID_ABOVE: Final = {"backups": "last_way_back", "credentials": "holds_credentials"}


@dataclass(frozen=True)
class Tick:
    """One line with a tick. `notes`: sentences of what to mind; `waits`: done only when Hermes has stopped."""

    id: str
    name: str
    holds: str
    kind: str
    group: str
    files: int
    bytes: int
    readable: bool
    ticked: bool
    waits: bool
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Offer:
    ticks: tuple[Tick, ...]
    inventory: Inventory
    shared_with: str

    @property
    def ids(self) -> set[str]:
        return {tick.id for tick in self.ticks if tick.id != UNKNOWN}

    @property
    def groups(self) -> list[dict[str, Any]]:
        found = []
        for name, (title, hint) in GROUPS.items():
            ticks = [tick for tick in self.ticks if tick.group == name]
            if name == "shared":
                hint = _("Used by %(profiles)s too. What is cleared here is gone for them as well.") % {
                    "profiles": self.shared_with
                }
            kinds = [
                (kind, [tick for tick in ticks if tick.kind == kind])
                for kind in dict.fromkeys(tick.kind for tick in ticks)
            ]
            if ticks:
                found.append({"id": name, "title": title, "hint": hint, "kinds": kinds, "ticks": ticks})
        return found

    @property
    def ticked(self) -> list[Tick]:
        return [tick for tick in self.ticks if tick.ticked]

    @property
    def kept(self) -> list[Tick]:
        return [tick for tick in self.ticks if not tick.ticked]

    @property
    def bytes(self) -> int:
        return sum(tick.bytes for tick in self.ticked)

    @property
    def files(self) -> int:
        return sum(tick.files for tick in self.ticked)


def offer(request: HttpRequest, profile: Profile, draft: Draft, *, alive: bool) -> Offer:
    """Everything that is there and can be cleared from here."""
    inventory = inventory_of(profile, time.monotonic() + PATIENCE)
    shared = is_shared(profile)
    can = {each.id for each in clearable()}
    ticks = [
        _tick(holding, draft, shared=shared, alive=alive, size=size)
        for holding in inventory.holdings
        if holding.store.id in can and (size := _size(profile, holding)) is not None
    ]
    if inventory.unknown.files:
        ticks.append(_unknown(inventory, draft))
    return Offer(tuple(ticks), inventory, others(request, profile) if shared else "")


def others(request: HttpRequest, profile: Profile) -> str:
    """The other profiles of a home in words; those that may not be named to whoever asks only as others."""
    names = [one.name for one in profiles_of(profile.home) if one.name != profile.name]
    rights = rights_of(request)
    known = [
        one.name
        for home, found in listed(request)
        if home.key == profile.home.key
        for one in found
        if one.name in names and (rights.owner or rights.of(home.key, one.name).reads)
    ]
    hidden = len(names) > len(known)
    if not known:
        return _("other profiles")
    listing = _(", ").join(known)
    return _("%(profiles)s and others") % {"profiles": listing} if hidden else listing


def _size(profile: Profile, holding: Holding) -> int | None:
    """Bytes of what is there, None where nothing is."""
    if holding.store.inside == "config":
        held = held_settings(profile, holding.store.id)
        return None if held == 0 else held or 0
    if holding.store.id == WORK_COPIES:
        copies = list(folder_of(settings.WORK_FOLDER, profile).glob("state-copy-*/*"))
        return sum(path.stat().st_size for path in copies) if copies else None
    if holding.state == "unreadable":
        return 0
    return holding.amount.bytes if holding.state == "present" else None


def _tick(holding: Holding, draft: Draft, *, shared: bool, alive: bool, size: int) -> Tick:
    store, words = holding.store, words_of(holding.store.id)
    return Tick(
        id=store.id,
        name=str(words.name),
        holds=str(words.holds),
        kind=str(KINDS[store.kind]),
        group=_group(store, shared=shared),
        files=holding.amount.files,
        bytes=size,
        readable=holding.state != "unreadable",
        ticked=store.id in draft.stores,
        waits=alive and (store.stop_first or store.how == "database_delete"),
        notes=tuple(
            str(HAZARDS[each])
            for each in store.hazards
            if each in _TOLD and each != _SAID_ABOVE.get(store.clearing)
        ),
    )


def _group(store: Store, *, shared: bool) -> str:
    if store.where == "outside":
        return "outside"
    return "shared" if store.where == "root" and shared else store.clearing


def _unknown(inventory: Inventory, draft: Draft) -> Tick:
    names = inventory.unknown.paths.first
    return Tick(
        id=UNKNOWN,
        name=_("All of them"),
        holds="",
        kind="",
        group=UNKNOWN,
        files=inventory.unknown.files,
        bytes=inventory.unknown.bytes,
        readable=True,
        ticked=draft.unknown,
        waits=False,
        notes=tuple(names),
    )


def by_kind(offered: Iterable[Tick]) -> list[dict[str, Any]]:
    """What is there, summed up by kind."""
    found: dict[str, list[Tick]] = {}
    for tick in offered:
        found.setdefault(tick.kind or str(GROUPS[UNKNOWN][0]), []).append(tick)
    return [
        {
            "name": kind,
            "holds": ", ".join(dict.fromkeys(tick.name for tick in ticks)) if ticks[0].kind else "",
            "stores": len(ticks),
            "files": sum(tick.files for tick in ticks),
            "bytes": sum(tick.bytes for tick in ticks),
        }
        for kind, ticks in found.items()
    ]
