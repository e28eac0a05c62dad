"""A list of what can still be read where sessions are on a damaged page."""

from pathlib import Path

import pytest

from sessions.database import read_state
from sessions.listing import list_conversations, months
from sessions.listing_catalog import forget_catalogs
from tests.listing_builders import EVERYTHING
from tests.search_builders import run
from tests.state_builders import add_message, add_session, old_state


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Forty sessions, of which a page in the middle cannot be read."""
    folder = old_state(tmp_path)
    for number in range(40):
        parent = {"parent_session_id": f"s{number - 1:02}"} if number % 10 == 5 else {}
        add_session(
            folder, f"s{number:02}", title=f"lemur {number:02} " + "x" * 700, started_at=1.7e9, **parent
        )
        add_message(folder, f"s{number:02}", "hello", timestamp=1.7e9 + number)
    run(folder, "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode=DELETE")
    path = folder / "state.db"
    data = bytearray(path.read_bytes())
    place = data.index(b"lemur 20 ") // 4096 * 4096
    data[place : place + 8] = b"\xff" * 8
    path.write_bytes(bytes(data))
    forget_catalogs()
    return folder


def test_what_is_left_is_listed_and_the_rest_is_said_to_be_missing(damaged: Path) -> None:
    page = read_state(damaged, lambda db: list_conversations(db, EVERYTHING))
    assert page.damaged
    ids = {row.root for row in page.rows}
    assert "s20" not in ids
    assert 25 < len(ids) < 40
    assert {"s00", "s39"} <= ids
    assert page.rows[0].root == "s39"


def test_the_picture_of_the_months_and_a_second_look(damaged: Path) -> None:
    assert sum(month.conversations for month in read_state(damaged, months)) > 25
    first = read_state(damaged, lambda db: list_conversations(db, EVERYTHING))
    assert read_state(damaged, lambda db: list_conversations(db, EVERYTHING)) == first
