"""A database that may be in use, read in many short questions: nothing beside it changes, no writer waits.

Each question is one statement whose rows are fetched at once, so no read transaction outlives it. Between two
questions a writer may do anything; who asks goes on from the last row id.

| beside the database | opened |
| --- | --- |
| no rows in `-wal`, no `-journal` | `immutable=1`: no lock, no file; a question is asked again, if the file changed meanwhile |
| the same, but it changes all the time | `mode=ro` in rollback-journal mode, which locks; in WAL mode a `-wal` is about to be there |
| rows in `-wal`, with `-shm` | `readonly_shm=1`: locks, but neither makes nor changes a file; if that does not work, `mode=ro`, which sets marks in the `-shm` that a running writer changes as well |
| rows in `-wal`, no `-shm` | not at all: "wal_without_index" |
| `-journal` with content | `mode=ro`: a writer is at work; if it died, "hot_journal" |

The rules are those of sessions/database.py, where they were tried against writers of Hermes.
"""  # noqa: E501  (a table)

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hermesweb.hermes.beside import TICK, Beside
from hermesweb.hermes.scan.sql_files import look_at, unreadable

IMMUTABLE, NO_TRACE, LOCKS = "mode=ro&immutable=1", "mode=ro&readonly_shm=1", "mode=ro"
SECONDS = 0.4  # for one question; then it is to be asked for less
WAL_SNAPSHOT_SECONDS = 3.0
LOCK_SECONDS = 10.0
PAUSE = 0.03
CALM = 3  # how often a question is asked without locks before it takes them
STEPS = 10_000  # of SQLite's machine between two looks at the clock
LONGEST = 64 << 20  # bytes of a row or of what is put together from rows

Row = tuple[Any, ...]


class NotReadable(Exception):
    """`why`: as in NotChecked, or "wal_without_index" "hot_journal" "changing"; "too_long": ask for less."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(why, detail)
        self.why, self.detail = why, detail


class Reading:
    """A database for as long as the block lasts: `with Reading(path) as database`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._immutable: Beside | None = None
        self._restless = False  # it changes all the time
        self._wal = False  # a reader holds up nobody
        self._until: float | None = None  # the end of a snapshot
        self._deadline = float("inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Questions in the block are about one moment. They raise NotReadable("too_long") after a time that
        holds up no writer, and "changing" or "locked" at once."""
        self.rows("SELECT 1 FROM sqlite_master LIMIT 1")
        assert self._connection is not None
        self._until = time.monotonic() + (WAL_SNAPSHOT_SECONDS if self._wal else SECONDS)
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._until = None
            if self._connection is not None and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """A later question opens it again."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._immutable = None

    def rows(self, sql: str, parameters: Sequence[Any] = (), *, seconds: float = SECONDS) -> list[Row]:
        """All rows, TEXT as bytes. Raises NotReadable; "too_long": not done within `seconds`, or longer than
        LONGEST."""
        if self._until is not None:
            return self._once(sql, parameters, min(seconds, self._until - time.monotonic()), locks=False)
        give_up = time.monotonic() + LOCK_SECONDS
        attempt = 0
        while True:
            attempt += 1
            try:
                return self._once(sql, parameters, seconds, locks=attempt > CALM or self._restless)
            except NotReadable as problem:
                # While a writer ends and begins again the index of its WAL cannot be used for a moment.
                passing = problem.why in ("locked", "changing") or (
                    problem.why == "index_unusable" and attempt <= CALM
                )
                if not passing or time.monotonic() > give_up:
                    raise
            self._restless = attempt > CALM
            self.close()
            time.sleep(PAUSE)

    def value(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The first column of the first row, or None."""
        return next((row[0] for row in self.rows(sql, parameters)), None)

    def _once(self, sql: str, parameters: Sequence[Any], seconds: float, locks: bool) -> list[Row]:
        if seconds <= 0:
            raise NotReadable("too_long")
        connection = self._connection or self._open(locks)
        self._deadline = time.monotonic() + seconds
        try:
            rows = connection.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            # What was torn in half looks damaged.
            raise NotReadable("changing") if self._has_changed() else _problem(error) from error
        if self._has_changed():
            raise NotReadable("changing")
        return rows

    def _has_changed(self) -> bool:
        if self._immutable is None:
            return False
        try:
            return look_at(self.path).stamp != self._immutable.stamp
        except OSError:
            return True

    def _open(self, locks: bool) -> sqlite3.Connection:
        try:
            beside = look_at(self.path)
        except FileNotFoundError:
            raise NotReadable("missing") from None
        except PermissionError:
            raise NotReadable("permission") from None
        except OSError:
            raise NotReadable("io") from None
        if why := unreadable(beside):
            raise NotReadable(why)
        self._wal = False
        if beside.rows_in_wal and beside.index is None:
            raise NotReadable("wal_without_index")
        if beside.index is not None and (beside.rows_in_wal or locks):
            return self._open_index()
        if beside.journal_in_use or (locks and self._rolls_back()):
            return self._connect(LOCKS)
        return self._open_immutable(beside)

    def _open_index(self) -> sqlite3.Connection:
        self._wal = True
        try:
            return self._connect(NO_TRACE)
        except NotReadable as problem:
            if problem.why != "index_unusable":
                raise
        return self._connect(LOCKS)

    def _open_immutable(self, beside: Beside) -> sqlite3.Connection:
        if beside.just_written:
            time.sleep(TICK)
            beside = look_at(self.path)
        if beside.just_written or beside.rows_in_wal or beside.journal_in_use:
            raise NotReadable("changing")
        self._immutable = beside
        return self._connect(IMMUTABLE)

    def _rolls_back(self) -> bool:
        """Whether a lock leaves no files behind: in WAL mode it would make them."""
        try:
            # Without locks SQLite refuses to open what is in WAL mode.
            self._connect("mode=ro&nolock=1")
        except NotReadable:
            return False
        self.close()
        return True

    def _connect(self, how: str) -> sqlite3.Connection:
        uri = f"{self.path.absolute().as_uri()}?{how}"
        connection = sqlite3.connect(uri, uri=True, timeout=1, isolation_level=None, check_same_thread=False)
        try:
            connection.text_factory = bytes
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            connection.set_progress_handler(lambda: time.monotonic() > self._deadline, STEPS)
            for pragma in ("query_only=ON", "cache_size=-8000", "temp_store=MEMORY", "mmap_size=0"):
                connection.execute(f"PRAGMA {pragma}")
            # The first read: here a database shows whether it can be used.
            self._deadline = time.monotonic() + LOCK_SECONDS
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            changed = self._has_changed()
            connection.close()
            self._immutable = None
            raise NotReadable("changing") if changed else _problem(error) from error
        self._connection = connection
        return connection


def _problem(error: sqlite3.Error) -> NotReadable:
    code = getattr(error, "sqlite_errorname", None) or type(error).__name__
    return NotReadable(_why(code), str(error))


def _why(code: str) -> str:
    if code == "SQLITE_READONLY_ROLLBACK":
        return "hot_journal"
    if code.startswith("SQLITE_READONLY"):
        return "index_unusable"
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "locked"
    if code in ("SQLITE_INTERRUPT", "SQLITE_TOOBIG", "DataError"):
        return "too_long"
    if code == "SQLITE_NOTADB":
        return "not_a_database"
    if code.startswith("SQLITE_PERM") or code.startswith("SQLITE_AUTH"):
        return "permission"
    if code.startswith(("SQLITE_CANTOPEN", "SQLITE_IOERR")):
        return "io"
    return "damaged"
