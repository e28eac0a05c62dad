"""Which conversations a list is limited to, and how many there are."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from sessions.database import read_state
from sessions.listing import Month, models, months, sources
from sessions.listing_filters import Filters
from tests.listing_builders import DAY, EVERYTHING, NOW, listed
from tests.state_builders import add_message, add_session, old_state


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return old_state(tmp_path)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), {"garden", "kitchen", "attic"}),
        (Filters(sources=("telegram",)), {"kitchen"}),
        (Filters(sources=("telegram", "")), {"kitchen", "attic"}),
        (Filters(model="large"), {"kitchen"}),
        (Filters(folder="/home/sam/p"), {"garden", "kitchen"}),
        (Filters(folder="/home/sam/p/"), {"garden", "kitchen"}),
        (Filters(folder="/home/sam/p/x"), {"kitchen"}),
        (Filters(folder="/home/%"), set()),
        (Filters(title="PLAN"), {"garden", "kitchen"}),
        (Filters(title="100%"), {"kitchen"}),
        (Filters(title="%"), {"kitchen"}),
        (Filters(archived=True), {"attic"}),
        (Filters(archived=False), {"garden", "kitchen"}),
        (Filters(open=True), {"garden", "attic"}),
        (Filters(open=False), {"kitchen"}),
        (Filters(minimum_messages=1), {"garden", "kitchen"}),
        (Filters(minimum_messages=2), {"garden"}),
        (Filters(since=NOW + 2 * DAY), {"kitchen"}),
        (Filters(until=NOW + DAY / 2), {"garden", "attic"}),
        (Filters(since=NOW + DAY, until=NOW + 2 * DAY), {"garden"}),
        (Filters(title="plan", open=False), {"kitchen"}),
        (Filters(title="plan", archived=True), set()),
    ],
)
def test_filters(state: Path, filters: Filters, expected: set[str]) -> None:
    add_session(state, "garden", title="Plan the garden", cwd="/home/sam/p", model="small")
    add_session(
        state,
        "kitchen",
        title="100% of the plan",
        source="telegram",
        cwd="/home/sam/p/x",
        model="large",
        started_at=NOW + 3 * DAY,
        ended_at=NOW + 4 * DAY,
    )
    add_session(state, "attic", source="", cwd="/home/sam/pp", archived=1)
    add_message(state, "garden", timestamp=NOW)
    add_message(state, "garden", timestamp=NOW + 1.5 * DAY)
    add_message(state, "kitchen", timestamp=NOW + 3 * DAY)
    found = listed(state, filters)
    assert {row.id for row in found.rows} == expected
    assert found.total == len(expected)


def test_filters_about_a_session_must_fit_one_session(state: Path) -> None:
    add_session(state, "s1", source="cli", model="small", title="Garden")
    add_session(state, "s2", source="telegram", model="large", parent_session_id="s1", title="Other")
    assert listed(state, Filters(sources=("telegram",), model="large")).total == 1
    assert listed(state, Filters(sources=("cli",), model="large")).total == 0
    assert listed(state, Filters(title="other")).rows[0].root == "s1"


def test_columns_that_are_missing_fit_nothing(tmp_path: Path) -> None:
    folder = old_state(tmp_path, "0.13")
    add_session(folder, "s1")
    assert listed(folder, Filters(folder="/home")).total == 0
    assert listed(folder, Filters(archived=True)).total == 0
    assert listed(folder, Filters(archived=False)).total == 1


def test_months(state: Path) -> None:
    def at(month: int, day: int = 10) -> float:
        return datetime(2026, month, day, tzinfo=UTC).timestamp()

    add_session(state, "long", started_at=at(1))
    add_message(state, "long", timestamp=at(3))
    add_session(state, "short", started_at=at(3))
    add_session(state, "next", started_at=at(5))
    add_session(state, "tool", started_at=at(6), source="tool")
    add_session(state, "never", started_at=0)
    found = read_state(state, months)
    assert found == (
        Month(2026, 1, 1),
        Month(2026, 2, 1),
        Month(2026, 3, 2),
        Month(2026, 4, 0),
        Month(2026, 5, 1),
    )
    for each in found:
        month = Filters(since=at(each.month, 1), until=at(each.month + 1, 1))
        assert listed(state, month).total == each.conversations
    assert read_state(state, lambda db: months(db, Filters(title="no such"))) == ()
    hidden = read_state(state, lambda db: months(db, EVERYTHING))
    assert hidden[-1] == Month(2026, 6, 1)


def test_months_of_a_time_zone(state: Path) -> None:
    add_session(state, "s1", started_at=datetime(2026, 1, 31, 23, 50, tzinfo=UTC).timestamp())
    kathmandu = timezone(timedelta(hours=5, minutes=45))
    assert read_state(state, lambda db: months(db, Filters(), kathmandu)) == (Month(2026, 2, 1),)


def test_sources_and_models_count_conversations(state: Path) -> None:
    for name in ("s1", "s2", "s3"):
        add_session(state, name, model="small")
    add_session(state, "s4", source="subagent", parent_session_id="s1", model="large")
    add_session(state, "s5", source="tool", model="large")
    assert read_state(state, sources) == {"cli": 3, "tool": 1}
    assert read_state(state, models) == {"small": 3, "large": 1}


def test_what_hermes_hides_is_behind_one_switch_and_counted(state: Path) -> None:
    for source in ("cli", "cron", "tool", "subagent", "kanban", "oneshot"):
        add_session(state, source, source=source)
    shown, everything = listed(state), listed(state, EVERYTHING)
    assert (shown.total, shown.hidden) == (2, 4)
    assert {row.source for row in shown.rows} == {"cli", "cron"}
    assert (everything.total, everything.hidden) == (6, 4)
    assert {row.source for row in everything.rows if row.hidden} == {"tool", "subagent", "kanban", "oneshot"}
    assert listed(state, Filters(sources=("tool",))).hidden == 1
