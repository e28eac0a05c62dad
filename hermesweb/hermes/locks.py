"""Hermes' own lock of a memory file: an exclusive flock on the file beside it whose name ends in `.lock`.

From `_file_lock` in Hermes' `tools/memory_tool.py` (0.19) and `tools/memory_tool_store.py` (0.22). Not through
filelock: that opens by path, so a folder on the way could be swapped for a link, and it cannot give the file
to the owner of the home. The lock file is never emptied and never removed.
"""

import fcntl
import os
import random
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermesweb.hermes.errors import HermesError, Unreadable
from hermesweb.hermes.files import look_at
from hermesweb.hermes.writing import NotWritten, give_to_owner, refuse_foreign_owner, writing_at

SUFFIX: Final = ".lock"
WAIT_SECONDS: Final = 5.0

# Read and write, as Hermes opens it: whoever may only read it could hold it for ever otherwise.
_OPEN = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LONGEST_PAUSE = 0.001


# Not frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class Busy(HermesError):
    """Another process, most likely Hermes, still held the lock `path` after `seconds`."""

    path: Path
    seconds: float


@dataclass(frozen=True)
class Held:
    """A lock that is ours for now. `foreign`: the file belongs to somebody else than the folder it is in, so
    Hermes may not be able to take it. `open_to_others`: other accounts may open it, and so keep Hermes out."""

    path: Path
    foreign: bool
    open_to_others: bool


def lock_path(path: Path) -> Path:
    """The lock of the memory file `path`."""
    return path.with_name(path.name + SUFFIX)


@contextmanager
def held(path: Path, *, root: Path, seconds: float = WAIT_SECONDS) -> Iterator[Held]:
    """Hold Hermes' lock of the file `path` below `root`, waiting for it at most `seconds`.

    A lock file that is missing is made: 0600, for the owner of the folder, which must be there. Raises Busy,
    and NotWritten for the lock file: a link in its place, no right to open it.
    """
    handle, lock = _take(lock_path(path), root, seconds)
    try:
        yield lock
    finally:
        os.close(handle)  # which gives it back


def _take(lock: Path, root: Path, seconds: float) -> tuple[int, Held]:
    deadline = time.monotonic() + seconds
    while True:
        handle, about = _opened(lock, root)
        try:
            # One that was removed meanwhile is no longer what Hermes locks.
            if _waited_for(handle, deadline) and _is_still_there(lock, root, handle):
                return handle, about
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if time.monotonic() >= deadline:
            raise Busy(lock, seconds)


def _waited_for(handle: int, deadline: float) -> bool:
    """Ask again and again: who waits inside the system cannot be called off. The pauses are short and uneven,
    because between two writers the lock is free for a moment only."""
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, random.uniform(0, _LONGEST_PAUSE)))  # noqa: S311


def _opened(lock: Path, root: Path) -> tuple[int, Held]:
    with writing_at(lock, root) as folder:
        owner = os.fstat(folder)
        handle = _existing_or_made(lock, folder, owner)
        status = os.fstat(handle)
        return handle, Held(lock, status.st_uid != owner.st_uid, bool(stat.S_IMODE(status.st_mode) & 0o077))


def _existing_or_made(lock: Path, folder: int, owner: os.stat_result) -> int:
    with suppress(FileNotFoundError):
        return _existing(lock, folder)
    try:
        return _made(lock, folder, owner)
    except FileExistsError:  # Hermes was quicker
        return _existing(lock, folder)


def _made(lock: Path, folder: int, owner: os.stat_result) -> int:
    refuse_foreign_owner(lock, owner)
    handle = os.open(lock.name, _OPEN | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
    try:
        os.fchmod(handle, 0o600)
        give_to_owner(lock, handle, owner)
    except BaseException:
        os.close(handle)
        os.unlink(lock.name, dir_fd=folder)
        raise
    return handle


def _existing(lock: Path, folder: int) -> int:
    _refuse_unless_file(lock, os.stat(lock.name, dir_fd=folder, follow_symlinks=False))
    handle = os.open(lock.name, _OPEN, dir_fd=folder)
    try:
        _refuse_unless_file(lock, os.fstat(handle))
    except BaseException:
        os.close(handle)
        raise
    return handle


def _refuse_unless_file(lock: Path, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise NotWritten(lock, "link")
    if not stat.S_ISREG(status.st_mode):
        raise NotWritten(lock, "not_a_file")


def _is_still_there(lock: Path, root: Path, handle: int) -> bool:
    try:
        there = look_at(lock, root=root)
    except Unreadable:
        return False
    mine = os.fstat(handle)
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)
