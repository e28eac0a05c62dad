"""The process that copies databases, with the journals beside them, into a private folder of ours: those that SQLite
would only open by changing what lies beside them. It has no SQLite connection (see bytes_process).

`folders`: where they are; `files`: the databases below; `scratch`: the private folder, in which each gets a folder
of its own.
"""

import errno
import os
import shutil
import stat
import tempfile
from pathlib import Path

from hermesweb.hermes.scan.asked import receive
from hermesweb.hermes.scan.events import Database, End, NotChecked, say
from hermesweb.hermes.scan.extracted import PREFIX, SPARE
from hermesweb.hermes.scan.walking import why_of

SIDES = ("", "-wal", "-journal")
STEP = 1 << 20


class _Changing(Exception):
    """It was written to meanwhile."""


def main() -> None:
    """Reads what is asked; says where each copy is, or why there is none."""
    asked = receive()
    assert asked.scratch
    for folder in asked.folders:
        for name in asked.files or ():
            target = Path(tempfile.mkdtemp(prefix=PREFIX, dir=asked.scratch))
            label = folder.label + name
            try:
                copy(Path(folder.path, name), target)
            except (OSError, _Changing) as error:
                shutil.rmtree(target, ignore_errors=True)
                say(NotChecked(label, _why(error)))
            else:
                say(Database(label, str(target), label.removesuffix(name.rsplit("/", 1)[-1])))
    say(End())


def copy(database: Path, target: Path) -> None:
    """Follows no link in the last part. Raises OSError."""
    for side in SIDES:
        source = database.with_name(database.name + side)
        try:
            handle = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            if not side:
                raise
            continue
        try:
            _copy(handle, target / source.name)
        finally:
            os.close(handle)


def _copy(handle: int, target: Path) -> None:
    before = os.fstat(handle)
    if not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, "no regular file")
    if shutil.disk_usage(target.parent).free < SPARE + before.st_size:
        raise OSError(errno.ENOSPC, "too little space left")
    new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(new, "wb") as file:
        while some := os.read(handle, STEP):
            file.write(some)
    after = os.fstat(handle)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise _Changing


def _why(error: Exception) -> str:
    if isinstance(error, _Changing):
        return "changing"
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return "no_space" if full or not isinstance(error, OSError) else why_of(error)


if __name__ == "__main__":
    main()
