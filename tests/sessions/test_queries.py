"""Counting and listing: every release's tables, odd values, and the same order as Hermes."""

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sessions.database import read_state
from sessions.queries import Provider, SessionRow, count, latest
from sessions.schema_notes import Note, schema_notes
from tests.home_builders import BuiltHome
from tests.state_builders import SCHEMA_OF, add, add_message, add_session, connect, old_state

NOW = 1_700_000_000.0


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return old_state(tmp_path)


def rows(folder: Path, limit: int = 50) -> dict[str, SessionRow]:
    return {row.id: row for row in read_state(folder, lambda db: latest(db, limit))}


def compress(folder: Path, parent: str, child: str) -> None:
    with closing(connect(folder)) as connection:
        connection.execute(
            "UPDATE sessions SET end_reason = 'compression', ended_at = 1 WHERE id = ?", (parent,)
        )
    add_session(folder, child, parent_session_id=parent)


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_every_release_is_counted_and_listed(tmp_path: Path, release: str) -> None:
    state = old_state(tmp_path, release)
    add_session(
        state, "s1", title="Garden", system_prompt="be kind", model="small", billing_provider="example"
    )
    add_message(state, "s1", "water")
    counts = read_state(state, count)
    assert (counts.sessions, counts.messages, counts.live_messages, counts.stored_prompts) == (1, 1, 1, 1)
    assert counts.sources == {"cli": 1}
    assert counts.providers == (Provider("example", "", 1),)
    row = rows(state)["s1"]
    assert (row.title, row.preview, row.model, row.kind) == ("Garden", "water", "small", "conversation")
    assert (row.messages, row.parts, row.open, row.archived, row.hidden) == (1, 1, True, False, False)
    assert (row.started_at, row.last_activity) == (NOW, NOW + 100)


def test_an_empty_database(state: Path) -> None:
    counts = read_state(state, count)
    assert (counts.sessions, counts.messages, counts.live_messages, counts.stored_prompts) == (0, 0, 0, 0)
    assert (counts.oldest, counts.newest, counts.sources, counts.providers) == (None, None, {}, ())
    assert rows(state) == {}


def test_live_messages(state: Path) -> None:
    add_session(state, "s1")
    for active, compacted in ((1, 0), (None, 0), (0, 0), (0, 1)):
        add_message(state, "s1", active=active, compacted=compacted)
    counts = read_state(state, count)
    assert (counts.messages, counts.live_messages) == (4, 2)


@pytest.mark.parametrize("time", [0, -5.0, 5e246, "2026-09-01T10:00:00", b"\xff", 4102444801.0])
def test_odd_times_are_not_believed(state: Path, time: object) -> None:
    add_session(state, "odd", started_at=time)
    add_session(state, "sane")
    add_message(state, "odd", timestamp=time)
    add_message(state, "sane", timestamp=NOW + 7)
    counts = read_state(state, count)
    assert (counts.oldest, counts.newest) == (NOW + 7, NOW + 7)
    assert list(rows(state)) == ["sane", "odd"]
    assert (rows(state)["odd"].started_at, rows(state)["odd"].last_activity) == (None, None)


def test_the_newest_activity_comes_first(state: Path) -> None:
    add_session(state, "old, but active", started_at=NOW - 1000)
    add_session(state, "new, but idle", started_at=NOW + 10)
    add_session(state, "empty", started_at=NOW + 5)
    add_message(state, "new, but idle", timestamp=NOW + 11)
    add_message(state, "old, but active", timestamp=NOW + 500)
    assert list(rows(state)) == ["old, but active", "new, but idle", "empty"]
    assert list(rows(state, 1)) == ["old, but active"]


def test_a_compressed_conversation_is_one_row_and_shown_as_its_newest_session(state: Path) -> None:
    add_session(state, "a", title="Notes", started_at=NOW - 9)
    compress(state, "a", "b")
    compress(state, "b", "c")
    for session, text in (
        ("a", "first words"),
        ("b", "more"),
        ("c", "[CONTEXT SUMMARY]: before"),
        ("c", "last"),
    ):
        add_message(state, session, text)
    (row,) = rows(state).values()
    assert (row.id, row.root, row.parts, row.messages) == ("c", "a", 3, 4)
    assert (row.preview, row.started_at, row.open) == ("last", NOW - 9, True)


