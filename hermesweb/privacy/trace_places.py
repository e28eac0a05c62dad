"""Where a trace looks: the folders of the chosen profiles, fixed places outside the home, and our own files."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hermesweb.hermes.homes import DEFAULT, Home, Profile, list_profiles
from hermesweb.hermes.outside import Bases, NotSeen, find_outside
from hermesweb.hermes.scan.asked import ScanFolder
from hermesweb.hermes.scan.events import NotChecked
from hermesweb.hermes.stores.catalogue import may_hide, store_of, stores
from hermesweb.privacy.work_folders import WorkFolders

UNKNOWN: Final = "unknown"
ROOT: Final = ScanFolder("/", "/")  # of single files in folders of work, which are named as they are
WORK_COPIES: Final = "hermesweb-work-copies"


@dataclass(frozen=True)
class Reach:
    """Outside the home only these are looked into, if they are set: `os_home`, the folder of the login that
    Hermes runs as; `temporary`, for temporary files; `data`, hermesweb's own folder. `own_database`: also its
    database, in which something of every person is. `work`: by the name of a profile, where the agent worked."""

    os_home: Path | None = None
    temporary: Path | None = None
    data: Path | None = None
    own_database: bool = True
    work: Mapping[str, WorkFolders] = field(default_factory=dict)

    def folder_of(self, file: str) -> ScanFolder | None:
        """The folder that the file of a hit lies in, when that is outside the home."""
        for label, base in (("~/", self.os_home), ("<tmp>/", self.temporary), ("<data>/", self.data)):
            if base and file.startswith(label):
                return ScanFolder(str(base), label)
        if any(file.startswith(each.labels) for each in self.work.values()):
            return ROOT
        return None


@dataclass(frozen=True)
class Part:
    """What one scan looks at. `stores`: for single files, which store and which profile each is of."""

    folder: ScanFolder
    stores: Mapping[str, tuple[str, str]] | None = None
    files: tuple[str, ...] | None = None


class Places:
    """Chosen profiles of one home, and whose a file is."""

    def __init__(self, profiles: Sequence[Profile], reach: Reach) -> None:
        self.home: Home = profiles[0].home
        self.names = frozenset(each.name for each in profiles)
        self.profiles, self.reach = profiles, reach
        self.named = {
            f"{each.folder.relative_to(self.home.root)}/": each.name for each in list_profiles(self.home)[1:]
        }
        self.everything = self.names >= {DEFAULT, *self.named.values()}

    def parts(self) -> Iterator[Part | NotChecked]:
        """The root is looked at once if all profiles were chosen, so that what lies beside them counts too."""
        root = str(self.home.root)
        if self.everything:
            yield Part(ScanFolder(root))
        else:
            if DEFAULT in self.names:
                yield Part(ScanFolder(root, "", ("profiles", *(each.rstrip("/") for each in self.named))))
            for label, name in self.named.items():
                if name in self.names:
                    yield Part(ScanFolder(f"{root}/{label.rstrip('/')}", label))
        yield from self._outside()

    def store_of(self, file: str) -> tuple[str, str]:
        """The profile and the store of a file of the home, named from its root. What all profiles share is the
        default profile's."""
        label, name = next(((k, v) for k, v in self.named.items() if file.startswith(k)), ("", DEFAULT))
        return name, _store(file.removeprefix(label), root=not label)

    def may_hide(self, missed: NotChecked) -> bool:
        """Whether what was not looked into may have something of Hermes'."""
        label = next((each for each in self.named if missed.file.startswith(each)), "")
        if missed.file.startswith(("/", "<work>/")):
            return True  # a folder of work is one that Hermes uses, whatever leads to it
        path = missed.file.removeprefix(label)
        return may_hide(path, missed.why, root=not label) or path == "profiles"

    def is_of_others(self, file: str) -> bool:
        """Whether it is what a backup of the whole home has of a profile that was not chosen."""
        members = file.partition("!")[2]
        others = (label for label, name in self.named.items() if name not in self.names)
        return any(f"/{label}" in f"/{members.replace('!', '/')}/" for label in others)

    def _outside(self) -> Iterator[Part | NotChecked]:
        files: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
        nodes: set[tuple[int, int]] = set()
        for pattern, store, profile in self._patterns():
            for seen in find_outside(pattern, self._bases(profile)):
                node = (0, 0) if isinstance(seen, NotSeen) else (seen.status.st_dev, seen.status.st_ino)
                if isinstance(seen, NotSeen):
                    yield NotChecked(seen.path, seen.why)
                elif node not in nodes:
                    nodes.add(
                        node
                    )  # two places can be one, as where the agent worked in the folder of the login
                    label, _, path = seen.path.partition("/")
                    files[f"{label}/"].setdefault(path, (profile, store))
        for label, found in files.items():
            folder = ROOT if label == "/" else self.reach.folder_of(label)
            if folder:
                named = {label + _printable(path): whose for path, whose in found.items()}
                yield Part(folder, named, tuple(found))
        for name in sorted(self.names & self.reach.work.keys()):
            yield from (NotChecked(path, why) for path, why in self.reach.work[name].missed)

    def _patterns(self) -> Iterator[tuple[str, str, str]]:
        for each in stores():
            for pattern in each.patterns if each.where in ("outside", "ours") else ():
                yield from ((pattern, each.id, name) for name in self._whose(each.id, pattern))
        for name in self.names if self.reach.data else ():
            yield f"<data>/scratch/{self.home.key}/{name}/", WORK_COPIES, name

    def _whose(self, store: str, pattern: str) -> list[str]:
        """The profiles for which to look there. Work copies are looked for by name."""
        if store == WORK_COPIES:
            return []
        if pattern.startswith("<work>"):
            return sorted(self.names & self.reach.work.keys())
        if pattern.startswith("<data>") and not self.reach.own_database:
            return []
        if "{profile}" in pattern:
            return sorted(self.names)
        return [DEFAULT] if DEFAULT in self.names else []

    def _bases(self, profile: str) -> Bases:
        reach = self.reach
        return Bases.around(
            self.home.root,
            profile,
            os_home=reach.os_home,
            temporary=reach.temporary,
            data=reach.data,
            work=reach.work.get(profile, WorkFolders()).folders,
        )


def _store(path: str, *, root: bool) -> str:
    """By the name of the file itself: what is in an archive belongs to the store of the archive."""
    at = path.find("!")
    while at >= 0:
        if found := store_of(path[:at], root=root):
            return found.id
        at = path.find("!", at + 1)
    found = store_of(path, root=root)
    return found.id if found else UNKNOWN


def _printable(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")
