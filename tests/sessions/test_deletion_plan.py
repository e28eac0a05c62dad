"""What a deletion would take: whole conversations, no branch, nothing that a live process holds."""

import json
from pathlib import Path

import pytest

from sessions.deletion_values import LeftOut, Quote, Unused, plan_of
from tests.deletion_builders import NOW, planned, sql
from tests.listing_builders import end
from tests.state_builders import add_message, add_session, old_state

DAY = 86_400.0
PASSED, LIVE = NOW - 1, NOW + 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return old_state(tmp_path / "home")


def conversation(folder: Path, id: str, began: float, last: float, **values: object) -> None:
    add_session(folder, id, started_at=began, **values)
    add_message(folder, id, f"said in {id}", timestamp=last)


def parts(folder: Path, *ids: str) -> dict[str, str]:
    return {each.id: each.part for one in planned(folder, ids).conversations for each in one.sessions}


def family(folder: Path) -> None:
    """first → (compressed) second → (reset) third; a branch of second; a subagent of third with its own."""
    for id in ("first", "second", "third"):
        add_session(folder, id, session_key="chat")
        add_message(folder, id, f"hello from {id}")
    sql(folder, "UPDATE sessions SET parent_session_id = 'first' WHERE id = 'second'")
    sql(folder, "UPDATE sessions SET parent_session_id = 'second' WHERE id = 'third'")
    end(folder, "first", "compression")
    end(folder, "second", "session_reset")
    branch, delegate = (
        {name: of} for name, of in (("_branched_from", "second"), ("_delegate_from", "third"))
    )
    add_session(folder, "branch", parent_session_id="second", model_config=json.dumps(branch))
    add_message(folder, "branch", "hello from second")
    add_session(
        folder, "agent", source="subagent", parent_session_id="third", model_config=json.dumps(delegate)
    )
    add_session(folder, "agents", source="subagent", parent_session_id="agent")


@pytest.mark.parametrize("chosen", ["first", "second", "third"])
def test_whole_conversation_goes_whichever_part_is_chosen(folder: Path, chosen: str) -> None:
    family(folder)
    assert parts(folder, chosen) == {
        "first": "root",
        "second": "continuation",
        "third": "reset",
        "agent": "subagent",
        "agents": "subagent",
    }


def test_counts(folder: Path) -> None:
    family(folder)
    sql(folder, "INSERT INTO state_meta VALUES('goal:third', 'x'), ('goal:third2', 'y'), ('loop:agent', 'z')")
    counts = planned(folder, ["first"]).counts
    assert (counts.conversations, counts.sessions, counts.segments, counts.subagents) == (1, 5, 2, 2)
    assert (counts.branches, counts.messages) == (1, 3)
    assert counts.text_bytes == len("hello from first" + "hello from second" + "hello from third")
    assert counts.rows == {"state_meta": 2}


def test_branch_and_subagent_are_conversations_of_their_own(folder: Path) -> None:
    family(folder)
    assert parts(folder, "branch") == {"branch": "root"}
    assert parts(folder, "agent") == {"agent": "root", "agents": "subagent"}


def test_delegates_are_known_by_their_mark_as_in_hermes(folder: Path) -> None:
    add_session(folder, "s1")
    add_session(folder, "lost", model_config='{"_delegate_from": "s1"}')
    add_session(folder, "others", parent_session_id="s1", model_config='{"_delegate_from": "s0"}')
    add_session(folder, "plain", parent_session_id="s1")
    assert parts(folder, "s1") == {"s1": "root", "lost": "subagent", "others": "subagent"}


def test_same_conversation_chosen_twice_is_one(folder: Path) -> None:
    family(folder)
    plan = planned(folder, ["agent", "third", "first", "first"])
    assert len(plan.conversations) == 1
    assert len(plan.ids) == len(set(plan.ids)) == 5


def test_cycle_ends(folder: Path) -> None:
    for id, parent in (("a", "b"), ("b", "a")):
        add_session(folder, id, parent_session_id=parent, end_reason="compression", ended_at=1.0)
    assert set(parts(folder, "b")) == {"a", "b"}


@pytest.mark.parametrize(
    "id", ["../../victim", "a\0b", "line\nbreak", "x" * 5000, "*", "%", "s_", "'; --", "s", "\ud800"]
)
def test_only_exactly_this_id(folder: Path, id: str) -> None:
    add_session(folder, "s1")
    add_session(folder, "s10")
    plan = planned(folder, [id])
    assert plan.conversations == ()
    assert plan.left_out == (LeftOut(id, "missing"),)


