"""Paging, grouping and sorting of what was found, and what is said when time runs out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions import search_count
from sessions.database import Database
from sessions.errors import StateTimeout
from sessions.listing_filters import Filters
from sessions.search_plan import Question
from sessions.search_queries import Candidate, candidates
from sessions.search_results import Position, SearchPage
from sessions.search_walk import Clock, ranges
from tests.search_builders import Layout, add_index, every_page, fill, ids, page, run
from tests.state_builders import add_message, add_session, old_state

ROOMS = ("garden", "kitchen", "attic")


@pytest.fixture(params=["none", "inline", "external"])
def layout(request: pytest.FixtureRequest) -> Layout:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def state(tmp_path: Path, layout: Layout) -> Path:
    """60 messages in three conversations; every second one has the word."""
    folder = old_state(tmp_path)
    for room in ROOMS:
        add_session(folder, room, title=f"The {room}")
    rows = [
        (ROOMS[number % 3], "lemur climbs" if number % 2 else "nothing", 1_700_000_000.0 + number)
        for number in range(60)
    ]
    fill(folder, *rows)
    return add_index(folder, layout)


def messages(pages: list[SearchPage]) -> list[int | None]:
    return [hit.message for each in pages for hit in each.hits]


def test_pages_have_everything_once_in_order(state: Path) -> None:
    expected = list(range(60, 0, -2))
    for limit in (4, 15, 30, 31):
        pages = every_page(state, "lemur", limit=limit)
        assert messages(pages) == expected
        assert all(len(each.hits) == limit for each in pages[:-1])
        assert pages[0].total == 30
        assert pages[-1].looked_back_to is None


def test_a_page_is_the_same_after_newer_messages(state: Path, layout: Layout) -> None:
    first = page(state, "lemur", limit=5)
    add_message(state, "attic", "lemur again")
    second = page(state, "lemur", limit=5, after=first.next)
    assert messages([second]) == [50, 48, 46, 44, 42]


def test_pages_with_a_filter_have_everything_once(state: Path) -> None:
    pages = every_page(state, "lemur", limit=3, filters=Filters(title="kitchen"))
    assert messages(pages) == [number for number in range(60, 0, -2) if (number - 1) % 3 == 1]


def test_a_conversation_is_one_group_on_one_page(state: Path) -> None:
    pages = every_page(state, "lemur", limit=1, group=True)
    groups = [group for each in pages for group in each.groups]
    assert [(group.root, [hit.message for hit in group.hits]) for group in groups] == [
        ("attic", [60, 54, 48]),
        ("garden", [58, 52, 46]),
        ("kitchen", [56, 50, 44]),
    ]
    assert all(group.more for group in groups)
    together = page(state, "lemur", limit=10, group=True)
    assert [group.root for group in together.groups] == ["attic", "garden", "kitchen"]
    assert together.next is None


def test_a_group_says_when_it_is_whole(tmp_path: Path, layout: Layout) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    add_session(folder, "s2", parent_session_id="s1")
    for session in ("s1", "s2"):
        add_message(folder, session, "lemur")
    add_index(folder, layout)
    (group,) = page(folder, "lemur", group=True).groups
    assert (group.root, [hit.session for hit in group.hits], group.more) == ("s1", ["s2", "s1"], False)


def test_titles_stand_beside_messages_on_the_first_page(state: Path) -> None:
    found = page(state, "garden OR lemur", limit=5)
    assert [hit.session for hit in found.sessions] == ["garden"]
    assert page(state, "garden OR lemur", limit=5, after=found.next).sessions == ()


def test_titles_alone_are_paged(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    for number in range(45):
        add_session(folder, f"s{number}", title=f"plan {number}")
    pages = every_page(folder, "plan", where={"titles"}, limit=10)
    assert [hit.session for each in pages for hit in each.sessions] == [f"s{n}" for n in range(44, -1, -1)]


def test_by_relevance_the_best_comes_first(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    add_message(folder, "s1", "lemur lemur lemur")
    fill(folder, *(("s1", f"one lemur among many other words {number}", 1.7e9) for number in range(30)))
    add_index(folder)
    pages = every_page(folder, "lemur", sort="relevance", limit=4)
    assert pages[0].hits[0].message == 1
    assert sorted(messages(pages), key=str) == sorted(range(1, 32), key=str)
    assert {each.order for each in pages} == {"relevance"}
    assert (pages[0].total, pages[0].total_exact) == (31, True)


def test_relevance_is_refused_without_an_index(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    add_message(folder, "s1", "lemur")
    found = page(folder, "lemur", sort="relevance")
    assert found.order == "newest"
    assert "relevance_refused" in found.notes
    assert len(found.hits) == 1


def test_relevance_is_refused_for_too_many(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.search.MOST_RANKED", 10)
    assert page(state, "lemur", sort="relevance").order == "newest"


def test_more_than_can_be_counted(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sessions.search", "sessions.search_count"):
        monkeypatch.setattr(f"{module}.CAP", 11)
    found = page(state, "lemur", limit=5)
    assert (found.total, found.total_exact) == (11, False)
    assert search_count.CAP == 11


def test_without_counting(state: Path) -> None:
    found = page(state, "lemur", limit=5, count=False)
    assert (found.total, found.total_exact) == (5, False)


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes every search late from its beginning, and its steps small."""

    def now() -> None:
        monkeypatch.setattr(Clock, "left", property(lambda clock: 0.0))
        monkeypatch.setattr("sessions.search_walk.SCAN_RANGE", 10)
        monkeypatch.setattr("sessions.search_walk.INDEX_RANGE", 10)

    return now


