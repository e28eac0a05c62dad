"""When nothing is touched, and why."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessions.deletion_connection import opened_for_deletion
from sessions.deletion_schema import DeletionRefused, refuse_unless_known
from sessions.errors import (
    StateDamaged,
    StateEmpty,
    StateLocked,
    StateMissing,
    StateNotDatabase,
    StateNotWritable,
)
from tests.deletion_builders import column, delete, delete_now, planned, sql
from tests.search_builders import add_index
from tests.state_builders import (
    add_message,
    add_session,
    connect,
    held_by_another,
    old_state,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = old_state(tmp_path / "home")
    add_session(folder, "s1")
    add_message(folder, "s1", "quincunx")
    return folder


@pytest.mark.parametrize(
    ("statement", "why", "name"),
    [
        ("UPDATE schema_version SET version = 32", "newer_version", "32"),
        ("UPDATE schema_version SET version = 10", "older_version", "10"),
        ("DELETE FROM schema_version", "no_version", ""),
        ("CREATE TABLE notes(session_id TEXT, note TEXT)", "unknown_table", "notes"),
        ("CREATE TABLE notes(of TEXT REFERENCES messages(id))", "unknown_table", "notes"),
        ("CREATE TRIGGER extra AFTER DELETE ON messages BEGIN SELECT 1; END", "unknown_trigger", "extra"),
        ("ALTER TABLE sessions RENAME TO other", "no_table", "sessions"),
    ],
)
def test_schema_we_do_not_know(folder: Path, statement: str, why: str, name: str) -> None:
    plan = planned(folder, ["s1"])
    sql(folder, statement)
    with pytest.raises(DeletionRefused) as refused:
        delete(folder, plan)
    assert (refused.value.why, refused.value.name) == (why, name)
    assert column(folder, "SELECT content FROM messages") == ["quincunx"]


def test_table_that_refers_to_nothing_of_ours_is_no_hindrance(folder: Path) -> None:
    sql(folder, "CREATE TABLE notes(note TEXT)")
    assert delete_now(folder, "s1").sessions == ("s1",)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("fts5(content)", "fts5(content, tokenize='cjk_unicode61')", "no_tokenizer"),
        ("USING fts5", "USING fts9", "no_fts5"),
    ],
)
def test_what_our_sqlite_lacks(folder: Path, before: str, after: str, why: str) -> None:
    add_index(folder)
    with closing(connect(folder)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = 'messages_fts'", (before, after)
        )
    plan = planned(folder, ["s1"])
    with pytest.raises(DeletionRefused) as refused:
        delete(folder, plan)
    assert refused.value.why == why
    assert column(folder, "SELECT COUNT(*) FROM messages") == [1]


def test_function_that_only_hermes_has(folder: Path) -> None:
    sql(
        folder,
        "CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN SELECT hermes_words(old.content); END",
    )
    with pytest.raises(DeletionRefused) as refused:
        delete_now(folder, "s1")
    assert refused.value.why == "no_function"


def test_schema_that_changes_on_the_way(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.deletion.MOST_CONVERSATIONS", 1)
    add_session(folder, "s2")
    plan = planned(folder, ["s1", "s2"])

    def migrate(done: int, _: int) -> None:
        if done == 1:
            sql(folder, "CREATE TABLE later(session_id TEXT)")

    with pytest.raises(DeletionRefused) as refused:
        delete(folder, plan, step=migrate)
    assert refused.value.why == "schema_changed"
    assert len(column(folder, "SELECT id FROM sessions")) == 1


def test_locked_by_a_writer(folder: Path) -> None:
    plan = planned(folder, ["s1"])
    with (
        held_by_another(folder, "BEGIN IMMEDIATE", "UPDATE sessions SET model = 'x'"),
        pytest.raises(StateLocked),
    ):
        delete(folder, plan, seconds=0.2)
    assert column(folder, "SELECT content FROM messages") == ["quincunx"]
    assert delete(folder, plan).sessions == ("s1",)


def test_damaged_pages(folder: Path) -> None:
    with closing(connect(folder)) as connection:
        connection.execute("BEGIN")
        for number in range(400):
            connection.execute(
                "INSERT INTO messages(session_id, role, content, timestamp) VALUES('s1', 'user', ?, 1)",
                (f"{number} " + "word " * 100,),
            )
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'messages'").fetchone()[0]
        connection.execute("PRAGMA journal_mode=DELETE")
    plan = planned(folder, ["s1"])
    raw = bytearray((folder / "state.db").read_bytes())
    leaf = int.from_bytes(raw[(root - 1) * 4096 + 12 :][:2], "big")  # of the first child's pointer
    child = int.from_bytes(raw[(root - 1) * 4096 + leaf :][:4], "big")
    raw[(child - 1) * 4096 : (child - 1) * 4096 + 200] = b"\xff" * 200
    (folder / "state.db").write_bytes(raw)
    with pytest.raises(StateDamaged):
        delete(folder, plan)
    with closing(connect(folder)) as connection, pytest.raises(sqlite3.DatabaseError):
        connection.execute("SELECT SUM(length(content)) FROM messages").fetchall()
    assert column(folder, "SELECT COUNT(*) FROM sessions") == [1]


def test_damaged_index(folder: Path) -> None:
    add_index(folder)
    sql(
        folder,
        "CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages"
        " BEGIN DELETE FROM messages_fts WHERE rowid = old.id; END",
    )
    sql(folder, "UPDATE messages_fts_data SET block = x'ff' || substr(block, 2)")
    plan = planned(folder, ["s1"])
    with pytest.raises(StateDamaged):
        delete(folder, plan)
    assert column(folder, "SELECT content FROM messages") == ["quincunx"]


@pytest.mark.parametrize(
    ("content", "error"), [(None, StateMissing), (b"", StateEmpty), (b"no database" * 500, StateNotDatabase)]
)
def test_no_database(tmp_path: Path, content: bytes | None, error: type[Exception]) -> None:
    if content is not None:
        (tmp_path / "state.db").write_bytes(content)
    with pytest.raises(error), opened_for_deletion(tmp_path) as db:
        refuse_unless_known(db)
    assert [path.name for path in tmp_path.iterdir()] == ([] if content is None else ["state.db"])


def test_only_its_owner_opens_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(folder, ["s1"])
    monkeypatch.setattr(os, "geteuid", lambda: 65_534 + (folder / "state.db").stat().st_uid)
    with pytest.raises(StateNotWritable) as refused:
        delete(folder, plan)
    assert refused.value.why == "foreign_owner"
