"""Sorting the list of conversations and paging it by key."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from sessions.listing import LAST, Page
from sessions.listing_filters import Filters
from sessions.listing_order import Cursor, Sort
from tests.listing_builders import NOW, SHOWN, ids, listed
from tests.search_builders import run
from tests.state_builders import add_message, add_session, old_state

SORTS: list[Sort] = ["activity", "started", "messages", "title"]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return old_state(tmp_path)


@pytest.fixture
def many(state: Path) -> Path:
    """24 conversations, some with equal titles, times and counts."""
    for number in range(24):
        add_session(
            state,
            f"s{number:02}",
            started_at=NOW + number // 3,
            title=f"Plan {number}" if number % 2 else None,
        )
        if number % 4 == 0:
            add_message(state, f"s{number:02}", timestamp=NOW + 100 + number)
    return state


def every_page(folder: Path, sort: Sort, limit: int, filters: Filters = SHOWN) -> list[Page]:
    pages = [listed(folder, filters, sort=sort, limit=limit)]
    while pages[-1].next:
        pages.append(listed(folder, filters, sort=sort, limit=limit, after=pages[-1].next))
    return pages


@pytest.mark.parametrize("sort", SORTS)
def test_pages_have_every_row_once_in_order(many: Path, sort: Sort) -> None:
    whole = ids(many, sort=sort, limit=100)
    assert len(whole) == 24
    pages = every_page(many, sort, 7)
    assert [row.id for each in pages for row in each.rows] == whole
    assert [each.first for each in pages] == [1, 8, 15, 22]
    assert {each.total for each in pages} == {24}
    for before, after in pairwise(pages):
        assert after.previous is not None
        assert listed(many, sort=sort, limit=7, after=after.previous).rows == before.rows
    assert pages[0].previous is None
    assert listed(many, sort=sort, limit=7, after=LAST).rows == pages[-1].rows


def test_sorted_by_messages_and_title(many: Path) -> None:
    for _ in range(3):
        add_message(many, "s05")
    assert ids(many, sort="messages")[0] == "s05"
    titles = [row.title for row in listed(many, sort="title").rows]
    assert titles == sorted(titles, key=lambda title: (not title, title.casefold()))


def test_a_cursor_holds_its_place_when_others_move(many: Path) -> None:
    first = listed(many, limit=6)
    expected = ids(many, limit=6, after=first.next)
    add_session(many, "new", started_at=NOW + 5000)
    add_message(many, first.rows[-1].id, timestamp=NOW + 6000)
    assert ids(many, limit=6, after=first.next) == expected


def test_a_cursor_of_a_row_that_is_gone(many: Path) -> None:
    first = listed(many, limit=6)
    expected = set(ids(many, limit=6, after=first.next))
    run(many, f"DELETE FROM sessions WHERE id = '{first.rows[-1].id}'")
    assert set(ids(many, limit=6, after=first.next)) == expected
    gone = replace(first.next or LAST, values=())
    assert ids(many, sort="title", limit=3, after=gone) == ids(many, sort="title", limit=3)


@pytest.mark.parametrize("cursor", [Cursor(), Cursor((1.0,), "s01"), Cursor((float("nan"), 1.0), "\0")])
def test_a_made_up_cursor_is_no_error(many: Path, cursor: Cursor) -> None:
    for sort in SORTS:
        listed(many, sort=sort, after=cursor)


def test_a_cursor_never_holds_a_title(many: Path) -> None:
    for sort in SORTS:
        assert "Plan" not in repr(listed(many, sort=sort, limit=3).next)
