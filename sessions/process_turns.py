"""Readers of ours step aside, in every process, for the moments in which one of us removes deleted words.

A reader that is connected keeps the WAL from being emptied. So each takes part in a flock on a file in our
own data folder, one for each state.db, and who cleans has it alone. Hermes does not know of it. Where the
data folder cannot be written, everybody goes on without: cleaning then says "busy".
"""

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sessions.errors import StateBeingCleaned

READER_SECONDS = 3.0
_PAUSE = 0.01

_folder: Path | None = None


def keep_turns_in(folder: Path | None) -> None:
    """From now on the files for it are in `folder`, the same one in all of our processes. None: no turns."""
    global _folder
    _folder = folder


def turns_folder() -> Path | None:
    """What was given to `keep_turns_in`, for a process that is started."""
    return _folder


@contextmanager
def reader_turn(home: Path) -> Iterator[None]:
    """Around the life of a connection that reads the state.db of the profile folder `home`. Waits while it is
    cleaned; raises StateBeingCleaned after some seconds."""
    try:
        turn = _taken(home, fcntl.LOCK_SH, READER_SECONDS)
    except TimeoutError:
        raise StateBeingCleaned(home / "state.db") from None
    with turn:
        yield


@contextmanager
def cleaner_turn(home: Path, seconds: float = 10) -> Iterator[None]:
    """No reader of ours is connected while the block runs, and none comes. Raises TimeoutError when one stays
    longer than `seconds`."""
    with _taken(home, fcntl.LOCK_EX, seconds):
        yield


def _taken(home: Path, how: int, seconds: float) -> ExitStack:
    """The gate first: once a cleaner has it, no further reader comes in, so it need not wait for ever."""
    deadline = time.monotonic() + seconds
    with ExitStack() as stack, ExitStack() as passing:
        try:
            gate, room = _opened(home, "gate", passing), _opened(home, "room", stack)
        except OSError:
            return ExitStack()
        if gate is not None and room is not None:
            _wait(gate, how, deadline)
            _wait(room, how, deadline)
            if how == fcntl.LOCK_EX:
                stack.push(passing.pop_all())
        return stack.pop_all()


def _opened(home: Path, part: str, stack: ExitStack) -> int | None:
    # Without our data folder no other process of ours is there, and a command that only looks makes none.
    if _folder is None or not _folder.parent.is_dir():
        return None
    _folder.mkdir(mode=0o700, exist_ok=True)
    name = hashlib.sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:32]
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(_folder / f"{name}.{part}", flags, 0o600)
    stack.callback(os.close, handle)
    return handle


def _wait(handle: int, how: int, deadline: float) -> None:
    while True:
        try:
            return fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise TimeoutError from None
            time.sleep(_PAUSE)
