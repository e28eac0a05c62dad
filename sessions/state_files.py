"""state.db and the files SQLite keeps beside it, seen from outside: by their names, sizes and times only.

Nothing here opens them. Closing any of them as a plain file drops the locks of this process's own SQLite
connections, and then another process may throw away rows that were already stored.
"""

import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from sessions.errors import StateEmpty, StateMissing, StateNeedsCopy, StateUnreadable

NAME = "state.db"
# Times on disk come from a clock that ticks every few milliseconds: two writes can leave the same time.
TICK = 0.02

Stamp = tuple[int, ...]


@dataclass(frozen=True)
class StateFiles:
    """One look at a state.db. `wal`, `index` and `journal` are None where there is no such file."""

    path: Path
    database: os.stat_result
    wal: os.stat_result | None
    index: os.stat_result | None
    journal: os.stat_result | None

    @property
    def rows_in_wal(self) -> bool:
        return self.wal is not None and self.wal.st_size > 0

    @property
    def journal_in_use(self) -> bool:
        return self.journal is not None and self.journal.st_size > 0

    @property
    def bytes(self) -> int:
        """Size of everything a copy consists of."""
        return sum(part.st_size for part in (self.database, self.wal, self.journal) if part)

    @property
    def stamp(self) -> Stamp:
        """Two looks with the same stamp: no commit became visible between them."""
        changes: list[int] = []
        for part in (self.database, self.wal, self.journal):
            if part is None or part.st_size == 0:
                changes += [0] * 5
            else:
                changes += [part.st_dev, part.st_ino, part.st_size, part.st_mtime_ns, part.st_ctime_ns]
        return tuple(changes)

    @property
    def just_written(self) -> bool:
        """So recent that a further write might leave the same time behind."""
        return abs(time.time() - self.database.st_mtime) < TICK


def look_at(folder: Path, *, needs_index: bool = True) -> StateFiles:
    """The state.db of a profile folder and its side files.

    Raises StateMissing, StateEmpty, StateUnreadable (permission, link, not_a_file, io) and, unless
    `needs_index` is False, StateNeedsCopy (index_unreadable). A link is followed only when it stays inside
    the folder. Never blocks on a FIFO.
    """
    path = _inside(folder)
    database = _regular(path)
    if database is None:
        raise StateMissing(folder / NAME)
    sides = [_regular(path.with_name(path.name + suffix)) for suffix in ("-wal", "-shm", "-journal")]
    files = StateFiles(path, database, *sides)
    if database.st_size == 0:
        raise StateEmpty(path)
    _check_permission(files, needs_index)
    return files


def _inside(folder: Path) -> Path:
    try:
        root = folder.resolve(strict=True)
        path = root / NAME
        if not stat.S_ISLNK(path.lstat().st_mode):
            return path
    except (FileNotFoundError, NotADirectoryError):
        raise StateMissing(folder / NAME) from None
    except PermissionError:
        raise StateUnreadable(folder / NAME, "permission") from None
    except (OSError, RuntimeError):
        raise StateUnreadable(folder / NAME, "io") from None
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # dangling, or a loop
        raise StateUnreadable(path, "link") from None
    if not target.is_relative_to(root):
        raise StateUnreadable(path, "link")
    return target


def _regular(path: Path) -> os.stat_result | None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    except PermissionError:
        raise StateUnreadable(path, "permission") from None
    except OSError:
        raise StateUnreadable(path, "io") from None
    if stat.S_ISLNK(found.st_mode):
        raise StateUnreadable(path, "link")
    if not stat.S_ISREG(found.st_mode):
        raise StateUnreadable(path, "not_a_file")
    return found


def _check_permission(files: StateFiles, needs_index: bool) -> None:
    # Not the journal: it comes and goes with every commit, also between the two questions of _is_forbidden.
    wal, index = (files.path.with_name(files.path.name + suffix) for suffix in ("-wal", "-shm"))
    for path in (files.path, wal) if files.rows_in_wal else (files.path,):
        if _is_forbidden(path):
            raise StateUnreadable(path, "permission")
    if needs_index and files.rows_in_wal and files.index and _is_forbidden(index):
        raise StateNeedsCopy(files.path, "index_unreadable")


def _is_forbidden(path: Path) -> bool:
    effective = os.access in os.supports_effective_ids
    return not os.access(path, os.R_OK, effective_ids=effective) and os.access(path, os.F_OK)
