"""Which entries an old text is found in, as each release of Hermes looks for it.

0.19 (`replace`, `remove` in `tools/memory_tool.py`) takes every entry that contains it. 0.22
(`tools/memory_tool_store.py`) takes an entry that is equal to it first, then those that contain it, then those
that do so when quotes, dashes and white space are not told apart.
"""

import re
from collections.abc import Sequence
from typing import Final

from memory.limits import Rules

_QUOTES: Final = re.compile('["`\u2018-\u201f]')
_DASHES: Final = re.compile("[\u2010-\u2015\u2212]")


def positions_of(old_text: str, entries: Sequence[str], rules: Rules) -> list[int]:
    """Where the old text is found, as positions from 0."""
    containing = [position for position, entry in enumerate(entries) if old_text in entry]
    if rules == "0.19":
        return containing
    equal = [position for position in containing if entries[position] == old_text]
    return equal or containing or _alike(old_text, entries)


def _alike(old_text: str, entries: Sequence[str]) -> list[int]:
    wanted = _folded(old_text)
    if not any(character.isalnum() for character in wanted):
        return []
    return [position for position, entry in enumerate(entries) if wanted in _folded(entry)]


def _folded(text: str) -> str:
    # A model sometimes writes the two characters of an escaped line feed.
    text = _DASHES.sub("-", _QUOTES.sub("'", text.replace("\\n", " ")))
    return " ".join(text.split())


def occurrences(span: str, entry: str) -> int:
    """How often a span stands in an entry; those that overlap count each."""
    return sum(entry.startswith(span, start) for start in range(len(entry) - len(span) + 1))
