"""Reading a state.db: works for every release and layout, and nothing in the home is any different after."""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from sessions.database import Database, open_state, read_state
from sessions.errors import StateDamaged, StateError, StateTimeout
from sessions.queries import count
from tests.home_builders import BuiltHome, fingerprints, side_files
from tests.state_builders import SCHEMA_OF, add_message, add_session, connect, held_by_another, old_state


def messages(db: Database) -> int:
    return int(db.value("SELECT COUNT(*) FROM messages"))


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_it_works_with_older_releases(tmp_path: Path, release: str) -> None:
    add_session(old_state(tmp_path, release), "s1")
    assert read_state(tmp_path, lambda db: (db.schema_version, db.schema_known)) == (SCHEMA_OF[release], True)
    assert read_state(tmp_path, lambda db: "archived" in db.columns("sessions")) == (release >= "0.17")


@pytest.mark.parametrize("profile", ["default", "office"])
@pytest.mark.parametrize("fixture", ["home_019", "home_022"])
def test_recorded_homes_hold_what_their_manifest_says(
    request: pytest.FixtureRequest, fixture: str, profile: str
) -> None:
    home: BuiltHome = request.getfixturevalue(fixture)
    facts, before = home.facts(profile)["state_db"], fingerprints(home.outer)
    counts = read_state(home.profile(profile), count)
    assert counts.sessions == facts["sessions"]
    assert counts.messages == facts["messages"]
    assert counts.live_messages == facts["messages_active"]
    assert counts.sources == facts["by_source"]
    assert not counts.damaged
    assert read_state(home.profile(profile), lambda db: db.schema_version) == facts["schema_version"]
    assert fingerprints(home.outer) == before


@pytest.mark.parametrize("options", [(), ("--layout", "main")], ids=["native", "main"])
@pytest.mark.parametrize("profile", ["default", "work"])
def test_generated_homes(make_home: Callable[..., BuiltHome], options: tuple[str, ...], profile: str) -> None:
    home = make_home(*options)
    facts, before = home.facts(profile)["facts"], fingerprints(home.root)
    counts = read_state(home.profile(profile), count)
    assert (counts.sessions, counts.messages) == (facts["sessions"], facts["messages"])
    assert counts.sources == facts["by_source"]
    assert fingerprints(home.root) == before


@pytest.mark.parametrize("variant", ["no-fts", "no-trigram", "delete-journal", "fts-garbage", "fts-stale"])
def test_variants_are_read_without_a_trace(make_home: Callable[..., BuiltHome], variant: str) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--variant", variant)
    before = fingerprints(home.root)
    counts = read_state(home.root, count)
    assert counts.messages == home.facts()["facts"]["messages"]
    assert not counts.damaged
    assert fingerprints(home.root) == before


