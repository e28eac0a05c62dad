"""Is anyone connected to a state.db? Asked in the one way that SQLite answers, which is not only looking."""

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermesweb.hermes.beside import Beside
from hermesweb.hermes.files import DATABASE_NAMES
from hermesweb.hermes.homes import DEFAULT, Home, Profile, root_of
from hermesweb.hermes.mounts import mount_of
from hermesweb.hermes.processes import ProcessTable
from hermesweb.hermes.running import is_running
from hermesweb.hermes.workers import see_workers
from sessions.database import translated
from sessions.errors import StateError
from sessions.state_files import look_at
from sessions.writer import refuse_unless_ours


@dataclass(frozen=True)
class Connected:
    """`who`: the process numbers that can be seen to have it open; others may have too."""

    answer: Literal["nobody", "somebody", "unknown"]
    who: tuple[int, ...] = ()


def is_anyone_connected(folder: Path, *, ours: Iterable[int] = ()) -> Connected:
    """Whether a process has the state.db of a profile `folder` open. Processes of hermesweb step aside first
    (sessions.process_turns) and do not count; nor do `ours`. This process must have no connection to it.

    In WAL mode every connection keeps a lock, an idle one too, so the lock of all locks tells; it is given
    back at once. Alone, SQLite then tidies its WAL away as after any last connection. In rollback mode an
    idle connection keeps no lock: the processes that can be seen have to tell. Raises StateError.
    """
    files = look_at(folder, needs_index=False)
    refuse_unless_ours(files)
    who = tuple(processes_with(files, ours))
    mode = _mode_if_alone(files)
    if mode is None:
        return Connected("somebody", who)
    mount = mount_of(folder)
    if mode != "wal" and who:
        return Connected("somebody", who)
    if mount is not None and mount.is_remote:
        return Connected("unknown", who)
    return Connected("nobody") if mode == "wal" else _by_processes(folder, ours)


def processes_with(files: Beside, ours: Iterable[int] = ()) -> list[int]:
    """The process numbers, other than hermesweb's, that have one of these files open and can be seen."""
    parts = (files.database, files.wal, files.index)
    identities = {(part.st_dev, part.st_ino) for part in parts if part is not None}
    workers = see_workers(ProcessTable(), frozenset((os.getpid(), *ours)))
    return [
        worker.pid
        for worker in workers
        if any(
            held.identity in identities
            for held in worker.held or ()
            if held.path.rpartition("/")[2] in DATABASE_NAMES
        )
    ]


def _mode_if_alone(files: Beside) -> str | None:
    """The journal mode, or None if anybody holds any lock."""
    try:
        with closing(_connection(files)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            return str(connection.execute("PRAGMA journal_mode").fetchone()[0])
    except sqlite3.Error as error:
        if (getattr(error, "sqlite_errorname", None) or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return None
        raise _translated(error, files) from error


def _connection(files: Beside) -> sqlite3.Connection:
    return sqlite3.connect(f"{files.path.as_uri()}?mode=rw", uri=True, timeout=0, isolation_level=None)


def _translated(error: sqlite3.Error, files: Beside) -> StateError:
    return translated(error, files.path, 0)


def _by_processes(folder: Path, ours: Iterable[int]) -> Connected:
    root = root_of(folder)
    profile = Profile(Home("any", "", root), DEFAULT if folder == root else folder.name, folder)
    answer = is_running(profile, ours=frozenset(ours)).answer
    if answer == "yes":
        return Connected("somebody")
    return Connected("unknown" if answer == "unknown" else "nobody")
