"""Deleting from generated state.db files, and what is to be seen afterwards."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sessions.database import read_state
from sessions.deletion import delete_planned
from sessions.deletion_connection import opened_for_deletion
from sessions.deletion_plan import plan_deletion
from sessions.deletion_values import DeletedRows, DeletionPlan, Unused

NOW = 1_790_000_000.0
FTS = ("messages_fts", "messages_fts_trigram")

_ORACLE = """
import json, sys
from pathlib import Path
from hermes_state import SessionDB
folder, ids = Path(sys.argv[1]), json.loads(sys.argv[2])
db = SessionDB(db_path=folder / "state.db")
for id in ids:
    db.delete_session(id, folder / "sessions")
db.close()
"""


def planned(folder: Path, chosen: Sequence[str] | Unused, now: float = NOW) -> DeletionPlan:
    return read_state(folder, lambda db: plan_deletion(db, chosen, now=now))


def delete(
    folder: Path,
    plan: DeletionPlan,
    now: float = NOW,
    step: Callable[..., Any] | None = None,
    seconds: float = 5,
) -> DeletedRows:
    with opened_for_deletion(folder, seconds=seconds) as db:
        return delete_planned(db, plan, now=lambda: now, step=step)


def delete_now(folder: Path, *ids: str, now: float = NOW) -> DeletedRows:
    return delete(folder, planned(folder, ids, now), now)


def delete_as_hermes(folder: Path, ids: Sequence[str], python: str = sys.executable) -> None:
    """What the real SessionDB.delete_session leaves when it is called for each of the ids."""
    command = [python, "-c", _ORACLE, str(folder), json.dumps(list(ids))]
    done = subprocess.run(
        command, env={**os.environ, "HERMES_HOME": str(folder)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def sql(folder: Path, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "state.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")  # what a test makes need not outlive a power cut
        return connection.execute(statement, values).fetchall()


def column(folder: Path, statement: str, values: Sequence[Any] = ()) -> list[Any]:
    return [row[0] for row in sql(folder, statement, values)]


def tables(folder: Path) -> dict[str, list[str]]:
    """Every row of every table that is not an index's."""
    names = column(
        folder,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%' AND name NOT LIKE 'sqlite%'",
    )
    return {name: sorted(map(repr, sql(folder, f"SELECT * FROM {name}"))) for name in names}


def assert_sound(folder: Path) -> None:
    assert column(folder, "PRAGMA integrity_check") == ["ok"]
    for name in FTS:
        if column(folder, "SELECT 1 FROM sqlite_master WHERE name = ?", (name,)):
            sql(folder, f"INSERT INTO {name}({name}) VALUES('integrity-check')")


def broken_references(folder: Path) -> int:
    return len(sql(folder, "PRAGMA foreign_key_check"))
