"""Files and folders that several of our own processes want to have for themselves, and only one gets."""

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hermesweb.hermes.locks import Busy
from hermesweb.hermes.writing import NotWritten, writing_at

# Read and write, because network file systems grant an exclusive flock to writers only.
_OPEN = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@contextmanager
def owned(path: Path, *, root: Path) -> Iterator[None]:
    """Have the regular file `path` below `root` for this process, also while it gets another name.

    A flock on the file itself, which ends with the process: who finds a file that nobody owns knows that its
    owner is done or dead. Hermes does not ask for it. Raises Busy at once if somebody else has it, and
    NotWritten, "missing" also if it went away meanwhile.
    """
    handle = _opened(path, root)
    try:
        _take(path, root, handle)
        yield
    finally:
        os.close(handle)


@contextmanager
def held_folder(path: Path, *, root: Path, seconds: float) -> Iterator[None]:
    """Hold the folder `path` below `root` among our own processes, waiting for it at most `seconds`. Hermes
    does not ask for it, and nothing is written. Raises Busy, NotWritten."""
    with writing_at(path / "any", root) as folder:
        deadline = time.monotonic() + seconds
        while not _taken(folder):
            if time.monotonic() >= deadline:
                raise Busy(path, seconds)
            time.sleep(0.005)
        yield


def _opened(path: Path, root: Path) -> int:
    with writing_at(path, root) as folder:
        if not stat.S_ISREG(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise NotWritten(path, "not_a_file")
        return os.open(path.name, _OPEN, dir_fd=folder)


def _take(path: Path, root: Path, handle: int) -> None:
    if not _taken(handle):
        raise Busy(path, 0)
    with writing_at(path, root) as folder:
        there, mine = os.stat(path.name, dir_fd=folder, follow_symlinks=False), os.fstat(handle)
    if (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino):
        raise NotWritten(path, "missing")


def _taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
