"""Deleting a tenth of a million messages, so that the words are gone, beside the bare SQL for it. Run:
python tests/bench/bench_deleting.py

Bare: delete, optimize, VACUUM, checkpoint. Ours: the same rows, then `scrub` with nobody connected. Each on its
own copy of the home that bench_sessions.py builds (2.2 GB; three times that must be free). Ends with 1 when a
target is missed: 2.5 times the bare time, 200 MB of memory.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sessions.scrubbing import scrub
from sessions.writer import open_for_writing
from tests.bench.bench_sessions import HOME, build

MOST_TIMES, MOST_MEMORY = 2.5, 200
INDEXES = ("messages_fts", "messages_fts_trigram")
CHOSEN = "SELECT id FROM sessions WHERE rowid % 10 = 0"


def main() -> int:
    if sys.argv[1:] == ["ours"]:
        return ours_alone()
    build()
    bare = timed(delete_bare)
    ours, memory = timed_ours()
    ratio = ours / bare
    print(f"bare SQL {bare:6.1f} s\nours     {ours:6.1f} s, {ratio:.2f} times, {memory:.0f} MB at most")
    missed = [
        name for name, met in (("time", ratio <= MOST_TIMES), ("memory", memory < MOST_MEMORY)) if not met
    ]
    print("missed:", ", ".join(missed) or "nothing")
    return 1 if missed else 0


def timed(work: Callable[[Path], None]) -> float:
    with copied_home() as home:
        began = time.perf_counter()
        work(home)
        return time.perf_counter() - began


def timed_ours() -> tuple[float, float]:
    """In a process of its own, so that its memory is not that of the bare SQL; with that of its child."""
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = [sys.executable, __file__, "ours"]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    print(f"({time.perf_counter() - began:.0f} s with copying)")
    print(*done.stdout.splitlines()[:-1], sep="\n")
    seconds, megabytes = done.stdout.splitlines()[-1].split()
    return float(seconds), float(megabytes)


def ours_alone() -> int:
    with copied_home() as home, tempfile.TemporaryDirectory(dir=HOME.parent) as temporary:
        began = time.perf_counter()
        delete_rows(home)
        steps: dict[str, float] = {}
        before, memory = time.perf_counter(), 0.0

        def step(phase: str, done: int, total: int) -> None:
            nonlocal before, memory
            memory = max(memory, sum(peak(child.pid) for child in psutil.Process().children()))
            now = time.perf_counter()
            steps[phase] = steps.get(phase, 0.0) + now - before
            before = now

        scrubbed = scrub(home, temporary=Path(temporary), step=step)
        seconds = time.perf_counter() - began
        assert scrubbed.complete, scrubbed
    print(
        {phase: round(took, 1) for phase, took in steps.items()}, "then", peak("self"), "MB in this process"
    )
    print(seconds, peak("self") + memory)
    return 0


def peak(process: object) -> float:
    """Megabytes. Not getrusage, which also counts what was there before a program replaced another."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def delete_rows(home: Path) -> None:
    with open_for_writing(home) as connection:
        for sql in _DELETE:
            connection.execute(sql)


_DELETE = (
    "BEGIN IMMEDIATE",
    f"DELETE FROM messages WHERE session_id IN ({CHOSEN})",
    f"DELETE FROM session_model_usage WHERE session_id IN ({CHOSEN})",
    f"UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id IN ({CHOSEN})",
    "DELETE FROM sessions WHERE rowid % 10 = 0",
    "COMMIT",
)


def delete_bare(home: Path) -> None:
    with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as connection:
        for sql in _DELETE:
            connection.execute(sql)
        for name in INDEXES:
            connection.execute(f"INSERT INTO {name}({name}) VALUES('optimize')")
        connection.execute("VACUUM")
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


@contextmanager
def copied_home() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=HOME.parent) as folder:
        for name in ("state.db", "state.db-wal"):
            if (HOME / name).exists():
                shutil.copyfile(HOME / name, Path(folder) / name)
        os.sync()
        yield Path(folder)


if __name__ == "__main__":
    sys.exit(main())
