"""Which part of a database file some bytes belong to, by the file format of SQLite; nothing of SQLite is used."""

from collections.abc import Callable
from dataclasses import dataclass

from hermesweb.hermes.scan.kinds import SQLITE

ReadAt = Callable[[int, int], bytes]
_HEADER = 100
_LEAF_TABLE, _LEAF_INDEX, _INNER_TABLE, _INNER_INDEX = 13, 10, 5, 2


@dataclass(frozen=True)
class Place:
    """`how`: "bytes" (a cell of a page in use), "free_page", "slack" (what a page in use does not use)."""

    how: str
    page: int


class Pages:
    """A database of `size` bytes, read by `read_at(offset, size)`."""

    def __init__(self, read_at: ReadAt, size: int) -> None:
        self._read_at = read_at
        header = read_at(0, _HEADER)
        page = int.from_bytes(header[16:18], "big")
        self.size = 65536 if page == 1 else page
        self.is_database = header.startswith(SQLITE) and self.size >= 512 and not self.size & (self.size - 1)
        if self.is_database:
            self._usable = self.size - header[20]
            self._free = self._free_pages(header, size // self.size)
        self._last: tuple[int, list[tuple[int, int]] | None] = (0, None)

    def place_of(self, offset: int) -> Place:
        """Where the byte at `offset` is."""
        number = offset // self.size + 1
        if self.is_free(number):
            return Place("free_page", number)
        if self._last[0] != number:
            self._last = (number, self._cells(number))
        cells, within = self._last[1], offset % self.size
        if cells is None or any(start <= within < end for start, end in cells):
            return Place("bytes", number)
        return Place("slack", number)

    def is_free(self, number: int) -> bool:
        """Whether the list of free pages has it."""
        return number < len(self._free) and bool(self._free[number])

    def are_free(self, first: int, count: int) -> bytes:
        """For `count` pages from number `first` on, 1 for each that is, 0 for the others."""
        return bytes(self._free[first : first + count]).ljust(count, b"\0")

    def overflow(self, size: int, some: bytes) -> bytes | None:
        """A record of a table, `size` bytes long, that begins with `some`, which goes on with anything; None if
        a part of it is not there."""
        local = self._local(size, _LEAF_TABLE)
        if local == size:
            return some[:size] if len(some) >= size else None
        whole, following = some[: local - 4], some[local - 4 : local]
        while len(whole) < size:
            number = int.from_bytes(following, "big")
            page = self._read_at((number - 1) * self.size, self.size) if number else b""
            if len(page) < self.size:
                return None
            whole, following = whole + page[4 : self._usable], page[:4]
        return whole[:size]

    def _free_pages(self, header: bytes, pages: int) -> bytearray:
        free = bytearray(pages + 1)
        trunk = int.from_bytes(header[32:36], "big")
        while 0 < trunk <= pages and not free[trunk]:
            free[trunk] = 1
            content = self._read_at((trunk - 1) * self.size, self.size)
            trunk, count = int.from_bytes(content[:4], "big"), int.from_bytes(content[4:8], "big")
            for place in range(8, min(8 + 4 * count, len(content) - 3), 4):
                leaf = int.from_bytes(content[place : place + 4], "big")
                if 0 < leaf <= pages:
                    free[leaf] = 1
        return free

    def _cells(self, number: int) -> list[tuple[int, int]] | None:
        """From where to where the cells of a page go, and its header; None for what has none (overflow)."""
        page = self._read_at((number - 1) * self.size, self.size)
        start = _HEADER if number == 1 else 0
        kind = page[start] if len(page) == self.size else 0
        if kind not in (_LEAF_TABLE, _LEAF_INDEX, _INNER_TABLE, _INNER_INDEX):
            return None
        pointers = start + (8 if kind in (_LEAF_TABLE, _LEAF_INDEX) else 12)
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        cells = [(0, pointers + 2 * count)]
        if page[start + 1 : start + 3] == b"\0\0" and not page[start + 7]:
            # Nothing was taken out: one cell lies beside the other.
            return [*cells, (int.from_bytes(page[start + 5 : start + 7], "big") or 65536, self._usable)]
        for place in range(pointers, min(pointers + 2 * count, self._usable - 1), 2):
            cell = int.from_bytes(page[place : place + 2], "big")
            cells.append((cell, cell + self._cell_size(page, cell, kind)))
        return cells

    def _cell_size(self, page: bytes, cell: int, kind: int) -> int:
        place = cell + (4 if kind in (_INNER_TABLE, _INNER_INDEX) else 0)
        if kind == _INNER_TABLE:
            return _varint(page, place)[1] - cell
        payload, place = _varint(page, place)
        if kind == _LEAF_TABLE:
            _, place = _varint(page, place)
        return place + self._local(payload, kind) - cell

    def _local(self, payload: int, kind: int) -> int:
        """Bytes of a payload that are in the page itself, with the pointer to the rest."""
        most = self._usable - 35 if kind == _LEAF_TABLE else (self._usable - 12) * 64 // 255 - 23
        if payload <= most:
            return payload
        least = (self._usable - 12) * 32 // 255 - 23
        local = least + (payload - least) % (self._usable - 4)
        return (local if local <= most else least) + 4


def _varint(page: bytes, place: int) -> tuple[int, int]:
    value = 0
    for byte in page[place : place + 8]:
        value = value << 7 | byte & 0x7F
        place += 1
        if byte < 0x80:
            return value, place
    return value << 8 | int.from_bytes(page[place : place + 1], "big"), place + 1
