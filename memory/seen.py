"""What a person saw of a memory file when they decided to change it. It travels through the form."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from memory.entries import Store
from memory.entry import Entry
from memory.parsing import DELIMITER


@dataclass(frozen=True)
class Seen:
    """One entry as it was on screen. `entry`: fingerprint of its text; `position` counts from 0, duplicates
    included; `duplicate`: it was shown as a copy of an earlier one."""

    entry: str
    position: int
    duplicate: bool = False


def seen_entry(entry: Entry) -> Seen:
    """What the form about this entry carries."""
    return Seen(fingerprint(entry.text), entry.position, entry.duplicate_of is not None)


def seen_store(store: Store) -> str:
    """What a form about the whole file carries: a fingerprint of its entries in their order."""
    return fingerprint_of_all(entry.text for entry in store.entries)


def fingerprint(text: str) -> str:
    """64 hex digits that stand for one text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint_of_all(entries: Iterable[str]) -> str:
    """The same for all entries of a file; an entry that looks like two is told apart from two."""
    return fingerprint(DELIMITER.join(f"{len(entry)}:{entry}" for entry in entries))
