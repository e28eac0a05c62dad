"""Case C19: a state.db of other releases is listed, read and searched, and it is said what is missing."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb.hermes.ids import encode_id
from tests.home_builders import fingerprints
from tests.memory_builders import MemoryHome
from tests.search_builders import add_index
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.memory_pages import MemorySite
from tests.web.test_sessions_search import heading, look_for

pytestmark = pytest.mark.django_db


def change(folder: Path, *statements: str) -> None:
    with closing(connect(folder)) as connection:
        for statement in statements:
            connection.execute(statement)


def without_columns(folder: Path) -> None:
    old_state(folder, "0.13")
    change(folder, "ALTER TABLE messages DROP COLUMN reasoning_content")


def with_more_columns(folder: Path) -> None:
    old_state(folder)
    change(
        folder,
        "ALTER TABLE sessions ADD COLUMN last_activity_at REAL",
        "ALTER TABLE sessions ADD COLUMN hidden INTEGER DEFAULT 0",
        "UPDATE schema_version SET version = 99",
    )


def without_trigrams(folder: Path) -> None:
    old_state(folder)
    add_index(folder)
    with closing(connect(folder)) as connection:
        named = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%messages_fts_trigram%'"
        triggers = [f"DROP TRIGGER {name}" for (name,) in connection.execute(named)]
    change(folder, *triggers, "DROP TABLE messages_fts_trigram")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            without_columns,
            "It lacks sessions.cwd, sessions.archived, messages.reasoning_content, messages.active",
        ),
        (with_more_columns, "It has schema 99, newer than"),
        (without_trigrams, "no index for Chinese, Japanese and Korean"),
    ],
)
def test_it_is_listed_read_and_searched(
    make: Callable[[Path], None], said: str, small_home: MemoryHome, site: MemorySite
) -> None:
    make(small_home.folder)
    add_session(small_home.folder, "s1", title="Garden plan")
    add_message(small_home.folder, "s1", "Beans go out in May.")
    before = fingerprints(small_home.folder)
    site.get(name="sessions")
    assert "Garden plan" in site.text
    site.get(name="conversation", session=encode_id("s1"))
    assert "Beans go out in May." in site.text
    look_for(site, "beans")
    assert heading(site) == "1 message"
    look_for(site, "eans")
    assert site.last.status_code == 200
    site.get(name="overview")
    assert said in site.text
    assert fingerprints(small_home.folder) == before
