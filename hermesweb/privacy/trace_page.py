"""What a trace found as its page shows it: by store, what is left over apart, with what can be done."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

from django.urls import reverse
from django.utils.safestring import SafeString

from hermesweb.hermes.ids import encode_id
from hermesweb.hermes.scan.events import NotChecked
from hermesweb.hermes.stores.catalogue import local_stores, store_of_table, stores
from hermesweb.hermes.stores.store import Store
from hermesweb.privacy.store_words import WORDS
from hermesweb.privacy.trace import Found
from hermesweb.privacy.trace_excerpt import can_show
from hermesweb.privacy.trace_result import Result
from hermesweb.privacy.trace_words import HOW, LEFT_OVER, Words, not_checked_words, store_name
from sessions.names import Name

OPEN: Final = 6  # places of a store that are seen at once
SHOWN: Final = 200  # and that are shown at all
LINKS: Final = 8

ENTRIES = {"memory-md": "memory", "user-md": "memory", "memory-pending": "pending"}
STATE: Final = "state-db"
NAMELESS: Final = Name("", None)
# The names of sessions of a profile, as far as they are known.
Named = Callable[[str, Sequence[str]], Mapping[str, Name]]

_LOCAL: Final = frozenset(each.id for each in local_stores())
_ORDER: Final = {each.id: number for number, each in enumerate(stores())}


@dataclass(frozen=True)
class PlaceRow:
    """One place. `number`: of it in the result; `excerpt`: its text, where somebody had it shown."""

    number: int
    found: Found
    excerpt: SafeString | None
    gone: bool

    @property
    def how(self) -> Words:
        return HOW.get(self.found.how, self.found.how)

    @property
    def part(self) -> Store | None:
        """The store inside state.db that the table or index is, where one was found."""
        if self.found.store != STATE or self.found.how == "file_name":
            return None
        return store_of_table(self.found.where.partition(".")[0])

    @property
    def part_name(self) -> Words:
        return store_name(self.part.id) if self.part else ""

    @property
    def can_show(self) -> bool:
        return can_show(self.found) and self.excerpt is None and not self.gone

    @property
    def states(self) -> Mapping[str, int]:
        """Of rows of messages: how many are live, compacted, taken back."""
        return {name: self.found.place.get(name, 0) for name in ("live", "compacted", "undone")}


@dataclass(frozen=True)
class StoreGroup:
    """The places in one store of one profile, or what is left over in it."""

    named: Named
    home: str
    profile: str
    store: str
    left_over: bool
    rows: tuple[PlaceRow, ...]

    @property
    def name(self) -> Words:
        return store_name(self.store)

    @property
    def holds(self) -> Words:
        return WORDS[self.store].holds if self.store in WORDS else ""

    @property
    def times(self) -> int:
        return sum(row.found.count for row in self.rows)

    @property
    def first(self) -> tuple[PlaceRow, ...]:
        """What somebody had shown is always among the first."""
        return self._ordered[:OPEN]

    @property
    def further(self) -> tuple[PlaceRow, ...]:
        return self._ordered[OPEN:SHOWN]

    @property
    def more(self) -> int:
        return max(0, len(self.rows) - SHOWN)

    @cached_property
    def _ordered(self) -> tuple[PlaceRow, ...]:
        return tuple(sorted(self.rows, key=lambda row: row.excerpt is None and not row.gone))

    @property
    def files(self) -> int:
        return len({row.found.file.partition("!")[0] for row in self.rows})

    @property
    def page(self) -> str:
        """Where something can be done about it."""
        if self.store in ENTRIES:
            return reverse(ENTRIES[self.store], args=[self.home, self.profile])
        return ""

    @property
    def store_page(self) -> str:
        """One store has a page of its own where it lies in the home."""
        if self.store in _LOCAL:
            return reverse("store", args=[self.home, self.profile, self.store])
        return reverse("stores", args=[self.home, self.profile])

    @property
    def left_over_in_state(self) -> bool:
        """Whether some of it stands where state.db keeps what was deleted: that can be removed."""
        return any(row.found.can_be_scrubbed for row in self.rows)

    @property
    def conversations(self) -> list[tuple[Name, str]]:
        """Name and address of conversations that are still there."""
        if self.store != STATE or self.left_over:
            return []
        ids = dict.fromkeys(
            session
            for row in self.rows
            if row.found.file.endswith("state.db") and row.found.how == "sql"
            for session in row.found.place.get("sessions", ())
        )
        addresses = {str(each): _conversation(self.home, self.profile, str(each)) for each in ids}
        some = [each for each, address in addresses.items() if address][:LINKS]
        names = self.named(self.profile, some)
        return [(names.get(each, NAMELESS), addresses[each]) for each in some]


@dataclass(frozen=True)
class MissedRow:
    file: str
    why: Words
    what: Words


def groups_of(
    home: str, result: Result, shown: Mapping[int, SafeString | None], named: Named
) -> list[StoreGroup]:
    """`shown`: texts by the number of their place, None where something else stands now."""
    rows = [
        PlaceRow(number, each, shown.get(number), number in shown and shown[number] is None)
        for number, each in enumerate(result.found)
    ]
    rows.sort(key=_group_of)
    return [
        StoreGroup(named, home, profile, store, left_over, tuple(some))
        for (left_over, _order, store, profile), some in groupby(rows, key=_group_of)
    ]


def missed_rows(missed: Iterable[NotChecked]) -> list[MissedRow]:
    return [
        MissedRow(each.file, words.why, words.what)
        for each in missed
        for words in [not_checked_words(each.why)]
    ]


def _group_of(row: PlaceRow) -> tuple[bool, int, str, str]:
    """Memory first, then by the order of the catalogue; what no row has any more after the rest."""
    found = row.found
    return found.how in LEFT_OVER, _ORDER.get(found.store, len(_ORDER)), found.store, found.profile


def _conversation(home: str, profile: str, session: str) -> str:
    part = encode_id(session)
    return reverse("conversation", args=[home, profile, part]) if part else ""
