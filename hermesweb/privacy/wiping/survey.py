"""What of each store lies there at one moment, by names, sizes and nothing else."""

import os
import stat
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.inventory import may_hold, walk_profile
from hermesweb.hermes.outside import Bases, find_outside
from hermesweb.hermes.stores.catalogue import is_place, store, store_of
from hermesweb.hermes.walk import Seen
from hermesweb.privacy.wiping.choice import UNKNOWN

ANYWHERE: Final = Path("/")


@dataclass(frozen=True)
class Lying:
    """One file, link or other thing that is no folder. `root` is what `name` is relative to."""

    root: Path
    name: str
    bytes: int
    changed: float = 0.0  # when it was last written: UTC epoch seconds
    node: tuple[int, int] = (0, 0)  # the same for all names of one file
    names: int = 1  # that the file has, here or elsewhere on the disk

    @property
    def shown(self) -> str:
        """For people: in a folder of work as it is."""
        return str(self.path) if self.root == ANYWHERE else self.name

    @property
    def path(self) -> Path:
        return self.root / self.name


@dataclass(frozen=True)
class Survey:
    """By store id, "unknown" for what matches none. `folders` are all there are. `closed` could not be listed
    or looked at, so nobody knows what is in them. `links` stand where Hermes looks for a store: what they lead
    to is not looked at, and they stay, or nobody would know of it any more. `work`: folders of work looked into."""

    files: Mapping[str, tuple[Lying, ...]]
    folders: tuple[str, ...]
    closed: tuple[str, ...]
    links: tuple[str, ...] = ()
    work: int = 0

    def of(self, name: str) -> tuple[Lying, ...]:
        return self.files.get(name, ())

    def bytes_of(self, name: str) -> int:
        return sum(each.bytes for each in self.of(name))

    def may_be_closed(self, name: str) -> bool:
        """Whether some of the store may lie where nobody could look."""
        return any(
            name == UNKNOWN or may_hold(store(name), "" if each == "." else each) for each in self.closed
        )

    def links_to(self, name: str, *, root: bool) -> tuple[str, ...]:
        """The links that what Hermes keeps of the store may lie behind. `root`: of the default profile."""
        return tuple(each for each in self.links if _leads_to(each, name, root=root))


@dataclass(frozen=True)
class Outside:
    """Where places outside the home are: the folder of the login Hermes runs as, that for temporary files, and the
    folders the agent worked in. Only `stores` are looked for."""

    os_home: Path
    temporary: Path
    stores: frozenset[str]
    work: tuple[Path, ...] = ()


def survey(profile: Profile, outside: Outside | None = None) -> Survey:
    """Look at every name of a profile, for the default one without the named ones. Raises nothing."""
    root = profile.name == DEFAULT
    files: dict[str, list[Lying]] = defaultdict(list)
    folders: list[str] = []
    links: list[str] = []
    walk = walk_profile(profile)
    for folder, seen in walk.folders():
        folders.append(folder)
        for each in seen:
            found = store_of(each.path, root=root)
            if stat.S_ISLNK(each.status.st_mode) and (
                is_place(each.path, root=root) or each.path in walk.leave_out
            ):
                links.append(each.path)
                if found is None:
                    continue
            files[found.id if found else UNKNOWN].append(_lying(profile.folder, each.path, each.status))
    for name, lying in _lying_outside(profile, outside) if outside else ():
        files[name].append(lying)
    closed = [*walk.closed, *(name for name in walk.unreadable.first if name not in walk.closed)]
    if walk.unreadable.count > len(walk.unreadable.first):
        closed.append(".")  # more than are named, anywhere
    named = {name: tuple(parts) for name, parts in files.items()}
    return Survey(named, tuple(folders[1:]), tuple(closed), tuple(links), len(outside.work) if outside else 0)


def _lying(root: Path, name: str, status: os.stat_result) -> Lying:
    names = status.st_nlink if stat.S_ISREG(status.st_mode) else 1
    return Lying(root, name, status.st_size, status.st_mtime, (status.st_dev, status.st_ino), names)


def _leads_to(link: str, name: str, *, root: bool) -> bool:
    found = store_of(link, root=root)
    if found or name == UNKNOWN:
        return found is not None and found.id == name
    each = store(name)
    anywhere = any(pattern.startswith("**/") for pattern in each.patterns)
    return (root or each.where != "root") and not anywhere and may_hold(each, link)


def _lying_outside(profile: Profile, outside: Outside) -> Iterator[tuple[str, Lying]]:
    """Files of the home's owner and of our own at the fixed places of these stores."""
    bases = Bases.around(
        profile.home.root,
        profile.name,
        os_home=outside.os_home,
        temporary=outside.temporary,
        work=outside.work,
    )
    places = {"~": outside.os_home, "<tmp>": outside.temporary, "<work>": ANYWHERE}
    nodes: set[tuple[int, int]] = set()  # where the agent worked can be the folder of the login
    for name in outside.stores:
        for pattern in store(name).patterns:
            base = places.get(pattern.partition("/")[0])
            for seen in find_outside(pattern, bases) if base else ():
                if base and isinstance(seen, Seen):
                    lying = _lying(base, seen.path.partition("/")[2], seen.status)
                    if lying.node not in nodes or lying.names > 1:
                        nodes.add(lying.node)
                        yield name, lying


def without(found: Survey, names: Iterable[str]) -> Survey:
    """Without the files of these names."""
    left_out = frozenset(names)
    files = {
        name: kept
        for name, parts in found.files.items()
        if (kept := tuple(part for part in parts if part.name not in left_out))
    }
    return replace(found, files=files)
