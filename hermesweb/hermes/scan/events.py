"""What a scan reports, and how it travels: one JSON object a line on the standard output of a child process.

    {"type": "hit", "file", "where", "how", "count", "offset", "place", "phrase"}
    {"type": "not_checked", "file", "why"}
    {"type": "progress", "files", "bytes", "file"}
    {"type": "database", "file", "folder", "label"}   only to the frame
    {"type": "end"}                                   a child that stops without it has died

A line never holds any of the text that was looked at, only file names and places.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Hit:
    """A phrase in a file. `file`: label of the folder + path below it, "/" separated, archive members after
    "!". `where`: "" for the bytes of a file, "table.column" for SQL, "name" for the name itself, an object id
    for git. `how`: "bytes" "utf16" "latin1" "json_escaped" "percent" "normalised" "sql" "index_live"
    "index_left_over" "free_page" "slack" "wal" "git" "file_name". `offset`: byte of the first of `count`.
    `phrase`: index in the phrases asked for."""

    file: str
    where: str
    how: str
    count: int
    offset: int | None = None
    place: Mapping[str, Any] = field(default_factory=dict)
    phrase: int = 0


@dataclass(frozen=True)
class NotChecked:
    """`file` was not, or not all, looked into. `why`: "permission" "too_large" "too_deep" "encrypted"
    "unknown_format" "damaged" "locked" "time" "link" "special" "no_git" "no_space" "changing" "died" "io"
    "missing" "index_unusable"; of one database asked alone also "wal_without_index" "hot_journal"."""

    file: str
    why: str


@dataclass(frozen=True)
class Progress:
    """`files` and `bytes` done so far by one child, `file`: the one it is at."""

    files: int
    bytes: int
    file: str


@dataclass(frozen=True)
class Database:
    """A database for the child that reads SQL. One out of an archive is now in the private `folder`, with the
    side files that lay beside it: its folder entry is {"path": folder, "label": label}. One that is in place
    has neither."""

    file: str
    folder: str = ""
    label: str = ""


@dataclass(frozen=True)
class End:
    """The child has looked at everything it was asked to."""


Event = Hit | NotChecked | Progress
Line = Event | Database | End
_TYPES: dict[str, type[Line]] = {
    "hit": Hit,
    "not_checked": NotChecked,
    "progress": Progress,
    "database": Database,
    "end": End,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}


def encode(line: Line) -> str:
    """One line of JSON, ASCII only, without its newline."""
    return json.dumps({"type": _NAMES[type(line)], **asdict(line)})


def decode(text: str | bytes) -> Line:
    """The opposite. Raises ValueError for anything that `encode` does not make."""
    fact = json.loads(text)
    if not isinstance(fact, dict) or fact.get("type") not in _TYPES:
        raise ValueError("no line of a scan")
    kind = _TYPES[fact.pop("type")]
    try:
        return kind(**fact)
    except TypeError as error:
        raise ValueError("no line of a scan") from error


def say(line: Line) -> None:
    """To the frame. Flushed, so that it is not lost when the child is killed."""
    print(encode(line), flush=True)
