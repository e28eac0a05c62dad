"""Reads what gettext's own tools write: a catalogue of sentences (.po)."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

KEYWORDS = ("msgctxt", "msgid", "msgid_plural", "msgstr", "msgstr[0]", "msgstr[1]")


@dataclass
class Entry:
    """One sentence. `parts`: the texts by keyword; the first entry of a file has an empty `msgid`."""

    parts: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)

    @property
    def msgid(self) -> str:
        return self.parts["msgid"]

    @property
    def plural(self) -> str | None:
        return self.parts.get("msgid_plural")

    @property
    def forms(self) -> list[str]:
        return [text for keyword, text in self.parts.items() if keyword.startswith("msgstr")]

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """Each form of the original with its translation."""
        originals = [self.msgid] if self.plural is None else [self.msgid, self.plural]
        return zip(originals, self.forms, strict=True)


def read_po(path: Path) -> list[Entry]:
    """All entries but the head. Fails on a line it does not know, as an obsolete entry (#~) is."""
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [entry for block in blocks if (entry := read_entry(block.splitlines())).msgid]


def read_entry(lines: list[str]) -> Entry:
    entry, keyword = Entry(), ""
    for line in lines:
        if line.startswith("#,"):
            entry.flags |= {flag.strip() for flag in line[2:].split(",")}
        elif line.startswith(("#~", "#|")):
            raise AssertionError(f"left over from an older sentence: {line}")
        elif not line.startswith("#"):
            first, _, rest = line.partition(" ")
            if line.startswith('"'):
                rest = line
            else:
                assert first in KEYWORDS, line
                keyword = first
            entry.parts[keyword] = entry.parts.get(keyword, "") + ast.literal_eval(rest)
    return entry
