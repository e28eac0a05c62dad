"""A state.db of a real Hermes, written to for long without secure_delete, from which a session was deleted."""

import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.home_builders import recorded_home

_RESIDUE = Path(__file__).parent / "homes" / "residue.py"
INDEXES = ("messages_fts", "messages_fts_trigram")


@dataclass(frozen=True)
class Dirty:
    """`needles` and the messages `rows` were deleted from the state.db of `folder`; `kept` was not."""

    folder: Path
    needles: tuple[str, ...]
    rows: tuple[int, ...]
    kept: str = "zqkeptword"


def dirty_home(into: Path, release: str, mode: str, *, auto_vacuum: bool = False) -> Dirty:
    """The home of Hermes `release` in the journal `mode`, with one session written, rewritten and deleted."""
    folder = recorded_home(release, into).root
    with closing(_connect(folder)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        if auto_vacuum:
            connection.execute("PRAGMA auto_vacuum=FULL")
            connection.execute("VACUUM")
        connection.execute(f"PRAGMA journal_mode={mode}")
        return Dirty(folder, *_live_and_die(connection))


def _connect(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "state.db", isolation_level=None)
    connection.execute("PRAGMA secure_delete=OFF")
    connection.execute("PRAGMA synchronous=OFF")  # what a test makes need not outlive a power cut
    return connection


def _live_and_die(connection: sqlite3.Connection) -> tuple[tuple[str, ...], tuple[int, ...]]:
    needles = tuple(f"zqgone{number}canary" for number in range(40))
    add_session(connection, "stays")
    add_session(connection, "goes")
    chance = random.Random(7)
    rows: list[int] = []
    for number, needle in enumerate(needles):
        if number % 5 == 0:
            sql = "UPDATE sessions SET title = ?, system_prompt = ? WHERE id = 'goes'"
            connection.execute(sql, (f"title {needle} ", f"prompt {needle} " * chance.randint(1, 400)))
        text = f"{needle} " + "common words of many messages " * chance.randint(1, 150)
        rows.append(add_message(connection, "goes", text))
        add_message(connection, "stays", f"zqkeptword {number} " + "common words " * chance.randint(1, 150))
        if number % 7 == 0:  # rewritten, as retry and undo do
            connection.execute(
                "UPDATE messages SET content = ? WHERE id = ?", (text[::-1] + needle, rows[-1])
            )
            connection.execute("UPDATE messages SET active = 0 WHERE id = ?", (rows[0],))
    delete(connection, "goes")
    return needles, tuple(rows)


def add_session(connection: sqlite3.Connection, id: str) -> None:
    connection.execute(
        "INSERT INTO sessions(id, source, model_config, started_at) VALUES(?, 'cli', '{}', 1790000000)", (id,)
    )


def add_message(connection: sqlite3.Connection, session: str, content: str) -> int:
    sql = "INSERT INTO messages(session_id, role, content, timestamp) VALUES(?, 'user', ?, 1790000001)"
    return int(connection.execute(sql, (session, content)).lastrowid or 0)


def delete(connection: sqlite3.Connection, session: str, *, session_first: bool = False) -> None:
    """Its rows. The session first is the wrong order, in which a newer trigram index keeps its words."""
    statements = ["DELETE FROM messages WHERE session_id = ?", "DELETE FROM sessions WHERE id = ?"]
    connection.execute("BEGIN IMMEDIATE")
    for statement in reversed(statements) if session_first else statements:
        connection.execute(statement, (session,))
    connection.execute("COMMIT")


def residue(dirty: Dirty) -> dict[str, object]:
    """What tests/homes/residue.py, which shares no code with the product, finds of what was deleted; empty
    where there is nothing. It looks at a copy, so that it disturbs nothing."""
    with tempfile.TemporaryDirectory() as name:
        copy_state(dirty.folder, Path(name))
        needles = [word for needle in dirty.needles for word in ("--needle", needle)]
        rows = [word for row in dirty.rows for word in ("--rowid", str(row))]
        command = [sys.executable, str(_RESIDUE), name, *needles, *rows]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    report = json.loads(done.stdout)
    assert "error" not in report["fts"]["state.db"], report
    assert all(not index["decode_errors"] for index in report["fts"]["state.db"].values()), report
    assert done.returncode in (0, 1)
    return dict(report) if done.returncode else {}


def copy_state(folder: Path, into: Path) -> None:
    """By another process, as closing a plain file drops locks of our own connections."""
    copy = "import shutil, sys; [shutil.copy(name, sys.argv[-1]) for name in sys.argv[1:-1]]"
    names = [
        str(folder / f"state.db{suffix}")
        for suffix in ("", "-wal", "-journal")
        if (folder / f"state.db{suffix}").exists()
    ]
    subprocess.run([sys.executable, "-c", copy, *names, str(into)], check=True)


def problems(folder: Path) -> list[str]:
    """What SQLite finds wrong with the database, its references and its indexes, on a copy."""
    with tempfile.TemporaryDirectory() as name:
        copy_state(folder, Path(name))
        with closing(sqlite3.connect(Path(name) / "state.db", isolation_level=None)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            found += [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
            for index in INDEXES:
                try:
                    connection.execute(f"INSERT INTO {index}({index}, rank) VALUES('integrity-check', 1)")
                except sqlite3.Error as error:
                    found.append(f"{index}: {error}")
    return found


def kept(dirty: Dirty) -> int:
    """How many messages that were not deleted the word index finds."""
    with closing(sqlite3.connect(dirty.folder / "state.db")) as connection:
        sql = "SELECT COUNT(*) FROM messages_fts WHERE messages_fts MATCH ?"
        return int(connection.execute(sql, (dirty.kept,)).fetchone()[0])


Builder = Callable[[str, str], Dirty]


def copied(dirty: Dirty, into: Path) -> Dirty:
    """A copy of the whole home."""
    shutil.copytree(dirty.folder, into, symlinks=True)
    return Dirty(into, dirty.needles, dirty.rows)
