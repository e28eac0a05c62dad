"""The same rows as the real SessionDB.delete_session, table by table, and a database that it goes on with."""

import shutil
from pathlib import Path

import pytest

from sessions.deletion_file_names import dump_id
from tests.deletion_builders import (
    FTS,
    assert_sound,
    broken_references,
    column,
    delete,
    delete_as_hermes,
    planned,
    sql,
    tables,
)
from tests.home_builders import HomeFactory

pytestmark = pytest.mark.interop
OPTIONS = {"inline": (), "external": ("--layout", "main")}


@pytest.mark.parametrize("journal", ["wal", "delete"])
@pytest.mark.parametrize("layout", OPTIONS)
def test_same_rows(home_factory: HomeFactory, tmp_path: Path, layout: str, journal: str) -> None:
    home = home_factory.make(tmp_path / "ours", "--sessions", "5", *OPTIONS[layout])
    ours, theirs, doomed = home.root, tmp_path / "theirs", home.facts()["doomed"]
    sql(ours, f"PRAGMA journal_mode={journal}")
    shutil.copytree(ours, theirs)
    broken = broken_references(ours)
    plan = planned(ours, [doomed["continuation"]])
    assert set(plan.ids) == {doomed["session"], doomed["continuation"], *doomed["delegates"]}

    done = delete(ours, plan)
    delete_as_hermes(theirs, plan.ids)

    mine, real = tables(ours), tables(theirs)
    different = {name for name in mine if mine[name] != real[name]}
    # What Hermes leaves; 0.19 knows nothing of shared prompts.
    assert different == {"state_meta", "async_delegations"} | (
        {"system_prompts"} if layout == "external" else set()
    )
    for name in different:
        assert set(mine[name]) < set(real[name])
        assert len(real[name]) - len(mine[name]) == done.rows[name]
    assert_sound(ours)
    assert broken_references(ours) == broken


@pytest.mark.parametrize("layout", OPTIONS)
def test_words_of_only_these_rows_are_in_no_row(
    home_factory: HomeFactory, tmp_path: Path, layout: str
) -> None:
    home = home_factory.make(tmp_path / "home", "--sessions", "5", *OPTIONS[layout])
    doomed = home.facts()["doomed"]
    rows = len(column(home.root, "SELECT id FROM messages"))
    done = delete(home.root, planned(home.root, [doomed["session"]]))
    left = tables(home.root)
    assert [
        word for word in doomed["only_here"] if any(word in row for each in left.values() for row in each)
    ] == []
    for name in FTS:
        for word in doomed["only_here"]:
            assert column(home.root, f"SELECT COUNT(*) FROM {name} WHERE {name} MATCH ?", (f'"{word}"',)) == [
                0
            ]
    assert len(column(home.root, "SELECT id FROM messages")) == rows - done.rows["messages"]


def test_hermes_goes_on_with_it(home_factory: HomeFactory, tmp_path: Path) -> None:
    home = home_factory.make(tmp_path / "home", "--sessions", "5")
    delete(home.root, planned(home.root, [home.facts()["doomed"]["session"]]))
    kept = home.facts()["sessions"]["plain"]
    delete_as_hermes(home.root, [kept])  # opens, reads, writes and closes
    assert column(home.root, "SELECT COUNT(*) FROM sessions WHERE id = ?", (kept,)) == [0]
    assert_sound(home.root)


def test_recorded_home_of_022(home_022) -> None:  # type: ignore[no-untyped-def]
    folder = home_022.root
    chosen = column(folder, "SELECT id FROM sessions ORDER BY started_at LIMIT 1")
    broken = broken_references(folder)
    done = delete(folder, planned(folder, chosen))
    assert chosen[0] in done.sessions
    assert_sound(folder)
    assert broken_references(folder) == broken


def test_plain_ids_are_names_as_they_are() -> None:
    assert dump_id("20260921_101112_ab12cd") == "20260921_101112_ab12cd"
