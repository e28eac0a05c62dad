"""`manage.py delete_sessions`: what its exit code promises."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.wiping_builders import undeletable

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = """
CREATE TABLE schema_version(version INTEGER); INSERT INTO schema_version VALUES(22);
CREATE TABLE sessions(id TEXT PRIMARY KEY, source TEXT, parent_session_id TEXT, model_config TEXT, title TEXT,
    started_at REAL, ended_at REAL, end_reason TEXT, archived INTEGER DEFAULT 0);
CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT, timestamp REAL);
CREATE VIRTUAL TABLE messages_fts USING fts5(content);
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
    INSERT INTO messages_fts(rowid, content) VALUES(new.id, new.content); END;
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
    DELETE FROM messages_fts WHERE rowid = old.id; END;
"""
GATEWAY = """
import fcntl, os, sys, time
with open(sys.argv[1], "w") as lock:
    lock.write(str(os.getpid()))
    lock.flush()
    fcntl.flock(lock, fcntl.LOCK_EX)
    print("held", flush=True)
    time.sleep(60)
"""
OLD, NOW = 1_600_000_000, 2_000_000_000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "sessions").mkdir(parents=True)
    with closing(sqlite3.connect(folder / "state.db")) as db, db:
        db.executescript("PRAGMA journal_mode=WAL;" + SCHEMA)
        for id, when, ended, archived in (
            ("s1", OLD, OLD, 0), ("s10", NOW, NOW, 0), ("used", OLD, OLD, 0), ("open", OLD, None, 0),
            ("kept", OLD, OLD, 1),
        ):  # fmt: skip
            db.execute(
                "INSERT INTO sessions VALUES(?, 'cli', NULL, NULL, NULL, ?, ?, NULL, ?)",
                (id, when, ended, archived),
            )
            text = f"wordof{id}canary in a whole sentence of {id}"
            last = NOW if id == "used" else when
            db.execute(
                "INSERT INTO messages(session_id, role, content, timestamp) VALUES(?, 'user', ?, ?)",
                (id, text, last),
            )
    for name in ("s1.json", "s1.jsonl", "session_s1.json", "request_dump_s1_1.json", "session_s10.json"):
        (folder / "sessions" / name).write_text("wordofs1canary" if "s10" not in name else "other")
    return folder


def delete(home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "delete_sessions", *options, "--home", str(home)],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home.parent),
            "HERMESWEB_DATA": str(home.parent / "data"),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def ids(home: Path) -> list[str]:
    with closing(sqlite3.connect(home / "state.db")) as db:
        return [id for (id,) in db.execute("SELECT id FROM sessions ORDER BY id")]


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_all_gone_and_verified(home: Path) -> None:
    done = delete(home, "s1", "--yes", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (answer(done)["result"], answer(done)["issues"], answer(done)["files"]) == ("gone", [], 4)
    assert ids(home) == ["kept", "open", "s10", "used"]
    assert [path.name for path in (home / "sessions").iterdir()] == ["session_s10.json"]
    for path in home.glob("state.db*"):
        assert b"wordofs1canary" not in path.read_bytes()


def test_one_file_that_stays_is_named_and_nothing_is_green(home: Path) -> None:
    left = home / "sessions" / "session_s1.json"
    left.unlink()
    left.symlink_to("session_s10.json")
    done = delete(home, "s1", "--yes")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "session_s1.json" in done.stdout
    assert "s1" not in ids(home)
    assert (home / "sessions" / "session_s10.json").read_text() == "other"


def test_a_file_that_cannot_be_removed_is_named_and_nothing_is_green(home: Path) -> None:
    """C13."""
    with undeletable(home / "sessions/s1.jsonl"):
        done = delete(home, "s1", "--yes", "--json")
        assert done.returncode == 3, done.stdout + done.stderr
        assert answer(done)["result"] != "gone"
        assert "sessions/s1.jsonl" in done.stdout
        assert {path.name for path in (home / "sessions").iterdir()} == {"s1.jsonl", "session_s10.json"}
    assert "s1" not in ids(home)


def test_damage_is_said_and_nothing_is_touched(home: Path) -> None:
    """C20."""
    with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as db:
        filler = [("s1", f"number {number} " + "filler " * 90) for number in range(200)]
        db.executemany("INSERT INTO messages(session_id, content) VALUES(?, ?)", filler)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode=DELETE")
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'messages'").fetchone()
    content = bytearray((home / "state.db").read_bytes())
    pages = [at for at in range(0, len(content), 4096) if b"number 100 " in content[at : at + 4096]]
    place = next(at for at in pages if content[at] == 13 and at != (root - 1) * 4096)  # a leaf of a table
    content[place : place + 100] = b"\xff" * 100
    (home / "state.db").write_bytes(content)
    done = delete(home, "s1", "--yes", "--while-running")
    assert (done.returncode, done.stdout) == (2, "")
    assert "damaged" in done.stderr
    assert "Traceback" not in done.stderr
    assert (home / "state.db").read_bytes() == content
    assert (home / "sessions/s1.json").exists()


def test_a_snapshot_that_still_has_it_is_named(home: Path) -> None:
    snapshot = home / "state-snapshots" / "20260101-000000-pre-update"
    snapshot.mkdir(parents=True)
    (snapshot / "state.db").write_bytes((home / "state.db").read_bytes())
    done = delete(home, "s1", "--yes", "--json")
    assert done.returncode == 3
    assert answer(done)["issues"] == ["elsewhere"], done.stdout
    assert [each["store"] for each in answer(done)["proof"]["elsewhere"]] == ["state-snapshots"]


def test_unused_for_keeps_what_was_used_and_names_what_is_left_out(home: Path) -> None:
    done = delete(home, "--unused-for", "90d", "--dry-run", "--json")
    assert done.returncode == 2
    plan = answer(done)["plan"]
    assert [each["sessions"][0]["id"] for each in plan["conversations"]] == ["s1"]
    assert {each["id"]: each["why"] for each in plan["left_out"]} == {
        "used": "recent", "open": "open", "kept": "archived"
    }  # fmt: skip
    assert len(ids(home)) == 5, "a dry run deletes nothing"
    done = delete(home, "--unused-for", "90d", "--include-open", "--yes", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert ids(home) == ["kept", "s10", "used"]


@pytest.mark.parametrize(
    "options", [["nobody", "--yes"], ["s1"], ["../../victim", "--yes"], ["/etc/passwd", "--yes"]]
)
def test_nothing_done(home: Path, options: list[str]) -> None:
    assert delete(home, *options).returncode == 2
    assert len(ids(home)) == 5


def test_nothing_while_hermes_runs_unless_that_was_said(home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", GATEWAY, str(home / "gateway.lock")], stdout=subprocess.PIPE
    ) as gateway:
        try:
            assert gateway.stdout is not None
            gateway.stdout.readline()
            assert delete(home, "s1", "--yes").returncode == 2
            assert "s1" in ids(home)
            done = delete(home, "s1", "--yes", "--while-running", "--json")
            assert done.returncode in (0, 3)
            assert answer(done)["running"] == "yes"
            assert "s1" not in ids(home)
        finally:
            gateway.kill()


def test_an_unknown_schema_is_refused_and_nothing_is_touched(home: Path) -> None:
    with closing(sqlite3.connect(home / "state.db")) as db, db:
        db.execute("UPDATE schema_version SET version = 99")
    done = delete(home, "s1", "--yes")
    assert done.returncode == 2
    assert "99" in done.stderr
    assert len(ids(home)) == 5


def test_busy_is_said_and_nothing_is_half_done(home: Path) -> None:
    with closing(sqlite3.connect(home / "state.db", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        done = delete(home, "s1", "--yes", "--while-running")
        writer.execute("ROLLBACK")
    assert done.returncode == 2
    assert "locked" in done.stderr
    assert len(ids(home)) == 5
