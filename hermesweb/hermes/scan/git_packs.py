"""Which file of a git store holds an object."""

import os
from collections.abc import Iterator

_MAGIC = b"\xfftOc\0\0\0\x02"
_TABLE = 8 + 256 * 4


def file_of(identity: str, handle: int) -> str:
    """The loose file or the pack of the object `identity`, below the folder `objects` of which `handle` is
    open; "" if none is seen."""
    loose = f"{identity[:2]}/{identity[2:]}"
    if _exists(loose, handle):
        return loose
    wanted = bytes.fromhex(identity)
    for index in _indexes(handle):
        with open(os.open(index, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=handle), "rb") as file:  # noqa: PTH123
            if _has(file.fileno(), wanted):
                return index.removesuffix(".idx") + ".pack"
    return ""


def packs_in_use(handle: int) -> list[str]:
    """The packs that have an index, without which git does not see them."""
    return [index.removesuffix(".idx") + ".pack" for index in _indexes(handle)]


def _exists(path: str, handle: int) -> bool:
    try:
        os.stat(path, dir_fd=handle, follow_symlinks=False)
    except OSError:
        return False
    return True


def _indexes(handle: int) -> Iterator[str]:
    folder = os.open("pack", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=handle)
    try:
        yield from (f"pack/{name}" for name in sorted(os.listdir(folder)) if name.endswith(".idx"))  # noqa: PTH208
    finally:
        os.close(folder)


def _has(index: int, wanted: bytes) -> bool:
    """Of the second version of the format: 256 counts by first byte, then the sorted ids."""
    if os.pread(index, 8, 0) != _MAGIC:
        return False

    def count(place: int) -> int:
        return int.from_bytes(os.pread(index, 4, 8 + 4 * place), "big")

    low, high = count(wanted[0] - 1) if wanted[0] else 0, count(wanted[0])
    while low < high:
        middle = (low + high) // 2
        here = os.pread(index, len(wanted), _TABLE + middle * len(wanted))
        if here == wanted:
            return True
        low, high = (middle + 1, high) if here < wanted else (low, middle)
    return False
