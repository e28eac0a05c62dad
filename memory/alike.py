"""Entries that probably say the same. Hermes drops only those equal character by character; for people, a
hint. Nothing is ever removed on its account."""

import re
from collections.abc import Iterable
from typing import Final

from memory.entry import Entry
from memory.threats.normal import normal

READ_CHARACTERS: Final = 4_096  # two that agree so far are alike enough for a hint

_PAUSES = re.compile(r"""[\s.,:;!?…"'“”‘’«»`()]+""")


def alike(entries: Iterable[Entry]) -> dict[int, int]:
    """For each entry that differs from an earlier one in nothing but case, white space, punctuation or the
    form of its letters: its position and that of the first such entry. Duplicates are not among them."""
    first: dict[str, int] = {}
    found: dict[int, int] = {}
    for entry in entries:
        if entry.duplicate_of is not None:
            continue
        key = _key(entry.text)
        earlier = first.setdefault(key, entry.position)
        if key and earlier != entry.position:
            found[entry.position] = earlier
    return found


def _key(text: str) -> str:
    return _PAUSES.sub(" ", normal(text[:READ_CHARACTERS]).folded).strip()
