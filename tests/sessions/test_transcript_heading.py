"""What is said about a session, and which sessions are one conversation with it."""

import hashlib
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from sessions.database import read_state
from sessions.transcript_chain import Chain, chain_of
from sessions.transcript_errors import NoSuchSession
from sessions.transcript_heading import Heading, heading
from sessions.transcript_prompt import Prompt, stored_prompt
from tests.state_builders import SCHEMA_OF, add_message, add_session, connect, old_state


@dataclass(frozen=True)
class Stretch:
    start: int
    end: int


def capitals(prompt: str) -> Sequence[Stretch]:
    return [Stretch(n, n + 1) for n, each in enumerate(prompt) if each.isupper()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return old_state(tmp_path)


def about(folder: Path, session: str = "s1") -> Heading:
    return read_state(folder, lambda db: heading(db, session))


def chain(folder: Path, session: str) -> Chain:
    return read_state(folder, lambda db: chain_of(db, session))


def prompt(folder: Path, session: str = "s1", **how: int) -> Prompt | None:
    return read_state(folder, lambda db: stored_prompt(db, session, capitals, **how))


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_it_works(tmp_path: Path, release: str) -> None:
    details = {"title": "Garden", "model": "small", "ended_at": 1_700_000_500.0, "end_reason": "cli_close"}
    add_session(old_state(tmp_path, release), "s1", **details)
    add_message(tmp_path, "s1")
    found = about(tmp_path)
    assert (found.id, found.stored, found.title, found.source, found.model) == (
        "s1",
        True,
        "Garden",
        "cli",
        "small",
    )
    assert (found.started_at, found.ended_at, found.open) == (1_700_000_000.0, 1_700_000_500.0, False)
    assert (found.end_reason, found.live, found.messages) == ("cli_close", 1, 1)
    assert found.tokens.input is None
    assert (found.parent, found.children) == (None, ())


def test_messages_are_counted_by_what_became_of_them(folder: Path) -> None:
    add_session(folder, "s1", message_count=999)
    for active, compacted in ((1, 0), (None, 0), (0, 0), (0, 1), (0, 1), (0, 1)):
        add_message(folder, "s1", active=active, compacted=compacted)
    found = about(folder)
    assert (found.live, found.undone, found.compacted, found.messages) == (2, 1, 3, 6)


def test_tokens_and_costs(folder: Path) -> None:
    with closing(connect(folder)) as connection:
        for name in ("input_tokens", "reasoning_tokens", "estimated_cost_usd", "actual_cost_usd"):
            connection.execute(f"ALTER TABLE sessions ADD COLUMN {name}")
    add_session(folder, "s1", input_tokens=900, reasoning_tokens="many", estimated_cost_usd=0.5)
    add_session(folder, "s2", estimated_cost_usd=0.5, actual_cost_usd=0.0)
    found = about(folder)
    assert (found.tokens.input, found.tokens.output, found.tokens.reasoning) == (900, None, None)
    assert (found.cost, found.cost_estimated) == (0.5, True)
    assert (about(folder, "s2").cost, about(folder, "s2").cost_estimated) == (0.0, False)


def test_times_that_cannot_be(folder: Path) -> None:
    add_session(folder, "s1", started_at=5e246, ended_at="soon")
    assert (about(folder).started_at, about(folder).ended_at, about(folder).open) == (None, None, False)


def test_messages_without_a_session(folder: Path) -> None:
    add_message(folder, "ghost")
    assert (about(folder, "ghost").stored, about(folder, "ghost").live) == (False, 1)
    assert chain(folder, "ghost").sessions == ("ghost",)
    assert prompt(folder, "ghost") is None


@pytest.mark.parametrize("session", ["nope", "", "\ud800", "a\0"])
def test_no_such_session(folder: Path, session: str) -> None:
    for function in (heading, chain_of):
        with pytest.raises(NoSuchSession):
            read_state(folder, lambda db: function(db, session))  # noqa: B023
    assert prompt(folder, session) is None


def test_relatives(folder: Path) -> None:
    add_session(folder, "s0", title="Root", end_reason="compression")
    add_session(folder, "s1", parent_session_id="s0", end_reason="compression")
    add_session(folder, "s2", parent_session_id="s1", title="Next")
    for mark, key in (("_branched_from", "b"), ("_delegate_from", "d"), ("_reset_from", "r")):
        add_session(folder, key, parent_session_id="s1", model_config=json.dumps({mark: "s1"}))
    add_session(folder, "t", parent_session_id="s1", source="tool")
    found = about(folder)
    assert found.parent is not None
    assert (found.parent.id, found.parent.title, found.parent.relation) == ("s0", "Root", "continuation")
    assert [(each.id, each.relation) for each in found.children] == [
        ("s2", "continuation"),
        ("b", "branch"),
        ("d", "subagent"),
        ("r", "reset"),
        ("t", "other"),
    ]
    assert found.children[0].title == "Next"


def test_a_parent_that_is_not_there(folder: Path) -> None:
    add_session(folder, "s1", parent_session_id="gone")
    found = about(folder).parent
    assert found is not None
    assert (found.id, found.there) == ("gone", False)
    assert chain(folder, "s1").sessions == ("s1",)


@pytest.mark.parametrize("session", ["s1", "s2", "s3"])
def test_a_chain_is_the_same_from_everywhere(folder: Path, session: str) -> None:
    add_session(folder, "s1", title="Kernel", end_reason="compression")
    add_session(folder, "s2", parent_session_id="s1", end_reason="compression")
    add_session(folder, "s3", parent_session_id="s2", title="Kernel #3")
    add_session(folder, "other", parent_session_id="s3")
    found = chain(folder, session)
    assert found.sessions == ("s1", "s2", "s3")
    assert [each.title for each in found.segments] == ["Kernel", "", "Kernel #3"]
    assert found.aside == ()


def test_two_continuations(folder: Path) -> None:
    add_session(folder, "s1", end_reason="compression")
    add_session(folder, "old", parent_session_id="s1", ended_at=1.0)
    add_session(folder, "new", parent_session_id="s1")
    assert chain(folder, "s1").sessions == ("s1", "new")
    assert [each.id for each in chain(folder, "s1").aside] == ["old"]
    assert chain(folder, "old").sessions == ("s1", "old")
    assert [each.id for each in chain(folder, "old").aside] == ["new"]


def test_a_cycle_ends(folder: Path) -> None:
    add_session(folder, "a", parent_session_id="b", end_reason="compression")
    add_session(folder, "b", parent_session_id="a", end_reason="compression")
    assert set(chain(folder, "a").sessions) == {"a", "b"}
    assert set(chain(folder, "b").sessions) == {"a", "b"}


def test_the_prompt_of_a_session(folder: Path) -> None:
    add_session(folder, "s1", system_prompt="be Kind\0, Al")
    add_session(folder, "s2")
    found = prompt(folder)
    assert found is not None
    assert found.text is not None
    assert (found.text.text, found.hash, found.blocks) == ("be Kind\0, Al", "", ((3, 4), (10, 11)))
    cut = prompt(folder, characters=4)
    assert cut is not None
    assert cut.text is not None
    assert (cut.text.text, cut.text.characters, cut.blocks) == ("be K", 12, ((3, 4), (10, 11)))
    assert prompt(folder, "s2") is None


def test_a_shared_prompt(folder: Path) -> None:
    key = hashlib.sha256(b"x").hexdigest()
    with closing(connect(folder)) as connection:
        connection.execute("ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT")
        connection.execute("CREATE TABLE system_prompts(hash TEXT PRIMARY KEY, prompt TEXT)")
        connection.execute("INSERT INTO system_prompts VALUES(?, 'shared')", (key,))
    add_session(folder, "s1", system_prompt_hash=key)
    add_session(folder, "s2", system_prompt_hash="gone")
    found = prompt(folder)
    assert found is not None
    assert found.text is not None
    assert (found.text.text, found.hash) == ("shared", key)
    assert prompt(folder, "s2") == Prompt(None, "gone")


def test_a_state_without_sessions(folder: Path) -> None:
    with closing(connect(folder)) as connection:
        connection.execute("DROP TABLE sessions")
    add_message(folder, "s1")
    assert about(folder).stored is False
    assert chain(folder, "s1").sessions == ("s1",)
