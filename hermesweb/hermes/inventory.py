"""What is in each store of a profile: files, bytes, times, owners, and what others on the machine can read.

Looks at names, sizes and modes only: no file is opened, no link followed, nothing changed.
"""

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.outside import Bases, NotSeen, find_outside
from hermesweb.hermes.stores.catalogue import store_of, stores
from hermesweb.hermes.stores.patterns import compiled, is_local
from hermesweb.hermes.stores.store import Store
from hermesweb.hermes.walk import NameList, Names, Seen, Walk, printable

State = Literal[
    "present",
    "absent",
    "unreadable",  # nothing was seen, but a folder that may hold some could not be looked into
    "remote",
    "inside",  # a part of another store: a table, keys of a file
    "elsewhere",  # at no fixed place
    "not_looked_for",  # not asked for, or the time was over
]
OnStep = Callable[[int, str], None]

NONE: Final = Names()

_STEP = 500  # files between two calls of on_step


@dataclass(frozen=True)
class Amount:
    """Sizes are the bytes in the files, not the blocks on the disk; times are UTC epoch seconds of the last
    change of the oldest and the newest file, None without files. `owners`: user ids. `paths`: of the files,
    relative to the profile's folder, outside of it as `~/…`, `<tmp>/…`."""

    files: int = 0
    bytes: int = 0
    oldest: float | None = None
    newest: float | None = None
    readable_by_others: Names = NONE
    owners: tuple[int, ...] = ()
    paths: Names = NONE


@dataclass(frozen=True)
class Holding:
    """A store and what was found of it. `shared`: it is not this profile's alone. `complete`: nothing that
    may belong to it was left out."""

    store: Store
    state: State
    amount: Amount
    shared: bool
    complete: bool


@dataclass(frozen=True)
class Inventory:
    """`holdings`: every store, in the order of the catalogue; those of the root only for the default profile,
    so that they are shown once. `unknown`: what belongs to no store. `unreadable`: what could not be looked
    at. `readable_by_others`: of the profile's own files. `complete` is False if the deadline came first."""

    holdings: tuple[Holding, ...]
    unknown: Amount
    readable_by_others: Names
    unreadable: Names
    complete: bool


def take_inventory(
    profile: Profile,
    *,
    os_home: Path | None = None,
    temporary: Path | None = None,
    data: Path | None = None,
    work_folders: Iterable[Path] = (),
    work_whole: bool = True,
    deadline: float | None = None,
    on_step: OnStep | None = None,
) -> Inventory:
    """Every store of the profile; the default profile without the named ones.

    Outside the home it looks only where it is told: `os_home`, the folder of the login that Hermes runs as;
    `temporary`, for temporary files (with `os_home` the machine's usual one); `data`, hermesweb's own folder;
    `work_folders`, where the agent worked (`work_whole`: they are all that is known). There only files of the home's
    owner and of this process count.

    `on_step` is told the files so far and the folder that was just done; what it raises ends the walk.
    `deadline` is a reading of time.monotonic(). Raises nothing of its own.
    """
    if os_home and temporary is None:
        temporary = Path(tempfile.gettempdir())
    bases = Bases.around(
        profile.home.root,
        profile.name,
        os_home=os_home,
        temporary=temporary,
        data=data,
        work=work_folders,
        work_whole=work_whole,
    )
    counting = _Counting(profile, bases, deadline)
    counting.walk(on_step)
    return counting.result()


def files_of(profile: Profile, ids: Collection[str]) -> Iterator[tuple[Store, Seen]]:
    """Every file of these stores in the profile's folder, for the default profile without the named ones.
    What cannot be looked into is left out: take_inventory says what."""
    is_root = profile.name == DEFAULT
    for _, seen in walk_profile(profile).folders():
        for each in seen:
            store = store_of(each.path, root=is_root)
            if store and store.id in ids:
                yield store, each


def walk_profile(profile: Profile) -> Walk:
    """The walk through a profile's folder, for the default profile without the named ones."""
    return Walk(profile.folder, leave_out=("profiles",) if profile.name == DEFAULT else ())


def steps(walk: Walk, on_step: OnStep | None, deadline: float | None) -> Iterator[list[Seen]]:
    """What is in each folder of the walk, until the deadline."""
    told = 0
    for folder, seen in walk.folders():
        yield seen
        if walk.files - told >= _STEP:
            told = walk.files
            if on_step:
                on_step(told, printable(folder))
        if deadline is not None and time.monotonic() > deadline:
            return


