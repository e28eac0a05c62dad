"""What a child process of the scan is asked to do: one JSON object in the first line of its standard input.

    {"folders": [{"path", "label", "skip": [path below the folder, …]}], "phrases": [text, …],
     "files": [path below the folder, …] or null for all, "limits": {name: number}, "scratch": folder}

Phrases come this way only: arguments and environment of a process can be read by others on the machine.
"""

import json
import os
import sys
import threading
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class ScanFolder:
    """The folder `path`; what is found in it is called `label` + the path below it. Of it, what is named in
    `skip` (paths below it, "/" separated) is left out with all that is in it."""

    path: str
    label: str = ""
    skip: tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    """Bytes, but for `depth` (archives in archives), `members` (of one archive) and `ratio` (unpacked bytes to
    packed ones, from a megabyte on)."""

    depth: int = 6
    members: int = 100_000
    member: int = 8 << 30
    unpacked: int = 32 << 30
    ratio: int = 1_000


@dataclass(frozen=True)
class Asked:
    folders: tuple[ScanFolder, ...]
    phrases: tuple[str, ...]
    files: tuple[str, ...] | None = None
    limits: Limits = field(default_factory=Limits)
    scratch: Path | None = None


def write_asked(asked: Asked) -> str:
    """As JSON, ASCII only."""
    return json.dumps({**asdict(asked), "scratch": asked.scratch and str(asked.scratch)})


def read_asked(text: str | bytes) -> Asked:
    """The opposite."""
    fact = json.loads(text)
    folders = (ScanFolder(**{**one, "skip": tuple(one.get("skip", ()))}) for one in fact["folders"])
    files, scratch = fact.get("files"), fact.get("scratch")
    return Asked(
        tuple(folders),
        tuple(fact["phrases"]),
        None if files is None else tuple(files),
        Limits(**fact.get("limits", {})),
        Path(scratch) if scratch else None,
    )


def receive() -> Asked:
    """In a child process: what it is asked."""
    return read_asked(read_line())


def read_line() -> bytes:
    """The first line of the standard input. When that closes, because the parent is gone or does not want to
    know any more, the process ends."""
    line = sys.stdin.buffer.readline()
    threading.Thread(target=_end_with_input, daemon=True).start()
    return line


def _end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1 << 16):
        pass
    os._exit(0)
