"""A state.db opened to delete rows from it, and transactions on it that are done as a whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sessions.database import Database
from sessions.writer import open_for_writing

STATEMENT_SECONDS = 600.0  # none is ended half way for taking long


@contextmanager
def opened_for_deletion(folder: Path, *, seconds: float = 5) -> Iterator[Database]:
    """The state.db of a profile `folder` while the block runs; waits up to `seconds` for another writer.

    Raises what `writer.open_for_writing` does; errors of SQLite are translated, as everywhere in Database.
    """
    with open_for_writing(folder, seconds=seconds) as connection:
        yield Database(connection, folder / "state.db", STATEMENT_SECONDS)


@contextmanager
def transaction(db: Database) -> Iterator[None]:
    """All of the block, or nothing: BEGIN IMMEDIATE, COMMIT. Raises StateLocked."""
    db.rows("BEGIN IMMEDIATE")
    try:
        yield
        db.rows("COMMIT")
    except BaseException:
        if db.connection.in_transaction:
            db.connection.rollback()
        raise
