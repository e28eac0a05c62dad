"""Reading what may be damaged, endless or made to explode, without ever raising while it is read."""

import errno
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass

BROKEN = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    MemoryError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    tarfile.TarError,
    zipfile.BadZipFile,
)
"""What the readers of archives raise for input that is not as it should be."""


def why_broken(error: Exception) -> str:
    """As in NotChecked: "no_space", where it is our own disk that failed, or "damaged"."""
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return "no_space" if full else "damaged"


FREE = 1 << 20  # bytes that are never too many for what they were packed in


@dataclass
class Budget:
    """Bytes that may still be unpacked, in all."""

    left: int


class Stream:
    """`read(size)` of something else, with the first bytes to look at beforehand and an end where a limit is.

    `failed` says afterwards why there was an end before the end: "damaged" or "too_large".
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        *,
        limit: int,
        budget: Budget | None = None,
        most: Callable[[], int] | None = None,
    ) -> None:
        self.failed: str | None = None
        self.position = 0
        self._read, self._limit, self._budget, self._most = read, limit, budget, most
        self._waiting = b""

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, less at the end; they are read again."""
        while len(self._waiting) < size and (more := self._more(size - len(self._waiting))):
            self._waiting += more
        return self._waiting[:size]

    def read(self, size: int = -1) -> bytes:
        """As of a file, but nothing instead of an error."""
        if size < 0:
            size = self._limit
        if not self._waiting:
            return self._counted(self._more(size))
        now, self._waiting = self._waiting[:size], self._waiting[size:]
        return self._counted(now)

    def _counted(self, some: bytes) -> bytes:
        self.position += len(some)
        return some

    def _more(self, size: int) -> bytes:
        if self.failed:
            return b""
        try:
            some = self._read(size)
        except BROKEN:
            self.failed = "damaged"
            return b""
        if self._budget:
            self._budget.left -= len(some)
        if self._is_too_much(self.position + len(self._waiting) + len(some)):
            self.failed = "too_large"
        return some if not self.failed else b""

    def _is_too_much(self, so_far: int) -> bool:
        if so_far > self._limit or (self._budget and self._budget.left < 0):
            return True
        return self._most is not None and so_far > max(FREE, self._most())
