"""Deleting a tenth of a million messages, so that the words are gone, beside the bare SQL for it. Run:
python tests/bench/bench_deleting.py

Ours: plan, and a whole run with its proof, with nobody connected. Bare: the same sessions; optimize, VACUUM,
checkpoint. Each on its own copy of the home that bench_sessions.py builds (2.2 GB; three times that must be free).
Ends with 1 when a target is missed: 2.5 times the bare time, 200 MB of memory.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hermesweb.hermes.homes import DEFAULT, Home, Profile
from sessions.database import read_state
from sessions.deletion_plan import plan_deletion
from sessions.deletion_run import Order, run
from tests.bench.bench_sessions import HOME, build

MOST_TIMES, MOST_MEMORY = 2.5, 200
INDEXES = ("messages_fts", "messages_fts_trigram")
CHOSEN = "SELECT id FROM sessions WHERE rowid % 10 = 0"


def main() -> int:
    if sys.argv[1:] == ["ours"]:
        print(json.dumps(ours()))
        return 0
    build()
    measured = ours_apart()
    for name, seconds in measured["steps"].items():
        print(f"  {name:24}{seconds:7.1f} s")
    bare = bare_seconds(measured["sessions"])
    ratio = measured["seconds"] / bare
    print(f"{measured['messages']:,} messages of {len(measured['sessions']):,} sessions")
    print(f"bare SQL {bare:6.1f} s\nours     {measured['seconds']:6.1f} s, {ratio:.2f} times")
    print(f"memory   {measured['memory']:6.0f} MB at most")
    missed = [
        name
        for name, met in (("time", ratio <= MOST_TIMES), ("memory", measured["memory"] < MOST_MEMORY))
        if not met
    ]
    print("missed:", ", ".join(missed) or "nothing")
    return 1 if missed else 0


def ours_apart() -> dict:
    """In a process of its own, so that its memory is only that of deleting; with that of its children."""
    done = subprocess.run([sys.executable, __file__, "ours"], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def ours() -> dict:
    steps: dict[str, float] = {}
    memory = 0.0
    with copied_home() as home, tempfile.TemporaryDirectory(dir=HOME.parent) as temporary:
        began = before = time.perf_counter()

        def step(name: str, done: int = 0, total: int = 0) -> None:
            nonlocal before, memory
            memory = max(memory, peak("self") + sum(peak(child.pid) for child in psutil.Process().children()))
            now = time.perf_counter()
            steps[name] = steps.get(name, 0.0) + now - before
            before = now

        ids = read_state(home, lambda db: [id for (id,) in db.rows(CHOSEN)])
        plan = read_state(home, lambda db: plan_deletion(db, ids), seconds=60)
        step("plan")
        profile = Profile(Home("bench", "bench", home), DEFAULT, home)
        record = run(Order(profile, plan, Path(temporary), while_running=True, tell=step))
        step("proof")
        seconds = time.perf_counter() - began
        assert record["words"]["complete"], record["words"]
        assert not record["proof"]["state"], record["proof"]
    sessions = [part.id for conversation in plan.conversations for part in conversation.sessions]
    return {
        "seconds": seconds,
        "memory": memory,
        "steps": steps,
        "sessions": sessions,
        "messages": plan.counts.messages,
    }


def peak(process: object) -> float:
    """Megabytes. Not getrusage, which also counts what was there before a program replaced another."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def bare_seconds(sessions: list[str]) -> float:
    with (
        copied_home() as home,
        closing(sqlite3.connect(home / "state.db", isolation_level=None)) as connection,
    ):
        began = time.perf_counter()
        connection.execute("CREATE TEMP TABLE gone(id TEXT PRIMARY KEY)")
        connection.executemany("INSERT INTO gone VALUES(?)", [(id,) for id in sessions])
        connection.execute("BEGIN IMMEDIATE")
        for table, column in (
            ("messages", "session_id"),
            ("session_model_usage", "session_id"),
            ("sessions", "id"),
        ):
            connection.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT id FROM gone)")
        connection.execute("COMMIT")
        for name in INDEXES:
            connection.execute(f"INSERT INTO {name}({name}) VALUES('optimize')")
        connection.execute("VACUUM")
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        return time.perf_counter() - began


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
