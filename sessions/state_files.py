"""Where the state.db of a profile is, and whether it may be read. Nothing here opens it: see hermes/beside.py."""

import os
import stat
from pathlib import Path

from hermesweb.hermes.beside import SIDES, Beside, is_forbidden
from sessions.errors import StateEmpty, StateMissing, StateNeedsCopy, StateUnreadable

NAME = "state.db"


def look_at(folder: Path, *, needs_index: bool = True) -> Beside:
    """The state.db of a profile folder and its side files.

    Raises StateMissing, StateEmpty, StateUnreadable (permission, link, not_a_file, io) and, unless
    `needs_index` is False, StateNeedsCopy (index_unreadable). A link is followed only when it stays inside
    the folder. Never blocks on a FIFO.
    """
    path = _inside(folder)
    database = _regular(path)
    if database is None:
        raise StateMissing(folder / NAME)
    sides = [_regular(path.with_name(path.name + suffix)) for suffix in SIDES]
    files = Beside(path, database, *sides)
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


def _check_permission(files: Beside, needs_index: bool) -> None:
    # Not the journal: it comes and goes with every commit, also between the two questions of is_forbidden.
    wal, index = (files.path.with_name(files.path.name + suffix) for suffix in ("-wal", "-shm"))
    for path in (files.path, wal) if files.rows_in_wal else (files.path,):
        if is_forbidden(path):
            raise StateUnreadable(path, "permission")
    if needs_index and files.rows_in_wal and files.index and is_forbidden(index):
        raise StateNeedsCopy(files.path, "index_unreadable")