def may_hold(store: Store, folder: str) -> bool:
    """Whether a file of the store can lie in or below `folder`, relative to the profile's folder."""
    return any(_may_lie_below(pattern, folder) for pattern in store.patterns if is_local(pattern))


def _may_lie_below(pattern: str, folder: str) -> bool:
    if not folder or pattern.startswith("**/"):
        return True
    theirs, ours = pattern.rstrip("/").split("/"), folder.split("/")
    if len(ours) >= len(theirs) and not pattern.endswith("/"):
        return False
    return all(compiled(f"{part}/").match(f"{name}/") for part, name in zip(theirs, ours, strict=False))


@dataclass
class _Tally:
    files: int = 0
    bytes: int = 0
    oldest: float = float("inf")
    newest: float = float("-inf")
    owners: set[int] = field(default_factory=set)
    readable: NameList = field(default_factory=NameList)
    paths: NameList = field(default_factory=NameList)

    def add(self, seen: Seen) -> None:
        status = seen.status
        self.files += 1
        self.bytes += status.st_size
        self.oldest = min(self.oldest, status.st_mtime)
        self.newest = max(self.newest, status.st_mtime)
        self.owners.add(status.st_uid)
        self.paths.add(seen.path)
        if seen.readable_by_others:
            self.readable.add(seen.path)

    def amount(self) -> Amount:
        return Amount(
            self.files,
            self.bytes,
            self.oldest if self.files else None,
            self.newest if self.files else None,
            self.readable.names(),
            tuple(sorted(self.owners)),
            self.paths.names(),
        )


class _Counting:
    def __init__(self, profile: Profile, bases: Bases, deadline: float | None) -> None:
        self.is_root = profile.name == DEFAULT
        self.bases, self.deadline = bases, deadline
        self.walked = walk_profile(profile)
        self.tallies: Mapping[str, _Tally] = defaultdict(_Tally)  # by the id of the store, "" for none
        self.readable = NameList()

    def walk(self, on_step: OnStep | None) -> None:
        for seen in steps(self.walked, on_step, self.deadline):
            for each in seen:
                store = store_of(each.path, root=self.is_root)
                self.tallies[store.id if store else ""].add(each)
                if each.readable_by_others:
                    self.readable.add(each.path)

    def result(self) -> Inventory:
        holdings = [self._holding(each) for each in stores() if self.is_root or each.where != "root"]
        return Inventory(
            tuple(holdings),
            self.tallies[""].amount(),
            self.readable.names(),
            self.walked.unreadable.names(),
            self.walked.done and not self._late(),
        )

    def _late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    def _holding(self, store: Store) -> Holding:
        complete = (
            self._count_outside(store) if not any(map(is_local, store.patterns)) else self._all_seen(store)
        )
        amount = self.tallies[store.id].amount()
        return Holding(
            store, self._state(store, amount, complete), amount, store.where in ("root", "outside"), complete
        )

    def _all_seen(self, store: Store) -> bool:
        return self.walked.done and not any(may_hold(store, folder) for folder in self.walked.closed)

    def _count_outside(self, store: Store) -> bool:
        complete = not self._late()
        nodes: set[tuple[int, int]] = set()
        for pattern in store.patterns:
            complete = complete and (self.bases.work_whole or not pattern.startswith("<work>/"))
            for seen in find_outside(pattern, self.bases):
                if self._late():
                    return False
                if isinstance(seen, NotSeen):
                    complete = False
                elif (node := (seen.status.st_dev, seen.status.st_ino)) not in nodes:
                    nodes.add(node)  # the folder of the login can be one of work too
                    self.tallies[store.id].add(seen)
        return complete

    def _state(self, store: Store, amount: Amount, complete: bool) -> State:
        if amount.files:
            return "present"
        if store.where == "remote":
            return "remote"
        if store.inside:
            return "inside"
        if not store.patterns:
            return "elsewhere"
        if not any(is_local(pattern) or self.bases.of(pattern) for pattern in store.patterns):
            return "not_looked_for"
        if complete:
            return "absent"
        return "unreadable" if self.walked.done and not self._late() else "not_looked_for"
