"""Words that only a shortened term of an old index page still has, where no index knows of it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.scan_builders import Looked, look_at

WORD = "velgeguvo53"
SAID = "the violet kettle sings"


@contextmanager
def indexed(
    path: Path, *, page: int = 4096, wal: bool = False, tokenize: str = "unicode61"
) -> Iterator[sqlite3.Connection]:
    """A database whose index holds WORD right behind a word that shares its beginning."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size={page}")
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute(f"PRAGMA journal_mode={'WAL' if wal else 'DELETE'}")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute(f"CREATE VIRTUAL TABLE texts USING fts5(text, content='', tokenize='{tokenize}')")
        # Without content: that the index is the only place of the words.
        words = " ".join(f"filling{number}" for number in range(2_000))
        connection.execute(
            "INSERT INTO texts(rowid, text) VALUES (1, ?)", (f"{words} velgeguvo52 {WORD} {SAID} {words}",)
        )
        yield connection


def hows(looked: Looked) -> set[tuple[str, str]]:
    return {(hit.how, hit.place.get("form", "")) for hit in looked.hits}


@pytest.mark.parametrize("page", [512, 1024, 4096, 8192, 65536])
def test_a_shortened_word_is_found_in_a_free_page(tmp_path: Path, page: int) -> None:
    with indexed(tmp_path / "a.db", page=page) as connection:
        connection.execute("INSERT INTO texts(texts) VALUES ('delete-all')")
    content = (tmp_path / "a.db").read_bytes()
    assert WORD.encode() not in content
    found = hows(look_at(tmp_path, WORD))
    assert found
    assert found <= {("free_page", "index"), ("slack", "index")}
    assert not look_at(tmp_path, "velgeguvo54").hits


def test_a_shortened_word_is_found_in_the_wal(tmp_path: Path) -> None:
    with indexed(tmp_path / "a.db", wal=True):
        looked = look_at(tmp_path, WORD)
        assert {hit.file for hit in looked.hits} == {"a.db-wal"}
        assert hows(looked) == {("wal", "index")}


def test_words_that_stood_together_are_found_in_a_free_page(tmp_path: Path) -> None:
    with indexed(tmp_path / "a.db") as connection:
        connection.execute("INSERT INTO texts(texts) VALUES ('delete-all')")
    assert hows(look_at(tmp_path, SAID)) == {("free_page", "index")}
    assert not look_at(tmp_path, "the kettle sings").hits


def test_letters_in_threes_are_put_together(tmp_path: Path) -> None:
    with indexed(tmp_path / "a.db", tokenize="trigram") as connection:
        connection.execute("INSERT INTO texts(texts) VALUES ('delete-all')")
    assert hows(look_at(tmp_path, WORD)) == {("free_page", "index")}
    assert not look_at(tmp_path, "velgeguvo54").hits
