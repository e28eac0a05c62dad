"""How much is stored where in a profile, and what of it other people on the machine can read.

Looks at names, sizes and modes only: no file is opened, no link followed.
"""

import os
import stat
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hermesweb.hermes.groups import GROUPS, Group, group_of
from hermesweb.hermes.homes import DEFAULT, Profile

NAMES_KEPT = 50  # of the files others can read, and of the folders that could not be listed
_STEP = 500  # files between two calls of on_step and two looks at the clock

OnStep = Callable[[int, str], None]


@dataclass(frozen=True)
class Size:
    files: int = 0
    bytes: int = 0


@dataclass(frozen=True)
class Measure:
    """`groups` has every group. Of the paths others on this machine can read, and of those that could not be
    looked at, the first are kept (relative and printable), beside how many there are in all. `complete` is
    False if the deadline came first."""

    groups: Mapping[Group, Size]
    readable_by_others: tuple[str, ...]
    readable_by_others_count: int
    unreadable: tuple[str, ...]
    unreadable_count: int
    complete: bool

    @property
    def total(self) -> Size:
        sizes = self.groups.values()
        return Size(sum(size.files for size in sizes), sum(size.bytes for size in sizes))


def measure(profile: Profile, *, on_step: OnStep | None = None, deadline: float | None = None) -> Measure:
    """Goes through the profile's folder, for the default profile without the named ones.

    Sizes are the bytes in the files, not the blocks on the disk. `on_step` is told the files so far and the
    folder that was just done; what it raises ends the walk. `deadline` is a reading of time.monotonic().
    """
    walk = _Walk(profile)
    told = 0
    complete = True
    for folder in walk.folders():
        if walk.files - told >= _STEP:
            told = walk.files
            if on_step:
                on_step(told, printable(folder))
        if deadline is not None and time.monotonic() > deadline:
            complete = False
            break
    return walk.result(complete)


def printable(path: str) -> str:
    """A file name that is not UTF-8, made fit for a page."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


@dataclass
class _Walk:
    profile: Profile
    files: int = 0
    counts: dict[Group, int] = field(default_factory=lambda: defaultdict(int))
    bytes: dict[Group, int] = field(default_factory=lambda: defaultdict(int))
    readable: list[str] = field(default_factory=list)
    readable_count: int = 0
    unreadable: list[str] = field(default_factory=list)
    unreadable_count: int = 0

    def folders(self) -> Iterator[str]:
        """Walks, and stops after each folder to be asked for more."""
        waiting = [("", _is_open_above(self.profile.folder))]
        while waiting:
            folder, is_open = waiting.pop()
            try:
                waiting += self._folder(folder, is_open)
            except OSError:
                self._note_unreadable(folder or ".")
            yield folder

    def result(self, complete: bool) -> Measure:
        return Measure(
            {group: Size(self.counts[group], self.bytes[group]) for group in GROUPS},
            tuple(self.readable),
            self.readable_count,
            tuple(self.unreadable),
            self.unreadable_count,
            complete,
        )

    def _folder(self, folder: str, is_open: bool) -> list[tuple[str, bool]]:
        path = self.profile.folder / folder
        # Only the profile's own folder may be reached through a link.
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (os.O_NOFOLLOW if folder else 0))
        below = []
        try:
            is_open = is_open and bool(os.fstat(handle).st_mode & stat.S_IXOTH)
            with os.scandir(handle) as entries:
                for entry in entries:
                    name = f"{folder}/{entry.name}" if folder else entry.name
                    if not entry.is_dir(follow_symlinks=False):
                        self._file(name, entry, is_open)
                    elif name != "profiles" or self.profile.name != DEFAULT:
                        below.append((name, is_open))
        finally:
            os.close(handle)
        return below

    def _file(self, name: str, entry: os.DirEntry[str], is_open: bool) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return  # removed meanwhile
        except OSError:
            self._note_unreadable(name)
            return
        group = group_of(name)
        self.files += 1
        self.counts[group] += 1
        self.bytes[group] += status.st_size
        if is_open and status.st_mode & stat.S_IROTH and stat.S_ISREG(status.st_mode):
            self.readable_count += 1
            if len(self.readable) < NAMES_KEPT:
                self.readable.append(printable(name))

    def _note_unreadable(self, name: str) -> None:
        self.unreadable_count += 1
        if len(self.unreadable) < NAMES_KEPT:
            self.unreadable.append(printable(name))


def _is_open_above(folder: Path) -> bool:
    """Whether everybody may pass through all folders above: below a closed one no mode matters."""
    try:
        return all(parent.stat().st_mode & stat.S_IXOTH for parent in Path(os.path.realpath(folder)).parents)
    except OSError:
        return False
