"""Our own database: whether this version may open it, and a copy of it while it is in use."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader

_PAGES_AT_ONCE = 256  # others write between two steps


class NotCopied(Exception):
    """SQLite finds the copy damaged; nothing of it is left."""


def unknown_steps() -> list[str]:
    """The changes that were made to the database and that this version does not know: a newer one made them."""
    loader = MigrationLoader(connection)
    replaced = {step for migration in loader.disk_migrations.values() for step in migration.replaces}
    known = loader.disk_migrations.keys() | replaced
    return sorted(".".join(step) for step in loader.applied_migrations if step not in known)


def is_sqlite() -> bool:
    return connection.vendor == "sqlite"


def copy_to(target: Path) -> None:
    """Copy the database (SQLite) to the new file `target`, 0600, as it is at one moment; others go on writing.

    Raises FileExistsError and other OSErrors, sqlite3.Error, NotCopied. Then nothing is left at `target`.
    """
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    try:
        with closing(sqlite3.connect(target)) as copy:
            connection.ensure_connection()
            connection.connection.backup(copy, pages=_PAGES_AT_ONCE)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, whatever happens to it
            if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise NotCopied
        with target.open("rb") as file:
            os.fsync(file.fileno())
    except BaseException:
        for path in (target, *(target.with_name(target.name + end) for end in ("-wal", "-shm", "-journal"))):
            path.unlink(missing_ok=True)
        raise
