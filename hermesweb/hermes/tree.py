"""Every name below a folder, without following a link, however deep somebody made it."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Name:
    """`path` is relative to the folder that was walked. `status` is None for what could not be looked at, and
    for a folder that could not be listed."""

    path: str
    status: os.stat_result | None

    @property
    def is_folder(self) -> bool:
        return self.status is not None and stat.S_ISDIR(self.status.st_mode)


def walk(folder: Path, *, skip: frozenset[str] = frozenset()) -> Iterator[Name]:
    """What lies below `folder`, each folder before what is in it. `skip` are paths left out with all below.

    Only `folder` itself may be reached through a link. What goes away meanwhile is left out. Raises nothing:
    a folder that cannot be listed is a Name without a status, "" for the first.
    """
    waiting = [""]
    while waiting:
        within = waiting.pop()
        below: list[str] = []
        for each in _listed(folder, within):
            if each.path not in skip:
                yield each
                if each.is_folder:
                    below.append(each.path)
        waiting += reversed(below)


def _listed(folder: Path, within: str) -> list[Name]:
    # A folder that became a link since it was listed is not entered.
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (os.O_NOFOLLOW if within else 0)
    try:
        handle = os.open(folder / within, flags)
    except FileNotFoundError:
        return []
    except OSError:
        return [Name(within, None)]
    try:
        with os.scandir(handle) as entries:
            names = [entry.name for entry in entries]
        found = [_looked_at(f"{within}/{name}" if within else name, name, handle) for name in sorted(names)]
    except OSError:
        return [Name(within, None)]
    finally:
        os.close(handle)
    return [each for each in found if each is not None]


def _looked_at(path: str, name: str, handle: int) -> Name | None:
    try:
        return Name(path, os.stat(name, dir_fd=handle, follow_symlinks=False))
    except FileNotFoundError:
        return None
    except OSError:
        return Name(path, None)
