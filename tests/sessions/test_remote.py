"""What went to others, as state.db tells."""

from contextlib import closing
from pathlib import Path

import pytest

from sessions.database import read_state
from sessions.remote_queries import (
    UsedPlatform,
    UsedProvider,
    folders_worked_in,
    used_platforms,
    used_providers,
)
from tests.home_builders import recorded_home
from tests.state_builders import add, add_message, add_session, connect, old_state

NOW = 1_700_000_000.0
USAGE = (
    "CREATE TABLE session_model_usage(session_id TEXT, model TEXT, billing_provider TEXT, billing_base_url TEXT,"
    " task TEXT, api_call_count INTEGER, first_seen REAL, last_seen REAL)"
)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return old_state(tmp_path)


def with_usage(state: Path, *rows: tuple[object, ...]) -> None:
    names = (
        "session_id",
        "billing_provider",
        "billing_base_url",
        "api_call_count",
        "first_seen",
        "last_seen",
    )
    with closing(connect(state)) as connection:
        connection.execute(USAGE)
    for row in rows:
        add(state, "session_model_usage", **dict(zip(names, row, strict=True)))


def test_an_empty_database(state: Path) -> None:
    assert read_state(state, used_providers) == ()
    assert read_state(state, used_platforms) == ()
    assert read_state(state, folders_worked_in) == ()


def test_old_releases_know_the_last_provider_of_a_session(state: Path) -> None:
    add_session(
        state, "a", billing_provider="openrouter", billing_base_url="https://sam:secret@one.example/v1/?k=s"
    )
    add_session(
        state,
        "b",
        billing_provider="openrouter",
        billing_base_url="https://one.example/v1",
        started_at=NOW + 5,
    )
    add_session(state, "c")
    assert read_state(state, used_providers) == (
        UsedProvider("openrouter", "https://one.example/v1", 1, None, NOW, NOW + 5),
    )


def test_every_provider_ever_used_with_counts(state: Path) -> None:
    with_usage(
        state,
        ("a", "openrouter", "https://one.example/v1", 4, NOW + 10, NOW + 20),
        ("a", "openrouter", "https://one.example/v1/", 1, NOW, NOW + 5),
        ("b", "openrouter", "https://one.example/v1", 2, NOW + 30, 5e246),
        ("b", "anthropic", "", 1, None, None),
        ("b", "", "", 1, NOW, NOW),
    )
    add_session(state, "a", billing_provider="forgotten")
    add_session(state, "z", billing_provider="older", started_at=NOW - 100)
    assert read_state(state, used_providers) == (
        UsedProvider("openrouter", "https://one.example/v1", 2, 7, NOW, NOW + 20),
        UsedProvider("anthropic", "", 1, 1, None, None),
        UsedProvider("older", "", 1, None, NOW - 100, NOW - 100),
    )


def test_platforms_with_messages(state: Path) -> None:
    add_session(state, "a", source="telegram")
    add_session(state, "b", source="telegram", started_at=NOW + 60)
    add_session(state, "c", source="cli", started_at=-1)
    for session in ("a", "a", "b", "gone"):
        add_message(state, session, active=0)
    assert read_state(state, used_platforms) == (
        UsedPlatform("telegram", 2, 3, NOW, NOW + 60),
        UsedPlatform("cli", 1, 0, None, None),
    )


def test_folders_worked_in(state: Path) -> None:
    for number, cwd in enumerate(["/home/sam/garden", "/home/sam/garden", None, "relative", b"\xff"]):
        add_session(state, f"s{number}", cwd=cwd)
    assert read_state(state, folders_worked_in) == ("/home/sam/garden",)


def test_strange_values(state: Path) -> None:
    with_usage(state, (b"\xff", b"\xff", b"", "many", "x", None), (None, " p ", "http://[x", 2.5, -1, 0))
    add_session(state, "a", source=b"\xff")
    assert [each.provider for each in read_state(state, used_providers)] == ["p"]
    assert [each.source for each in read_state(state, used_platforms)] == [""]


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_recorded_homes(tmp_path: Path, release: str) -> None:
    home = recorded_home(release, tmp_path).root
    found = {each.provider: each for each in read_state(home, used_providers)}
    assert found["custom"].base_url == "http://127.0.0.1:18080/v1"
    assert found["custom"].sessions == 28
    assert (found["custom"].calls or 0) > 28
    assert {each.source for each in read_state(home, used_platforms)} >= {"cli", "subagent", "telegram"}
    assert read_state(home, folders_worked_in) == ("/home/sam/projects/garden",)
