"""Deleting rows: all of a conversation and nothing else, in every schema, and again without harm."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from sessions.database import read_state
from sessions.deletion import look_again
from sessions.deletion_values import LeftOut, plan_of
from tests.deletion_builders import NOW, assert_sound, column, delete, delete_now, planned, sql
from tests.search_builders import Layout, add_index
from tests.state_builders import SCHEMA_OF, add, add_message, add_session, connect, old_state

LIVE = NOW + 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return old_state(tmp_path / "home")


def two(folder: Path) -> None:
    """s1 with a word of its own, and s10."""
    for id, word in (("s1", "quincunx"), ("s10", "lemur")):
        add_session(folder, id)
        add_message(folder, id, f"the word is {word}")
        add_message(folder, id, f"yes, {word}", role="assistant")


@pytest.mark.parametrize("release", SCHEMA_OF)
@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_old_schemas(tmp_path: Path, release: str, journal: str) -> None:
    folder = old_state(tmp_path / "home", release)
    two(folder)
    sql(folder, f"PRAGMA journal_mode={journal}")
    done = delete_now(folder, "s1")
    assert done.rows == {"messages": 2, "sessions": 1}
    assert column(folder, "SELECT id FROM sessions") == ["s10"]
    assert column(folder, "SELECT DISTINCT session_id FROM messages") == ["s10"]
    assert column(folder, "PRAGMA journal_mode") == [journal]
    assert_sound(folder)


@pytest.mark.parametrize("layout", ["inline", "external"])
def test_indexes_follow_the_messages(folder: Path, layout: Layout) -> None:
    two(folder)
    add_index(folder, layout)
    columns = "content" if layout == "inline" else "content, tool_name, tool_calls"
    old = "old.content, old.tool_name, old.tool_calls"
    with closing(connect(folder)) as connection:
        for name in ("messages_fts", "messages_fts_trigram"):
            names, values = (
                (columns, old)
                if name == "messages_fts"
                else ("content, tool_name", "old.content, old.tool_name")
            )
            body = (
                f"DELETE FROM {name} WHERE rowid = old.id;"
                if layout == "inline"
                else f"INSERT INTO {name}({name}, rowid, {names}) VALUES('delete', old.id, {values});"
            )
            when = (
                ""
                if name == "messages_fts"
                else "WHEN EXISTS(SELECT 1 FROM sessions WHERE id = old.session_id)"
            )
            connection.execute(
                f"CREATE TRIGGER {name}_delete AFTER DELETE ON messages {when} BEGIN {body} END"
            )
    done = delete_now(folder, "s1")
    assert done.stale_indexes == ()
    for name in ("messages_fts", "messages_fts_trigram"):
        for word, hits in (("quincunx", 0), ("lemur", 2)):
            assert column(folder, f"SELECT COUNT(*) FROM {name} WHERE {name} MATCH ?", (word,)) == [hits]
    assert_sound(folder)


def test_index_without_a_trigger_is_named(folder: Path) -> None:
    two(folder)
    add_index(folder, "external")
    sql(folder, "CREATE TABLE fts_v22_trash_messages_fts_content(id INTEGER PRIMARY KEY, c0)")
    sql(folder, "INSERT INTO fts_v22_trash_messages_fts_content SELECT id, content FROM messages")
    done = delete_now(folder, "s1")
    assert done.stale_indexes == ("messages_fts", "messages_fts_trigram")
    assert done.old_indexes == ("fts_v22_trash_messages_fts_content",)
    assert column(folder, "SELECT c0 FROM fts_v22_trash_messages_fts_content") == [
        "the word is lemur",
        "yes, lemur",
    ]


def side_tables(folder: Path) -> None:
    with closing(connect(folder)) as connection:
        connection.executescript("""
            CREATE TABLE session_model_usage(session_id TEXT REFERENCES sessions(id) ON DELETE CASCADE, model TEXT);
            CREATE TABLE async_delegations(delegation_id TEXT PRIMARY KEY, parent_session_id TEXT, task_json TEXT);
            CREATE TABLE delivery_obligations(
                obligation_id TEXT PRIMARY KEY, session_key TEXT, content TEXT, created_at REAL);
            CREATE TABLE gateway_routing(scope TEXT, session_key TEXT, entry_json TEXT);
            CREATE TABLE telegram_dm_topic_bindings(
                chat_id TEXT, session_id TEXT REFERENCES sessions(id) ON DELETE CASCADE);
            CREATE TABLE session_turn_leases(conversation_id TEXT PRIMARY KEY, expires_at REAL);
            CREATE TABLE conversation_generations(source TEXT, session_key TEXT, generation INTEGER);
            CREATE TABLE gateway_hygiene_state(session_key TEXT PRIMARY KEY, failure_streak INTEGER);
            CREATE TABLE session_deletion_receipts(sequence INTEGER PRIMARY KEY, deletion_json TEXT);
            CREATE TABLE system_prompts(hash TEXT PRIMARY KEY, prompt TEXT);
            ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT;
            ALTER TABLE sessions ADD COLUMN tool_names TEXT;
        """)
        connection.execute("BEGIN")
        for id in ("s1", "s10"):
            for statement in (
                "INSERT INTO session_model_usage VALUES(:id, 'm')",
                "INSERT INTO async_delegations VALUES('d-' || :id, :id, 'goal')",
                "INSERT INTO gateway_routing VALUES('', 'chat', json_object('session_id', :id))",
                "INSERT INTO telegram_dm_topic_bindings VALUES('7', :id)",
                "INSERT INTO session_turn_leases VALUES(:id, 5)",
                "INSERT INTO session_deletion_receipts(deletion_json) VALUES(json_object('ids', json_array(:id)))",
                "INSERT INTO state_meta VALUES('goal:' || :id, 'g'), ('heartbeat:' || :id, 'h')",
                "INSERT INTO system_prompts VALUES('p-' || :id, 'prompt'), ('t-' || :id, '[]')",
                "UPDATE sessions SET system_prompt_hash = 'p-' || :id, tool_names = 't-' || :id WHERE id = :id",
                "INSERT INTO delivery_obligations VALUES(:id, 'key-' || :id, 'reply', 5)",
                "INSERT INTO gateway_hygiene_state VALUES('key-' || :id, 1)",
                "INSERT INTO conversation_generations VALUES('cli', 'key-' || :id, 1)",
                "UPDATE sessions SET session_key = 'key-' || :id WHERE id = :id",
            ):
                connection.execute(statement, {"id": id})
        connection.execute("COMMIT")


def test_all_that_belongs_to_it_goes(folder: Path) -> None:
    two(folder)
    side_tables(folder)
    plan = planned(folder, ["s1"])
    done = delete(folder, plan)
    assert done.rows == {
        "messages": 2,
        "sessions": 1,
        "session_model_usage": 1,
        "async_delegations": 1,
        "gateway_routing": 1,
        "telegram_dm_topic_bindings": 1,
        "session_turn_leases": 1,
        "session_deletion_receipts": 1,
        "state_meta": 2,
        "system_prompts": 2,
        "delivery_obligations": 1,
        "gateway_hygiene_state": 1,
    }
    rest = {table: rows for table, rows in done.rows.items() if table in plan.counts.rows}
    assert (rest, plan.counts.prompts) == (plan.counts.rows, 2)
    assert done.kept == ("conversation_generations",)
    for table in done.rows:
        assert column(folder, f"SELECT COUNT(*) FROM {table}") == [done.rows[table]]  # those of s10
    assert column(folder, "SELECT COUNT(*) FROM conversation_generations") == [2]


def test_of_a_chat_that_goes_on_only_its_own_replies_go(folder: Path) -> None:
    two(folder)
    side_tables(folder)
    sql(folder, "UPDATE sessions SET session_key = 'chat'")
    sql(folder, "DELETE FROM delivery_obligations")
    for name, content, at in (
        ("said", "yes, quincunx", 5.0),
        ("other", "yes, lemur", 5.0),
        ("then", "?", 1.7e9),
    ):
        add(
            folder,
            "delivery_obligations",
            obligation_id=name,
            session_key="chat",
            content=content,
            created_at=at,
        )
    sql(folder, "UPDATE sessions SET started_at = 1800000000 WHERE id = 's10'")
    delete_now(folder, "s1")
    assert column(folder, "SELECT obligation_id FROM delivery_obligations") == ["other"]


def test_branch_stays_and_loses_its_parent(folder: Path) -> None:
    two(folder)
    add_session(folder, "branch", parent_session_id="s1", model_config='{"_branched_from": "s1"}')
    delete_now(folder, "s1")
    assert sql(folder, "SELECT id, parent_session_id FROM sessions ORDER BY id") == [
        ("branch", None),
        ("s10", None),
    ]


@pytest.mark.parametrize("id", ["../../victim", "a\0b", "line\nbreak", "x" * 5000, "*", "%", "'; --", "s1?"])
def test_hostile_ids_are_just_ids(folder: Path, id: str) -> None:
    two(folder)
    add_session(folder, id)
    add_message(folder, id)
    assert delete_now(folder, id).rows == {"messages": 1, "sessions": 1}
    assert column(folder, "SELECT id FROM sessions ORDER BY id") == ["s1", "s10"]


@pytest.mark.parametrize(
    "later",
    [
        "INSERT INTO messages(session_id, role, content, timestamp) VALUES('s1', 'user', 'one more', 1)",
        "INSERT INTO sessions(id, source, started_at, parent_session_id) VALUES('new', 'subagent', 1, 's1')",
    ],
)
def test_what_arrived_after_the_plan_is_not_swept_up(folder: Path, later: str) -> None:
    two(folder)
    plan = plan_of(json.loads(json.dumps(planned(folder, ["s1", "s10"]).record())))
    sql(folder, later)
    done = delete(folder, plan)
    assert done.left_out == (LeftOut("s1", "changed"),)
    assert done.sessions == ("s10",)
    assert [each.id for each in plan.conversations if {*each.ids} <= {*done.sessions}] == ["s10"]
    assert column(folder, "SELECT COUNT(*) FROM messages WHERE session_id = 's1'")[0] >= 2


def test_held_by_a_live_turn_since_the_plan(folder: Path) -> None:
    two(folder)
    plan = planned(folder, ["s1", "s10"])
    sql(folder, "CREATE TABLE session_turn_leases(conversation_id TEXT PRIMARY KEY, expires_at REAL)")
    sql(folder, "INSERT INTO session_turn_leases VALUES('s1', ?)", (LIVE,))
    done = delete(folder, plan)
    assert (done.left_out, done.sessions) == ((LeftOut("s1", "leased"),), ("s10",))


def test_again_is_no_error(folder: Path) -> None:
    two(folder)
    plan = planned(folder, ["s1"])
    delete(folder, plan)
    done = delete(folder, plan)
    assert (done.sessions, done.already_gone, done.rows) == (("s1",), ("s1",), {})


def test_stopped_between_transactions_and_run_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sessions.deletion.MOST_CONVERSATIONS", 1)
    two(folder)
    plan = planned(folder, ["s1", "s10"])
    seen: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        delete(folder, plan, step=stop)
    assert seen == [(0, 2), (1, 2)]
    assert len(column(folder, "SELECT id FROM sessions")) == 1
    assert len(delete(folder, plan).sessions) == 2
    assert column(folder, "SELECT COUNT(*) FROM messages") == [0]
    assert_sound(folder)


def test_looking_again_sees_what_came_back(folder: Path) -> None:
    two(folder)
    delete_now(folder, "s1")
    assert read_state(folder, lambda db: look_again(db, ["s1"])).nothing
    add_session(folder, "s1", source="unknown")
    add_message(folder, "s1")
    sql(folder, "INSERT INTO state_meta VALUES('goal:s1', 'g')")
    remains = read_state(folder, lambda db: look_again(db, ["s1", "s10"]))
    assert (remains.sessions, remains.came_back) == (("s1", "s10"), ("s1",))
    assert (remains.messages, remains.rows) == (3, {"state_meta": 1})
