"""A state.db opened to delete from it: by its owner, with what SQLite needs to overwrite what it frees.

None of the settings outlives the connection: Hermes' own are never touched.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sessions.database import Database
from sessions.errors import StateLocked, StateUnreadable
from sessions.state_files import StateFiles, look_at
from sessions.turns import opening_for_writing

BUSY_SECONDS = 5.0
STATEMENT_SECONDS = 600.0
PRAGMAS = ("foreign_keys=ON", "secure_delete=ON", "temp_store=MEMORY", "cache_size=-8000")


@contextmanager
def opened_for_deletion(folder: Path) -> Iterator[Database]:
    """The state.db of a profile `folder`, to write to, while the block runs.

    Raises StateMissing, StateEmpty, StateUnreadable ("permission" also for who is neither its owner nor root:
    files of ours beside it would stop Hermes), StateNotDatabase, StateDamaged, StateLocked.
    """
    files = look_at(folder, needs_index=False)
    if os.geteuid() not in (0, files.database.st_uid):
        raise StateUnreadable(files.path, "permission")
    try:
        with opening_for_writing(BUSY_SECONDS):
            database = _connect(files)
    except TimeoutError as error:
        raise StateLocked(files.path) from error
    try:
        yield database
    finally:
        database.connection.close()


@contextmanager
def transaction(db: Database) -> Iterator[None]:
    """All of the block, or nothing: BEGIN IMMEDIATE, COMMIT. Raises StateLocked after `BUSY_SECONDS`."""
    db.rows("BEGIN IMMEDIATE")
    try:
        yield
        db.rows("COMMIT")
    except BaseException:
        if db.connection.in_transaction:
            db.connection.rollback()
        raise


def _connect(files: StateFiles) -> Database:
    try:
        connection = sqlite3.connect(
            f"{files.path.as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None
        )
    except sqlite3.Error as error:
        raise StateUnreadable(files.path, "io") from error
    try:
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        database = Database(connection, files.path, STATEMENT_SECONDS)
        for pragma in PRAGMAS:
            database.rows(f"PRAGMA {pragma}")
        database.tables  # noqa: B018  (the first read: now the side files are open for writing)
    except BaseException:
        connection.close()
        raise
    return database
