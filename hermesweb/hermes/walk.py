"""Goes through a folder by names, sizes and modes only: no file is opened, no link followed."""

import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

NAMES_KEPT = 50  # the first of a kind; the others are counted


class Seen(NamedTuple):
    """Anything but a folder. `path`: below the folder walked. `open`: others can pass all folders above it."""

    path: str
    status: os.stat_result
    open: bool

    @property
    def readable_by_others(self) -> bool:
        mode = self.status.st_mode
        return self.open and bool(mode & stat.S_IROTH) and stat.S_ISREG(mode)


@dataclass(frozen=True)
class Names:
    """How many there are, and the first of them, printable."""

    count: int = 0
    first: tuple[str, ...] = ()


@dataclass
class NameList:
    count: int = 0
    first: list[str] = field(default_factory=list)

    def add(self, path: str) -> None:
        self.count += 1
        if len(self.first) < NAMES_KEPT:
            self.first.append(printable(path))

    def names(self) -> Names:
        return Names(self.count, tuple(self.first))


class Walk:
    """One pass through `folder`, without the folders directly in it that are named in `leave_out`.

    `files`: seen so far. `unreadable`: what could not be listed or looked at; `closed`: the folders of those.
    `done`: nothing waits to be walked.
    """

    def __init__(self, folder: Path, *, leave_out: Collection[str] = ()) -> None:
        self.folder, self.leave_out = folder, leave_out
        self.files = 0
        self.done = False
        self.unreadable = NameList()
        self.closed: list[str] = []

    def folders(self) -> Iterator[tuple[str, list[Seen]]]:
        """Each folder with what is in it, one at a time, so that a caller can stop."""
        waiting = [("", is_open_above(self.folder))]
        while waiting:
            folder, is_open = waiting.pop()
            seen: list[Seen] = []
            try:
                waiting += self._list(folder, is_open, seen)
            except OSError:
                self.unreadable.add(folder or ".")
                self.closed.append(folder)
            self.files += len(seen)
            self.done = not waiting
            yield folder, seen

    def _list(self, folder: str, is_open: bool, seen: list[Seen]) -> list[tuple[str, bool]]:
        path = self.folder / folder
        # Only the folder to be walked may be reached through a link.
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (os.O_NOFOLLOW if folder else 0))
        below = []
        try:
            is_open = is_open and bool(os.fstat(handle).st_mode & stat.S_IXOTH)
            with os.scandir(handle) as entries:
                for entry in entries:
                    name = f"{folder}/{entry.name}" if folder else entry.name
                    if not entry.is_dir(follow_symlinks=False):
                        self._look(name, entry, is_open, seen)
                    elif name not in self.leave_out:
                        below.append((name, is_open))
        finally:
            os.close(handle)
        return below

    def _look(self, name: str, entry: os.DirEntry[str], is_open: bool, seen: list[Seen]) -> None:
        try:
            seen.append(Seen(name, entry.stat(follow_symlinks=False), is_open))
        except FileNotFoundError:
            return  # removed meanwhile
        except OSError:
            self.unreadable.add(name)


def printable(path: str) -> str:
    """A file name that is not UTF-8, made fit for a page."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_open_above(folder: Path) -> bool:
    """Whether everybody may pass through all folders above: below a closed one no mode matters."""
    try:
        return all(parent.stat().st_mode & stat.S_IXOTH for parent in Path(os.path.realpath(folder)).parents)
    except OSError:
        return False
