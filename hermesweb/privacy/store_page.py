"""What the page of the stores shows: an inventory in words, a picture of it, and what is out of reach."""

import pwd
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Any, Final

from django.conf import settings
from django.http import QueryDict
from django.utils.http import urlencode

from hermesweb.environment import login_folder
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.inventory import Amount, Holding, Inventory, take_inventory
from hermesweb.hermes.remote_place import RemotePlace
from hermesweb.privacy import remote_words
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.remote import Remote, look_at_remote
from hermesweb.privacy.store_picture import lanes_of
from hermesweb.privacy.store_words import (
    CHECKS,
    CLEARED,
    CLEARED_BECAUSE,
    HAZARDS,
    KINDS,
    METHODS,
    STATES,
    words_of,
)
from hermesweb.privacy.work_folders import work_folders

PATIENCE: Final = 1.5  # seconds of walking while a page waits
ASKING: Final = 0.3  # and of asking state.db where the agent worked
SHAPES: Final = {
    "default": "disc",
    "backups": "square",
    "yours": "square",
    "credentials": "diamond",
    "contacts": "diamond",
    "live": "ring",
    "out_of_reach": "beyond",
    "keep": "ring",
}
HERE: Final = ("present", "all", "unreadable")
FIRST: Final = 20  # rows of the table until somebody wants all
SURVIVES: Final = ("", "reset", "delete")


@dataclass(frozen=True)
class Row:
    """A store as the table shows it. `oldest` and `newest` are times, None without files."""

    holding: Holding
    name: str
    holds: str
    kind: str
    cleared: str
    method: str
    check: str
    hazards: tuple[str, ...]
    shape: str
    oldest: datetime | None
    newest: datetime | None

    @property
    def id(self) -> str:
        return self.holding.store.id

    @property
    def amount(self) -> Amount:
        return self.holding.amount

    @property
    def kind_id(self) -> str:
        return self.holding.store.kind

    @property
    def bytes(self) -> int:
        return self.amount.bytes

    @property
    def others(self) -> int:
        """Files beside the first one."""
        return self.amount.files - 1

    @property
    def state(self) -> str:
        return str(STATES[self.holding.state])

    @property
    def because(self) -> str:
        return str(CLEARED_BECAUSE[self.holding.store.clearing])

    @property
    def owners(self) -> str:
        """Names of the users on this machine where they have one."""
        return ", ".join(_user(number) for number in self.amount.owners)


@dataclass(frozen=True)
class Place:
    """A service of others in words."""

    name: str
    what: str
    where: str
    known: str
    place: RemotePlace


@dataclass(frozen=True)
class Asked:
    """The filters; anything else in the address is left aside."""

    kind: str
    here: str
    survives: str
    everything: bool = False

    @classmethod
    def of(cls, query: QueryDict) -> "Asked":
        kind, here, survives = query.get("kind", ""), query.get("here", ""), query.get("survives", "")
        return cls(
            kind if kind in KINDS else "",
            here if here in HERE else "present",
            survives if survives in SURVIVES else "",
            "all" in query,
        )

    @property
    def query(self) -> str:
        """The same without a limit, for an address."""
        return urlencode(
            [("kind", self.kind), ("here", self.here), ("survives", self.survives), ("all", "1")]
        )

    def takes(self, row: Row) -> bool:
        store, state = row.holding.store, row.holding.state
        return (
            (not self.kind or store.kind == self.kind)
            and (self.here != "present" or state in ("present", "unreadable"))
            and (self.here != "unreadable" or state == "unreadable")
            and (self.survives != "reset" or store.after_reset)
            and (self.survives != "delete" or store.after_session_delete)
        )


def stores_context(profile: Profile, asked: Asked) -> dict[str, Any]:
    copy = copy_of(settings.WORK_FOLDER, profile)
    inventory = inventory_of(profile, time.monotonic() + PATIENCE)
    remote = look_at_remote(profile, copy)
    rows = [row_of(each) for each in inventory.holdings]
    local = [row for row in rows if row.holding.state in ("present", "absent", "unreadable")]
    shown = sorted((row for row in local if asked.takes(row)), key=lambda row: (-row.amount.bytes, row.name))
    present = [row for row in local if row.holding.state == "present"]
    drawn = [row for row in present if row.holding.store.clearing != "keep" and row.bytes]
    return {
        "asked": asked,
        "inventory": inventory,
        "close_command": f"chmod 700 {quote(str(profile.folder))}",
        "rows": shown if asked.everything else shown[:FIRST],
        "count": len(shown),
        "kinds": [(kind, KINDS[kind]) for kind in dict.fromkeys(row.holding.store.kind for row in local)],
        "present": len(present),
        "absent": sum(row.holding.state == "absent" for row in local),
        "unreadable": [row for row in local if row.holding.state == "unreadable"],
        "bytes": sum(row.amount.bytes for row in shown),
        "files": sum(row.amount.files for row in shown),
        "lanes": list(lanes_of(drawn)),
        "places": [place_words(each) for each in remote.places],
        "remote_complete": remote.read_all,
        "has_state": any(row.id == "state-db" for row in present),
        "elsewhere": [row for row in rows if row.holding.state in ("elsewhere", "not_looked_for")],
    }


def inventory_of(profile: Profile, deadline: float) -> Inventory:
    """Also at the fixed places outside the home, in our own data folder, and where the agent worked."""
    work = work_folders(profile, copy_of(settings.WORK_FOLDER, profile), seconds=ASKING)
    return take_inventory(
        profile,
        os_home=login_folder(),
        data=Path(settings.DATA_FOLDER),
        work_folders=work.folders,
        work_whole=work.whole,
        deadline=deadline,
    )


def row_of(holding: Holding) -> Row:
    store, words = holding.store, words_of(holding.store.id)
    return Row(
        holding,
        str(words.name),
        str(words.holds),
        str(KINDS[store.kind]),
        str(CLEARED[store.clearing]),
        str(METHODS[store.how]),
        str(CHECKS[store.check]),
        tuple(str(HAZARDS[code]) for code in store.hazards),
        SHAPES[store.clearing],
        at(holding.amount.oldest),
        at(holding.amount.newest),
    )


def at(seconds: float | None) -> datetime | None:
    """A time for a page; None for what no calendar has."""
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def place_words(place: RemotePlace) -> Place:
    what = ", ".join(str(remote_words.WHAT_WENT[each]) for each in place.what)
    return Place(
        place.service or place.address,
        what[:1].upper() + what[1:],
        str(remote_words.WHERE_TO_DELETE[place.delete_at]),
        str(remote_words.HOW_KNOWN[place.known]),
        place,
    )


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def remote_of(profile: Profile) -> Remote:
    """For pages that only need what is out of reach."""
    return look_at_remote(profile, copy_of(settings.WORK_FOLDER, profile))
