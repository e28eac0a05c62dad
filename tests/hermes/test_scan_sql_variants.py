"""Databases that are damaged, locked, half written or laid out otherwise."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb.hermes.scan.events import Event, Hit, NotChecked
from hermesweb.hermes.scan.sql_rows import LOWEST
from hermesweb.hermes.scan.sql_scan import scan_database
from tests.home_builders import BuiltHome, fingerprints

Make = Callable[..., BuiltHome]


def found(path: Path, *phrases: str) -> tuple[dict[tuple[str, str], Hit], set[str]]:
    events: list[Event] = list(scan_database(path, phrases))
    hits = {(event.where, event.how): event for event in events if isinstance(event, Hit)}
    return hits, {event.why for event in events if isinstance(event, NotChecked)}


def database(path: Path, *statements: str) -> Path:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def test_without_an_index_the_rows_are_found(make_home: Make) -> None:
    home = make_home("--variant", "no-fts")
    hits, problems = found(home.root / "state.db", "kernel")
    assert hits["messages.content", "sql"].count > 0
    assert problems == set()
    assert not any(how.startswith("index") for _, how in hits)


@pytest.mark.parametrize(
    "options", [(), ("--layout", "main"), ("--no-optimize",), ("--variant", "no-trigram")]
)
def test_the_index_has_as_many_rows_as_the_tables(make_home: Make, options: tuple[str, ...]) -> None:
    home = make_home(*options)
    path = home.root / "state.db"
    hits, problems = found(path, "kernel")
    with sqlite3.connect(path) as connection:
        sql = "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'kernel*'"
        (rows,) = connection.execute(sql).fetchone()
    connection.close()
    assert hits["messages_fts_data", "index_live"].count == rows
    assert problems == set()


def test_a_garbled_index_is_reported_and_the_rows_are_found_all_the_same(make_home: Make) -> None:
    home = make_home("--variant", "fts-garbage")
    hits, problems = found(home.root / "state.db", "kernel")
    assert hits["messages.content", "sql"].count > 0
    assert problems == {"damaged"}


def test_rows_that_are_only_in_the_wal(make_home: Make) -> None:
    home = make_home("--variant", "open-wal")
    before = fingerprints(home.root)
    hits, problems = found(home.root / "state.db", "onlyinthewal")
    assert hits["messages.content", "sql"].count > 0 or problems == {"wal_without_index"}
    assert fingerprints(home.root) == before


def test_a_writer_that_died_in_the_middle_is_reported(make_home: Make) -> None:
    home = make_home("--variant", "hot-journal")
    before = fingerprints(home.root)
    _, problems = found(home.root / "state.db", "kernel")
    assert problems == {"hot_journal"}
    assert fingerprints(home.root) == before


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("truncated", {"damaged"}), ("zero-length", set()), ("not-a-db", {"unknown_format"})],
)
def test_files_that_are_no_database_any_more(make_home: Make, variant: str, expected: set[str]) -> None:
    home = make_home("--variant", variant)
    assert found(home.root / "state.db", "kernel") == ({}, expected)


def test_what_looks_like_noise_is_called_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "secret.db"
    path.write_bytes(os.urandom(8192))
    assert found(path, "kernel") == ({}, {"encrypted"})


def test_what_is_left_of_a_damaged_table_is_searched(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", "CREATE TABLE t (a TEXT)")
    with sqlite3.connect(path) as connection:
        connection.executemany("INSERT INTO t VALUES (?)", ((f"word{n} " * 50,) for n in range(2000)))
    connection.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(content)
    hits, problems = found(path, "word3", "word1999")
    assert problems == {"damaged"}
    assert hits["t.a", "sql"].count > 0


def test_every_kind_of_value(tmp_path: Path) -> None:
    path = database(
        tmp_path / "a.db",
        "CREATE TABLE t (a TEXT, n INTEGER, b BLOB)",
        "CREATE TABLE w (k TEXT, v TEXT, PRIMARY KEY (k, v)) WITHOUT ROWID",
        'CREATE TABLE "odd "" name" ("rowid" TEXT, "a b" TEXT)',
        "CREATE TABLE s (rowid TEXT, oid TEXT, _rowid_ TEXT)",
        "INSERT INTO t VALUES (CAST(x'006a736f6e3a' AS TEXT) || '[\"Caf\\u00e9 Noir\"]', NULL, NULL)",
        "INSERT INTO t VALUES (NULL, 4917012345, NULL)",
        "INSERT INTO t VALUES (NULL, 'cafe noir as text', NULL)",
        "INSERT INTO t VALUES (NULL, NULL, CAST('CAFÉ\nNOIR' AS BLOB))",
        "INSERT INTO w VALUES ('x', 'café noir')",
        "INSERT INTO \"odd \"\" name\" VALUES ('', 'cafe noir')",
        "INSERT INTO s VALUES ('', 'cafe noir', '')",
        "CREATE VIEW v AS SELECT 'cafe noir' AS a",
    )
    hits, problems = found(path, "café noir")
    assert {where for where, _ in hits} == {
        "t.a",
        "t.n",
        "t.b",
        "w.v",
        'odd " name.a b',
        "s.oid",
        "sqlite_master.sql",
    }
    assert hits["t.a", "sql"].place == {"rowids": [1], "spelled": {"json_escaped": 1}}
    assert problems == set()
    hits, _ = found(path, "4917012345")
    assert hits["t.n", "sql"].place == {"rowids": [2]}


def test_a_row_of_many_megabytes_and_row_ids_at_both_ends(tmp_path: Path) -> None:
    path = database(
        tmp_path / "a.db",
        "CREATE TABLE t (a TEXT)",
        f"INSERT INTO t (rowid, a) VALUES ({LOWEST}, 'needle one')",
        "INSERT INTO t (rowid, a) VALUES (9223372036854775807, 'needle two')",
        "INSERT INTO t (rowid, a) VALUES (7, hex(zeroblob(9000000)) || 'needle')",
    )
    hits, problems = found(path, "needle")
    assert hits["t.a", "sql"].count == 3
    assert problems == set()


def test_rows_are_found_whatever_gaps_are_between_their_ids(tmp_path: Path) -> None:
    numbers = [*range(-3_000, 2_000), *range(2_500, 9_000, 2), *range(10**6, 10**12, 10**9)]
    numbers += [*range(2 * 10**12, 2 * 10**12 + 30_000), 2 * 10**12 + 30_005, 2 * 10**12 + 95_000]
    path = database(tmp_path / "a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = [(number, None if number % 3 == 1 else f"a needle {number}") for number in numbers]
        connection.executemany("INSERT INTO t VALUES(?, ?)", rows)
    hits, problems = found(path, "needle")
    assert hits["t.a", "sql"].count == sum(number % 3 != 1 for number in numbers)
    assert problems == set()


def test_other_encodings(tmp_path: Path) -> None:
    path = database(
        tmp_path / "a.db",
        "PRAGMA encoding = 'UTF-16le'",
        "CREATE TABLE t (a TEXT)",
        "INSERT INTO t VALUES ('Žluťoučký kůň')",
    )
    assert found(path, "zlutoucky kun")[0]["t.a", "sql"].count == 1


def test_an_index_of_an_older_kind_is_named(tmp_path: Path) -> None:
    path = database(
        tmp_path / "a.db", "CREATE VIRTUAL TABLE t USING fts4(a)", "INSERT INTO t VALUES ('needle')"
    )
    hits, problems = found(path, "needle")
    assert hits["t_content.c0a", "sql"].count == 1
    assert problems == {"unknown_format"}


_WRITER = """
import json, sqlite3, sys, time
path, mode, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
db = sqlite3.connect(path, timeout=30, isolation_level=None)
db.execute(f"PRAGMA journal_mode={mode}")
print("ready", flush=True)
longest, done, end = 0.0, 0, time.monotonic() + seconds
while time.monotonic() < end:
    began = time.monotonic()
    db.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('w', 'user', 'written', 1.0)")
    longest, done = max(longest, time.monotonic() - began), done + 1
print(json.dumps([longest, done]))
"""


_HOLDER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
db.execute("INSERT INTO t VALUES ('another')")
print("ready", flush=True)
time.sleep(30)
"""


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_a_writer_goes_on_all_the_time(generated_home: BuiltHome, mode: str) -> None:
    path = generated_home.root / "state.db"
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT OR IGNORE INTO sessions (id, source, started_at) VALUES ('w', 'cli', 1.0)")
    connection.close()
    command = [sys.executable, "-c", _WRITER, str(path), mode, "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        scans = 0
        while writer.poll() is None:
            hits, problems = found(path, "kernel")
            assert hits["messages.content", "sql"].count > 0
            assert problems == set()
            scans += 1
        longest, done = json.loads(writer.stdout.read())
    assert writer.returncode == 0
    assert scans > 0
    assert done > 0
    assert longest < 1


def test_what_stays_locked_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hermesweb.hermes.scan.sql_reading.LOCK_SECONDS", 0.2)
    path = database(tmp_path / "a.db", "CREATE TABLE t (a TEXT)", "INSERT INTO t VALUES ('needle')")
    with subprocess.Popen([sys.executable, "-c", _HOLDER, str(path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            assert found(path, "needle") == ({}, {"locked"})
        finally:
            other.kill()
