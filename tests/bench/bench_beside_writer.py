"""A writer that commits without pause, alone and while pages are read. Run: python tests/bench/bench_beside_writer.py

The list, a search, a conversation and the search for keys are asked of the server of `make run`, four at a time,
with one trace after another, beside the real Hermes 0.19 (which uses a WAL) and beside plain SQL with Hermes' one
second of patience (WAL and rollback journal). Prints how long a commit took, as a ratio too, and how large the WAL
became. Ends with 1 when a commit failed, a row that was committed is not there or a page was not shown, and only
then.
"""

import itertools
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hermesweb.hermes.ids import encode_id
from tests.bench import bench_pages, bench_sessions
from tests.web.server import Visitor

SECONDS = 20
AT_ONCE = 4

HERMES = """
import json, logging, sys, time
from pathlib import Path
logging.disable(50)
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]) / "state.db")
db.create_session("written", "cli")
write = lambda n: db.append_message("written", "user", f"message {n} about the garden and the docker " + "word " * 40)
"""
SQL = """
import json, sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1] + "/state.db", timeout=1, isolation_level=None)
connection.execute("PRAGMA foreign_keys=ON")
connection.execute("INSERT OR IGNORE INTO sessions(id, source, started_at) VALUES('written', 'cli', 1)")
def write(n):
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(
            "INSERT INTO messages(session_id, role, content, timestamp) VALUES('written', 'user', ?, ?)",
            (f"message {n} about the garden and the docker " + "word " * 40, time.time()),
        )
        connection.execute("UPDATE sessions SET message_count = message_count + 1 WHERE id = 'written'")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
"""
WRITE = """
took, failed, end = [], [], time.monotonic() + float(sys.argv[2])
n = 0
while time.monotonic() < end:
    n += 1
    began = time.perf_counter()
    try:
        write(n)
    except Exception as problem:
        failed.append(repr(problem))
    took.append((time.perf_counter() - began) * 1000)
print(json.dumps({"took": took, "failed": failed}))
"""


def main() -> int:
    faults = 0
    print(f"load {os.getloadavg()[0]:.1f}; milliseconds of a commit; {SECONDS} s each")
    print(f"{'':28}{'commits':>9}{'middle':>9}{'p99':>9}{'longest':>9}{'failed':>8}{'WAL MB':>8}")
    with tempfile.TemporaryDirectory() as outer:
        home = Path(outer) / "home"
        build(home)
        for number, (name, script, mode) in enumerate(
            (
                ("Hermes 0.19, WAL", HERMES, "WAL"),
                ("SQL, WAL", SQL, "WAL"),
                ("SQL, rollback journal", SQL, "DELETE"),
            )
        ):
            use(home, mode)
            alone = written(home, script)
            show(f"{name}, alone", alone)
            beside, pages = with_pages(home, Path(outer) / f"data {number}", script)
            show(f"{name}, pages", beside)
            ratios = [beside[each] / alone[each] for each in ("middle", "p99")]
            print(f"{'':28}ratio{ratios[0]:13.2f}{ratios[1]:9.2f}   pages: {dict(pages)}")
            faults += len(alone["failed"]) + len(beside["failed"])
            faults += sum(count for what, count in pages.items() if not what.endswith("shown"))
    print("\nnothing failed" if not faults else f"\n{faults} FAILED")
    return 1 if faults else 0


def use(home: Path, mode: str) -> None:
    """Set the journal mode, once the server before has let go of the file."""
    for _ in range(50):
        with closing(sqlite3.connect(home / "state.db")) as connection, suppress(sqlite3.OperationalError):
            connection.execute(f"PRAGMA journal_mode={mode}")
            return
        time.sleep(0.2)
    raise SystemExit("state.db stays locked")


def build(home: Path) -> None:
    script = str(Path(bench_sessions.ROOT) / "tests/homes/make_home.py")
    options = [
        "--sessions",
        "1500",
        "--messages-per-session",
        "20",
        "--profiles",
        "0",
        "--no-oracle",
        "--force",
    ]
    subprocess.run([sys.executable, script, str(home), *options], check=True, stdout=subprocess.DEVNULL)