def test_a_long_chain_does_not_crowd_out_the_others(state: Path) -> None:
    add_session(state, "c0", started_at=NOW + 1)
    for number in range(30):
        compress(state, f"c{number}", f"c{number + 1}")
        add_message(state, f"c{number + 1}", timestamp=NOW + 100 + number)
    add_session(state, "other", started_at=NOW - 5)
    assert list(rows(state, 2)) == ["c30", "other"]


def test_without_words_of_its_own_the_beginning_is_shown(state: Path) -> None:
    add_session(state, "a")
    add_message(state, "a", "how it began")
    compress(state, "a", "b")
    add_message(state, "b", "[CONTEXT COMPACTION — REFERENCE] before")
    assert rows(state)["b"].preview == "how it began"


def test_nothing_is_hidden_but_named(state: Path) -> None:
    add_session(state, "parent", archived=1)
    add_session(state, "child", parent_session_id="parent", model_config='{"_delegate_from": "parent"}')
    for source in ("tool", "subagent", "kanban", "oneshot", "cron", "telegram", ""):
        add_session(state, f"by {source}", source=source)
    found = rows(state)
    assert found["parent"].archived
    assert found["child"].kind == "subagent"
    assert [found[f"by {source}"].kind for source in ("tool", "subagent", "kanban", "oneshot", "cron")] == [
        "tool",
        "subagent",
        "kanban",
        "oneshot",
        "cron",
    ]
    assert found["by telegram"].kind == found["by "].kind == "conversation"


def test_rows_of_odd_shapes(generated_home: BuiltHome) -> None:
    sessions = generated_home.facts()["sessions"]
    found = rows(generated_home.root, 500)
    continuations = {"lineage_1", "lineage_2", "doomed"}
    assert {sessions[name] for name in sessions.keys() - continuations} <= found.keys()
    assert not {sessions[name] for name in continuations} & found.keys()
    assert found["broken_rows"].messages == 12
    assert found[sessions["multimodal"]].preview == "what is in this picture of a periwinkle"
    assert found[sessions["odd_id"]].id == "odd id/../?q=1&<b>#frag%2f"
    assert found[sessions["lineage_3"]].parts == 3


def test_a_broken_model_config(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--keep-bad-json")
    assert rows(home.root, 500)["bad_model_config"].kind == "conversation"


@pytest.mark.parametrize("content", [b"\x00\xff\xfe bytes", 42, '\0json:[{"text": "cut', "", None])
def test_odd_content_in_a_preview(state: Path, content: object) -> None:
    add_session(state, "s1")
    add_message(state, "s1", content)
    assert isinstance(rows(state)["s1"].preview, str)


def test_ids_and_titles_of_odd_types(state: Path) -> None:
    add_session(state, b"\xff\x00", title=b"blob")
    add_session(state, None)
    add_session(state, 7, title=12)
    assert {row.title for row in rows(state).values()} == {"blob", "12"}
    assert read_state(state, count).sessions == 3


def test_hidden_rows_and_noted_activity_of_newer_releases(state: Path) -> None:
    with closing(connect(state)) as connection:
        connection.execute("ALTER TABLE sessions ADD COLUMN last_activity_at REAL")
        connection.execute("ALTER TABLE sessions ADD COLUMN hidden INTEGER")
        connection.execute("ALTER TABLE messages ADD COLUMN display_kind TEXT")
    add_session(state, "noted", last_activity_at=NOW + 900, hidden=1)
    add_session(state, "other", last_activity_at=5e246)
    add_message(state, "noted", "not by a person", display_kind="hidden", timestamp=NOW)
    add_message(state, "noted", "by a person", timestamp=NOW + 1)
    add_message(state, "other", timestamp=NOW + 800)
    found = rows(state)
    assert list(found) == ["noted", "other"]
    assert (found["noted"].last_activity, found["noted"].hidden) == (NOW + 900, True)
    assert found["noted"].preview == "by a person"


def test_shared_prompts_and_providers_of_newer_releases(home_022: BuiltHome) -> None:
    counts = read_state(home_022.root, count)
    facts = home_022.facts()["state_db"]["rows"]
    assert counts.stored_prompts == facts["system_prompts"] > 0
    assert counts.providers
    assert sum(each.sessions for each in counts.providers) >= 1


def test_a_chain_that_bites_its_tail_is_one_conversation(state: Path) -> None:
    circle = [(f"s{number}", f"s{(number + 1) % 1000}") for number in range(1000)]
    with closing(connect(state)) as connection:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO sessions(id, parent_session_id, source, started_at, end_reason)"
            " VALUES(?, ?, 'cli', 1, 'compression')",
            circle,
        )
        connection.execute("COMMIT")
    (row,) = rows(state).values()
    assert (row.parts, row.root) == (1000, "s0")


