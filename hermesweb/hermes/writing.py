"""The one module that writes and removes files of a home. It never follows a link below the root, never leaves
a file half written, and never one that the home's owner, Hermes, cannot use.

A process that is killed on the way may leave a temporary file beside the old one; its name says whose it is.
"""

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hermesweb.hermes.errors import HermesError, Unreadable, Why
from hermesweb.hermes.files import DATABASE_NAMES, opened_parent
from hermesweb.hermes.rights import can_make_for

# Hermes' own temporary files are `.mem_*.tmp`: whoever looks for those finds ours too.
LEFTOVER_START: Final = ".mem_hermesweb_"

Step = Literal["created", "owned", "written", "synced", "renamed", "folder_synced"]
Watcher = Callable[[Step], None]
WhyNot = (
    Why
    | Literal[
        "read_only",  # the file system is mounted so
        "full",  # the disk, or a quota
        "foreign_owner",  # it would belong to us and not to the owner of the home
        "mounted",  # the file itself is a mount, as containers do it: it cannot be replaced
        "changed",  # another file is there than the one that was looked at
    ]
)


# Not frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class NotWritten(HermesError):
    """Nothing was changed at `path`, and nothing left beside it."""

    path: Path
    why: WhyNot


def unwatched(step: Step) -> None:
    """For who does not want to know how far a write is."""


def replace_file(path: Path, content: bytes, *, root: Path, watch: Watcher = unwatched) -> None:
    """Put `content` in the place of the regular file `path` below `root`, or of nothing, all at once.

    Mode, owner, group and extended attributes stay; a new file is 0600 and belongs to who owns the folder.
    Returns when the disk has it. `watch` is told each step that is done. Raises NotWritten.
    """
    with writing_at(path, root) as folder:
        old = _looked_at(path, folder)
        temporary = f"{_leftover_start(path)}{secrets.token_hex(8)}.tmp"
        try:
            with _created(temporary, folder) as new:
                watch("created")
                _give(path, new, old or os.fstat(folder))
                watch("owned")
                _write_all(new, content)
                watch("written")
                if old:  # only now: what a kill leaves stays private until it is about to be the file
                    _make_alike(path.name, new, old, folder)
                os.fsync(new)
                watch("synced")
            os.rename(temporary, path.name, src_dir_fd=folder, dst_dir_fd=folder)
            watch("renamed")
        except BaseException:
            _remove_quietly(temporary, folder)
            raise
        sync(folder)
        watch("folder_synced")


def remove_file(path: Path, *, root: Path, unless: Callable[[os.stat_result], bool] | None = None) -> None:
    """Remove the regular file `path` below `root`; returns when the disk has it. With `unless` it is asked
    first about what is there, and "changed" is the answer if it says so. Raises NotWritten."""
    with writing_at(path, root) as folder:
        status = _looked_at(path, folder)
        if status is None:
            raise NotWritten(path, "missing")
        if unless is not None and unless(status):
            raise NotWritten(path, "changed")
        os.unlink(path.name, dir_fd=folder)
        sync(folder)


def make_folder(path: Path, *, root: Path) -> None:
    """Make the folder `path` below `root`, for the owner of what it is in, unless it is there. Raises
    NotWritten."""
    with writing_at(path, root) as folder:
        if _is_there(path.name, folder):
            return
        refuse_foreign_owner(path, os.fstat(folder))
        with suppress(FileExistsError):  # Hermes was quicker
            os.mkdir(path.name, 0o700, dir_fd=folder)
            _give_folder(path, folder)
            sync(folder)


def remove_leftovers(path: Path, *, root: Path) -> None:
    """Remove what a killed `replace_file(path)` of ours left. Only for who holds the lock of `path`: otherwise
    it may be in use. What cannot be removed stays, and is listed among the side files."""
    with suppress(NotWritten), writing_at(path, root) as folder:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.startswith(_leftover_start(path))]
        for name in names:
            _remove_quietly(name, folder)


