"""How much is stored where in a profile by kind, and what of it other people on the machine can read: the
quick look of the overview, without the details of the inventory."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from hermesweb.hermes.groups import GROUPS, Group, group_of
from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.inventory import OnStep, steps, walk_profile
from hermesweb.hermes.walk import NameList


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
    is_root = profile.name == DEFAULT
    files: dict[Group, int] = defaultdict(int)
    sizes: dict[Group, int] = defaultdict(int)
    readable = NameList()
    walk = walk_profile(profile)
    for seen in steps(walk, on_step, deadline):
        for each in seen:
            group = group_of(each.path, root=is_root)
            files[group] += 1
            sizes[group] += each.status.st_size
            if each.readable_by_others:
                readable.add(each.path)
    return Measure(
        {group: Size(files[group], sizes[group]) for group in GROUPS},
        tuple(readable.first),
        readable.count,
        tuple(walk.unreadable.first),
        walk.unreadable.count,
        walk.done,
    )
