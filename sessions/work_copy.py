"""Private copies of a state.db that cannot be opened in place (StateNeedsCopy).

A copy is a folder of its own (0700, files 0600) below a folder of ours. There SQLite may do what it must not
do in the home: roll back a hot journal, build the index of a WAL. The bytes are copied by another process
(work_copy_process.py), because this one may have connections to the same file.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from hermesweb.hermes.beside import Beside
from hermesweb.hermes.errors import Why
from sessions.errors import CopyFailed, NoSpace, StateChanging, StateError, StateMissing, StateUnreadable
from sessions.state_files import NAME, look_at

PREFIX = "state-copy-"
SPARE = 1024 * 1024  # the index of the WAL, and a little

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class WorkCopy:
    """`folder` is what read_state takes as `copy`. `taken_at`: UTC epoch seconds. `bytes`: its size then."""

    folder: Path
    source: Path
    taken_at: float
    bytes: int


def make_work_copy(source: Path, parent: Path, progress: Progress | None = None) -> WorkCopy:
    """Copy the state.db of the profile folder `source` into a new folder below `parent`.

    `progress(done, total)` in bytes may raise to stop; nothing is left behind then or after a failure.
    Raises StateMissing, StateEmpty, StateUnreadable, StateChanging, NoSpace, CopyFailed.
    """
    files = look_at(source, needs_index=False)
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_space(files, parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        run(files.path, folder / NAME, progress or (lambda *_: None))
        return WorkCopy(folder, source, time.time(), look_at(folder).bytes)
    except BaseException:
        shutil.rmtree(folder)
        raise


def is_work_copy(folder: Path) -> bool:
    """Whether it has the name that only this module gives."""
    return folder.name.startswith(PREFIX) and not folder.is_symlink()


def remove_work_copies(parent: Path) -> int:
    """Remove every copy below `parent`, unfinished ones too; how many there were. Nothing else is touched."""
    copies = [folder for folder in parent.glob(f"{PREFIX}*") if folder.is_dir() and is_work_copy(folder)]
    for folder in copies:
        shutil.rmtree(folder)
    return len(copies)


def check_space(files: Beside, parent: Path) -> None:
    """The copy, and as much again as its WAL, which SQLite moves into the database at the end."""
    needed = files.bytes + (files.wal.st_size if files.wal else 0) + SPARE
    free = shutil.disk_usage(parent).free
    if free < needed:
        raise NoSpace(files.path, needed, free)


def run(source: Path, target: Path, progress: Progress) -> None:
    script = Path(__file__).with_name("work_copy_process.py")
    command = [sys.executable, "-I", os.fspath(script), os.fspath(source), os.fspath(target)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            end = follow(process, progress)
        except BaseException:
            process.kill()
            raise
    if problem := problem_of(end, source):
        raise problem


def follow(process: subprocess.Popen[bytes], progress: Progress) -> dict[str, str]:
    for line in process.stdout or ():
        fact = json.loads(line)
        if "end" in fact:
            return dict(fact)
        progress(fact["done"], fact["total"])
    return {"end": "died"}


def problem_of(end: dict[str, str], source: Path) -> StateError | None:
    why = end["end"]
    if why == "copied":
        return None
    if why == "changing":
        return StateChanging(source)
    if why == "missing":
        return StateMissing(source)
    if why in get_args(Why) and why != "io":
        return StateUnreadable(source, why)  # type: ignore[arg-type]
    return CopyFailed(source, end.get("message", why))