def empty_file(path: Path, *, root: Path) -> None:
    """Take all bytes out of the regular file `path` below `root` and leave it in place, for a program that has
    it open and goes on writing into it. Raises NotWritten."""
    with writing_at(path, root) as folder:
        if _looked_at(path, folder) is None:
            raise NotWritten(path, "missing")
        handle = os.open(path.name, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise NotWritten(path, "changed")
            os.ftruncate(handle, 0)
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def writing_at(path: Path, root: Path) -> Iterator[int]:
    """A handle of the folder that holds `path`, reached without a link. Everything that the system refuses
    meanwhile becomes NotWritten for `path`."""
    try:
        if path.name in DATABASE_NAMES:
            raise NotWritten(path, "database")
        with opened_parent(path, root) as (passing, _):
            folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=passing)
            try:
                yield folder
            finally:
                os.close(folder)
    except Unreadable as unreadable:
        raise NotWritten(unreadable.path, unreadable.why) from unreadable
    except OSError as error:
        raise NotWritten(path, why_not(error)) from error
    except ValueError as error:  # a NUL or a lone surrogate: no file can have such a name
        raise NotWritten(path, "missing") from error


def why_not(error: OSError) -> WhyNot:
    """What the system means by its number."""
    return _WHY_OF_ERRNO.get(error.errno or 0, "io")


def refuse_foreign_owner(path: Path, owner: os.stat_result) -> None:
    """Asked before anything is made. Raises NotWritten "foreign_owner" where a file would stay ours."""
    if not can_make_for(owner.st_uid):
        raise NotWritten(path, "foreign_owner")


def give_to_owner(path: Path, handle: int, owner: os.stat_result) -> None:
    """Give an open file to the owner and group of `owner`, the folder or file it is to be like."""
    made = os.fstat(handle)
    if (made.st_uid, made.st_gid) == (owner.st_uid, owner.st_gid):
        return
    try:
        os.fchown(handle, owner.st_uid, owner.st_gid)
    except OSError as error:  # also for an owner that does not exist in this container
        # A group that we are not in may stay ours: Hermes reads as the owner.
        if made.st_uid != owner.st_uid:
            raise NotWritten(path, "foreign_owner") from error


def sync(folder: int) -> None:
    """Make the names in a folder last. Some network file systems cannot be asked to."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise


def _is_there(name: str, folder: int) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _give_folder(path: Path, folder: int) -> None:
    made = os.open(path.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        give_to_owner(path, made, os.fstat(folder))
    finally:
        os.close(made)


def _leftover_start(path: Path) -> str:
    return f"{LEFTOVER_START}{path.name}_"


def _looked_at(path: Path, folder: int) -> os.stat_result | None:
    try:
        status = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(status.st_mode):
        raise NotWritten(path, "link")
    if not stat.S_ISREG(status.st_mode):
        raise NotWritten(path, "not_a_file")
    return status


@contextmanager
def _created(name: str, folder: int) -> Iterator[int]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(name, flags, 0o600, dir_fd=folder)
    try:
        yield handle
    finally:
        os.close(handle)


def _give(path: Path, new: int, owner: os.stat_result) -> None:
    refuse_foreign_owner(path, owner)
    os.fchmod(new, 0o600)
    give_to_owner(path, new, owner)


def _make_alike(name: str, new: int, old: os.stat_result, folder: int) -> None:
    os.fchmod(new, stat.S_IMODE(old.st_mode))
    _copy_attributes(name, new, folder)


def _copy_attributes(name: str, new: int, folder: int) -> None:
    """Access lists and the like, as far as the file system and our rights go."""
    old = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    try:
        with suppress(OSError):
            wanted = os.listxattr(old)
            for attribute in set(os.listxattr(new)) - set(wanted):  # an access list the folder hands down
                with suppress(OSError):
                    os.removexattr(new, attribute)
            for attribute in wanted:
                with suppress(OSError):
                    os.setxattr(new, attribute, os.getxattr(old, attribute))
    finally:
        os.close(old)


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]


def _remove_quietly(name: str, folder: int) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)


_WHY_OF_ERRNO: dict[int, WhyNot] = {
    errno.ENOENT: "missing",
    errno.ENAMETOOLONG: "missing",
    errno.EACCES: "permission",
    errno.EPERM: "permission",
    errno.ELOOP: "link",
    errno.ENOTDIR: "not_a_folder",
    errno.EISDIR: "not_a_file",
    errno.EROFS: "read_only",
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EFBIG: "full",
    errno.EBUSY: "mounted",
    errno.EXDEV: "mounted",
}
