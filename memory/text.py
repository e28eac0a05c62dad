"""The text of an entry as it comes from a person, and what stands against storing it.

From `add` and `replace` in Hermes' `tools/memory_tool.py`. Safer than Hermes here: line ends become line feeds
(Hermes writes a carriage return and reads a line feed), and a text with a separator line, with a NUL or with
half a character is refused.
"""

import re
from typing import Final

from memory.blocked import findings
from memory.limits import Rules
from memory.parsing import DELIMITER, split_entries
from memory.refusals import EmptyText, SeparatorInside, ThreatFound, Unstorable

SEPARATOR: Final = DELIMITER.strip()

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def cleaned(text: str) -> str:
    """The text as Hermes would read it back: line feeds only, no white space around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def checked(text: str, rules: Rules) -> str:
    """The cleaned text of an entry that may be stored under the rules of a release. Raises EmptyText,
    Unstorable, SeparatorInside, ThreatFound."""
    entry = cleaned(text)
    if not entry:
        raise EmptyText
    if unstorable := _UNSTORABLE.search(entry):
        raise Unstorable("nul" if unstorable[0] == "\0" else "surrogate", unstorable.start())
    refuse_separator(entry)
    if found := findings(entry, rules):
        raise ThreatFound(rules, tuple(found))
    return entry


def refuse_separator(entry: str) -> None:
    """Raises SeparatorInside for a cleaned text that is not one entry wherever it stands in the file."""
    if DELIMITER in entry:
        raise SeparatorInside("inside", would_be_entries(entry))
    if entry == SEPARATOR or entry.startswith(f"{SEPARATOR}\n"):
        raise SeparatorInside("start", would_be_entries(entry))
    if entry.endswith(f"\n{SEPARATOR}"):
        raise SeparatorInside("end", would_be_entries(entry))


def would_be_entries(entry: str) -> tuple[str, ...]:
    """The entries a text falls into at its separator lines, those at its ends left out."""
    found = (without_outer_separators(part) for part in split_entries(entry))
    return tuple(dict.fromkeys(part for part in found if part))


def without_outer_separators(entry: str) -> str:
    """The text without the separator lines at its start and end, and without white space around it."""
    lines = entry.strip().split("\n")
    while lines and lines[0].strip() in ("", SEPARATOR):
        lines.pop(0)
    while lines and lines[-1].strip() in ("", SEPARATOR):
        lines.pop()
    return "\n".join(lines).strip()
