"""What is kept between two lists is never older than the database."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from sessions import listing_queries
from sessions.listing_catalog import forget_catalogs
from tests.listing_builders import EVERYTHING, NOW, end, ids, listed
from tests.search_builders import run
from tests.state_builders import add_message, add_session, held_by_another, old_state


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = old_state(tmp_path)
    for number in range(4):
        add_session(folder, f"s{number}", started_at=NOW + number)
        add_message(folder, f"s{number}", timestamp=NOW + 10 + number)
    return folder


def fresh(folder: Path) -> object:
    forget_catalogs()
    return listed(folder, EVERYTHING)


CHANGES: dict[str, Callable[[Path], None]] = {
    "a message": lambda folder: add_message(folder, "s0", timestamp=NOW + 100),
    "an old message": lambda folder: add_message(folder, "s3", timestamp=NOW - 100),
    "a message of nobody": lambda folder: add_message(folder, "ghost", timestamp=NOW + 100),
    "a session": lambda folder: add_session(folder, "s9", started_at=NOW + 100),
    "a child": lambda folder: add_session(folder, "c1", parent_session_id="s0", started_at=NOW + 100),
    "an end": lambda folder: end(folder, "s0", "compression"),
    "a title": lambda folder: run(folder, "UPDATE sessions SET title = 'New' WHERE id = 's1'"),
    "a source": lambda folder: run(folder, "UPDATE sessions SET source = 'tool' WHERE id = 's1'"),
    "a parent": lambda folder: run(folder, "UPDATE sessions SET parent_session_id = 's0' WHERE id = 's2'"),
    "no message": lambda folder: run(folder, "DELETE FROM messages WHERE session_id = 's3'"),
    "another message": lambda folder: run(
        folder,
        "DELETE FROM messages WHERE session_id = 's3'",
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', 'x', 1700000500)",
    ),
    "no session": lambda folder: run(folder, "DELETE FROM sessions WHERE id = 's3'"),
    "another session": lambda folder: run(
        folder,
        "DELETE FROM sessions WHERE id = 's3'",
        "INSERT INTO sessions (id, source, started_at) VALUES ('s4', 'cli', 1700000500)",
    ),
    "undone": lambda folder: run(folder, "UPDATE messages SET active = 0 WHERE session_id = 's3'"),
    "vacuum": lambda folder: run(folder, "DELETE FROM sessions WHERE id = 's0'", "VACUUM"),
}


AGAIN = sorted(set(CHANGES) - {"a child", "a session", "another session"})  # these only work once


@pytest.mark.parametrize("name", CHANGES)
def test_a_list_after_a_change_is_as_if_nothing_was_kept(state: Path, name: str) -> None:
    listed(state, EVERYTHING)
    CHANGES[name](state)
    assert listed(state, EVERYTHING) == fresh(state)


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=some.lists(
        some.sampled_from(sorted(set(CHANGES) - {"a child", "a session", "another session"})), max_size=4
    )
)
def test_a_list_after_many_changes(tmp_path_factory: pytest.TempPathFactory, names: list[str]) -> None:
    folder = old_state(tmp_path_factory.mktemp("state"))
    for number in range(4):
        add_session(folder, f"s{number}", started_at=NOW + number)
        add_message(folder, f"s{number}", timestamp=NOW + 10 + number)
    for name in names:
        listed(folder, EVERYTHING)
        CHANGES[name](folder)
    assert listed(folder, EVERYTHING) == fresh(folder)


def test_a_change_that_is_only_in_the_wal_is_seen(state: Path) -> None:
    assert ids(state)[0] == "s3"
    statement = (
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s0', 'user', 'x', 1700000900)"
    )
    with held_by_another(state, "PRAGMA wal_autocheckpoint=0", statement):
        assert ids(state)[0] == "s0"


def test_an_unchanged_database_is_not_gone_through_again(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in state.iterdir():  # as written a while ago
        os.utime(path, (NOW, NOW))
    expected = listed(state, EVERYTHING)
    monkeypatch.setattr(listing_queries, "all_sessions", None)
    monkeypatch.setattr(listing_queries, "extent", None)
    assert listed(state, EVERYTHING) == expected


def test_two_databases_are_kept_apart(state: Path, tmp_path: Path) -> None:
    other = old_state(tmp_path / "other")
    add_session(other, "other")
    assert ids(state) != ids(other)
    assert ids(other) == ["other"]
