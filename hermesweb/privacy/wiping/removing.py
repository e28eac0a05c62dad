"""Taking files of stores away. Links go, not what they lead to; nothing is overwritten first."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from hermesweb.hermes.folders import discard_names, remove_if_empty
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.writing import NotWritten, WhyNot, empty_file
from hermesweb.privacy.wiping.survey import Lying

AT_ONCE: Final = 500  # files between two calls of `step`

Stays = dict[str, WhyNot]  # the name of what stays, relative to its root, and why
Step = Callable[[int], None]
OnStep = Callable[[str, int, int], None]  # the store, or a step of its clearing; done; total


def remove_files(lying: Sequence[Lying], *, step: Step, database: bool = False) -> Stays:
    """Remove these files, folder by folder. `step` is told how many were tried, and may raise to end it;
    `database` also allows the files of state.db. Returns what stays."""
    stays: Stays = {}
    tried = 0
    for (root, folder), names in _by_folder(lying).items():
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            left = discard_names(root / folder, some, root=root, database=database)
            stays |= {_joined(folder, name): why for name, why in left.items()}
            tried += len(some)
            step(tried)
    return stays


def empty_files(lying: Sequence[Lying], *, step: Step) -> Stays:
    """Take the bytes out of these files and leave them in place. Returns what could not be emptied."""
    stays: Stays = {}
    for number, each in enumerate(lying, 1):
        try:
            empty_file(each.path, root=each.root)
        except NotWritten as problem:
            if problem.why != "missing":
                stays[each.name] = problem.why
        step(number)
    return stays


def remove_empty_folders(profile: Profile, folders: Iterable[str]) -> None:
    """Remove those of these folders that are empty by now, inner ones first: their names tell something too."""
    for name in sorted(set(folders), key=lambda each: each.count("/"), reverse=True):
        remove_if_empty(profile.folder / name, root=profile.home.root)


def above(lying: Iterable[Lying]) -> set[str]:
    """The folders that these files are in, and those these are in, relative to the profile."""
    parents = {PurePosixPath(each.name).parent for each in lying}
    return {folder.as_posix() for parent in parents for folder in (parent, *parent.parents)} - {"."}


def _by_folder(lying: Sequence[Lying]) -> dict[tuple[Path, str], list[str]]:
    groups: dict[tuple[Path, str], list[str]] = defaultdict(list)
    for each in lying:
        folder, _, name = each.name.rpartition("/")
        groups[each.root, folder].append(name)
    return groups


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
