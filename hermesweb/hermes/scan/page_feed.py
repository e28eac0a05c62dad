"""The parts of a database or of its journals where pages of indexes may lie that nobody has any more.

They are taken from what is read for the search for bytes anyway, so that a file is read once.
"""

from collections.abc import Callable, Iterator
from struct import unpack_from

from hermesweb.hermes.scan.left_over import LeftOver
from hermesweb.hermes.scan.pages import Pages

LEAF_TABLE = 13
KINDS = (2, 5, 10, 13)
SMALLEST = 12  # bytes in which the end of a word with its lengths can be
STEP, REACH = 64 << 10, 8 << 10

Read = Callable[[int], bytes]


class PageFeed:
    """`reading(read)` reads as `read` does and looks at what it gave. Then `done`."""

    def __init__(self, left_over: LeftOver, pages: Pages | None, how: str) -> None:
        self._left_over, self._pages, self._how = left_over, pages, how
        self._waiting = b""
        self._number = 1

    def reading(self, read: Read) -> Read:
        def fed(size: int) -> bytes:
            some = read(size)
            self._feed(some)
            return some

        return fed

    def done(self) -> None:
        """All is read."""
        if self._waiting and not self._pages:
            self._left_over.look(self._waiting, self._how, self._number)
        self._left_over.together()

    def _feed(self, some: bytes) -> None:
        self._waiting += some
        if self._pages:
            self._feed_pages(self._pages)
            return
        while len(self._waiting) >= STEP + REACH:
            self._left_over.look(self._waiting[: STEP + REACH], self._how, self._number, until=STEP)
            self._waiting = self._waiting[STEP:]

    def _feed_pages(self, pages: Pages) -> None:
        size = pages.size
        whole = len(self._waiting) // size
        for place in range(0, whole * size, size):
            if pages.is_free(self._number):
                self._left_over.look(self._waiting[place : place + size], "free_page", self._number)
            else:
                kind, free, count, start = unpack_from(">BHHH", self._waiting, place)
                if kind == LEAF_TABLE:
                    if free or (start or 65536) - count - count >= SMALLEST + 8:
                        self._slack(self._waiting[place : place + size], free, count, start or 65536)
                elif kind not in KINDS:
                    self._left_over.look_for_ends(self._waiting[place : place + size], "slack", self._number)
            self._number += 1
        self._waiting = self._waiting[whole * size :]

    def _slack(self, page: bytes, free: int, count: int, start: int) -> None:
        for low, high in _unused(page, free, 8 + 2 * count, start):
            if high - low >= SMALLEST and (region := page[low:high].strip(b"\0")):
                self._left_over.look(region, "slack", self._number)


def _unused(page: bytes, free: int, low: int, start: int) -> Iterator[tuple[int, int]]:
    yield low, start
    while 0 < free <= len(page) - 4:
        following, size = unpack_from(">HH", page, free)
        yield free, free + size
        if following <= free:
            return
        free = following
