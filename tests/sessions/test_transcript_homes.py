"""Conversations of real and of generated homes, read as Hermes reads them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory.prompt import blocks_in
from sessions.database import read_state
from sessions.transcript import Window, window
from sessions.transcript_chain import chain_of
from sessions.transcript_heading import heading
from sessions.transcript_prompt import stored_prompt
from tests.home_builders import BuiltHome, fingerprints

_ALL = """
import json, sys
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]))
ids = [row[0] for row in db._conn.execute("SELECT id FROM sessions")]
print(json.dumps({key: [row["id"] for row in db.get_messages(key)] for key in ids}))
"""
LAYOUTS = pytest.mark.parametrize("options", [(), ("--layout", "main")], ids=["native", "main"])


def sessions(folder: Path) -> list[str]:
    return read_state(folder, lambda db: [key for (key,) in db.rows("SELECT id FROM sessions")])


def opened(folder: Path, session: str, **how: Any) -> Window:
    return read_state(folder, lambda db: window(db, chain_of(db, session).sessions, **how))


def specimens(home: BuiltHome) -> dict[str, Any]:
    return home.facts()["sessions"]


@pytest.mark.interop
@pytest.mark.parametrize("profile", ["default", "office"])
def test_the_order_is_hermes_own(home_019: BuiltHome, profile: str, tmp_path: Path) -> None:
    folder = home_019.profile(profile)
    ours = {
        key: [each.id for each in opened_alone(folder, key, limit=10_000, compacted=False)]
        for key in sessions(folder)
    }
    environment = {**os.environ, "HOME": str(tmp_path), "HERMES_HOME": str(folder)}
    command = [sys.executable, "-c", _ALL, str(folder / "state.db")]
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert ours == json.loads(done.stdout)


def opened_alone(folder: Path, session: str, **how: Any) -> tuple[Any, ...]:
    return read_state(folder, lambda db: window(db, [session], **how)).messages


@pytest.mark.parametrize("profile", ["default", "office"])
@pytest.mark.parametrize("fixture", ["home_019", "home_022"])
def test_everything_of_a_recorded_home_can_be_read(
    request: pytest.FixtureRequest, fixture: str, profile: str
) -> None:
    home: BuiltHome = request.getfixturevalue(fixture)
    folder, facts = home.profile(profile), home.facts(profile)["state_db"]
    before = fingerprints(home.outer)
    headings = [read_state(folder, lambda db: heading(db, key)) for key in sessions(folder)]  # noqa: B023
    assert sum(each.messages for each in headings) == facts["messages"]
    assert sum(each.live for each in headings) == facts["messages_active"]
    for each in headings:
        messages = opened_alone(folder, each.id, limit=10_000, undone=True)
        assert len(messages) == each.messages
        assert not any(message.problems for message in messages)
    assert fingerprints(home.outer) == before


@pytest.mark.parametrize("fixture", ["home_019", "home_022"])
def test_memory_in_the_prompts_of_a_recorded_home(request: pytest.FixtureRequest, fixture: str) -> None:
    home: BuiltHome = request.getfixturevalue(fixture)
    prompts = [
        read_state(home.root, lambda db: stored_prompt(db, key, blocks_in))  # noqa: B023
        for key in sessions(home.root)
    ]
    found = [each for each in prompts if each and each.text and each.blocks]
    assert len(found) > 20
    for each in found:
        assert each.text is not None
        for start, end in each.blocks:
            assert each.text.text[start:end].startswith("═")


@LAYOUTS
def test_specimens_can_be_read(make_home: Callable[..., BuiltHome], options: tuple[str, ...]) -> None:
    home = make_home("--no-oracle", *options)
    for name, key in specimens(home).items():
        found = opened(home.root, key, limit=10_000, undone=True)
        about = read_state(home.root, lambda db: heading(db, key))  # noqa: B023
        assert about.stored, name
        assert len([each for each in found.messages if each.session == key]) == about.messages, name


@LAYOUTS
def test_odd_rows(make_home: Callable[..., BuiltHome], options: tuple[str, ...]) -> None:
    home = make_home("--no-oracle", *options)
    rows = home.facts()["odd_rowids"]
    found = {each.id: each for each in opened_alone(home.root, "broken_rows")}
    codes = {
        name: [problem.code for problem in found[row].problems] for name, row in rows.items() if row in found
    }
    assert {name: code for name, code in codes.items() if code} == {
        "blob_content": ["not_text"],
        "bad_json_prefix": ["bad_json"],
        "ts_zero": ["bad_time"],
        "ts_negative": ["bad_time"],
        "ts_huge": ["bad_time"],
        "ts_text": ["bad_time"],
        "bad_tool_calls": ["bad_json"],
    }
    assert found[rows["null_content"]].parts == ()
    assert found[rows["int_content"]].text == "42"
    assert found[rows["nul_inside"]].text == "a\0b after nul"
    assert found[rows["unknown_role"]].role == "narrator"
    assert read_state(home.root, lambda db: heading(db, "broken_rows")).messages == len(found)
    assert opened_alone(home.root, "ghost_session")[0].id == rows["orphan_message"]


@LAYOUTS
def test_states_and_chains(make_home: Callable[..., BuiltHome], options: tuple[str, ...]) -> None:
    home = make_home("--no-oracle", *options)
    keys, facts = specimens(home), home.facts()
    undone = [
        each for each in opened(home.root, keys["rewound"], undone=True).messages if each.state == "undone"
    ]
    assert [each.id for each in undone] == facts["rewound_rowids"]
    assert not any(each.state == "undone" for each in opened(home.root, keys["rewound"]).messages)
    folded = opened(home.root, keys["compacted_in_place"]).messages
    assert [each.id for each in folded if each.state == "compacted"] == facts["compacted_rowids"]
    assert sum(each.summary for each in folded) == 1
    for name in ("lineage_1", "lineage_2", "lineage_3"):
        chain = read_state(home.root, lambda db: chain_of(db, keys[name]))  # noqa: B023
        assert list(chain.sessions) == facts["lineage"]
    found = opened(home.root, keys["lineage_2"]).messages
    assert [each.session for each in found if each.first] == facts["lineage"]
    for name in ("cycle_a", "cycle_b", "missing_parent", "bad_model_config"):
        assert opened(home.root, keys[name]).messages == ()


@LAYOUTS
def test_shapes_of_content(make_home: Callable[..., BuiltHome], options: tuple[str, ...]) -> None:
    home = make_home("--no-oracle", *options)
    keys, facts = specimens(home), home.facts()
    picture = next(
        each
        for each in opened(home.root, keys["multimodal"]).messages
        if each.id == facts["multimodal_rowid"]
    )
    assert [(part.kind, part.media_type, part.size) for part in picture.parts] == [
        ("text", "", None),
        ("image", "image/png", 48),
    ]
    log = opened(home.root, keys["long_tool_output"]).messages
    assert [each.cut for each in log] == [False, True, True]
    sealed = next(
        each
        for each in opened(home.root, keys["plain"]).messages
        if each.id == facts["encrypted_reasoning_rowid"]
    )
    assert [each.text for each in sealed.reasoning] == [None, None]
    words = {each.id: each.text for each in opened(home.root, keys["unicode"]).messages}
    assert words[facts["unicode_rowids"]["zero_width"]] == "pass\u200bword\ufeff"
    assert words[facts["unicode_rowids"]["newlines"]] == "line one\nline two\r\nline three\ttab"
