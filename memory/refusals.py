"""Why a memory file was not changed. The file's bytes are as they were after each of these but HalfMoved.

    HermesError
    └── Refused
        ├── EmptyText
        ├── Unstorable      characters that a memory file or a page cannot hold
        ├── SeparatorInside the text would become several entries, or spoil the next one
        ├── ThreatFound     the scan of this home's release reacts to the text
        ├── OverLimit
        ├── Guarded         Hermes changes and removes nothing in such a file; `memory.tidy` can
        ├── NotEditable     the entry holds what no form can send back
        ├── StoreDisabled
        ├── Stale           what the person saw is no longer there
        └── HalfMoved       the entry is in both files now

Beside these a write may end with Busy, NotWritten or Unreadable of `hermesweb.hermes`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.writing import NotWritten
from memory.limits import Number, Rules, Target
from memory.seen import Seen


class Refused(HermesError):
    """The root of what stands against a change of a memory file."""


# None is frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class EmptyText(Refused):
    """Nothing is left of the text without the white space around it."""


@dataclass(eq=False)
class Unstorable(Refused):
    """`position`: of the first such character, in code points from 0. "nul": forms cannot send it and pages
    cannot show it. "surrogate": half a character, which UTF-8 cannot hold."""

    why: Literal["nul", "surrogate"]
    position: int


@dataclass(eq=False)
class SeparatorInside(Refused):
    """A line of the text is nothing but `§`. `would_be_entries`: what to save as entries of their own, if that
    is what was meant. Hermes takes such a text and reads it back as several entries."""

    where: Literal["inside", "start", "end"]
    would_be_entries: tuple[str, ...]


@dataclass(eq=False)
class ThreatFound(Refused):
    """`findings`: names of the rules, as in `memory.blocked`. Hermes would keep the entry out of the prompt."""

    rules: Rules
    findings: tuple[str, ...]


@dataclass(eq=False)
class OverLimit(Refused):
    """All in characters. `used`: as it is now, `would_be`: with the change, `entry`: the text alone."""

    target: Target
    used: int
    would_be: int
    limit: Number
    entry: int


@dataclass(eq=False)
class Guarded(Refused):
    """The file was not written by Hermes: an entry is longer than the whole limit, or (0.19 only) splitting and
    joining does not give the file back; or ("would_not_read_back", which Hermes does not mind) a separator line
    at the end of an entry would merge with what comes after it."""

    path: Path
    why: Literal["oversized_entry", "does_not_round_trip", "would_not_read_back"]


@dataclass(eq=False)
class NotEditable(Refused):
    """The entry at `position` holds a NUL, which a form sends back as another character."""

    position: int
    why: Literal["nul"] = "nul"


@dataclass(eq=False)
class StoreDisabled(Refused):
    """config.yaml switches the store off. What is in it can still be removed."""

    target: Target


@dataclass(eq=False)
class Stale(Refused):
    """What the person saw has changed or is gone. `now`: the entries that stand there now, duplicates included;
    `here`: the one at the position that was seen, None behind the end. `seen` is None for a whole file."""

    target: Target
    seen: Seen | None
    now: tuple[str, ...]
    here: str | None


@dataclass(eq=False)
class HalfMoved(Refused):
    """The entry was added to `added_to` and could not be removed where it was, and taking it back failed too:
    it is in both files. `cause` is what stood against the removal."""

    added_to: Path
    still_in: Path
    cause: NotWritten
