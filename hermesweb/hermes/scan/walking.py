"""The files below the folders of a scan, opened so that no link is followed and nothing is waited for."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hermesweb.hermes.scan.asked import Asked, ScanFolder

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# Reading must leave no trace, not even the time of the last access; only the owner may ask for that.
_NO_TRACE = getattr(os, "O_NOATIME", 0)


@dataclass(frozen=True)
class Entry:
    """Something below a folder of the scan. `path` is relative to it. `parent` is a handle of the folder it is
    in, only good until the next entry is asked for. `why` is set for what cannot be looked into."""

    folder: ScanFolder
    path: str
    parent: int
    status: os.stat_result | None
    why: str | None = None

    @property
    def name(self) -> str:
        """As in events: printable, with the label."""
        return self.folder.label + os.fsencode(self.path).decode("utf-8", "backslashreplace")

    @property
    def is_folder(self) -> bool:
        return self.status is not None and stat.S_ISDIR(self.status.st_mode)

    def link(self) -> str | None:
        """Where a link leads to."""
        if self.status is None or not stat.S_ISLNK(self.status.st_mode):
            return None
        with suppress(OSError):
            return os.readlink(os.path.basename(self.path), dir_fd=self.parent)  # noqa: PTH119
        return None

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The regular file. Raises OSError, also if it is no regular file any more."""
        handle = _open(os.path.basename(self.path), self.parent)  # noqa: PTH119
        with os.fdopen(handle, "rb", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError("no regular file")
            yield file


def walk(asked: Asked) -> Iterator[Entry]:
    """Every entry below the folders, each folder before what is in it. With `files` only those, in all folders
    that have them."""
    for folder in asked.folders:
        try:
            handle = os.open(folder.path, _FOLDER & ~os.O_NOFOLLOW)
        except OSError as error:
            yield Entry(folder, "", -1, None, why_of(error))
            continue
        try:
            if asked.files is None:
                yield from _below(folder, "", handle)
            else:
                for path in asked.files:
                    yield from _one(folder, path, handle)
        finally:
            os.close(handle)


def why_of(error: OSError) -> str:
    """As in NotChecked."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "no_space"
    return "permission" if isinstance(error, PermissionError) else "io"


def _below(folder: ScanFolder, within: str, handle: int) -> Iterator[Entry]:
    # Depth first with one handle a level: a tree too deep for the limit of open files is not checked.
    levels = [(within, handle, iter(sorted(os.listdir(handle))))]
    try:
        while levels:
            within, current, names = levels[-1]
            name = next(names, None)
            if name is None:
                levels.pop()
                if levels:
                    os.close(current)
                continue
            path = f"{within}/{name}" if within else name
            entry = None if path in folder.skip else _entry(folder, path, name, current)
            if entry is None:
                continue
            yield entry
            if entry.is_folder and entry.why is None:
                below = _listed(entry, name, current)
                if isinstance(below, Entry):
                    yield below
                else:
                    levels.append((path, *below))
    finally:
        for _, opened, _ in levels[1:]:
            os.close(opened)


def _listed(entry: Entry, name: str, parent: int) -> "tuple[int, Iterator[str]] | Entry":
    try:
        handle = os.open(name, _FOLDER, dir_fd=parent)
    except OSError as error:
        return Entry(entry.folder, entry.path, parent, None, why_of(error))
    try:
        return handle, iter(sorted(os.listdir(handle)))  # noqa: PTH208
    except OSError as error:
        os.close(handle)
        return Entry(entry.folder, entry.path, parent, None, why_of(error))


def _entry(folder: ScanFolder, path: str, name: str, parent: int) -> Entry | None:
    try:
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None  # removed meanwhile
    except OSError as error:
        return Entry(folder, path, parent, None, why_of(error))
    if stat.S_ISLNK(status.st_mode):
        return Entry(folder, path, parent, status, "link")
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return Entry(folder, path, parent, status)
    return Entry(folder, path, parent, status, "special")


def _one(folder: ScanFolder, path: str, handle: int) -> Iterator[Entry]:
    *above, name = Path(path).parts or (".",)
    if path.startswith("/") or ".." in (*above, name):
        return
    opened = [handle]
    try:
        for part in above:
            opened.append(os.open(part, _FOLDER, dir_fd=opened[-1]))
        if entry := _entry(folder, path, name, opened[-1]):
            yield entry
    except FileNotFoundError:
        pass
    except OSError as error:
        yield Entry(folder, path, handle, None, why_of(error))
    finally:
        for each in opened[1:]:
            os.close(each)


def _open(name: str, parent: int) -> int:
    try:
        return os.open(name, _FILE | _NO_TRACE, dir_fd=parent)
    except PermissionError:
        return os.open(name, _FILE, dir_fd=parent)
