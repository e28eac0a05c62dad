"""Searching beside indexes that are missing, broken, stale, half built, or of the other layout. C10, C19, C20."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions.database import Database, read_state
from sessions.errors import StateDamaged, StateEmpty, StateError, StateNeedsCopy, StateNotDatabase
from sessions.listing import list_conversations
from sessions.listing_filters import Filters
from sessions.query_text import parse
from sessions.search import search
from sessions.search_index import IndexState, index_state
from sessions.search_results import EVERYWHERE
from sessions.work_copy import make_work_copy
from tests.home_builders import BuiltHome, fingerprints
from tests.search_builders import Layout, add_index, fill, ids, page, run
from tests.state_builders import SCHEMA_OF, add_message, add_session, old_state

QUERIES = ["wobblefrost", "金丝雀", "桂林", "검색", '"morning report"', "wobblefr*", "kernel NOT garden"]
QUERIES += ["password hint", "periwinkle", "<script>", "金丝雀 OR glimmerquartz", "dcokre", "endoflonglog"]
Answers = dict[str, set[int | None]]


def answers(db: Database) -> Answers:
    pages = {
        words: search(db, parse(words), limit=200, include_undone=True, include_compacted=True, seconds=20)
        for words in QUERIES
    }
    assert all(found.next is None for found in pages.values())
    return {words: {hit.message for hit in found.hits} for words, found in pages.items()}


def state_of(folder: Path) -> IndexState:
    return read_state(folder, index_state)


@pytest.fixture(params=["native", "main"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def make(make_home: Callable[..., BuiltHome], kind: str) -> Callable[..., BuiltHome]:
    return lambda *options: make_home("--layout", kind, "--profiles", "0", *options)


@pytest.mark.parametrize(
    ("variant", "words", "trigrams"),
    [
        ("no-fts", "no_index", "no_index"),
        ("no-trigram", None, "no_index"),
        ("delete-journal", None, None),
        ("fts-garbage", "index_incomplete", None),
        ("fts-stale", "index_stale", "index_stale"),
        ("rebuild-pending", None, None),
        ("open-wal", None, None),
    ],
)
def test_every_variant_answers_the_same(
    make: Callable[..., BuiltHome], kind: str, variant: str, words: str | None, trigrams: str | None
) -> None:
    sound, other = make().root, make("--variant", variant).root
    before = fingerprints(other)
    state = state_of(other)
    expected = read_state(sound, answers)
    assert read_state(other, answers) == expected
    assert expected["wobblefrost"]
    assert len(expected["金丝雀"]) == 2
    if (kind, variant) != ("main", "rebuild-pending"):  # there the generator empties the whole index
        assert (state.words, state.trigrams) == (words, trigrams)
    assert (state.gap is not None) == (variant == "rebuild-pending")
    if variant != "open-wal":
        assert fingerprints(other) == before


def test_rows_only_in_the_wal_are_found(make: Callable[..., BuiltHome]) -> None:
    assert len(ids(make("--variant", "open-wal").root, "onlyinthewal")) == 1


def test_after_a_hot_journal_a_copy_is_searched(make: Callable[..., BuiltHome], tmp_path: Path) -> None:
    home = make("--variant", "hot-journal").root
    with pytest.raises(StateNeedsCopy):
        read_state(home, answers)
    copy = make_work_copy(home, tmp_path / "work")
    assert read_state(home, answers, copy=copy.folder)["wobblefrost"]
    assert read_state(home, list_conversations, copy=copy.folder).rows


@pytest.mark.parametrize(
    ("variant", "error"),
    [("truncated", StateDamaged), ("zero-length", StateEmpty), ("not-a-db", StateNotDatabase)],
)
def test_what_cannot_be_read_says_so(
    make: Callable[..., BuiltHome], variant: str, error: type[StateError]
) -> None:
    home = make("--variant", variant).root
    for question in (answers, list_conversations):
        with pytest.raises(error):
            read_state(home, question)  # type: ignore[arg-type]


def test_homes_of_real_releases(home_019: BuiltHome, home_022: BuiltHome) -> None:
    for home in (home_019, home_022):
        for name in ("default", "office"):
            folder = home.profile(name)
            state = state_of(folder)
            assert (state.words, state.trigrams, state.gap) == (None, None, None)
            assert state.external == (home is home_022)
            assert read_state(folder, lambda db: list_conversations(db, Filters(hidden=True))).rows


FIELDS = ("messages.", "sessions.title", "sessions.system_prompt", "system_prompts.prompt")


def test_words_of_real_homes_are_found(home_019: BuiltHome, home_022: BuiltHome) -> None:
    """The manifests say in which columns each canary word lies."""
    for home in (home_019, home_022):
        looked = [_look_for(home, each) for each in home.manifest["canaries"]]
        assert sum(looked) > 10


def _look_for(home: BuiltHome, canary: dict[str, Any]) -> int:
    stored = [
        place["path"]
        for place in canary["found_in"]
        if place["path"] in ("state.db", "profiles/office/state.db")
        and any(how.startswith(f"sql {field}") for how in place["how"] for field in FIELDS)
    ]
    for path in stored:
        found = page(
            (home.root / path).parent,
            canary["word"],
            where=EVERYWHERE,
            include_undone=True,
            include_compacted=True,
        )
        assert found.hits or found.sessions, (canary["channel"], path)
    return len(stored)


@pytest.mark.parametrize("release", SCHEMA_OF)
@pytest.mark.parametrize("layout", ["none", "inline"])
def test_every_release_is_searched(tmp_path: Path, release: str, layout: Layout) -> None:
    folder = old_state(tmp_path, release)
    add_session(folder, "s1", title="Garden")
    add_message(folder, "s1", "needle", reasoning="thought")
    add_index(folder, layout)
    assert ids(folder, "needle") == [1]
    assert ids(folder, "thought", where={"reasoning", "api_content"}) == [1]
    assert read_state(folder, lambda db: list_conversations(db, Filters(hidden=True))).total == 1


def test_a_part_of_an_index_that_is_gone_is_noticed(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    fill(folder, *(("s1", f"word number {number}", 1.7e9) for number in range(100)))
    add_index(folder)
    assert state_of(folder).words is None
    run(folder, "DELETE FROM messages_fts WHERE rowid > 80")
    assert state_of(folder).words == "index_incomplete"
    found = page(folder, "word", limit=200)
    assert len(found.hits) == 100
    assert found.indexes == ("index_incomplete",)


def test_rows_added_behind_the_back_of_an_index_are_noticed(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    add_message(folder, "s1", "first words")
    add_index(folder)
    run(folder, "DROP TRIGGER messages_fts_insert")
    add_message(folder, "s1", "later words")
    assert ids(folder, "words") == [2, 1]


def test_an_index_that_ends_at_a_nul_is_complete(tmp_path: Path) -> None:
    """The trigram index of SQLite 3.40 takes a text up to its first NUL; releases 0.13 to 0.18 stored such."""
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    add_message(folder, "s1", "some words")
    add_message(folder, "s1", "a\0 after the end")
    add_index(folder)
    assert state_of(folder) == IndexState(None, None, False, None)


def test_an_index_that_breaks_in_the_middle_is_gone_around(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    fill(folder, *(("s1", f"word number {number}", 1.7e9) for number in range(100)))
    add_index(folder)
    assert state_of(folder).words is None
    run(folder, "UPDATE messages_fts_data SET block = randomblob(30) WHERE id > 10")
    found = page(folder, "number", limit=200)
    assert len(found.hits) == 100
    assert set(found.indexes) & {"index_broken", "index_incomplete"}


def test_the_end_of_a_long_tool_output_is_found(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    add_message(folder, "s1", "word " * 5000 + "endoflonglog", role="tool")
    add_index(folder, "external")
    found = page(folder, "endoflonglog")
    assert [hit.message for hit in found.hits] == [1]
    assert "thorough" in found.notes
    assert "long_tool_output" in page(folder, "word").notes
    assert ids(folder, "endoflonglog OR word", thorough=True) == [1]


def test_what_the_newer_trigram_index_leaves_out_is_found(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    for source in ("cli", "cron", "subagent"):
        add_session(folder, source, source=source)
        add_message(folder, source, "大别山项目")
    add_message(folder, "cli", "大别山项目", role="tool")
    add_message(folder, "ghost", "大别山项目")
    add_index(folder, "external")
    assert ids(folder, "大别山") == [5, 4, 3, 2, 1]


def test_a_database_without_tables(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    run(folder, "DROP TABLE messages")
    assert page(folder, "word").hits == ()
    assert read_state(folder, list_conversations).rows == ()


def test_a_damaged_page_of_messages_hides_only_what_is_on_it(tmp_path: Path) -> None:
    folder = old_state(tmp_path)
    add_session(folder, "s1")
    fill(folder, *(("s1", f"lemur {number} " + "x" * 500, 1.7e9) for number in range(200)))
    run(folder, "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode=DELETE")
    _spoil(folder / "state.db", b"lemur 100 ")
    found = page(folder, "lemur", limit=300)
    assert "damaged" in found.notes
    assert 100 < len(found.hits) < 200
    assert read_state(folder, list_conversations).total == 1


def _spoil(path: Path, needle: bytes) -> None:
    """Overwrite the head of the page that holds a text. Nothing of this process has the file open."""
    data = bytearray(path.read_bytes())
    begin = data.index(needle) // 4096 * 4096
    data[begin : begin + 100] = b"\xff" * 100
    path.write_bytes(data)
