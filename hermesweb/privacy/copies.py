"""Private work copies of state.db in our data folder, for a home that SQLite cannot read in place."""

from collections.abc import Callable
from pathlib import Path

from hermesweb.hermes.homes import Profile
from sessions.work_copy import make_work_copy, remove_work_copies

READY = "ready"


def folder_of(work_folder: Path, profile: Profile) -> Path:
    """Where copies of this profile's state.db belong."""
    return work_folder / profile.home.key / profile.name


def copy_of(work_folder: Path, profile: Profile) -> Path | None:
    """The folder of the newest finished copy, None when there is none."""
    finished = sorted(
        folder_of(work_folder, profile).glob(f"state-copy-*/{READY}"), key=lambda p: p.stat().st_mtime
    )
    return finished[-1].parent if finished else None


def make_copy(work_folder: Path, profile: Profile, progress: Callable[[int, int], object]) -> Path:
    """Take a fresh copy; earlier ones go once it is there. Raises StateError, and what *progress* raises."""
    parent = folder_of(work_folder, profile)
    for folder in (work_folder, parent.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    earlier = list(parent.glob(f"state-copy-*/{READY}"))
    copy = make_work_copy(profile.folder, parent, progress)
    (copy.folder / READY).touch(mode=0o600)
    for mark in earlier:
        mark.unlink(missing_ok=True)  # no longer offered; removed with the rest at close and at start
    return copy.folder


def remove_copies(work_folder: Path, profile: Profile) -> int:
    """Remove every copy of this profile's state.db; how many there were."""
    return remove_work_copies(folder_of(work_folder, profile))


def remove_all_copies(work_folder: Path) -> int:
    """Remove the copies of every profile: at close and at start."""
    return sum(remove_work_copies(parent) for parent in work_folder.glob("*/*") if parent.is_dir())
