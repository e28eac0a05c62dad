"""Pages of full-text indexes, decoded: the same as SQLite's own vocabulary says, and as the test oracle says."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermesweb.hermes.scan.events import Hit
from hermesweb.hermes.scan.fts_rows import rows_in_index
from hermesweb.hermes.scan.fts_tokens import Tokens, tokens_of
from hermesweb.hermes.scan.needles import needles_of
from hermesweb.hermes.scan.segments import BrokenLeaf, Doclist, Leaf, positions_of, segments_of
from hermesweb.hermes.scan.sql_scan import scan_database
from hermesweb.hermes.scan.sql_schema import TextIndex, options_of
from tests.home_builders import HOMES, BuiltHome

WORDS = ("alpha", "alphabet", "beta", "gamma", "gammas", "delta", "straße", "東京都", "x" * 90)


def index(path: Path, options: str = "") -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute(f"CREATE VIRTUAL TABLE t USING fts5(a{options})")
    # Small pages and no merging: many leaves and many segments out of few words.
    connection.execute("INSERT INTO t(t, rank) VALUES ('pgsz', 64)")
    connection.execute("INSERT INTO t(t, rank) VALUES ('automerge', 0)")
    return connection


def hits(path: Path, phrase: str) -> dict[str, Hit]:
    events = scan_database(path, [phrase])
    return {one.how: one for one in events if isinstance(one, Hit) and one.where == "t_data"}


@pytest.mark.parametrize(
    "options", ["", ", detail=column", ", detail=none", ", tokenize='trigram'", ", prefix='2'"]
)
def test_the_rows_are_those_that_a_search_finds(tmp_path: Path, options: str) -> None:
    path = tmp_path / "a.db"
    with closing(index(path, options)) as connection:
        for row in range(1, 120):
            words = [WORDS[(row * step) % len(WORDS)] for step in range(1, 20 if row % 50 else 300)]
            connection.execute("INSERT INTO t(rowid, a) VALUES (?, ?)", (row * 7 - 900, " ".join(words)))
        for phrase in ("alpha", "alphabet beta", "gamma delta", "東京都", "x" * 9, "delta beta alpha"):
            exact = "trigram" in options or "detail=full" in options or "detail" not in options
            words = phrase.split()
            query = f'"{phrase}"*' if exact else " AND ".join([*words[:-1], words[-1] + "*"])
            rows = [row for (row,) in connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (query,))]
            found = hits(path, phrase)
            assert (found["index_live"].count if found else 0) == len(rows), phrase
            assert "index_left_over" not in found


def test_rows_that_were_deleted_or_rewritten_are_left_over_until_they_are_merged(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(index(path)) as connection:
        for row, text in ((1, "secretword one"), (2, "secretword two"), (3, "another")):
            connection.execute("INSERT INTO t(rowid, a) VALUES (?, ?)", (row, text))
        connection.execute("DELETE FROM t WHERE rowid = 1")
        connection.execute("UPDATE t SET a = 'nothing' WHERE rowid = 2")
        assert hits(path, "secretword")["index_left_over"].count == 2
        assert set(hits(path, "secretword one")) == {"index_left_over"}
        assert hits(path, "nothing")["index_live"].count == 1
        (remains,) = rows_in_index(path, [1, 3])
        assert (remains.counted, remains.written, remains.complete) == ((3,), (1, 3), True)
        connection.execute("INSERT INTO t(t) VALUES ('optimize')")
        assert hits(path, "secretword") == {}
        (remains,) = rows_in_index(path, [1, 3])
        assert (remains.counted, remains.written, remains.segments) == ((3,), (3,), 1)


def test_an_index_that_was_only_renamed_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(index(path)) as connection:
        connection.execute("INSERT INTO t(a) VALUES ('secretword')")
        connection.execute("CREATE TABLE old_data AS SELECT * FROM t_data")
        connection.execute(
            "CREATE TABLE old_idx (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID"
        )
        connection.execute("INSERT INTO old_idx SELECT * FROM t_idx")
        connection.execute("DROP TABLE t")
    events = [one for one in scan_database(path, ["secretword"]) if isinstance(one, Hit)]
    assert [(one.where, one.how) for one in events] == [("old_data", "index_live")]


def oracle(home: Path, rows: list[int]) -> dict[str, dict[int, int]]:
    command = [sys.executable, str(HOMES / "residue.py"), str(home)]
    command += [part for row in rows for part in ("--rowid", str(row))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return {
        name: {int(row): count for row, count in entry["rowids_with_entries"].items()}
        for name, entry in json.loads(done.stdout)["fts"]["state.db"].items()
    }


@pytest.fixture(
    params=[("--no-optimize",), ("--layout", "main", "--no-optimize")], ids=["inline", "external"]
)
def half_deleted(request: pytest.FixtureRequest, make_home: object) -> Iterator[tuple[BuiltHome, list[int]]]:
    home: BuiltHome = make_home(*request.param, "--profiles", "0")  # type: ignore[operator]
    with closing(sqlite3.connect(home.root / "state.db")) as connection:
        rows = [row for (row,) in connection.execute("SELECT id FROM messages WHERE id % 7 = 0")]
        connection.execute("DELETE FROM messages WHERE id % 7 = 0")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    yield home, rows  # noqa: PT022


def test_the_oracle_says_the_same_of_deleted_rows(half_deleted: tuple[BuiltHome, list[int]]) -> None:
    home, rows = half_deleted
    expected = oracle(home.root, rows)
    found = {one.index: one for one in rows_in_index(home.root / "state.db", rows)}
    assert any(expected.values())
    for name, with_entries in expected.items():
        assert set(found[name].written) == set(with_entries)
        assert found[name].counted == ()
        assert found[name].complete


@given(st.binary(max_size=200))
def test_bytes_that_are_no_leaf_raise_nothing_else(content: bytes) -> None:
    for decode in (_read_leaf, lambda each: list(positions_of(each)), segments_of):
        try:  # noqa: SIM105
            decode(content)
        except BrokenLeaf:
            pass


def _read_leaf(content: bytes) -> None:
    leaf = Leaf(content)
    leaf.first_row_id()
    for term in leaf.terms():
        for entry in Doclist().entries(leaf, term.start, term.end):
            list(positions_of(entry.positions))


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=40), st.integers(0, 3))
def test_positions_are_those_of_the_words(words: list[str], place: int) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(a, b, tokenize='unicode61')")
        connection.execute("INSERT INTO t VALUES (?, ?)", (" ".join(words), "beta"))
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
        wanted = connection.execute('SELECT col, "offset" FROM v WHERE term = ?', ("beta",)).fetchall()
        blocks = connection.execute("SELECT block FROM t_data WHERE id > 10 ORDER BY id").fetchall()
    leaves = [Leaf(block) for (block,) in blocks]
    terms = [(leaf, term) for leaf in leaves for term in leaf.terms() if term.text == b"0beta"]
    ((leaf, term),) = terms
    (entry,) = Doclist().entries(leaf, term.start, term.end)
    found = [("ab"[column], position) for column, position in positions_of(entry.positions)]
    assert sorted(found) == sorted(wanted)
    assert place >= 0


@pytest.mark.parametrize(
    ("how", "phrase", "expected"),
    [
        ("unicode61", "Zoë's dog-house", (b"zoe", b"s", b"dog", b"house")),
        ("unicode61 remove_diacritics 0", "Zoë", ("zoë".encode(),)),
        ("porter", "running dogs", (b"run", b"dog")),
        ("trigram", "Anna", (b"ann", b"nna")),
        ("trigram", "李明", ("李明".encode(),)),
        ("cjk_unicode61", "我在東京 now", ("我在".encode(), "在東".encode(), "東京".encode(), b"now")),
    ],
)
def test_phrases_are_cut_as_the_index_cuts(how: str, phrase: str, expected: tuple[bytes, ...]) -> None:
    assert Tokens(expected) in tokens_of(needles_of(phrase), TextIndex("t", {"tokenize": how}))


def test_options_of_a_statement() -> None:
    arguments = (
        "content, \"tool, name\", content='a''b', tokenize = \"trigram case_sensitive 1\", detail=none"
    )
    assert options_of(arguments) == {
        "content": "a'b",
        "tokenize": "trigram case_sensitive 1",
        "detail": "none",
    }
