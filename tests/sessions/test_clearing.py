"""Emptying a state.db where it stands: everything about people goes, whatever its rows are like."""

from pathlib import Path

import pytest

from sessions.clearing import clear_state
from tests.deletion_builders import column, sql
from tests.home_builders import recorded_home
from tests.state_builders import add_message, add_session, old_state

KEPT = {"schema_version", "state_meta", "gateway_heartbeats"}


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_all_of_a_real_home(tmp_path: Path, release: str) -> None:
    folder = recorded_home(release, tmp_path).root
    version = column(folder, "SELECT * FROM schema_version")
    schema = sql(folder, "SELECT type, name, sql FROM sqlite_master ORDER BY name")
    sql(folder, "INSERT INTO state_meta VALUES('goal:s1', 'zqgoal')")
    sql(folder, "INSERT INTO compression_locks VALUES('old', 'who', 1, 2)")
    cleared = clear_state(folder, temporary=tmp_path / "ours")
    assert cleared.complete, cleared
    assert (cleared.rows, cleared.held) == ({}, 0)
    tables = column(
        folder,
        "SELECT name FROM sqlite_master WHERE type = 'table'"
        " AND name NOT LIKE '%fts%' AND name NOT LIKE 'sqlite_%'",
    )
    rest = {name for name in tables if column(folder, f"SELECT COUNT(*) FROM {name}") != [0]}
    assert rest <= KEPT
    assert not column(folder, "SELECT key FROM state_meta WHERE key LIKE 'goal:%'")
    assert column(folder, "SELECT * FROM schema_version") == version
    assert sql(folder, "SELECT type, name, sql FROM sqlite_master ORDER BY name") == schema


def test_rows_that_no_id_leads_to_go_too(tmp_path: Path) -> None:
    folder = old_state(tmp_path / "home")
    for id in ("NULL", "x'6162'", "CAST(x'ff' AS TEXT)"):
        sql(folder, f"INSERT INTO sessions(id, source, started_at) VALUES({id}, 'cli', 1)")
    sql(folder, "INSERT INTO messages(session_id, role, timestamp) VALUES(x'6162', 'user', 1)")
    add_message(folder, "nobody's")
    add_session(folder, "s1")
    sql(folder, "CREATE TABLE system_prompts(hash TEXT PRIMARY KEY, prompt TEXT)")
    sql(folder, "ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT")
    sql(folder, "INSERT INTO system_prompts VALUES('h', 'zqprompt')")
    cleared = clear_state(folder, temporary=tmp_path / "ours")
    assert cleared.complete, cleared
    assert [
        column(folder, f"SELECT COUNT(*) FROM {t}") for t in ("sessions", "messages", "system_prompts")
    ] == [[0]] * 3
