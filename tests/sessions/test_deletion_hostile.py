"""Never called gone wrongly, and nothing of others taken: strange ids, damaged indexes, long conversations."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sessions import deletion
from sessions.database import Database, read_state
from sessions.deletion import delete_planned, look_again
from sessions.deletion_connection import opened_for_deletion
from sessions.deletion_schema import refuse_damaged
from sessions.deletion_values import LeftOut, Unused
from sessions.errors import StateDamaged, StateNotWritable, StateUnreadable
from tests.deletion_builders import NOW, column, delete, delete_now, planned, sql
from tests.state_builders import add, add_message, add_session, old_state

IDS = [
    "a'b",
    '"',
    "%",
    "_",
    "s1",
    "s1%",
    "S1",
    " s1",
    "x\ny",
    "n\0l",
    "n",
    "😀",
    "L" * 5000,
    "../s1",
    "é",
    "e\u0301",
    "",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return old_state(tmp_path / "home")


def test_each_id_is_only_itself(folder: Path) -> None:
    for id in IDS:
        add_session(folder, id)
        add_message(folder, id)
    for number, id in enumerate(IDS):
        assert delete_now(folder, id).sessions == (id,)
        assert column(folder, "SELECT session_id FROM messages ORDER BY id") == IDS[number + 1 :]
        assert read_state(folder, lambda db, id=id: look_again(db, [id])).nothing  # type: ignore[misc]


def odd_sessions(folder: Path) -> None:
    for id in ("CAST(x'ff61' AS TEXT)", "x'6162'"):
        sql(folder, f"INSERT INTO sessions(id, source, started_at) VALUES({id}, 'cli', 1)")
        sql(
            folder, f"INSERT INTO messages(session_id, role, content, timestamp) VALUES({id}, 'user', 'x', 1)"
        )


def test_what_an_id_does_not_find_is_not_gone(folder: Path) -> None:
    odd_sessions(folder)
    add_session(folder, "s1")
    plan = planned(folder, Unused(1, include_open=True))
    assert plan.ids == ("s1",)
    assert sorted(each.why for each in plan.left_out) == ["odd_id", "odd_id"]
    delete(folder, plan)
    assert column(folder, "SELECT COUNT(*) FROM messages") == [2]


def test_rows_that_an_index_lacks_are_not_gone(folder: Path) -> None:
    """As after damage: rows come in while SQLite does not know of the index."""
    add_session(folder, "s1")
    add_message(folder, "s1")
    with closing(sqlite3.connect(folder / "state.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        rows = connection.execute(
            "SELECT * FROM sqlite_master WHERE name = 'idx_messages_session'"
        ).fetchall()
        connection.execute("DELETE FROM sqlite_master WHERE name = 'idx_messages_session'")
    add_message(folder, "s1", "zqhidden")
    with closing(sqlite3.connect(folder / "state.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.executemany("INSERT INTO sqlite_master VALUES(?, ?, ?, ?, ?)", rows)
        connection.execute("PRAGMA schema_version=99")
    with pytest.raises(StateDamaged, match="idx_messages_session"):
        read_state(folder, refuse_damaged)
    sql(folder, "DELETE FROM sessions")
    sql(folder, "DELETE FROM messages WHERE content = 'hello'")
    assert read_state(folder, lambda db: look_again(db, ["s1"])).messages == 1


def long_conversation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deletion, "MOST_MESSAGES", 10)
    add_session(folder, "long")
    add_session(folder, "other")
    sql(folder, "INSERT INTO state_meta VALUES('goal:long', 'g'), ('goal:longer', 'g')")
    for number in range(35):
        add_message(folder, "long", str(number))
    add_message(folder, "other")


def test_a_long_conversation_goes_in_pieces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long_conversation(folder, monkeypatch)
    left: list[int] = []

    def look(*_: int) -> None:
        left.extend(column(folder, "SELECT COUNT(*) FROM messages WHERE session_id = 'long'"))

    done = delete(folder, planned(folder, ["long"]), step=look)
    assert left == [35, 25, 15, 5, 0]
    assert (done.rows["messages"], done.sessions, done.already_gone) == (35, ("long",), ())
    assert column(folder, "SELECT id FROM sessions") == ["other"]
    assert column(folder, "SELECT key FROM state_meta") == ["goal:longer"]


def test_others_have_a_turn_between_two_pieces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long_conversation(folder, monkeypatch)
    pauses: list[float] = []
    monkeypatch.setattr(deletion, "WITHOUT_PAUSE", -1)
    monkeypatch.setattr(time, "sleep", pauses.append)
    delete(folder, planned(folder, ["long"]))
    assert pauses.count(deletion.PAUSE) == 4


def test_a_long_conversation_that_was_begun_is_gone_on_with(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long_conversation(folder, monkeypatch)
    plan = planned(folder, ["long"])

    def stop(*_: int) -> None:
        if column(folder, "SELECT COUNT(*) FROM messages WHERE session_id = 'long'") == [15]:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        delete(folder, plan, step=stop)
    assert column(folder, "SELECT MIN(id) FROM messages WHERE session_id = 'long'") == [21], (
        "the oldest first"
    )
    assert column(folder, "SELECT id FROM sessions") == ["long", "other"]
    assert delete(folder, plan).sessions == ("long",)


def test_what_came_in_between_stays_and_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long_conversation(folder, monkeypatch)
    plan = planned(folder, ["long"])

    def add_late(*_: int) -> None:
        if column(folder, "SELECT COUNT(*) FROM messages WHERE session_id = 'long'") == [15]:
            add_message(folder, "long", "late")

    done = delete(folder, plan, step=add_late)
    assert (done.sessions, done.left_out) == ((), (LeftOut("long", "begun"),))
    assert column(folder, "SELECT COUNT(*) FROM messages WHERE session_id = 'long'") == [16]


def test_a_reply_that_another_session_says_too_stays(folder: Path) -> None:
    """A chat that was taken up again lasts longer than the sessions in between."""
    sql(folder, "CREATE TABLE delivery_obligations(session_key TEXT, content TEXT, created_at REAL)")
    for id, said, begin, end in (("old", "mine", NOW - 90, NOW), ("new", "other's", NOW - 50, NOW - 40)):
        add_session(folder, id, session_key="chat", started_at=begin)
        add_message(folder, id, said, timestamp=end)
        add(folder, "delivery_obligations", session_key="chat", content=said, created_at=NOW - 45)
    delete_now(folder, "old")
    assert column(folder, "SELECT content FROM delivery_obligations") == ["other's"]


class Failing(sqlite3.Connection):
    """Ends a transaction with a fault of the disk at its first deletion, as SQLite does."""

    failed = False

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        if sql.startswith("DELETE FROM messages") and not self.failed:
            self.failed = True
            super().execute("ROLLBACK")
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = "SQLITE_IOERR_WRITE"
            raise error
        return super().execute(sql, parameters)


def test_nothing_is_done_on_its_own_after_a_fault_of_the_disk(folder: Path) -> None:
    add_session(folder, "s1")
    add_message(folder, "s1")
    plan = planned(folder, ["s1"])
    with (
        closing(sqlite3.connect(folder / "state.db", isolation_level=None, factory=Failing)) as connection,
        pytest.raises(StateUnreadable),
    ):
        delete_planned(Database(connection, folder / "state.db", 5), plan, now=lambda: NOW)
    assert column(folder, "SELECT COUNT(*) FROM messages") == [1]
    assert column(folder, "SELECT COUNT(*) FROM sessions") == [1]


def test_a_full_disk_is_no_damage(folder: Path) -> None:
    add_session(folder, "s1")
    for _ in range(50):
        add_message(folder, "s1", "x" * 5_000)
    with opened_for_deletion(folder) as db:
        db.rows(f"PRAGMA max_page_count={db.value('PRAGMA page_count')}")
        with pytest.raises(StateNotWritable) as problem:
            db.rows("INSERT INTO state_meta VALUES('large', zeroblob(99999))")
    assert problem.value.why == "full"
    assert delete_now(folder, "s1").rows["messages"] == 50