def test_rows_of_a_dead_writer_are_seen_in_the_wal(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--variant", "open-wal")
    before = fingerprints(home.root)
    question = "SELECT COUNT(*) FROM messages WHERE content LIKE '%onlyinthewal%'"
    assert read_state(home.root, lambda db: db.value(question)) == 1
    assert fingerprints(home.root) == before


def test_a_newer_schema_is_read(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    with closing(connect(tmp_path)) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
        connection.execute("ALTER TABLE sessions ADD COLUMN last_activity_at REAL")
        connection.execute("ALTER TABLE sessions ADD COLUMN hidden INTEGER")
    assert read_state(tmp_path, lambda db: (db.schema_version, db.schema_known)) == (99, False)
    assert read_state(tmp_path, count).sessions == 1


def test_text_that_is_no_utf8_is_read(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    with closing(connect(tmp_path)) as connection:
        connection.execute("UPDATE sessions SET title = CAST(x'6361ff66' AS TEXT)")
    assert read_state(tmp_path, lambda db: db.value("SELECT title FROM sessions")) == "ca\ufffdf"


@pytest.mark.parametrize("fixture", ["home_019", "home_022"])
@pytest.mark.parametrize("table", ["messages_fts", "messages_fts_trigram"])
def test_the_index_can_be_searched(request: pytest.FixtureRequest, fixture: str, table: str) -> None:
    """Snippets of a newer index are made through views; whatever we switch off, those must work."""
    home: BuiltHome = request.getfixturevalue(fixture)
    question = f"SELECT snippet({table}, 0, '', '', '', 9) FROM {table} WHERE {table} MATCH 'what' LIMIT 3"
    assert all("what" in text.lower() for (text,) in read_state(home.root, lambda db: db.rows(question)))
    assert len(read_state(home.root, lambda db: db.rows(question))) == 3


@pytest.mark.parametrize("name", ["what?", "a#b", "100%41", "spaced out", "dé\udcff"])
def test_folders_of_any_name(tmp_path: Path, name: str) -> None:
    add_session(old_state(tmp_path / name), "s1")
    assert read_state(tmp_path / name, count).sessions == 1


def test_a_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    (tmp_path / "state.db").rename(tmp_path / "real.db")
    (tmp_path / "state.db").symlink_to("real.db")
    assert read_state(tmp_path, count).sessions == 1


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM sessions",
        "CREATE TABLE t(x)",
        "VACUUM",
        "PRAGMA user_version=5",
        "PRAGMA journal_mode=OFF",
    ],
)
@pytest.mark.parametrize("beside_a_writer", [False, True])
def test_nothing_can_be_written(tmp_path: Path, statement: str, beside_a_writer: bool) -> None:
    add_session(old_state(tmp_path), "s1")
    write = ("INSERT INTO state_meta VALUES('a', 'b')", "SELECT * FROM state_meta")
    with held_by_another(tmp_path, *(write if beside_a_writer else ())):
        before = fingerprints(tmp_path)
        with open_state(tmp_path) as db:
            with suppress(StateError):
                db.rows(statement)
            db.connection.execute("PRAGMA query_only=OFF")
            with suppress(sqlite3.Error):
                db.connection.execute(statement).fetchall()
        assert fingerprints(tmp_path) == before


def test_a_statement_that_takes_too_long_ends(tmp_path: Path) -> None:
    old_state(tmp_path)
    endless = "WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM n) SELECT COUNT(*) FROM n"
    with open_state(tmp_path, seconds=0.05) as db:
        with pytest.raises(StateTimeout) as caught:
            db.rows(endless)
        assert db.value("SELECT 1") == 1
    assert caught.value.seconds == 0.05


def test_a_write_in_the_middle_means_reading_again(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    seen: list[int] = []

    def read_while_another_writes(db: Database) -> int:
        seen.append(messages(db))
        if len(seen) == 1:
            add_message(tmp_path, "s1")
        return seen[-1]

    assert read_state(tmp_path, read_while_another_writes) == 1
    assert seen == [0, 1]


def test_an_error_from_a_half_written_page_means_reading_again(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    tries: list[int] = []

    def fail_once(db: Database) -> int:
        tries.append(1)
        if len(tries) == 1:
            add_message(tmp_path, "s1")
            raise StateDamaged(tmp_path, "malformed", "SQLITE_CORRUPT")
        return messages(db)

    assert read_state(tmp_path, fail_once) == 1


def test_a_file_that_never_rests_is_read_with_locks_at_last(tmp_path: Path) -> None:
    old_state(tmp_path)
    with closing(connect(tmp_path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    tries: list[int] = []

    def read_while_another_writes(db: Database) -> int:
        tries.append(messages(db))
        if len(tries) < 3:
            add_message(tmp_path, "s1")
        return tries[-1]

    assert read_state(tmp_path, read_while_another_writes) == 2
    assert side_files(tmp_path) == {"state.db"}


def test_closing_a_reader_keeps_the_locks_of_a_writer_in_this_process(tmp_path: Path) -> None:
    old_state(tmp_path)
    with closing(connect(tmp_path)) as writer:
        writer.execute("PRAGMA journal_mode=DELETE")
        writer.execute("BEGIN IMMEDIATE")
        read_state(tmp_path, messages)
        another = held_by_another(tmp_path, "PRAGMA busy_timeout=0", "BEGIN IMMEDIATE")
        with pytest.raises(AssertionError, match="not ready"), another:
            pass
        writer.execute("ROLLBACK")
