"""A writer of this process opens while no reader of it is there; see turns.py for why."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from sessions.database import open_state, read_state
from sessions.queries import count
from sessions.turns import opening_for_writing, reading
from tests.state_builders import add_session, connect, held_by_another, old_state

INSERT = "INSERT INTO state_meta VALUES('a', 'b')"


def test_a_writer_that_does_not_wait_for_its_turn_cannot_write(tmp_path: Path) -> None:
    """The reason for all this; should SQLite ever change, turns.py can go."""
    with (
        held_by_another(old_state(tmp_path), "DELETE FROM sessions", "SELECT * FROM sessions"),
        held_by_another(tmp_path, INSERT, "SELECT * FROM state_meta"),
        open_state(tmp_path),
        closing(connect(tmp_path)) as writer,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        writer.execute("DELETE FROM state_meta")


def test_a_writer_waits_for_readers_to_leave(tmp_path: Path) -> None:
    with reading(), pytest.raises(TimeoutError), opening_for_writing(seconds=0.01):
        pass
    with opening_for_writing(seconds=0.01):
        pass


def test_readers_wait_while_a_writer_opens(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    seen: list[int | None] = []
    reader = threading.Thread(target=lambda: seen.append(read_state(tmp_path, count).sessions))
    with opening_for_writing():
        reader.start()
        reader.join(timeout=0.1)
        assert seen == []
    reader.join()
    assert seen == [1]


def test_once_open_a_writer_writes_beside_readers(tmp_path: Path) -> None:
    old_state(tmp_path)
    with opening_for_writing():
        writer = connect(tmp_path)
        writer.execute("SELECT COUNT(*) FROM sessions")
    with closing(writer):
        writer.execute(INSERT)
        with open_state(tmp_path) as db:
            writer.execute("INSERT INTO state_meta VALUES('c', 'd')")
            assert db.value("SELECT COUNT(*) FROM state_meta") == 2
