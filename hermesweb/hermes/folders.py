"""Folders of a home, and what has no content of its own: the other half of `hermesweb.hermes.writing`.

The same promises: no link below the root is followed, and everything that the system refuses is NotWritten.
"""

import os
import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hermesweb.hermes.files import DATABASE_NAMES
from hermesweb.hermes.writing import NotWritten, WhyNot, make_folder, sync, why_not, writing_at


def make_folders(path: Path, *, root: Path) -> None:
    """Make the folder `path` below `root` and those on the way that are missing. Raises NotWritten."""
    if not path.is_relative_to(root):
        raise NotWritten(path, "outside")
    reached = root
    for part in path.relative_to(root).parts:
        reached /= part
        make_folder(reached, root=root)


def rename_file(path: Path, name: str, *, root: Path) -> Path:
    """Give the regular file `path` another name in its folder, which must be free. Returns the new path.
    Raises NotWritten, "changed" if the name is taken. Somebody who takes it this very moment loses."""
    with writing_at(path, root) as folder:
        if not stat.S_ISREG(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise NotWritten(path, "not_a_file")
        with suppress(FileNotFoundError):
            os.stat(name, dir_fd=folder, follow_symlinks=False)
            raise NotWritten(path.with_name(name), "changed")
        os.rename(path.name, name, src_dir_fd=folder, dst_dir_fd=folder)
        sync(folder)
    return path.with_name(name)


def discard(path: Path, *, root: Path) -> None:
    """Remove whatever has the name `path`, be it a link (not what it leads to), a pipe or a socket, but no
    folder. Raises NotWritten."""
    with writing_at(path, root) as folder:
        if stat.S_ISDIR(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise NotWritten(path, "not_a_file")
        os.unlink(path.name, dir_fd=folder)
        sync(folder)


def discard_names(
    folder: Path, names: Sequence[str], *, root: Path, database: bool = False
) -> dict[str, WhyNot]:
    """Remove what has these names in `folder`, links themselves and no folders; the disk has it once, at the
    end. Returns the names that stay, and why; one that is gone already is no problem. With `database` also
    the files of state.db: only for who knows that nobody uses it. Raises nothing."""
    stays: dict[str, WhyNot] = {}
    try:
        with writing_at(folder / "any", root) as handle:
            for name in names:
                why = _discarded(folder / name, handle, database)
                if why:
                    stays[name] = why
            sync(handle)
    except NotWritten as problem:
        return {} if problem.why == "missing" else dict.fromkeys(names, problem.why)
    return stays


def _discarded(path: Path, folder: int, database: bool) -> WhyNot | None:
    if path.name in DATABASE_NAMES and not database:
        return "database"
    try:
        if stat.S_ISDIR(os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_mode):
            return "not_a_file"
        os.unlink(path.name, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        return why_not(error)
    return None


def remove_if_empty(path: Path, *, root: Path) -> bool:
    """Remove the folder `path` if nothing is in it. False if it stays, for whatever reason."""
    try:
        with writing_at(path, root) as folder:
            os.rmdir(path.name, dir_fd=folder)
            sync(folder)
    except NotWritten:
        return False
    return True


def remove_tree(path: Path, last: str, *, root: Path) -> None:
    """Remove the folder `path` and all in it; links in it go, not what they lead to. The file called `last`
    goes after everything beside it: as long as it is there, the removal can be done again. Raises NotWritten;
    then a part of it may be gone."""
    with writing_at(path / last, root) as folder:
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            if entry.name != last:
                _remove(path, entry, folder)
        with suppress(FileNotFoundError):
            os.unlink(last, dir_fd=folder)
        sync(folder)
    with writing_at(path, root) as parent:
        os.rmdir(path.name, dir_fd=parent)
        sync(parent)


def _remove(path: Path, entry: "os.DirEntry[str]", folder: int) -> None:
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.name, dir_fd=folder)
        return
    try:
        shutil.rmtree(entry.name, dir_fd=folder)
    except RecursionError as error:  # somebody made it deeper than Python can go
        raise NotWritten(path / entry.name, "io") from error
