"""Private work copies of state.db in our data folder, for a home that SQLite cannot read in place."""

import shutil
from collections.abc import Callable
from pathlib import Path

from hermesweb.hermes.homes import Profile
from sessions.errors import StateError
from sessions.state_files import look_at
from sessions.work_copy import make_work_copy, remove_work_copies

READY = "ready"  # the mark of a finished copy; it holds the state of the original


def folder_of(work_folder: Path, profile: Profile) -> Path:
    """Where copies of this profile's state.db belong."""
    return work_folder / profile.home.key / profile.name


def copy_of(work_folder: Path, profile: Profile) -> Path | None:
    """The folder of a finished copy of what state.db holds now, None when there is none.

    Copies from before it was written again are removed: they hold what may be deleted by now.
    """
    current = None
    for mark in folder_of(work_folder, profile).glob(f"state-copy-*/{READY}"):
        if _content(mark) == _state_of(profile):
            current = mark.parent
        else:
            shutil.rmtree(mark.parent, ignore_errors=True)
    return current


def _content(mark: Path) -> str | None:
    try:
        return mark.read_text()
    except FileNotFoundError:  # removed meanwhile
        return None


def _state_of(profile: Profile) -> str:
    """Changes with every write. Without the times of the inode, which a look as root can change."""
    try:
        files = look_at(profile.folder, needs_index=False)
    except StateError as problem:
        return type(problem).__name__
    parts = [part for part in (files.database, files.wal, files.journal) if part and part.st_size]
    return repr([(part.st_dev, part.st_ino, part.st_size, part.st_mtime_ns) for part in parts])


def make_copy(work_folder: Path, profile: Profile, progress: Callable[[int, int], object]) -> Path:
    """Take a fresh copy; earlier ones go once it is there. Raises StateError, and what *progress* raises."""
    parent = folder_of(work_folder, profile)
    for folder in (work_folder, parent.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    earlier = list(parent.glob(f"state-copy-*/{READY}"))
    state = _state_of(profile)
    copy = make_work_copy(profile.folder, parent, progress)
    mark = copy.folder / READY
    mark.touch(mode=0o600)
    mark.write_text(state)
    for each in earlier:
        each.unlink(missing_ok=True)  # no longer offered; removed with the rest at close and at start
    return copy.folder


def remove_copies(work_folder: Path, profile: Profile) -> int:
    """Remove every copy of this profile's state.db; how many there were."""
    return remove_work_copies(folder_of(work_folder, profile))


def remove_all_copies(work_folder: Path) -> int:
    """Remove the copies of every profile: at close and at start."""
    return sum(remove_work_copies(parent) for parent in work_folder.glob("*/*") if parent.is_dir())