def test_when_time_runs_out_a_search_says_how_far_it_came(state: Path, late: Callable[[], None]) -> None:
    run(state, "UPDATE messages SET content = 'lemur' WHERE id = 3")
    late()
    found = page(state, "nowhere")
    assert found.hits == ()
    assert found.looked_back_to is not None
    assert (found.looked_back_to.message, found.looked_back_to.at) == (51, 1_700_000_050.0)
    assert found.next == Position(message=51)
    assert (found.total, found.total_exact) == (0, False)


def test_going_on_finds_everything_once(state: Path, late: Callable[[], None]) -> None:
    late()
    pages = every_page(state, "lemur", limit=4)
    assert messages(pages) == list(range(60, 0, -2))
    assert pages[-1].next is None


def test_going_on_in_groups_finds_everything_once(state: Path, late: Callable[[], None]) -> None:
    late()
    pages = every_page(state, "lemur", limit=2, group=True)
    assert sorted(group.root for each in pages for group in each.groups) == sorted(ROOMS)


def test_when_an_index_does_not_begin_to_answer_the_texts_do(
    state: Path, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(db: Database, question: Question, *rest: Any) -> list[Candidate]:
        if question.table:
            raise StateTimeout(db.path, 0)
        return candidates(db, question, *rest)

    monkeypatch.setattr("sessions.search_walk.candidates", slow)
    pages = every_page(state, "lemur", limit=10, seconds=0.5)
    assert messages(pages) == list(range(60, 0, -2))


def test_an_empty_database(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    for group in (False, True):
        found = page(folder, "lemur", group=group)
        assert (found.hits, found.groups, found.total, found.total_exact, found.next) == (
            (),
            (),
            0,
            True,
            None,
        )


def test_a_gap_of_an_index_is_its_own_range() -> None:
    assert [(each.first, each.last, each.indexed) for each in ranges(1, 100, (40, 60))] == [
        (61, 100, True),
        (41, 60, False),
        (1, 40, True),
    ]
    assert [(each.first, each.last, each.indexed) for each in ranges(1, 50, (40, 60))] == [
        (41, 50, False),
        (1, 40, True),
    ]
    assert ranges(1, 0, None) == []


def test_ids_far_apart_are_found(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    for id in (1, 10**6, 10**12, 2**62):
        add_message(folder, "s1", "lemur", id=id)
    assert ids(folder, "lemur") == [2**62, 10**12, 10**6, 1]
    assert ids(add_index(folder), "lemur") == [2**62, 10**12, 10**6, 1]
