"""The process that copies a state.db byte by byte. Run as a script by work_copy.py; imports nothing of ours.

It has no SQLite connection, so opening and closing the files as plain files drops nobody's locks. `-shm` is
not copied: SQLite builds it anew. One JSON object a line on stdout:

    {"done": bytes, "total": bytes}     while it goes on
    {"end": "copied"}                   or "changing", "missing", "permission", "not_a_file", "io" + "message"
"""

import json
import os
import stat
import sys
import time
from pathlib import Path

SUFFIXES = ("", "-wal", "-journal")
CHUNK = 4 * 1024 * 1024
ATTEMPTS = 3
TICK = 0.05

Stamp = tuple[tuple[int, ...] | None, ...]


def main(source: Path, target: Path) -> None:
    try:
        say({"end": "copied" if copied(source, target) else "changing"})
    except FileNotFoundError:
        say({"end": "missing"})
    except PermissionError:
        say({"end": "permission"})
    except NotAFile:
        say({"end": "not_a_file"})
    except OSError as error:
        say({"end": "io", "message": str(error)})


def copied(source: Path, target: Path) -> bool:
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(TICK * 4)
        time.sleep(TICK)  # a write within one tick of the disk's clock would not show in the times
        before = stamp(source)
        copy_all(source, target)
        if stamp(source) == before:
            return True
        remove_all(target)
    return False


def stamp(source: Path) -> Stamp:
    return tuple(one_stamp(source.with_name(source.name + suffix)) for suffix in SUFFIXES)


def one_stamp(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def copy_all(source: Path, target: Path) -> None:
    parts = [(source.with_name(source.name + suffix), suffix) for suffix in SUFFIXES]
    total = sum(path.lstat().st_size for path, _ in parts if path.exists())
    done = 0
    for path, suffix in parts:
        if suffix and not path.exists():
            continue
        done = copy_one(path, target.with_name(target.name + suffix), done, total)


def copy_one(path: Path, target: Path, done: int, total: int) -> int:
    # No FIFO can hold us up and no link lead us elsewhere.
    reading = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(reading, "rb", buffering=0) as source:
        if not stat.S_ISREG(os.fstat(reading).st_mode):
            raise NotAFile
        writing = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(writing, "wb") as copy:
            while chunk := source.read(CHUNK):
                copy.write(chunk)
                done += len(chunk)
                say({"done": done, "total": max(done, total)})
    return done


def remove_all(target: Path) -> None:
    for suffix in SUFFIXES:
        target.with_name(target.name + suffix).unlink(missing_ok=True)


def say(fact: dict[str, int | str]) -> None:
    print(json.dumps(fact), flush=True)


class NotAFile(Exception):
    """A FIFO, a folder, a device."""


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
