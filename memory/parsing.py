"""The format of MEMORY.md and USER.md, as each release of Hermes reads it (`tools/memory_tool.py`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hermesweb.hermes.errors import Unreadable
from memory.limits import Rules

DELIMITER: Final = "\n§\n"
BOM: Final = "\ufeff"

LineEnds = Literal["none", "lf", "crlf", "cr", "mixed"]


@dataclass(frozen=True)
class MemoryText:
    """A decoded memory file. `raw` is exactly what the bytes say, `text` is what Python's text mode makes of
    it without the byte order mark: every line ends with a line feed."""

    raw: str
    text: str
    bom: bool

    @property
    def line_ends(self) -> LineEnds:
        """Which line ends the file uses; "mixed" for more than one kind."""
        crlf = self.raw.count("\r\n")
        counts: dict[LineEnds, int] = {
            "lf": self.raw.count("\n") - crlf,
            "crlf": crlf,
            "cr": self.raw.count("\r") - crlf,
        }
        used = [kind for kind, count in counts.items() if count]
        return "mixed" if len(used) > 1 else (used[0] if used else "none")

    def read_by(self, rules: Rules) -> str:
        """The text before it is split. 0.19 keeps the byte order mark as a character, 0.22 removes one."""
        return BOM + self.text if self.bom and rules == "0.19" else self.text


NOTHING: Final = MemoryText("", "", bom=False)
"""What a missing or empty file holds."""


def decode(content: bytes, path: Path) -> MemoryText:
    """The text of a memory file. Raises Unreadable "undecodable" with the offset of the first bad byte."""
    try:
        raw = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(path, "undecodable", offset=error.start) from error
    text = raw.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")
    return MemoryText(raw, text, raw.startswith(BOM))


def split_entries(text: str) -> list[str]:
    """The entries in the order of the file, stripped, without empty ones, duplicates included."""
    return [entry for entry in (part.strip() for part in text.split(DELIMITER)) if entry]


def used_characters(entries: Iterable[str]) -> int:
    """What counts against the limit: the entries without duplicates, joined, in code points."""
    return len(DELIMITER.join(dict.fromkeys(entries)))


def round_trips(text: str) -> bool:
    """Whether splitting and joining gives the stripped text back. 0.19 changes or removes no entry of a file
    that does not; 0.20 and later do not mind."""
    return DELIMITER.join(split_entries(text)) == text.strip()
