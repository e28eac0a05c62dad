"""The scan over a whole state.db gives places, never values. Case C15."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sessions.database import read_state
from sessions.secret_scan import ScanPage, StoredFinding, scan_findings, scan_sessions, stored_text
from tests.home_builders import BuiltHome
from tests.state_builders import add_message, add_session, connect, old_state

KEY = "sk-" + "proj-" + "aB3dE5fG7h" * 4


def scan(
    folder: Path, scanner: Callable[..., ScanPage] = scan_findings, limit: int = 100
) -> list[StoredFinding]:
    found: list[StoredFinding] = []
    after: int | None = 0
    while after is not None:
        page = read_state(folder, lambda db: scanner(db, after, limit))  # noqa: B023
        found += page.findings
        after = page.next
    return found


def value(folder: Path, finding: StoredFinding) -> str | None:
    text = read_state(folder, lambda db: stored_text(db, finding))
    return None if text is None else text[finding.start : finding.end]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    add_session(old_state(tmp_path), "s1", title=f"about {KEY}", system_prompt=f"use {KEY}")
    call = [
        {"id": "c", "function": {"name": "terminal", "arguments": json.dumps({"cmd": f"export K={KEY}"})}}
    ]
    add_message(tmp_path, "s1", f"é\0 my key: {KEY}")
    add_message(tmp_path, "s1", None, role="assistant", tool_calls=json.dumps(call))
    add_message(tmp_path, "s1", "done", role="assistant", reasoning=f"they gave {KEY}")
    return tmp_path


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_key_in_three_places(folder: Path, limit: int) -> None:
    found = scan(folder, limit=limit)
    assert [(each.message, each.column, each.kind) for each in found] == [
        (1, "content", "token"),
        (2, "tool_calls", "token"),
        (3, "reasoning", "token"),
    ]
    assert {value(folder, each) for each in found} == {KEY}
    assert KEY not in repr(found)


def test_titles_and_prompts(folder: Path) -> None:
    found = scan(folder, scan_sessions, limit=1)
    assert [(each.session, each.message, each.column) for each in found] == [
        ("s1", None, "title"),
        ("s1", None, "system_prompt"),
    ]
    assert {value(folder, each) for each in found} == {KEY}


def test_after_removal_there_is_nothing(folder: Path) -> None:
    found = scan(folder)
    with closing(connect(folder)) as connection:
        connection.execute("DELETE FROM messages")
    assert scan(folder) == []
    assert value(folder, found[0]) is None


def test_a_text_too_long_to_be_read_is_counted(tmp_path: Path) -> None:
    add_message(old_state(tmp_path), "s1", "x" * 4_100_000)
    assert read_state(tmp_path, scan_findings).cut == 1


def test_an_empty_state(tmp_path: Path) -> None:
    with closing(connect(old_state(tmp_path))) as connection:
        connection.execute("DROP TABLE messages")
        connection.execute("DROP TABLE sessions")
    assert (scan(tmp_path), scan(tmp_path, scan_sessions)) == ([], [])


@pytest.mark.parametrize("options", [(), ("--layout", "main")], ids=["native", "main"])
def test_a_generated_home_has_none(make_home: Callable[..., BuiltHome], options: tuple[str, ...]) -> None:
    home = make_home("--no-oracle", *options)
    assert scan(home.root) == []
    assert scan(home.root, scan_sessions) == []


@pytest.mark.parametrize("fixture", ["home_019", "home_022"])
def test_a_recorded_home_has_none(request: pytest.FixtureRequest, fixture: str) -> None:
    home: BuiltHome = request.getfixturevalue(fixture)
    assert scan(home.root) == []
