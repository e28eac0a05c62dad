"""One entry of a memory file, and what each release of Hermes makes of it when it loads the store."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory.blocked import by_release
from memory.limits import RELEASES, Rules
from memory.parsing import BOM, DELIMITER, MemoryText, split_entries

PLACEHOLDER_START: Final = "[BLOCKED:"

Findings = Mapping[Rules, tuple[str, ...]]


@dataclass(frozen=True)
class Entry:
    """One entry as it is in the file. `position` counts from 0, `characters` are code points.

    `duplicate_of`: position of the first entry with the same text; Hermes drops this one when it loads.
    `blocked`: names of the threat rules that keep it out of the prompt under the rules asked for;
    `blocked_by`: the same for each release. An entry that starts like Hermes' own placeholder is not
    `scanned` and stands in the prompt as it is; `would_find` is what the scan would have said.
    """

    position: int
    text: str
    characters: int
    duplicate_of: int | None
    scanned: bool
    blocked: tuple[str, ...]
    blocked_by: Findings
    would_find: tuple[str, ...]


def entries_of(content: MemoryText, rules: Rules) -> tuple[Entry, ...]:
    """The entries of a memory file in its order, duplicates included, as a release with these rules reads it.

    From `load_from_disk` in Hermes' `tools/memory_tool.py`.
    """
    first: dict[str, int] = {}
    scans: dict[str, dict[str, list[str]]] = {}  # equal texts are scanned once
    entries = []
    for position, text in enumerate(split_entries(content.read_by(rules))):
        forms = _forms(content, text, rules) if position == 0 else dict.fromkeys(RELEASES, text)
        for form in forms.values():
            if form not in scans:
                scans[form] = by_release(form)
        found = {release: tuple(scans[form][release]) for release, form in forms.items()}
        earlier = first.setdefault(text, position)
        entries.append(_entry(position, text, None if earlier == position else earlier, forms, found, rules))
    return tuple(entries)


def _forms(content: MemoryText, text: str, rules: Rules) -> dict[Rules, str]:
    """The first entry as each release sees it: a byte order mark is a part of it for 0.19 only. Empty for a
    release that sees no entry there."""
    start = content.text.split(DELIMITER, 1)[0]
    forms: dict[Rules, str] = {"0.19": (BOM + start).strip(), "0.22": start.strip()}
    # A release that sees nothing before the first delimiter begins with what comes after it.
    return forms if content.bom and forms[rules] == text else dict.fromkeys(RELEASES, text)


def _entry(
    position: int,
    text: str,
    duplicate_of: int | None,
    forms: Mapping[Rules, str],
    found: Findings,
    rules: Rules,
) -> Entry:
    scanned = {release: not form.startswith(PLACEHOLDER_START) for release, form in forms.items()}
    blocked_by = {release: found[release] if scanned[release] else () for release in RELEASES}
    return Entry(
        position=position,
        text=text,
        characters=len(text),
        duplicate_of=duplicate_of,
        scanned=scanned[rules],
        blocked=blocked_by[rules],
        blocked_by=blocked_by,
        would_find=() if scanned[rules] else found[rules],
    )
