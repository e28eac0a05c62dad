"""What of each store lies there at one moment, by names, sizes and nothing else."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hermesweb.hermes.homes import DEFAULT, Profile, list_profiles
from hermesweb.hermes.inventory import walk_profile
from hermesweb.hermes.outside import Bases, find_outside
from hermesweb.hermes.stores.catalogue import store, store_of
from hermesweb.privacy.wiping.choice import UNKNOWN


@dataclass(frozen=True)
class Lying:
    """One file, link or other thing that is no folder. `root` is what `name` is relative to."""

    root: Path
    name: str
    bytes: int
    changed: float = 0.0  # when it was last written: UTC epoch seconds

    @property
    def path(self) -> Path:
        return self.root / self.name


@dataclass(frozen=True)
class Survey:
    """By store id, "unknown" for what matches none. `folders` are all there are. `closed` could not be listed
    or looked at, so nobody knows what is in them."""

    files: Mapping[str, tuple[Lying, ...]]
    folders: tuple[str, ...]
    closed: tuple[str, ...]

    def of(self, name: str) -> tuple[Lying, ...]:
        return self.files.get(name, ())

    def bytes_of(self, name: str) -> int:
        return sum(each.bytes for each in self.of(name))


@dataclass(frozen=True)
class Outside:
    """Where fixed places outside the home are: the folder of the login Hermes runs as, and that for temporary
    files. Only the `chosen` stores are looked for."""

    os_home: Path
    temporary: Path
    chosen: frozenset[str]


def survey(profile: Profile, outside: Outside | None = None) -> Survey:
    """Look at every name of a profile, for the default one without the named ones. Raises nothing."""
    root = profile.name == DEFAULT
    files: dict[str, list[Lying]] = defaultdict(list)
    folders: list[str] = []
    walk = walk_profile(profile)
    for folder, seen in walk.folders():
        folders.append(folder)
        for each in seen:
            found = store_of(each.path, root=root)
            lying = Lying(profile.folder, each.path, each.status.st_size, each.status.st_mtime)
            files[found.id if found else UNKNOWN].append(lying)
    for name, lying in _lying_outside(profile, outside) if outside else ():
        files[name].append(lying)
    closed = (*walk.closed, *(name for name in walk.unreadable.first if name not in walk.closed))
    return Survey({name: tuple(parts) for name, parts in files.items()}, tuple(folders[1:]), closed)


def _lying_outside(profile: Profile, outside: Outside) -> Iterator[tuple[str, Lying]]:
    """Files of the home's owner and of our own at the fixed places of the chosen stores."""
    owners = {os.geteuid()}
    with suppress(OSError):
        owners.add(profile.home.root.stat().st_uid)
    names = frozenset(each.name for each in list_profiles(profile.home))
    bases = Bases(outside.os_home, outside.temporary, None, (), profile.home.root, names, frozenset(owners))
    places = {"~": outside.os_home, "<tmp>": outside.temporary}
    for name in outside.chosen:
        for pattern in store(name).patterns:
            base = places.get(pattern.partition("/")[0])
            for seen in find_outside(pattern, bases) if base else ():
                if seen and base:
                    path, status = seen.path.partition("/")[2], seen.status
                    yield name, Lying(base, path, status.st_size, status.st_mtime)


def without(found: Survey, names: Iterable[str]) -> Survey:
    """Without the files of these names."""
    left_out = frozenset(names)
    files = {
        name: kept
        for name, parts in found.files.items()
        if (kept := tuple(part for part in parts if part.name not in left_out))
    }
    return Survey(files, found.folders, found.closed)
