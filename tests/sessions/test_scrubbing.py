"""The words of deleted rows are gone from every byte when nobody has state.db open. Cases C13, C14."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessions import scrubbing_steps
from sessions.errors import StateMissing, StateNotWritable
from sessions.residue import look
from sessions.scrubbing import scrub
from sessions.scrubbing_report import PHASES, Phase
from sessions.space import Space
from tests.scrub_builders import (
    INDEXES,
    Builder,
    Dirty,
    add_message,
    add_session,
    copied,
    delete,
    dirty_home,
    kept,
    problems,
    residue,
)

KINDS = [("0.19", "WAL"), ("0.19", "DELETE"), ("0.22", "WAL"), ("0.22", "DELETE")]


@pytest.fixture(scope="module")
def dirty_homes(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Dirty]:
    return {kind: dirty_home(tmp_path_factory.mktemp("dirty"), *kind) for kind in KINDS}


@pytest.fixture
def dirty(dirty_homes: dict[tuple[str, str], Dirty], tmp_path: Path) -> Builder:
    return lambda release, mode: copied(dirty_homes[release, mode], tmp_path / "home")


@pytest.mark.parametrize(("release", "mode"), KINDS)
def test_it_works(dirty: Builder, tmp_path: Path, release: str, mode: str) -> None:
    home = dirty(release, mode)
    assert residue(home), "there was nothing to remove"
    steps: list[Phase] = []
    scrubbed = scrub(home.folder, temporary=tmp_path / "ours", step=lambda phase, *_: steps.append(phase))
    assert residue(home) == {}
    assert problems(home.folder) == []
    assert kept(home) == 40
    assert scrubbed.complete, scrubbed
    assert scrubbed.residue is not None
    assert scrubbed.residue.is_clean
    assert [result.phase for result in scrubbed.phases] == list(PHASES)
    assert {"merge", "vacuum"} < set(steps)
    assert list((tmp_path / "ours").iterdir()) == [], "SQLite's copy is gone"


@pytest.mark.parametrize(("release", "mode"), KINDS)
def test_nothing_that_stays_is_set(dirty: Builder, tmp_path: Path, release: str, mode: str) -> None:
    home = dirty(release, mode)
    before = settings(home.folder)
    scrub(home.folder, temporary=tmp_path / "ours")
    assert settings(home.folder) == before
    names = {path.name for path in home.folder.glob("state.db*") if not path.name.endswith(("lock", "shm"))}
    assert {name for name in names if "backup" not in name} <= {"state.db", "state.db-wal"}


def settings(folder: Path) -> list[object]:
    pragmas = ("journal_mode", "auto_vacuum", "page_size", "user_version", "application_id")
    with closing(sqlite3.connect(folder / "state.db")) as connection:
        found: list[object] = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in pragmas]
        found += connection.execute(
            "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
        ).fetchall()
        for index in INDEXES:
            found += connection.execute(f"SELECT k, v FROM {index}_config ORDER BY k").fetchall()
    return found


def test_the_same_file_stays(dirty: Builder, tmp_path: Path) -> None:
    """A Hermes that starts meanwhile must not write into a file that nobody finds again."""
    home = dirty("0.19", "WAL")
    before = (home.folder / "state.db").stat().st_ino
    scrub(home.folder, temporary=tmp_path / "ours")
    assert (home.folder / "state.db").stat().st_ino == before


def test_a_second_time_there_is_nothing_to_merge(dirty: Builder, tmp_path: Path) -> None:
    home = dirty("0.19", "WAL")
    scrub(home.folder, temporary=tmp_path / "ours")
    again = scrub(home.folder, temporary=tmp_path / "ours")
    assert again.phases[0].outcome == "not_needed"
    assert again.complete


def test_with_auto_vacuum(tmp_path: Path) -> None:
    home = dirty_home(tmp_path / "home", "0.19", "WAL", auto_vacuum=True)
    assert residue(home)
    assert scrub(home.folder, temporary=tmp_path / "ours").complete
    assert residue(home) == {}


def test_a_journal_that_was_kept_keeps_no_words(dirty: Builder, tmp_path: Path) -> None:
    home = dirty("0.22", "DELETE")
    with closing(sqlite3.connect(home.folder / "state.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=PERSIST")
        connection.execute("UPDATE sessions SET title = 'other' WHERE id = 'stays'")
    assert look(home.folder).journal_bytes
    assert scrub(home.folder, temporary=tmp_path / "ours").complete
    assert residue(home) == {}


def test_entries_that_a_wrong_order_left_are_found_and_removed(dirty: Builder, tmp_path: Path) -> None:
    home = dirty("0.22", "DELETE")
    with closing(sqlite3.connect(home.folder / "state.db", isolation_level=None)) as connection:
        add_session(connection, "wrong")
        row = add_message(connection, "wrong", "zqleftover " * 5)
        delete(connection, "wrong", session_first=True)
    assert problems(home.folder) != []
    assert look(home.folder).left_over == {"messages_fts": 0, "messages_fts_trigram": 1}
    scrubbed = scrub(home.folder, temporary=tmp_path / "ours")
    assert [result.outcome for result in scrubbed.phases if result.phase == "rebuild"] == ["done"]
    assert residue(Dirty(home.folder, ("zqleftover", *home.needles), (row, *home.rows))) == {}
    assert problems(home.folder) == []
    assert scrubbed.complete


def test_an_old_index_that_hermes_is_moving_is_reported(dirty: Builder, tmp_path: Path) -> None:
    home = dirty("0.22", "DELETE")
    with closing(sqlite3.connect(home.folder / "state.db")) as connection:
        connection.execute("CREATE TABLE fts_v22_trash_content(c0)")
    scrubbed = scrub(home.folder, temporary=tmp_path / "ours")
    assert not scrubbed.complete
    assert scrubbed.residue is not None
    assert scrubbed.residue.being_migrated == ("fts_v22_trash_content",)


def test_a_database_without_any_index(tmp_path: Path) -> None:
    home = dirty_home(tmp_path / "home", "0.19", "WAL")
    with closing(sqlite3.connect(home.folder / "state.db")) as connection:
        for name in INDEXES:
            for event in ("insert", "delete", "update"):
                connection.execute(f"DROP TRIGGER {name}_{event}")
            connection.execute(f"DROP TABLE {name}")
    assert scrub(home.folder, temporary=tmp_path / "ours").complete
    assert residue(home) == {}


def test_what_is_refused_before_anything_begins(tmp_path: Path, dirty: Builder) -> None:
    with pytest.raises(StateMissing):
        scrub(tmp_path, temporary=tmp_path / "ours")
    home = dirty("0.19", "WAL")
    (home.folder / "state.db").chmod(0o400)
    with pytest.raises(StateNotWritable):
        scrub(home.folder, temporary=tmp_path / "ours")
    assert residue(home)


def test_too_little_room_is_told_with_numbers(
    dirty: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = dirty("0.19", "WAL")
    space = Space(1000, 0, 1100, 1050, 2000, 2000, one_disk=True)
    monkeypatch.setattr(scrubbing_steps, "space_needed", lambda *_: space)
    steps = scrubbing_steps.Steps(home.folder, tmp_path, lambda *_: None)
    results = {result.phase: result for result in steps.run()}
    assert results["vacuum"].reason == "no_space"
    assert results["vacuum"].space == space
    assert results["merge"].outcome == results["last_checkpoint"].outcome == "done"
    assert residue(home), "so it must not be called complete"


def test_room_on_one_disk_and_on_two() -> None:
    assert not Space(1000, 0, 1100, 1050, 2000, 2000, one_disk=True).enough
    assert Space(1000, 0, 1100, 1050, 2150, 2150, one_disk=True).enough
    assert Space(1000, 0, 1100, 1050, 1100, 1050, one_disk=False).enough
    assert not Space(1000, 0, 1100, 1050, 1100, 1000, one_disk=False).enough


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_an_index_without_triggers_is_rid_of_them_too(dirty: Builder, tmp_path: Path, release: str) -> None:
    home = dirty(release, "WAL")
    with closing(sqlite3.connect(home.folder / "state.db", isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'messages_fts%_delete'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        add_session(connection, "late")
        row = add_message(connection, "late", "zqlatecanary")
        delete(connection, "late")
    home = Dirty(home.folder, (*home.needles, "zqlatecanary"), (*home.rows, row))
    scrubbed = scrub(home.folder, temporary=tmp_path / "ours")
    assert residue(home) == {}
    assert scrubbed.complete
    assert problems(home.folder) == []
    assert kept(home) == 40


def test_words_that_an_index_was_not_told_of_rightly(dirty: Builder, tmp_path: Path) -> None:
    """It forgets what it is told, and that was written anew while its trigger was missing."""
    home = dirty("0.22", "WAL")
    with closing(sqlite3.connect(home.folder / "state.db", isolation_level=None)) as connection:
        add_session(connection, "late")
        row = add_message(connection, "late", "zqlatecanary and more")
        asked = "SELECT name, sql FROM sqlite_master WHERE name LIKE 'messages_fts%_update'"
        triggers = connection.execute(asked).fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE messages SET content = 'new' WHERE id = ?", (row,))
        for _, statement in triggers:
            connection.execute(statement)
        delete(connection, "late")
    home = Dirty(home.folder, (*home.needles, "zqlatecanary"), (*home.rows, row))
    assert look(home.folder).left_over == {"messages_fts": 0, "messages_fts_trigram": 0}
    scrubbed = scrub(home.folder, temporary=tmp_path / "ours")
    assert residue(home) == {}
    assert scrubbed.complete
    assert problems(home.folder) == []
    assert kept(home) == 40
