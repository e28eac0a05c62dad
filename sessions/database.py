"""Hermes' state.db, opened so that reading changes nothing and never holds up the agent.

A plain read-only open is not enough: on a database in WAL mode it leaves `-shm` and `-wal` behind, and side
files of another owner stop Hermes writing. So, from the files that lie there:

| beside state.db | opened |
| --- | --- |
| no rows in `-wal`, no `-journal` | `immutable=1`: no lock, no file. Right only while nobody writes: inode, size and times are compared before and after, and a change means reading again (at the third time with locks) |
| rows in `-wal`, with `-shm` | `mode=ro` and `readonly_shm=1`: SQLite takes its locks but neither makes nor changes a file. If the index cannot be used that way, a plain `mode=ro`, which only changes marks in the `-shm` that is there |
| rows in `-wal`, no `-shm` | not at all: StateNeedsCopy |
| `-journal` with content | `mode=ro`: a writer is at work, or it died (then StateNeedsCopy) |
| a work copy | `mode=rw`: it is ours, SQLite may recover it |

Views use `read_state`. The rules were tried on SQLite 3.40 with writers of Hermes 0.19 and 0.22; Hermes' side
is hermes_state.py.
"""  # noqa: E501  (a table)

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from hermesweb.hermes.beside import TICK, Beside
from sessions.errors import (
    StateChanging,
    StateDamaged,
    StateError,
    StateLocked,
    StateNeedsCopy,
    StateNotDatabase,
    StateNotWritable,
    StateTimeout,
    StateUnreadable,
)
from sessions.process_turns import reader_turn
from sessions.state_files import look_at
from sessions.turns import reading
from sessions.work_copy import is_work_copy

OLDEST_SCHEMA, NEWEST_SCHEMA = 11, 31  # releases 0.13 to 0.22
IMMUTABLE, NO_TRACE, LOCKS, OWN = "mode=ro&immutable=1", "mode=ro&readonly_shm=1", "mode=ro", "mode=rw"
ATTEMPTS, PAUSE = 3, 0.05
STEPS = 10_000  # of SQLite's machine between two looks at the clock

Result = TypeVar("Result")


