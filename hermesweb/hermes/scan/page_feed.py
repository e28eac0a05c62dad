"""The parts of a database or of its journals where pages of indexes may lie that nobody has any more.

They are taken from what is read for the search for bytes anyway, so that a file is read once.
"""

from collections.abc import Callable, Iterator
from struct import Struct

from hermesweb.hermes.scan.left_over import LeftOver
from hermesweb.hermes.scan.pages import Pages

LEAF_TABLE = 13
KINDS = (2, 5, 10, 13)
SMALLEST = 12  # bytes in which the end of a word with its lengths can be
_FREE = Struct(">HH").unpack_from
_HEAD = Struct(">BHHH").unpack_from
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
        self._waiting = self._waiting + some if self._waiting else some
        if self._pages:
            self._feed_pages(self._pages)
            return
        while len(self._waiting) >= STEP + REACH:
            self._left_over.look(self._waiting[: STEP + REACH], self._how, self._number, until=STEP)
            self._waiting = self._waiting[STEP:]

    def _feed_pages(self, pages: Pages) -> None:
        size, waiting, look = pages.size, self._waiting, self._left_over
        whole = len(waiting) // size
        for place in range(0, whole * size, size):
            if pages.is_free(self._number):
                look.look(waiting[place : place + size], "free_page", self._number)
            else:
                kind, free, count, start = _HEAD(waiting, place)
                if kind != LEAF_TABLE:
                    if kind not in KINDS:
                        look.look_for_ends(waiting[place : place + size], "slack", self._number)
                elif free:
                    self._slack(waiting[place : place + size], free, 8 + 2 * count, start or 65536)
                elif (start or 65536) - count - count >= SMALLEST + 8:
                    # Nearly all pages: only the gap before the cells.
                    region = waiting[place + 8 + count + count : place + (start or 65536)].strip(b"\0")
                    if region:
                        look.look(region, "slack", self._number)
            self._number += 1
        self._waiting = waiting[whole * size :]

    def _slack(self, page: bytes, free: int, low: int, start: int) -> None:
        for begin, end in _unused(page, free, low, start):
            if end - begin >= SMALLEST and (region := page[begin:end].strip(b"\0")):
                self._left_over.look(region, "slack", self._number)


def _unused(page: bytes, free: int, low: int, start: int) -> Iterator[tuple[int, int]]:
    yield low, start
    while 0 < free <= len(page) - 4:
        following, size = _FREE(page, free)
        yield free, free + size
        if following <= free:
            return
        free = following
