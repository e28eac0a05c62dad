"""A state.db opened for removing rows: what is refused, and that nothing that stays is set."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessions.errors import (
    StateEmpty,
    StateError,
    StateLocked,
    StateMissing,
    StateNotDatabase,
    StateNotWritable,
    StateUnreadable,
)
from sessions.turns import reading
from sessions.writer import open_for_writing
from tests.state_builders import add_session, connect, held_by_another, old_state


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_rows_can_be_removed_and_no_setting_stays(tmp_path: Path, mode: str) -> None:
    add_session(old_state(tmp_path), "s1")
    with closing(connect(tmp_path)) as connection:
        connection.execute(f"PRAGMA journal_mode={mode}")
    with open_for_writing(tmp_path) as connection:
        settings = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("foreign_keys", "secure_delete", "busy_timeout", "temp_store", "journal_mode")
        ]
        assert not connection.in_transaction
        connection.execute("DELETE FROM sessions")
    assert settings == [1, 1, 5000, 2, mode]
    with closing(connect(tmp_path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == mode
        assert connection.execute("SELECT COUNT(*) FROM sessions").fetchone()[0] == 0


def test_an_open_transaction_is_rolled_back(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    with open_for_writing(tmp_path) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("DELETE FROM sessions")
    with closing(connect(tmp_path)) as connection:
        assert connection.execute("SELECT COUNT(*) FROM sessions").fetchone()[0] == 1


def refusal(folder: Path, seconds: float = 0.05) -> StateError:
    with pytest.raises(StateError) as caught, open_for_writing(folder, seconds=seconds):
        pass
    return caught.value


def test_nothing_is_made_where_there_is_none(tmp_path: Path) -> None:
    assert isinstance(refusal(tmp_path), StateMissing)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"")
    assert isinstance(refusal(tmp_path), StateEmpty)
    (tmp_path / "state.db").write_bytes(b"x" * 5000)
    assert isinstance(refusal(tmp_path), StateNotDatabase)
    (tmp_path / "state.db").unlink()
    os.mkfifo(tmp_path / "state.db")
    assert isinstance(refusal(tmp_path), StateUnreadable)


def test_a_link_out_of_the_folder(tmp_path: Path) -> None:
    old_state(tmp_path / "elsewhere")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "state.db").symlink_to(tmp_path / "elsewhere" / "state.db")
    problem = refusal(tmp_path / "home")
    assert isinstance(problem, StateUnreadable)
    assert problem.why == "link"


def test_another_writer_is_waited_for_and_named(tmp_path: Path) -> None:
    with held_by_another(old_state(tmp_path), "BEGIN IMMEDIATE"):
        assert isinstance(refusal(tmp_path), StateLocked)


def test_a_reader_of_this_process_is_waited_for(tmp_path: Path) -> None:
    with reading():
        assert isinstance(refusal(old_state(tmp_path)), StateLocked)


def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    old_state(tmp_path).joinpath("state.db").chmod(0o400)
    problem = refusal(tmp_path)
    assert isinstance(problem, StateNotWritable)
    assert problem.why == "permission"


def test_a_file_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What SQLite makes beside it would be ours, and stop Hermes."""
    owner = old_state(tmp_path).stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    problem = refusal(tmp_path)
    assert isinstance(problem, StateNotWritable)
    assert problem.why == "foreign_owner"
    assert {path.name for path in tmp_path.iterdir()} == {"state.db"}


def test_it_is_closed_again(tmp_path: Path) -> None:
    old_state(tmp_path)
    with open_for_writing(tmp_path) as connection:
        pass
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")
