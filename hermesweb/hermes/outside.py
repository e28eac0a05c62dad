"""Finds the files of stores that lie outside a home: at fixed places, and in folders the agent worked in. Opens none
and follows no link."""

import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermesweb.hermes.stores.patterns import expression, with_side_files
from hermesweb.hermes.walk import Seen, Walk, is_open_above

MOST_IN_WORK: Final = 50_000
"""Files of one store in a folder of work: a copy of a whole project has no end."""


@dataclass(frozen=True)
class NotSeen:
    """A place that was not looked into, or not whole. `why`: "permission" "too_many"."""

    path: str
    why: str


@dataclass(frozen=True)
class Bases:
    """The folders that "~/", "<tmp>/", "<data>/" and "<work>/" stand for; None: not to be looked into.

    `home`: the root of the Hermes home, which is left out. `profiles`: the names of its profiles. `owners`:
    the users whose files count. `work_whole`: False where more folders of work are known than can be looked into.
    """

    os_home: Path | None
    temporary: Path | None
    data: Path | None
    work: tuple[Path, ...]
    home: Path
    profiles: frozenset[str]
    owners: frozenset[int]
    work_whole: bool = True

    @classmethod
    def around(
        cls,
        home: Path,
        profile: str,
        *,
        os_home: Path | None,
        temporary: Path | None,
        data: Path | None = None,
        work: Iterable[Path] = (),
        work_whole: bool = True,
    ) -> "Bases":
        """For one profile of the home with this root: files of the home's owner and of this process count, and what
        bears the name of another profile is not its."""
        owners = {os.geteuid()}
        with suppress(OSError):  # then only our own files are looked at
            owners.add(home.stat().st_uid)
        names = frozenset({profile})
        return cls(os_home, temporary, data, tuple(work), home, names, frozenset(owners), work_whole)

    def of(self, pattern: str) -> tuple[Path, ...]:
        """The folders to look into for this pattern."""
        sign = pattern.partition("/")[0]
        if sign == "<work>":
            return self.work
        base = {"~": self.os_home, "<tmp>": self.temporary, "<data>": self.data}.get(sign)
        return (base,) if base else ()


def find_outside(pattern: str, bases: Bases) -> Iterator[Seen | NotSeen]:
    """The files that fit, with paths as the pattern begins (`~/x`, below a folder of work as they are), and
    what could not be looked into."""
    sign, _, rest = pattern.partition("/")
    for base in bases.of(pattern):
        shown = str(base).rstrip("/") if sign == "<work>" else sign  # "" for the root of the disk
        for path in _matching(base, rest.strip("/").split("/"), bases):
            if isinstance(path, OSError):
                yield NotSeen(f"{shown}/{rest}", "permission")
            elif not _is_below(path, bases.home):
                yield from _files(path, f"{shown}/{path.relative_to(base)}", pattern.endswith("/"), bases)


def _matching(folder: Path, parts: list[str], bases: Bases) -> Iterator[Path | OSError]:
    """What exists at `parts` below `folder`, without a link on the way."""
    part, *more = parts
    for name in _names(folder, part, bases):
        if isinstance(name, OSError):
            yield name
            continue
        path = folder / name
        try:
            mode = path.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as problem:
            yield problem
            continue
        if not more:
            yield path
        elif stat.S_ISDIR(mode):
            yield from _matching(path, more, bases)


def _names(folder: Path, part: str, bases: Bases) -> Iterator[str | OSError]:
    if "{profile}" in part:
        yield from (part.replace("{profile}", name) for name in sorted(bases.profiles))
    elif "*" not in part:
        yield from with_side_files(part)
    else:
        wanted = re.compile(expression(part), re.DOTALL)
        try:
            with os.scandir(folder) as entries:
                yield from (entry.name for entry in entries if wanted.fullmatch(entry.name))
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as problem:
            yield problem


def _files(path: Path, shown: str, below: bool, bases: Bases) -> Iterator[Seen | NotSeen]:
    try:
        status = path.lstat()
    except OSError:
        return  # removed meanwhile
    if status.st_uid not in bases.owners:
        return
    if not stat.S_ISDIR(status.st_mode):
        yield Seen(shown, status, is_open_above(path))
    elif below:
        walk = Walk(path)
        for _, seen in walk.folders():
            yield from (
                each._replace(path=f"{shown}/{each.path}")
                for each in seen
                if each.status.st_uid in bases.owners
            )
            if walk.files > MOST_IN_WORK and not shown.startswith(("~", "<")):
                yield NotSeen(shown, "too_many")
                return
        if walk.unreadable.count:
            yield NotSeen(shown, "permission")


def _is_below(path: Path, home: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(home))
