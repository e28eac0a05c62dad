"""Reading beside a process that writes works at once, sees what is committed, hinders nobody. Case C20 (a)."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sessions.database import Database, read_state
from sessions.errors import StateLocked
from sessions.queries import count, latest
from tests.home_builders import fingerprints, side_files
from tests.state_builders import add_message, add_session, connect, held_by_another, old_state

INSERT = "INSERT INTO sessions(id, source, started_at) VALUES('s2', 'cli', 1)"


def sessions(db: Database) -> int:
    return int(db.value("SELECT COUNT(*) FROM sessions"))


@pytest.fixture(params=["WAL", "DELETE"])
def state(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A state.db with one session, in both journal modes."""
    add_session(old_state(tmp_path), "s1")
    with closing(connect(tmp_path)) as connection:
        connection.execute(f"PRAGMA journal_mode={request.param}")
    return tmp_path


@pytest.mark.parametrize("begin", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_transaction_that_has_not_written_yet(state: Path, begin: str) -> None:
    with held_by_another(state, begin):
        before = fingerprints(state)
        assert read_state(state, sessions) == 1
        assert fingerprints(state) == before


def test_a_transaction_that_has_written(state: Path) -> None:
    with held_by_another(state, "BEGIN IMMEDIATE", INSERT):
        before = fingerprints(state)
        assert read_state(state, sessions) == 1
        assert fingerprints(state) == before


def test_a_commit_is_seen_at_once(state: Path) -> None:
    with held_by_another(state, INSERT):
        before = side_files(state)
        assert read_state(state, sessions) == 2
        assert side_files(state) == before


@pytest.mark.parametrize("mode", ["TRUNCATE", "PERSIST"])
def test_a_journal_that_is_kept_is_no_obstacle(tmp_path: Path, mode: str) -> None:
    add_session(old_state(tmp_path), "s1")
    with held_by_another(tmp_path, f"PRAGMA journal_mode={mode}", INSERT):
        assert (tmp_path / "state.db-journal").exists()
        before = fingerprints(tmp_path)
        assert read_state(tmp_path, sessions) == 2
        assert fingerprints(tmp_path) == before


def test_a_commit_and_an_open_transaction(state: Path) -> None:
    with held_by_another(state, INSERT, "BEGIN IMMEDIATE", "DELETE FROM sessions"):
        assert read_state(state, sessions) == 2


def test_a_writer_in_the_middle_of_writing_pages_is_waited_for_and_named(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    for _ in range(50):
        add_message(tmp_path, "s1", "x" * 3000)
    with closing(connect(tmp_path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    spill = ("PRAGMA cache_size=2", "BEGIN IMMEDIATE", "UPDATE messages SET timestamp = 1")
    with held_by_another(tmp_path, *spill), pytest.raises(StateLocked):
        read_state(tmp_path, sessions, seconds=0.2)


def test_an_index_that_a_crash_left_half_written(tmp_path: Path) -> None:
    """While somebody is connected it has to be mended in place, as any reader of SQLite does."""
    old_state(tmp_path)
    tear = f"with open({str(tmp_path / 'state.db-shm')!r}, 'r+b') as index: index.write(b'torn' * 30)"
    with held_by_another(tmp_path, INSERT):
        subprocess.run([sys.executable, "-c", tear], check=True)  # apart: closing would drop our locks
        assert read_state(tmp_path, sessions) == 1
    assert side_files(tmp_path) == {"state.db", "state.db-shm", "state.db-wal"}


def test_reading_lets_a_writer_clean_up(tmp_path: Path) -> None:
    """No read stays open: afterwards the WAL can be emptied."""
    old_state(tmp_path)
    with closing(connect(tmp_path)) as writer:
        writer.execute(INSERT)
        assert read_state(tmp_path, sessions) == 1
        assert writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


_HERMES = """
import sys, threading, time
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]))
db._conn.execute("PRAGMA journal_mode=" + sys.argv[2])  # DELETE: as 0.22 on older SQLite, or on a network disk
enough = threading.Thread(target=sys.stdin.read)
enough.start()
print("ready", flush=True)
number = 0
while enough.is_alive():
    if number % 10 == 0:
        db.create_session(f"live-{number // 10}", "cli")
    db.append_message(f"live-{number // 10}", "user", f"message {number} " + "word " * 200)
    number += 1
    time.sleep(0.005)
db.close()
print(number, flush=True)
"""


@pytest.mark.interop
@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_a_real_hermes_writes_on_undisturbed(tmp_path: Path, mode: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-c", _HERMES, str(home / "state.db"), mode]
    environment = {"HERMES_HOME": str(home), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, env=environment, **pipes) as hermes:
        assert hermes.stdout is not None
        assert hermes.stdout.readline() == b"ready\n"
        assert (home / "state.db-wal").exists() == (mode == "WAL")
        seen = [read_state(home, lambda db: (count(db).messages, len(latest(db)))) for _ in range(20)]
        written, errors = hermes.communicate()
    assert (hermes.returncode, errors) == (0, b"")
    assert seen == sorted(seen)
    assert seen[0] < seen[-1]
    assert read_state(home, count).messages == int(written)
