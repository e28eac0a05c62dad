"""Several real Hermes processes and we change one memory file at the same time."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from memory.editing import MemoryFile
from memory.operations import add, move, remove, replace
from memory.parsing import split_entries
from memory.seen import Seen, fingerprint
from tests.memory_builders import memory_home
from tests.memory_write_builders import limits

WRITER = Path(__file__).with_name("memory_race_writer.py")
LIMIT = 100_000
WRITERS = 4
KEPT = 3

_ENTRY = re.compile(r"(hermes-\d|ours) number \d+( changed)?\.")


@dataclass
class Outcome:
    """`writes` by writer; `reads` of the file meanwhile. The rest has to be empty."""

    writes: dict[str, int] = field(default_factory=dict)
    reads: int = 0
    torn: list[str] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    unasked: set[str] = field(default_factory=set)
    litter: set[str] = field(default_factory=set)

    @property
    def faults(self) -> list[object]:
        return [each for each in (self.torn, self.lost, self.doubled, self.unasked, self.litter) if each]


def race(root: Path, seconds: float) -> Outcome:
    home = memory_home(root)
    path = home.memory("")
    file = MemoryFile(home.profile, "memory", limits(LIMIT, LIMIT), "0.19", seconds=60)
    outcome, over = Outcome(), threading.Event()
    reader = threading.Thread(target=_read, args=(path, outcome, over))
    with ExitStack() as stack:
        hermes = {name: stack.enter_context(_writer(root, name, seconds)) for name in _names()}
        for process in hermes.values():
            _go(process)
        reader.start()
        here, there = _edit(file, outcome, seconds)
        left = {name: json.loads(process.communicate()[0]) for name, process in hermes.items()}
    over.set()
    reader.join()
    outcome.writes |= {name: answer["writes"] for name, answer in left.items()}
    _compare(path, here | {entry for answer in left.values() for entry in answer["left"]}, outcome)
    _compare(file.other.path, there, outcome)
    names = {each.name for each in path.parent.iterdir()}
    outcome.litter = names - {"MEMORY.md", "USER.md", "MEMORY.md.lock", "USER.md.lock"}
    return outcome


def _names() -> list[str]:
    return [f"hermes-{number}" for number in range(WRITERS)]


def _writer(root: Path, name: str, seconds: float) -> subprocess.Popen[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(root), "HERMES_HOME": str(root)}
    command = [sys.executable, "-I", str(WRITER), name, str(seconds), str(LIMIT)]
    return subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("go\n")
    process.stdin.flush()


def _edit(file: MemoryFile, outcome: Outcome, seconds: float) -> tuple[set[str], set[str]]:
    """Adds, changes, moves there and back, removes. What has to be left in each of the two files."""
    end, left, writes = time.monotonic() + seconds, [], 0
    for number in count():
        if time.monotonic() > end:
            break
        text, changed = f"ours number {number}.", f"ours number {number} changed."
        add(file, text)
        replace(file, _seen(text), changed)
        left.append(changed)
        writes += 2
        if number % 4 == 0:
            move(file, _seen(changed))
            move(file.other, _seen(changed))
            writes += 2
        if len(left) > KEPT:
            remove(file, [_seen(left.pop(0))])
            writes += 1
    outcome.writes["ours"] = writes
    return set(left), set()


def _seen(text: str) -> Seen:
    return Seen(fingerprint(text), 0)


def _read(path: Path, outcome: Outcome, over: threading.Event) -> None:
    """Reads the file again and again: it has to be whole at any moment."""
    while not over.wait(0.002):
        outcome.reads += 1
        entries = split_entries(path.read_bytes().decode())
        outcome.torn += [entry for entry in entries if not _ENTRY.fullmatch(entry)]
        outcome.doubled |= set(_doubled(entries))


def _doubled(entries: list[str]) -> Iterator[str]:
    return (entry for entry, times in Counter(entries).items() if times > 1)


def _compare(path: Path, expected: set[str], outcome: Outcome) -> None:
    entries = split_entries(path.read_bytes().decode()) if path.exists() else []
    outcome.lost |= expected - set(entries)
    outcome.unasked |= set(entries) - expected
    outcome.doubled |= set(_doubled(entries))