_HERMES_LIST = """
import json, sys
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]))
rows = db.list_sessions_rich(order_by_last_active=True, limit=1000, include_archived=True)
print(json.dumps([[row["id"], row["title"], row["preview"]] for row in rows]))
"""


@pytest.mark.interop
def test_the_same_conversations_in_the_same_order_as_hermes(
    generated_home: BuiltHome, tmp_path: Path
) -> None:
    """All that Hermes lists, in its order; what it hides (delegates, resets) stands between."""
    with closing(connect(generated_home.root)) as connection:  # Hermes believes any time; we do not
        connection.execute("DELETE FROM messages WHERE session_id = 'broken_rows'")
        connection.execute("DELETE FROM sessions WHERE started_at > 4102444800")
    ours = read_state(generated_home.root, lambda db: latest(db, 1000))
    done = subprocess.run(
        [sys.executable, "-c", _HERMES_LIST, str(generated_home.root / "state.db")],
        env={"HERMES_HOME": str(generated_home.root), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(done.stdout)
    ids = [id for id, _, _ in theirs]
    assert [row.id for row in ours if row.id in set(ids)] == ids
    titles = {row.id: row.title for row in ours}
    assert {id: title or "" for id, title, _ in theirs} == {id: titles[id] for id in ids}


NEW = ["sessions.cwd", "sessions.archived", "messages.active", "messages.compacted", "messages.api_content"]


@pytest.mark.parametrize(("release", "missing"), [("0.13", NEW), ("0.17", NEW[3:]), ("0.18", NEW[4:])])
def test_notes_about_what_is_missing(tmp_path: Path, release: str, missing: list[str]) -> None:
    notes = read_state(old_state(tmp_path, release), schema_notes)
    assert notes == [
        *(Note("no_column", name) for name in missing),
        Note("no_word_index"),
        Note("no_trigram_index"),
    ]


@pytest.mark.parametrize(
    ("variant", "notes"),
    [
        ("no-fts", [Note("no_word_index"), Note("no_trigram_index")]),
        ("no-trigram", [Note("no_trigram_index")]),
        ("fts-stale", [Note("index_stale")]),
        ("rebuild-pending", [Note("index_unfinished")]),
    ],
)
def test_notes_about_indexes(make_home: Callable[..., BuiltHome], variant: str, notes: list[Note]) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--variant", variant)
    assert read_state(home.root, schema_notes) == notes


def test_no_notes(home_019: BuiltHome, home_022: BuiltHome) -> None:
    assert read_state(home_019.root, schema_notes) == []
    assert read_state(home_022.root, schema_notes) == []


def test_notes_about_versions_and_tables(state: Path) -> None:
    with closing(connect(state)) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
        connection.execute("CREATE TABLE fts_v22_trash_1(x)")
    add(state, "state_meta", key="fts_rebuild_high_water", value="not a number")
    notes = read_state(state, schema_notes)
    assert Note("newer_version", "99") in notes
    assert Note("old_index_kept", "fts_v22_trash_1") in notes
    with closing(connect(state)) as connection:
        connection.execute("DROP TABLE messages")
        connection.execute("DROP TABLE schema_version")
    assert {Note("no_table", "messages"), Note("no_version")} <= set(read_state(state, schema_notes))
