"""Opening a conversation of 100,000 messages anywhere, exporting a big one, looking for keys.

Run: python tests/bench/bench_reading.py [megabytes of the big one, 1000]. Prints what it measured; ends with 1
when a page takes 100 ms or an export more than 100 MB of memory, and only then.
"""

import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sessions.database import read_state
from sessions.export_html import export_html
from sessions.export_jsonl import export_jsonl
from sessions.export_markdown import export_markdown
from sessions.export_pages import Options
from sessions.secret_scan import scan_findings
from sessions.transcript import LAST, Place, window
from sessions.transcript_chain import chain_of
from sessions.transcript_heading import heading
from tests.state_builders import connect, old_state

PAGE, MEMORY = 100, 100  # the targets: milliseconds, megabytes
MESSAGES = 100_000
WORDS = "the garden needs water while everybody is away and the timer runs early in the morning " * 3


def rows(away: int) -> Iterator[tuple[object, ...]]:
    for number in range(MESSAGES * away):
        session = "long" if number % away == 0 else f"other-{number % 997}"
        role = ("user", "assistant", "tool")[number % 3]
        active, compacted = (0, 1) if number % 10 == 9 else (0, 0) if number % 1000 == 5 else (1, 0)
        yield session, role, WORDS[: 40 + number % 200], 1_700_000_000.0 + number, active, compacted


def build(folder: Path, away: int, ordered: bool) -> None:
    old_state(folder)
    with closing(connect(folder)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO messages(session_id, role, content, timestamp, active, compacted) VALUES(?,?,?,?,?,?)",
            rows(away),
        )
        connection.execute("INSERT INTO sessions(id, source, started_at) VALUES('long', 'cli', 1700000000)")
        connection.execute("CREATE INDEX messages_active ON messages(session_id, active, timestamp)")
        if ordered:
            connection.execute("CREATE INDEX idx_messages_session_id ON messages(session_id, id)")
        connection.execute("COMMIT")


def milliseconds(folder: Path, function: Callable[..., object], times: int = 7) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        read_state(folder, function)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def pages(folder: Path, away: int) -> dict[str, float]:
    middle = 1 + (MESSAGES // 2) * away
    chain = read_state(folder, lambda db: chain_of(db, "long")).sessions
    return {
        "heading": milliseconds(folder, lambda db: heading(db, "long")),
        "first page": milliseconds(folder, lambda db: window(db, chain)),
        "middle": milliseconds(folder, lambda db: window(db, chain, around=middle)),
        "middle, all kinds": milliseconds(folder, lambda db: window(db, chain, around=middle, undone=True)),
        "middle, live only": milliseconds(
            folder, lambda db: window(db, chain, around=middle, compacted=False)
        ),
        "next page": milliseconds(folder, lambda db: window(db, chain, after=Place("long", middle))),
        "last page": milliseconds(folder, lambda db: window(db, chain, before=Place("long", LAST))),
    }


def build_big(folder: Path, megabytes: int) -> None:
    old_state(folder)
    with closing(connect(folder)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("BEGIN")
        text = WORDS * 40
        connection.executemany(
            "INSERT INTO messages(session_id, role, content, timestamp) VALUES('long', 'user', ?, ?)",
            ((text, 1_700_000_000.0 + number) for number in range(megabytes * 1_000_000 // len(text))),
        )
        connection.execute("INSERT INTO sessions(id, source, started_at) VALUES('long', 'cli', 1700000000)")
        connection.execute("COMMIT")


FORMS = {"jsonl": export_jsonl, "markdown": export_markdown, "html": export_html}


def export(folder: str, form: str, masked: str) -> None:
    """In a process of its own: bytes, seconds, and megabytes more than before."""
    read = partial(read_state, Path(folder))
    before, began = peak(), time.perf_counter()
    written = sum(map(len, FORMS[form](read, ["long"], Options(masked=masked == "masked"))))
    print(written, time.perf_counter() - began, before, peak())


def scan(folder: str) -> None:
    """In a process of its own: messages, seconds, megabytes."""
    began, after, messages = time.perf_counter(), 0, 0
    while after is not None:
        page = read_state(Path(folder), partial(scan_findings, after_id=after))
        messages, after = messages + page.looked_at, page.next
    print(messages, time.perf_counter() - began, peak())


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def apart(*arguments: str) -> list[float]:
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(each) for each in done.stdout.split()]


def main(megabytes: int) -> int:
    missed = False
    print(f"SQLite {sqlite3.sqlite_version}; a session of {MESSAGES:,} messages; milliseconds")
    with tempfile.TemporaryDirectory() as outer:
        for away in (1, 10):
            for ordered in (False, True):
                folder = Path(outer) / f"{away}-{ordered}"
                build(folder, away, ordered)
                found = pages(folder, away)
                missed |= max(found.values()) > PAGE
                figures = ", ".join(f"{name} {took:.1f}" for name, took in found.items())
                print(f"one in {away}, {'index of 0.22' if ordered else 'as 0.19'}: {figures}")
        messages, seconds, used = apart("scan", str(folder))
        print(f"looking for keys: {messages:,.0f} messages in {seconds:.1f} s, {used:.0f} MB")
        big = Path(outer) / "big"
        build_big(big, megabytes)
        for form in FORMS:
            for masked in ("exact", "masked"):
                size, seconds, before, used = apart("export", str(big), form, masked)
                missed |= used > MEMORY
                rate = size / seconds / 1e6
                print(
                    f"{form}, {masked}: {size / 1e6:.0f} MB, {rate:.0f} MB/s, memory {before:.0f} to {used:.0f} MB"
                )
    return int(missed)


if __name__ == "__main__":
    if sys.argv[1:2] == ["export"]:
        export(*sys.argv[2:])
    elif sys.argv[1:2] == ["scan"]:
        scan(*sys.argv[2:])
    else:
        sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 1000))