def written(home: Path, script: str) -> dict[str, Any]:
    """What a process that writes without pause says of its commits."""
    environ = {**os.environ, "HERMES_HOME": str(home), "HOME": str(home.parent)}
    command = [sys.executable, "-c", script + WRITE, str(home), str(SECONDS)]
    most, before = 0, rows(home)
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:
        outcome: list[str] = []
        reader = threading.Thread(target=lambda: outcome.append(process.stdout.read()))  # type: ignore[union-attr]
        reader.start()
        while process.poll() is None:
            wal = home / "state.db-wal"
            most = max(most, wal.stat().st_size if wal.exists() else 0)
            time.sleep(0.1)
        reader.join()
    assert process.returncode == 0
    found: dict[str, Any] = json.loads(outcome[0].splitlines()[-1])
    committed = len(found["took"]) - len(found["failed"])
    if (lost := committed - (rows(home) - before)) > 0:
        found["failed"] += ["a committed row is not there"] * lost
    took = sorted(found["took"])
    return found | {
        "middle": statistics.median(took),
        "p99": took[int(len(took) * 0.99)],
        "longest": took[-1],
        "wal": most / 1e6,
    }


def rows(home: Path) -> int:
    with closing(sqlite3.connect(f"file:{home}/state.db?mode=ro", uri=True, timeout=60)) as connection:
        found = connection.execute("SELECT COUNT(*) FROM messages WHERE session_id = 'written'").fetchone()
    return int(found[0])


def show(name: str, found: dict[str, Any]) -> None:
    times = "".join(f"{found[each]:9.1f}" for each in ("middle", "p99", "longest"))
    print(f"{name:28}{len(found['took']):9,}{times}{len(found['failed']):8}{found['wal']:8.1f}")
    for problem, count in Counter(found["failed"]).most_common(3):
        print(f"  {count} × {problem}")


def with_pages(home: Path, data: Path, script: str) -> tuple[dict[str, Any], Counter[str]]:
    pages: Counter[str] = Counter()
    over = threading.Event()
    with bench_pages.serving(home, data) as (_server, visitor):
        base = bench_pages.home_of(visitor)
        visitor.get(base + "findings/")
        assert visitor.post(base + "findings/look/").status == 302
        forms = ({"words": "garden"}, {"words": "docker", "group": "1"})
        addresses = {
            "list": base + "sessions/",
            "conversation": f"{base}sessions/{encode_id('written')}/",
            "search": bench_pages.address_of_search(visitor, base, forms[0]),
            "grouped": bench_pages.address_of_search(visitor, base, forms[1]),
        }
        readers = [
            threading.Thread(target=partial(read, visitor, addresses, pages, over, number))
            for number in range(AT_ONCE)
        ]
        readers.append(threading.Thread(target=partial(trace, visitor, base, pages, over)))
        for reader in readers:
            reader.start()
        try:
            return written(home, script), pages
        finally:
            over.set()
            for reader in readers:
                reader.join()


def read(
    visitor: Visitor, addresses: dict[str, str], pages: Counter[str], over: threading.Event, first: int
) -> None:
    own = Visitor(visitor.port, dict(visitor.cookies))
    expected = {
        "list": 'id="listed"',
        "conversation": 'class="reading"',
        "search": "<mark>",
        "grouped": "<mark>",
    }
    for name in itertools.islice(itertools.cycle(addresses), first, None):
        if over.is_set():
            return
        reply = own.get(addresses[name])
        if reply.status != 200:
            pages[f"{name}: {reply.status}"] += 1
        elif expected[name] in reply.body:
            pages[f"{name} shown"] += 1
        else:
            pages[f"{name}: a sentence instead"] += 1


def trace(visitor: Visitor, base: str, pages: Counter[str], over: threading.Event) -> None:
    """One after another, watched until its result is there."""
    own = Visitor(visitor.port, dict(visitor.cookies))
    while not over.is_set():
        own.get(base + "trace/")
        begun = own.post(base + "trace/", {"phrase": "the garden", "profiles": base.split("/")[-2]})
        if begun.status not in (302, 303):
            pages[f"trace: {begun.status}"] += 1
            return
        while 'http-equiv="refresh"' in (reply := own.get(begun.location)).body:
            time.sleep(0.2)
        pages["trace shown" if 'id="result"' in reply.body else f"trace: {reply.status}"] += 1


if __name__ == "__main__":
    sys.exit(main())
