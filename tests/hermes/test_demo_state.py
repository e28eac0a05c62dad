"""The state.db of the demo: the tables of Hermes 0.19, and each kind of session and message in them."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb.demo.home import build_home
from hermesweb.demo.schema import create_tables, known_tokenizers
from hermesweb.hermes.homes import Profile, home_at, list_profiles
from hermesweb.hermes.release import guess_release
from sessions.database import read_state
from sessions.queries import count, latest
from tests.home_builders import BuiltHome

NOW = 1_790_000_000.0
DAY = 86_400


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "home"
    build_home(folder, now=NOW)
    return folder


@pytest.fixture
def profiles(root: Path) -> dict[str, Profile]:
    return {profile.name: profile for profile in list_profiles(home_at(root, "Demo"))}


def rows(database: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{database.as_uri()}?immutable=1", uri=True)) as connection:
        return connection.execute(query, values).fetchall()


def structure(database: Path) -> dict[str, object]:
    names = [str(name) for (name,) in rows(database, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {name: rows(database, f"PRAGMA table_info({name})") for name in sorted(names)}
    keys = {name: rows(database, f"PRAGMA foreign_key_list({name})") for name in sorted(names)}
    return {"columns": columns, "keys": keys}


def test_tables_are_those_of_hermes_019(root: Path, home_019: BuiltHome) -> None:
    assert structure(root / "state.db") == structure(home_019.root / "state.db")


@pytest.mark.parametrize("kind", ["index", "trigger", "table"])
def test_names_are_those_of_hermes_019(root: Path, home_019: BuiltHome, kind: str) -> None:
    query = "SELECT name, tbl_name FROM sqlite_master WHERE type = ? ORDER BY name"
    assert rows(root / "state.db", query, kind) == rows(home_019.root / "state.db", query, kind)


def test_indexes_are_those_of_hermes_019(root: Path, home_019: BuiltHome) -> None:
    query = (
        "SELECT m.name, x.seqno, x.name, x.desc, x.coll FROM sqlite_master AS m, pragma_index_xinfo(m.name) AS x"
        " WHERE m.type = 'index' ORDER BY m.name, x.seqno"
    )
    assert rows(root / "state.db", query) == rows(home_019.root / "state.db", query)


def test_it_is_sound_and_in_wal_mode(root: Path) -> None:
    for name in ("state.db", "profiles/workshop/state.db"):
        assert rows(root / name, "PRAGMA integrity_check") == [("ok",)]
        assert rows(root / name, "PRAGMA foreign_key_check") == []
        assert (root / name).read_bytes()[18:20] == b"\2\2"  # WAL, as the header of the file says it
        assert rows(root / name, "SELECT version FROM schema_version") == [(22,)]


def test_both_indexes_find_words(root: Path) -> None:
    words = "SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'hazelnuts'"
    pieces = "SELECT count(*) FROM messages_fts_trigram WHERE messages_fts_trigram MATCH '水曜日'"
    assert rows(root / "state.db", words)[0][0]
    assert rows(root / "state.db", pieces)[0][0]


def test_without_a_tokenizer_its_index_is_left_out() -> None:
    query = "SELECT name FROM sqlite_master WHERE name LIKE 'messages_fts%' AND type IN ('table', 'trigger')"
    for tokenizers, expected in (
        (known_tokenizers() - {"trigram"}, "messages_fts"),
        (frozenset[str](), ""),
    ):
        with closing(sqlite3.connect(":memory:")) as connection:
            create_tables(connection, tokenizers)
            connection.execute("INSERT INTO sessions(id, source, started_at) VALUES ('a', 'cli', 1)")
            connection.execute("INSERT INTO messages(session_id, role, timestamp) VALUES ('a', 'user', 1)")
            names = {str(name) for (name,) in connection.execute(query)}
        assert (expected in names) == bool(expected)
        assert not [name for name in names if "trigram" in name]


def test_hermesweb_reads_it(profiles: dict[str, Profile]) -> None:
    folder = profiles["default"].folder
    counts, newest = read_state(folder, lambda database: (count(database), latest(database, 200)))
    assert counts.sessions is not None
    assert 40 <= counts.sessions <= 60
    assert counts.messages is not None
    assert counts.messages > 250
    assert counts.messages > (counts.live_messages or 0)
    assert guess_release(folder, 22).name == "0.19"
    assert max(row.parts for row in newest) == 3


def test_each_kind_of_session_is_there(root: Path) -> None:
    query = "SELECT source, end_reason, archived, model_config, parent_session_id IS NOT NULL FROM sessions"
    found = rows(root / "state.db", query)
    assert {row[0] for row in found} >= {"cli", "telegram", "cron", "subagent", "tui"}
    assert {row[1] for row in found} >= {None, "compression", "branched", "cron_complete"}
    assert 1 in {row[2] for row in found}
    marks = " ".join(str(row[3]) for row in found if row[4])
    assert "_delegate_from" in marks
    assert "_branched_from" in marks


def test_each_kind_of_message_is_there(root: Path) -> None:
    wanted = (
        "active = 0 AND compacted = 0",
        "active = 0 AND compacted = 1",
        "role = 'tool'",
        "tool_calls IS NOT NULL",
        "reasoning IS NOT NULL",
        "reasoning_details IS NOT NULL",
        "api_content <> content",
        "content LIKE '%<script>%'",
        "content LIKE '%token = sk-%'",
        "content LIKE '%😄%'",
        "hex(content) LIKE '006A736F6E3A%'",  # NUL json:
    )
    missing = [each for each in wanted if not rows(root / "state.db", f"SELECT 1 FROM messages WHERE {each}")]
    assert missing == []


def test_two_providers_were_used(root: Path) -> None:
    query = "SELECT DISTINCT billing_provider FROM session_model_usage ORDER BY 1"
    assert rows(root / "state.db", query) == [("cloud.example",), ("ollama",)]


def test_the_snapshot_holds_what_was_there_on_its_day(root: Path) -> None:
    [snapshot] = root.glob("state-snapshots/*/state.db")
    assert rows(snapshot, "SELECT max(started_at) FROM sessions")[0][0] < NOW - 30 * DAY  # type: ignore[operator]
    assert rows(snapshot, "SELECT 1 FROM messages WHERE content LIKE '%quillwort%'")
    manifest = json.loads((snapshot.parent / "manifest.json").read_text())
    assert manifest["files"]["state.db"] == snapshot.stat().st_size