class Database:
    """An open state.db. All rows of a question are fetched at once, so no read stays open.

    `connection` is for the rare caller that needs more than `rows`; its errors are not translated.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, seconds: float) -> None:
        self.connection, self.path, self.seconds = connection, path, seconds
        self._deadline = float("inf")
        self._columns: dict[str, frozenset[str]] = {}
        connection.set_progress_handler(lambda: time.monotonic() > self._deadline, STEPS)

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows. Raises StateTimeout after `seconds`, StateLocked, StateDamaged, StateUnreadable."""
        began = time.monotonic()
        # An error may have ended the transaction: what is tried again would then be done on its own.
        once = self.connection.in_transaction
        for attempt in range(1, ATTEMPTS + 1):
            self._deadline = time.monotonic() + self.seconds
            try:
                return self.connection.execute(sql, parameters).fetchall()
            except sqlite3.Error as error:
                problem = translated(error, self.path, self.seconds)
                if once or attempt == ATTEMPTS or not _may_pass(problem) or time.monotonic() - began > 1:
                    raise problem from error
            time.sleep(PAUSE)
        raise AssertionError("unreachable")

    def first(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row or None; as `rows`."""
        return next(iter(self.rows(sql, parameters)), None)

    def value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The first column of the first row, or None; as `rows`."""
        return (self.first(sql, parameters) or (None,))[0]

    @cached_property
    def tables(self) -> frozenset[str]:
        """Names of tables and views."""
        return frozenset(
            name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        )

    def columns(self, table: str) -> frozenset[str]:
        """Column names of a table; empty where there is no such table."""
        if table not in self._columns:
            found = self.rows("SELECT name FROM pragma_table_info(?)", (table,))
            self._columns[table] = frozenset(name for (name,) in found)
        return self._columns[table]

    @cached_property
    def schema_version(self) -> int | None:
        """The number Hermes keeps in its table schema_version. It does not tell the layout of the indexes."""
        if "version" not in self.columns("schema_version"):
            return None
        version = self.value("SELECT MAX(version) FROM schema_version")
        return version if isinstance(version, int) else None

    @property
    def schema_known(self) -> bool:
        """Whether the number is one whose tables were seen; reading works either way."""
        return self.schema_version is not None and OLDEST_SCHEMA <= self.schema_version <= NEWEST_SCHEMA


def read_state(
    folder: Path, function: Callable[[Database], Result], *, copy: Path | None = None, seconds: float = 5
) -> Result:
    """What `function` answers about the state.db of a profile `folder`, or of its work copy `copy`.

    `function` may run up to three times and must only read. `seconds`: time for each statement.
    Raises StateError.
    """
    for locks in (False, False, True):
        try:
            with open_state(folder, copy=copy, seconds=seconds, locks=locks) as database:
                return function(database)
        except StateChanging:
            if locks:
                raise
    raise AssertionError("unreachable")


@contextmanager
def open_state(
    folder: Path, *, copy: Path | None = None, seconds: float = 5, locks: bool = False
) -> Iterator[Database]:
    """The state.db of a profile `folder` (or of its work copy) while the block runs.

    Waits for some seconds while one of our own processes cleans it, then raises StateBeingCleaned.
    Raises StateError; in particular StateChanging, also at the end of the block, when what it read may be a
    mixture of before and after a write (`read_state` repeats then). `locks=True` rules that out, but may leave
    empty side files beside a database in WAL mode.
    """
    with nullcontext() if copy else reader_turn(folder), reading():
        database, before = _open_copy(copy, seconds) if copy else _open(folder, seconds, locks)
        try:
            yield database
        except Exception as error:
            if before and _changed(folder, before):
                raise StateChanging(database.path) from error
            raise
        else:
            if before and _changed(folder, before):
                raise StateChanging(database.path)
        finally:
            database.connection.close()


def _changed(folder: Path, before: Beside) -> bool:
    try:
        return look_at(folder).stamp != before.stamp
    except StateError:
        return True


def _open_copy(copy: Path, seconds: float) -> tuple[Database, None]:
    if not is_work_copy(copy):
        raise ValueError(f"{copy} is not a work copy")
    return _connect(look_at(copy), OWN, seconds), None


def _open(folder: Path, seconds: float, locks: bool) -> tuple[Database, Beside | None]:
    began = time.monotonic()
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _open_once(folder, seconds, locks)
        except StateError as problem:
            if attempt == ATTEMPTS or not _may_pass(problem) or time.monotonic() - began > 1:
                raise
        time.sleep(PAUSE)
    raise AssertionError("unreachable")


def _open_once(folder: Path, seconds: float, locks: bool) -> tuple[Database, Beside | None]:
    files = look_at(folder)
    if files.rows_in_wal and files.index is None:
        raise StateNeedsCopy(files.path, "wal_without_index")
    if not (locks or files.rows_in_wal or files.journal_in_use):
        return _open_immutable(folder, files, seconds)
    if files.index is None:
        if not (files.journal_in_use or _may_leave_files(files)):
            raise StateChanging(files.path)
        return _connect(files, LOCKS, seconds), None
    try:
        return _connect(files, NO_TRACE, seconds), None
    except StateNeedsCopy:
        # Nobody has set a mark in the index yet, which needs a reader that may write there.
        files = look_at(folder)
        if files.wal is None or files.index is None:
            raise
        return _connect(files, LOCKS, seconds), None


def _open_immutable(folder: Path, files: Beside, seconds: float) -> tuple[Database, Beside]:
    if files.just_written:
        time.sleep(TICK)
        files = look_at(folder)
    if files.just_written or files.rows_in_wal or files.journal_in_use:
        raise StateChanging(files.path)
    try:
        return _connect(files, IMMUTABLE, seconds), files
    except StateError as problem:
        if _changed(folder, files):
            raise StateChanging(files.path) from problem
        raise


def _may_leave_files(files: Beside) -> bool:
    """Side files of the owner do no harm; root's are given to the owner by SQLite itself."""
    return os.geteuid() in (0, files.database.st_uid)


def _connect(files: Beside, how: str, seconds: float) -> Database:
    uri = f"{files.path.as_uri()}?{how}"
    try:
        connection = sqlite3.connect(
            uri, uri=True, timeout=min(seconds, 5), isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise translated(error, files.path, seconds) from error
    try:
        return _prepared(connection, files.path, seconds)
    except BaseException:
        connection.close()
        raise


def _prepared(connection: sqlite3.Connection, path: Path, seconds: float) -> Database:
    # Bytes that are no UTF-8 must not make a row unreadable.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    database = Database(connection, path, seconds)
    # Sorting must not spill private text to the disk. (Not trusted_schema=OFF: on SQLite 3.40 it forbids the
    # json_extract() in the view behind a newer trigram index, and then no snippet can be made.)
    for pragma in ("query_only=ON", "cache_size=-1000", "temp_store=MEMORY"):
        database.rows(f"PRAGMA {pragma}")
    database.tables  # noqa: B018  (the first read: here a database shows whether it can be used)
    return database


def _may_pass(problem: StateError) -> bool:
    """Whether a moment later it may work: a WAL being reset or just being made, a short lock."""
    if isinstance(problem, StateUnreadable):
        return problem.why == "io"
    return isinstance(problem, StateLocked | StateNeedsCopy)


def translated(error: sqlite3.Error, path: Path, seconds: float) -> StateError:
    """What an error of SQLite means. `seconds`: the time a statement had."""
    code = getattr(error, "sqlite_errorname", None) or type(error).__name__
    if code == "SQLITE_READONLY_ROLLBACK":
        return StateNeedsCopy(path, "hot_journal")
    if code.startswith("SQLITE_READONLY_"):
        return StateNeedsCopy(path, "index_unusable")
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StateLocked(path)
    if code == "SQLITE_INTERRUPT":
        return StateTimeout(path, seconds)
    if code == "SQLITE_NOTADB":
        return StateNotDatabase(path)
    if code == "SQLITE_FULL":
        return StateNotWritable(path, "full")
    if code.startswith(("SQLITE_CANTOPEN", "SQLITE_IOERR")):
        return StateUnreadable(path, "io")
    return StateDamaged(path, str(error), code)