def test_messages_without_a_session_can_go(folder: Path) -> None:
    add_message(folder, "ghost")
    plan = planned(folder, ["ghost"])
    assert (plan.ids, plan.counts.messages) == (("ghost",), 1)


def test_unused_as_in_case_c14(folder: Path) -> None:
    old, ended = NOW - 200 * DAY, {"ended_at": NOW - 199 * DAY}
    conversation(folder, "a", old, NOW - DAY, **ended)
    conversation(folder, "b", old, old)
    conversation(folder, "c", old, old, archived=1, **ended)
    conversation(folder, "d", old, old, **ended)
    plan = planned(folder, Unused(90))
    assert plan.ids == ("d",)
    assert set(plan.left_out) == {LeftOut("a", "recent"), LeftOut("b", "open"), LeftOut("c", "archived")}
    assert set(planned(folder, Unused(90, include_open=True)).ids) == {"b", "d"}
    assert set(planned(folder, Unused(90, include_archived=True)).ids) == {"c", "d"}


def test_activity_anywhere_in_the_conversation_counts(folder: Path) -> None:
    family(folder)
    sql(folder, "UPDATE sessions SET ended_at = 1700000200")
    assert set(planned(folder, Unused(90)).ids) == {"first", "second", "third", "agent", "agents", "branch"}
    add_message(folder, "agents", timestamp=NOW - DAY)
    plan = planned(folder, Unused(90))
    assert plan.ids == ("branch",)
    assert plan.left_out == (LeftOut("first", "recent"),)


def test_noted_activity_and_pins_count(folder: Path) -> None:
    sql(folder, "ALTER TABLE sessions ADD COLUMN last_activity_at REAL")
    sql(folder, "ALTER TABLE sessions ADD COLUMN pinned INTEGER")
    conversation(folder, "noted", 1.7e9, 1.7e9, ended_at=1.7e9, last_activity_at=NOW - 1)
    conversation(folder, "pinned", 1.7e9, 1.7e9, ended_at=1.7e9, pinned=1)
    plan = planned(folder, Unused(90))
    assert plan.ids == ()
    assert set(plan.left_out) == {LeftOut("noted", "recent"), LeftOut("pinned", "pinned")}
    assert planned(folder, Unused(90, include_pinned=True)).ids == ("pinned",)


def test_conversation_without_a_believable_time_is_left_out(folder: Path) -> None:
    conversation(folder, "far", 5e246, 5e246, ended_at=1.0)
    assert planned(folder, Unused(90)).left_out == (LeftOut("far", "undated"),)


def test_live_holder_of_any_part_keeps_the_conversation(folder: Path) -> None:
    family(folder)
    sql(folder, "ALTER TABLE compression_locks ADD COLUMN expires_at REAL")
    sql(folder, "CREATE TABLE session_turn_leases(conversation_id TEXT PRIMARY KEY, expires_at REAL)")
    sql(folder, "INSERT INTO compression_locks(session_id, expires_at) VALUES('agents', ?)", (PASSED,))
    assert len(planned(folder, ["first"]).ids) == 5
    sql(folder, "UPDATE compression_locks SET expires_at = ?", (LIVE,))
    assert planned(folder, ["third"]).left_out == (LeftOut("first", "locked"),)
    sql(folder, "DELETE FROM compression_locks")
    sql(folder, "INSERT INTO session_turn_leases VALUES('first', ?)", (LIVE,))
    assert planned(folder, ["third"]).left_out == (LeftOut("first", "leased"),)


def test_quotes(folder: Path) -> None:
    family(folder)
    for id, answer in (
        ("by_id", json.dumps({"results": [{"session_id": "second"}]})),
        ("by_text", json.dumps({"results": [{"snippet": "...>>>from second<<<..."}]})),
        ("other", json.dumps({"results": [{"session_id": "second10", "snippet": "nothing of it"}]})),
    ):
        add_session(folder, id)
        add_message(folder, id, answer, role="tool", tool_name="session_search")
    assert set(planned(folder, ["first"]).quotes) == {
        Quote("branch_copy", "branch", 1),
        Quote("search_result", "by_id", 1),
        Quote("search_result", "by_text", 1),
    }


def test_parent_that_stays_quotes_its_subagent(folder: Path) -> None:
    family(folder)
    add_message(folder, "third", "the answer", role="tool", tool_name="delegate_task")
    assert planned(folder, ["agent"]).quotes == (Quote("delegation_result", "third", 1),)


def test_plan_is_a_record_without_private_text(folder: Path) -> None:
    family(folder)
    plan = planned(folder, ["first"])
    record = json.dumps(plan.record())
    assert "hello" not in record
    assert plan_of(json.loads(record)) == plan
