"""When the removal of left-over words may say that they are gone."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb.hermes.homes import find_profile, home_at
from sessions import left_over_run
from sessions.database import read_state
from sessions.deletion_run import Order
from sessions.left_over_result import lines_of
from sessions.left_over_run import NOTHING, outcome_of, run
from sessions.left_over_samples import deleted_so_far, gone_rows
from tests.scrub_builders import add_message, add_session, copied, delete, dirty_home

HIGHEST = 2**63 - 1


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(
        dirty_home(tmp_path_factory.mktemp("made") / "home", "0.19", "WAL"),
        Path(tmp_path_factory.mktemp("copy") / "home"),
    ).folder


@pytest.fixture
def order(made: Path, tmp_path: Path) -> Order:
    profile = find_profile(home_at(made), "default")
    return Order(profile, NOTHING, tmp_path / "ours", while_running=True, most_phrases=1)


def test_what_is_deleted_while_it_runs_may_be_left(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    remove = left_over_run._DO["words"]

    def remove_and_delete(order: Order) -> dict[str, object]:
        done = remove(order)
        with closing(sqlite3.connect(order.folder / "state.db", isolation_level=None)) as db:
            add_session(db, "late")
            add_message(db, "late", "a late word")
            delete(db, "late")
        return done

    with monkeypatch.context() as during:
        during.setitem(left_over_run._DO, "words", remove_and_delete)
        outcome = outcome_of(run(order))
    assert (outcome["result"], outcome["issues"]) == ("partly", ["deleted_meanwhile"])
    assert any("deleted while it ran" in line for line in lines_of(outcome))
    order.record = {}
    assert outcome_of(run(order))["result"] == "gone"


def test_phrases_that_are_lost_were_not_looked_for(order: Order) -> None:
    """A run goes on without the key that sealed them."""
    order.phrases = ["velquincunx"]
    run(order)
    del order.record["proof"]
    order.phrases = None
    outcome = outcome_of(run(order))
    assert (outcome["result"], outcome["issues"]) == ("partly", ["not_looked_for"])
    assert any("all that was noted" in line for line in lines_of(outcome))


@pytest.mark.parametrize("highest", [HIGHEST, HIGHEST - 1])
def test_the_highest_number_there_is(order: Order, highest: int) -> None:
    with closing(sqlite3.connect(order.folder / "state.db", isolation_level=None)) as db:
        db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'messages'", (highest,))
        there = db.execute("SELECT COUNT(*) FROM messages").fetchone()[0]
    assert read_state(order.folder, deleted_so_far) == highest - there
    rows = read_state(order.folder, lambda db: gone_rows(db, 7))
    assert 0 < len(rows) <= 7
