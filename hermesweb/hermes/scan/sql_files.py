"""Databases seen from outside: by names, sizes and times only.

This process has SQLite connections; opening a database as a plain file here, and closing it, would drop their
locks, and then another process may throw away rows that were already stored.
"""

import fnmatch
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from hermesweb.hermes.beside import SIDES, Beside, is_forbidden
from hermesweb.hermes.scan.asked import ScanFolder

NAMES = ("*.db", "*.db.*", "*.sqlite*", "*.db3", "*.db-*", "*.sqlite3-*")
# Locks and notes about a database that are named after it.
OTHER = ("*.lock", "*.json", "*.md", "*.txt", "*.log", "*.gz", "*.zip", "*.tmp-journal", "*.db.retired-*")


def unreadable(beside: Beside) -> str | None:
    """ "permission", if we may not read what has to be read."""
    needed = {"": beside.database, "-wal": beside.rows_in_wal, "-shm": beside.rows_in_wal and beside.index}
    path = beside.path
    named = (path.with_name(path.name + side) for side, is_needed in needed.items() if is_needed)
    return "permission" if any(map(is_forbidden, named)) else None


def look_at(path: Path) -> Beside:
    """Follows no link in the last part. Raises OSError; FileNotFoundError also for what is no regular file."""
    database = _regular(path)
    if database is None:
        raise FileNotFoundError(path)
    return Beside(path, database, *(_regular(path.with_name(path.name + side)) for side in SIDES))


def databases_below(folder: ScanFolder) -> Iterator[str]:
    """Paths below the folder, "/" separated, of what is named like a database; no link is followed.

    Folders that cannot be listed are left out here: who reads the bytes says so.
    """
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(os.path.join(folder.path, below)) as entries:  # noqa: PTH118  (bytes of any name)
                found = sorted((entry.name, _kind(entry)) for entry in entries)
        except OSError:
            continue
        for name, kind in found:
            path = f"{below}/{name}" if below else name
            if path in folder.skip:
                continue
            if kind == "folder":
                waiting.append(path)
            elif kind == "file" and is_named_like_one(name):
                yield path


def is_named_like_one(name: str) -> bool:
    """Whether a file of that name may be an SQLite database (not one of its side files)."""
    lower = name.lower()
    if lower.endswith(SIDES) or any(fnmatch.fnmatchcase(lower, other) for other in OTHER):
        return False
    return any(fnmatch.fnmatchcase(lower, pattern) for pattern in NAMES)


def _kind(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file(follow_symlinks=False) else ""
    except OSError:
        return ""


def _regular(path: Path) -> os.stat_result | None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None
