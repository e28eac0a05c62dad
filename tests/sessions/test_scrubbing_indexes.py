"""The full-text indexes as SQLite keeps them: found by what they are, taken apart as SQLite itself counts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.scrubbing_indexes import Index, asker, being_migrated, indexes, left_over, quoted, segments
from sessions.scrubbing_merge import LEAST, MOST, Stopped, merge
from sessions.space import SPARE, space_needed
from tests.state_builders import old_state

INLINE, EXTERNAL = Index("words", external=False), Index("outer", external=True)


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        made.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY, content TEXT)")
        made.execute("CREATE VIRTUAL TABLE words USING fts5(content)")
        made.execute("CREATE VIRTUAL TABLE outer USING fts5(content, content='messages', content_rowid='id')")
        yield made


def fill(connection: sqlite3.Connection, rows: int) -> None:
    """Each row in a transaction, and so in a segment, of its own."""
    for number in range(rows):
        connection.execute("INSERT INTO messages(content) VALUES(?)", (f"word{number} and common words",))
        connection.execute(
            "INSERT INTO words(rowid, content) SELECT id, content FROM messages ORDER BY id DESC LIMIT 1"
        )


def test_every_index_is_found_and_nothing_else(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE fts5_notes(using_fts5)")
    connection.execute('CREATE VIRTUAL TABLE "a ""b" USING FTS5 (x, content = "")')
    found = indexes(asker(connection))
    assert found == [Index('a "b', external=False), EXTERNAL, INLINE]
    assert segments(asker(connection), found[0]) == []


@pytest.mark.parametrize("rows", [0, 1, 3, 10, 300])
def test_segments_are_those_that_sqlite_has(connection: sqlite3.Connection, rows: int) -> None:
    fill(connection, rows)
    ids = {id for (id,) in connection.execute("SELECT DISTINCT segid FROM words_idx")}
    assert {segment.id for segment in segments(asker(connection), INLINE)} == ids


@given(record=st.binary(max_size=40))
def test_a_record_that_is_broken_is_no_error(record: bytes) -> None:
    assert isinstance(segments(lambda _: [(record,)], INLINE), list)


def test_merging_leaves_one_segment_and_no_deleted_word(connection: sqlite3.Connection) -> None:
    fill(connection, 40)
    connection.execute("DELETE FROM words WHERE rowid = 7")
    said: list[tuple[int, int]] = []

    def gently() -> bool:
        return False

    def run() -> bool:
        return merge(
            connection, INLINE, gently=gently, say=lambda *now: said.append(now), stopped=lambda: False
        )

    assert run()
    assert len(segments(asker(connection), INLINE)) == 1
    assert said == sorted(said)
    assert said[-1][0] == said[-1][1] > 0
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(words, row)")
    assert connection.execute("SELECT COUNT(*) FROM terms WHERE term = 'word6'").fetchone() == (0,)
    blocks = b"".join(block for (block,) in connection.execute("SELECT block FROM words_data"))
    assert blocks.count(b"word") == 1, "the terms share their beginning, so none is left of the deleted one"
    assert not run(), "and then there is nothing to do"


def test_merging_stops_when_asked(connection: sqlite3.Connection) -> None:
    with pytest.raises(Stopped):
        merge(connection, INLINE, gently=lambda: False, say=lambda *_: None, stopped=lambda: True)
    assert LEAST < MOST


def test_entries_of_rows_that_are_gone(connection: sqlite3.Connection) -> None:
    fill(connection, 5)
    connection.execute("INSERT INTO outer(rowid, content) SELECT id, content FROM messages")
    assert left_over(asker(connection), EXTERNAL) == 0
    connection.execute("DELETE FROM messages WHERE id < 3")
    assert left_over(asker(connection), EXTERNAL) == 2
    assert left_over(asker(connection), INLINE) == 0, "it has a copy of its own"


def test_tables_of_an_index_that_is_being_moved(connection: sqlite3.Connection) -> None:
    for name in ("fts_v22_trash_data", "fts_v22_trash_content", "trash"):
        connection.execute(f"CREATE TABLE {quoted(name)}(c)")
    assert being_migrated(asker(connection)) == ("fts_v22_trash_content", "fts_v22_trash_data")


def test_room_that_is_needed(tmp_path: Path) -> None:
    size = old_state(tmp_path).joinpath("state.db").stat().st_size
    space = space_needed(tmp_path, tmp_path)
    assert space.file == size
    assert space.needed_here + space.needed_temporary >= 2 * size + 2 * SPARE
    assert space.one_disk
    assert 0 < space.free_here == space.free_temporary
