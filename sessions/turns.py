"""Readers and a writer of state.db in one process.

Readers open the `-shm` file of a WAL database read-only, so that they leave no trace. SQLite shares that file
among all connections of a process: a writer that opens while such a reader is there would get it read-only
too, and could not write for as long as it lives. Once a writer has opened, readers may come and go. So only
the moment of opening needs a turn of its own; other processes are not concerned.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_changed = threading.Condition()
_readers = 0
_opening = False


@contextmanager
def reading() -> Iterator[None]:
    """Around the life of a reading connection. Waits while a writer opens."""
    global _readers
    with _changed:
        # A timeout, because a writer that hangs in opening must not take the pages with it.
        _changed.wait_for(lambda: not _opening, timeout=5)
        _readers += 1
    try:
        yield
    finally:
        with _changed:
            _readers -= 1
            _changed.notify_all()


@contextmanager
def opening_for_writing(seconds: float = 5) -> Iterator[None]:
    """Around connecting for writing *and* the first statement on that connection.

    Raises TimeoutError when readers of this process do not leave within `seconds`.
    """
    global _opening
    deadline = time.monotonic() + seconds
    with _changed:
        if not _changed.wait_for(lambda: _readers == 0 and not _opening, timeout=deadline - time.monotonic()):
            raise TimeoutError
        _opening = True
    try:
        yield
    finally:
        with _changed:
            _opening = False
            _changed.notify_all()
