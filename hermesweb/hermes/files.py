"""The one module that opens files of a home as bytes. It never waits, never follows a link below the root,
and never touches state.db (closing that file would drop the SQLite locks of this process)."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hermesweb.hermes.errors import Unreadable, Why

DATABASE_NAMES = frozenset(f"state.db{suffix}" for suffix in ("", "-wal", "-shm", "-journal"))

# Only the right to pass through is needed for the folders on the way.
_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_WHY_OF_ERRNO: dict[int, Why] = {
    errno.ENOENT: "missing",
    errno.ENAMETOOLONG: "missing",
    errno.EACCES: "permission",
    errno.EPERM: "permission",
    errno.ELOOP: "link",
    errno.ENOTDIR: "not_a_folder",
    errno.EISDIR: "not_a_file",
    errno.ENXIO: "not_a_file",
}


def read_file(path: Path, *, root: Path, limit: int) -> bytes:
    """The bytes of the regular file `path`, which lies below the folder `root`, of at most `limit` bytes.

    The root may be a link or lie behind one; nothing below it may. A file that grows past the limit while
    it is read counts as too large. Raises Unreadable, for a link on the way with the path of that link.
    """
    with _naming(path), opened_parent(path, root) as (folder, name):
        return _read(path, name, folder, limit)


def list_names(folder: Path, *, root: Path, limit: int = 100_000) -> list[str]:
    """The sorted names in `folder`, which is `root` or lies below it. Raises Unreadable, also ("too_large")
    for more than `limit` names."""
    with _naming(folder), _folder(folder, root) as handle:
        names: list[str] = []
        with os.scandir(handle) as entries:
            for entry in entries:
                if len(names) == limit:
                    raise Unreadable(folder, "too_large")
                names.append(entry.name)
        return sorted(names)


def look_at(path: Path, *, root: Path) -> os.stat_result:
    """What `lstat` says of `path` below `root`, with no link on the way. Opens nothing, so it is also for
    state.db. Raises Unreadable."""
    with _naming(path), opened_parent(path, root) as (folder, name):
        return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _read(path: Path, name: str, folder: int, limit: int) -> bytes:
    if name in DATABASE_NAMES:
        raise Unreadable(path, "database")
    # Looked at before it is opened: opening alone wakes up who waits at the other end of a pipe.
    _refuse_unless_file(path, os.stat(name, dir_fd=folder, follow_symlinks=False))
    with os.fdopen(os.open(name, _READ, dir_fd=folder), "rb") as file:
        status = os.fstat(file.fileno())
        _refuse_unless_file(path, status)
        if status.st_size > limit:
            raise Unreadable(path, "too_large", size=status.st_size)
        content = file.read(limit + 1)
        if len(content) > limit:
            raise Unreadable(path, "too_large", size=os.fstat(file.fileno()).st_size)
        return content


def _refuse_unless_file(path: Path, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise Unreadable(path, "link")
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(path, "not_a_file")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turns what the system says into Unreadable for `path`."""
    try:
        yield
    except OSError as error:
        raise Unreadable(path, _WHY_OF_ERRNO.get(error.errno or 0, "io")) from error
    except ValueError as error:  # a NUL or a lone surrogate: no file can have such a name
        raise Unreadable(path, "missing") from error


def _parts_below(path: Path, root: Path) -> tuple[str, ...]:
    if not path.is_relative_to(root):
        raise Unreadable(path, "outside")
    parts = path.relative_to(root).parts
    if ".." in parts:
        raise Unreadable(path, "outside")
    return parts


@contextmanager
def opened_parent(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """A handle of the folder that holds `path`, and the last part of its name."""
    if not _parts_below(path, root):
        raise Unreadable(path, "not_a_file")
    with _walked(path.parent, root) as folder:
        yield folder, path.name


@contextmanager
def _folder(path: Path, root: Path) -> Iterator[int]:
    """A handle of the folder `path` that can be listed."""
    with _walked(path, root) as passing:
        handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=passing)
        try:
            yield handle
        finally:
            os.close(handle)


@contextmanager
def _walked(path: Path, root: Path) -> Iterator[int]:
    """Goes down from `root` to `path` one folder at a time, so that none can be swapped for a link."""
    handle = os.open(root, _PASS & ~os.O_NOFOLLOW)
    try:
        reached = root
        for part in _parts_below(path, root):
            reached /= part
            below = _step(reached, handle)
            os.close(handle)
            handle = below
        yield handle
    finally:
        os.close(handle)


def _step(path: Path, folder: int) -> int:
    # A link in the way is also "not a folder" to the system; people need to know which of the two, and where.
    if stat.S_ISLNK(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode):
        raise Unreadable(path, "link")
    return os.open(path.name, _PASS, dir_fd=folder)
