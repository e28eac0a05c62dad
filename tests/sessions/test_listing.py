"""The list of conversations: one row for each, however many sessions Hermes made of it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from sessions.database import Database, read_state
from sessions.listing_filters import Filters
from sessions.listing_order import Sort
from tests.home_builders import BuiltHome
from tests.listing_builders import DAY, EVERYTHING, NOW, end, ids, inside, listed, only
from tests.search_builders import run
from tests.state_builders import SCHEMA_OF, add_message, add_session, old_state


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return old_state(tmp_path)


SORTS: list[Sort] = ["activity", "started", "messages", "title"]


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_every_release_is_listed(tmp_path: Path, release: str) -> None:
    folder = old_state(tmp_path, release)
    add_session(folder, "s1", title="Garden", model="small")
    add_message(folder, "s1", "water\nplease")
    row = only(folder)
    assert (row.id, row.root, row.title, row.preview) == ("s1", "s1", "Garden", "water please")
    assert (row.source, row.model, row.kind) == ("cli", "small", "conversation")
    assert (row.started_at, row.last_activity, row.messages) == (NOW, NOW + 100, 1)
    assert (row.parts, row.branches, row.subagents) == (1, 0, 0)
    assert (row.open, row.archived, row.pinned, row.hidden, row.damaged) == (True, False, False, False, False)
    assert (row.input_tokens, row.output_tokens, row.cost) == (None, None, None)


def test_newest_activity_first(state: Path) -> None:
    add_session(state, "old", started_at=NOW)
    add_session(state, "silent", started_at=NOW + 50)
    add_session(state, "newer", started_at=NOW - DAY)
    add_message(state, "old", timestamp=NOW + 10)
    add_message(state, "newer", timestamp=NOW + 60)
    assert ids(state) == ["newer", "silent", "old"]
    assert ids(state, sort="started") == ["silent", "old", "newer"]


def test_equal_times_are_ordered_by_id(state: Path) -> None:
    for name in ("b", "c", "a"):
        add_session(state, name)
    assert ids(state) == ["c", "b", "a"]


def test_a_compressed_conversation_is_one_row(state: Path) -> None:
    add_session(state, "s1", title="Garden", started_at=NOW)
    add_session(state, "s2", parent_session_id="s1", title="Garden #2", started_at=NOW + 5, archived=1)
    add_session(state, "s3", parent_session_id="s2", started_at=NOW + 6)
    end(state, "s1", "compression")
    end(state, "s2", "compression")
    for session in ("s1", "s2", "s2", "s3"):
        add_message(state, session, f"said in {session}")
    row = only(state)
    assert (row.id, row.root, row.title, row.parts, row.messages) == ("s3", "s1", "Garden #2", 3, 4)
    assert (row.preview, row.open, row.archived) == ("said in s3", True, False)
    assert {name: each.part for name, each in inside(state, "s2").items()} == {
        "s1": "root",
        "s2": "continuation",
        "s3": "continuation",
    }


@pytest.mark.parametrize("how", ["mark", "key"])
def test_a_reset_continues_a_conversation(state: Path, how: str) -> None:
    marked = {"model_config": '{"_reset_from": "s1"}'} if how == "mark" else {}
    add_session(state, "s1", session_key="k", title="Chat")
    add_session(state, "s2", session_key="k" if how == "key" else "", parent_session_id="s1", **marked)
    end(state, "s1", "session_reset")
    row = only(state)
    assert (row.id, row.root, row.title, row.parts) == ("s2", "s1", "Chat", 2)
    assert inside(state, "s1")["s2"].part == "reset"


def test_branches_and_subagents_stand_inside(state: Path) -> None:
    add_session(state, "s1", title="Garden")
    add_session(state, "b1", parent_session_id="s1", model_config='{"_branched_from": "s1"}', title="Other")
    add_session(
        state, "d1", parent_session_id="s1", source="subagent", model_config='{"_delegate_from": "s1"}'
    )
    add_session(state, "d2", parent_session_id="d1", source="subagent")
    add_session(state, "c1", parent_session_id="s1")
    add_message(state, "d2", "far below", timestamp=NOW + DAY)
    row = only(state, Filters())
    assert (row.id, row.title, row.parts, row.branches, row.subagents) == ("s1", "Garden", 1, 1, 2)
    assert (row.messages, row.last_activity) == (1, NOW + DAY)
    parts = {name: each.part for name, each in inside(state, "d2").items()}
    assert parts == {"s1": "root", "b1": "branch", "d1": "subagent", "d2": "subagent", "c1": "child"}
    assert next(iter(parts)) == "s1"


def test_hidden_and_pinned_of_newer_releases(state: Path) -> None:
    run(
        state,
        "ALTER TABLE sessions ADD COLUMN hidden INTEGER DEFAULT 0",
        "ALTER TABLE sessions ADD COLUMN pinned INTEGER DEFAULT 0",
        "ALTER TABLE sessions ADD COLUMN last_activity_at REAL",
    )
    add_session(state, "s1", hidden=1)
    add_session(state, "s2", pinned=1, last_activity_at=NOW + DAY)
    assert ids(state) == ["s2"]
    row = listed(state, EVERYTHING).rows[0]
    assert (row.id, row.pinned, row.last_activity) == ("s2", True, NOW + DAY)


def test_tokens_and_cost_are_summed(state: Path) -> None:
    for name in (
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "estimated_cost_usd",
        "actual_cost_usd",
    ):
        run(state, f"ALTER TABLE sessions ADD COLUMN {name}")
    add_session(state, "s1", input_tokens=10, output_tokens=2, cache_read_tokens=5, estimated_cost_usd=0.5)
    add_session(state, "s2", parent_session_id="s1", input_tokens=1, actual_cost_usd=0.25)
    add_session(state, "s3", input_tokens=0, estimated_cost_usd="much", actual_cost_usd=1e300)
    rows = {row.id: row for row in listed(state).rows}
    assert (rows["s1"].input_tokens, rows["s1"].output_tokens) == (16, 2)
    assert (rows["s1"].cost, rows["s1"].cost_estimated) == (0.75, True)
    assert (rows["s3"].input_tokens, rows["s3"].cost) == (None, None)


def test_cycles_and_missing_parents(state: Path) -> None:
    add_session(state, "a", parent_session_id="b")
    add_session(state, "b", parent_session_id="a")
    add_session(state, "self", parent_session_id="self")
    add_session(state, "lost", parent_session_id="gone")
    assert {row.root for row in listed(state).rows} == {"a", "self", "lost"}
    assert set(inside(state, "b")) == {"a", "b"}
    assert inside(state, "nobody") == {}


def test_a_long_chain_is_one_row(state: Path) -> None:
    add_session(state, "s0")
    run(
        state,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
        " INSERT INTO sessions (id, source, started_at, parent_session_id, end_reason, ended_at)"
        " SELECT 's' || i, 'cli', 1700000000 + i, 's' || (i - 1), 'compression', 1 FROM n",
    )
    end(state, "s0", "compression")
    row = only(state)
    assert (row.root, row.id, row.parts) == ("s0", "s3000", 3001)


def test_odd_values(state: Path) -> None:
    add_session(state, "text", started_at="soon", title=42, model=b"\xff", model_config="{_from")
    add_session(state, "huge", started_at=5e246)
    add_message(state, "huge", timestamp=-1)
    rows = {row.id: row for row in listed(state).rows}
    assert (rows["text"].title, rows["text"].started_at, rows["text"].model) == ("42", None, "\ufffd")
    assert (rows["huge"].started_at, rows["huge"].last_activity, rows["huge"].messages) == (None, None, 1)


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parents=some.lists(some.integers(0, 9), min_size=1, max_size=9),
    ended=some.lists(some.booleans(), min_size=9),
)
def test_every_session_is_in_exactly_one_conversation(
    tmp_path_factory: pytest.TempPathFactory, parents: list[int], ended: list[bool]
) -> None:
    folder = old_state(tmp_path_factory.mktemp("state"))
    for number, parent in enumerate(parents):
        reason = "compression" if ended[number] else None
        add_session(folder, f"s{number}", parent_session_id=f"s{parent}", end_reason=reason)
    rows = listed(folder, EVERYTHING).rows
    everyone = [name for row in rows for name in inside(folder, row.root)]
    assert sorted(everyone) == [f"s{number}" for number in range(len(parents))]
    assert all(row.id in inside(folder, row.root) for row in rows)


def test_generated_homes_are_listed_whole(make_home: Callable[..., BuiltHome]) -> None:
    for layout in ("native", "main"):
        home = make_home("--layout", layout, "--profiles", "0")
        found = listed(home.root, EVERYTHING, limit=1000)
        rows = found.rows
        assert len(rows) == len({row.root for row in rows}) == found.total
        everyone = [name for row in rows for name in inside(home.root, row.root)]
        assert sorted(everyone) == sorted(read_state(home.root, _all_ids))
        one = next(row for row in rows if row.root == home.facts()["lineage"][0])
        assert (one.id, one.title, one.parts) == (home.facts()["lineage"][2], "Kernel module notes #3", 3)


def _all_ids(db: Database) -> list[str]:
    return [id for (id,) in db.rows("SELECT id FROM sessions")]
