"""state.db, opened so that rows can be removed. Nothing that stays is set: not the journal mode, not an option
of an index, not the schema."""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hermesweb.hermes.beside import Beside
from sessions.database import translated
from sessions.errors import StateLocked, StateNotWritable
from sessions.state_files import look_at
from sessions.turns import opening_for_writing

# foreign_keys: without it the usage rows of a session stay (SQLite's default is off). secure_delete: what is
# removed is overwritten at once; it holds for this connection only. temp_store: sorting must not spill private
# text to the disk.
_SETTINGS = ("foreign_keys=ON", "secure_delete=ON", "temp_store=MEMORY", "cache_size=-8000")


@contextmanager
def open_for_writing(folder: Path, *, seconds: float = 5) -> Iterator[sqlite3.Connection]:
    """The state.db of a profile `folder`, for statements that write, while the block runs.

    No transaction is open (`isolation_level` is None). A statement waits up to `seconds` for another writer.
    A transaction that the block leaves open is rolled back. Raises StateMissing, StateEmpty, StateUnreadable (a
    link out of the folder), StateNotWritable, StateLocked, StateDamaged, StateNotDatabase; errors of SQLite
    within the block are not translated (`sessions.database.translated` does).
    """
    files = look_at(folder, needs_index=False)
    refuse_unless_ours(files)
    with closing(_opened(files, seconds)) as connection:
        yield connection


def refuse_unless_ours(files: Beside) -> None:
    """What SQLite makes beside the database must be Hermes' to use. Raises StateNotWritable.

    Root may write: SQLite itself gives side files to the owner of the database.
    """
    path, user = files.path, os.geteuid()
    for part in (files.database, files.wal, files.index):
        if part is not None and user not in (0, part.st_uid):
            raise StateNotWritable(path, "foreign_owner")
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        raise StateNotWritable(path, "read_only")
    effective = os.access in os.supports_effective_ids
    if not os.access(path.parent, os.W_OK | os.X_OK, effective_ids=effective):
        raise StateNotWritable(path, "permission")
    if not stat.S_IMODE(files.database.st_mode) & stat.S_IWUSR:
        raise StateNotWritable(path, "permission")  # a person took the right away; root would pass it over


def _opened(files: Beside, seconds: float) -> sqlite3.Connection:
    try:
        with opening_for_writing(seconds):
            return _connected(files, seconds)
    except TimeoutError as error:
        raise StateLocked(files.path) from error


def _connected(files: Beside, seconds: float) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(
            f"{files.path.as_uri()}?mode=rw", uri=True, timeout=seconds, isolation_level=None
        )
    except sqlite3.Error as error:
        raise _refusal(error, files, seconds) from error
    try:
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        # Shows whether it can be written, and changes nothing: SQLite opens for reading only, without a word,
        # what it may not open for writing.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("SELECT COUNT(*) FROM sqlite_master")
        connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        connection.close()
        raise _refusal(error, files, seconds) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _refusal(error: sqlite3.Error, files: Beside, seconds: float) -> Exception:
    if (getattr(error, "sqlite_errorname", None) or "").startswith("SQLITE_READONLY"):
        return StateNotWritable(files.path, "permission")
    return translated(error, files.path, seconds)
