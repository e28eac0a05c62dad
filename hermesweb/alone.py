"""Whether another hermesweb runs with the same data folder. Then its sign-in link and work copies are left alone."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone_with(folder: Path) -> Iterator[bool]:
    """Hold the data folder for the time of the block, if nobody else does. The lock ends with the process."""
    handle = os.open(folder / "serve.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)
