"""What of each store lies there at one moment, by names, sizes and nothing else."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.stores.catalogue import store_of
from hermesweb.hermes.stores.store import Store
from hermesweb.hermes.tree import walk
from hermesweb.privacy.wiping.choice import UNKNOWN


@dataclass(frozen=True)
class Lying:
    """One file, link or other thing that is no folder. `root` is what `name` is relative to."""

    root: Path
    name: str
    bytes: int

    @property
    def path(self) -> Path:
        return self.root / self.name


@dataclass(frozen=True)
class Survey:
    """By store id, "unknown" for what matches none. `folders` are all there are, those in others after them.
    `closed` could not be listed or looked at, so nobody knows what is in them."""

    files: Mapping[str, tuple[Lying, ...]]
    folders: tuple[str, ...]
    closed: tuple[str, ...]

    def of(self, store: str) -> tuple[Lying, ...]:
        return self.files.get(store, ())

    def bytes_of(self, store: str) -> int:
        return sum(each.bytes for each in self.of(store))


def survey(profile: Profile, outside: Iterable[tuple[Store, Lying]] = ()) -> Survey:
    """Look at every name of a profile, for the default one without the named ones. Raises nothing."""
    root = profile.name == DEFAULT
    skip = frozenset({"profiles"}) if root else frozenset[str]()
    files: dict[str, list[Lying]] = defaultdict(list)
    folders: list[str] = []
    closed: list[str] = []
    for name in walk(profile.folder, skip=skip):
        if name.status is None:
            closed.append(name.path or ".")
        elif name.is_folder:
            folders.append(name.path)
        else:
            store = store_of(name.path, root=root)
            files[store.id if store else UNKNOWN].append(
                Lying(profile.folder, name.path, name.status.st_size)
            )
    for store, lying in outside:
        files[store.id].append(lying)
    return Survey({store: tuple(lying) for store, lying in files.items()}, tuple(folders), tuple(closed))
