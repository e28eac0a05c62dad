"""The parts of a database or of its journals where pages of indexes may lie that nobody has any more.

They are taken from what is read for the search for bytes anyway, so that a file is read once.
"""

from collections.abc import Callable, Iterator, Sequence
from struct import Struct

from hermesweb.hermes.scan.left_over import LeftOver
from hermesweb.hermes.scan.pages import Pages

LEAF_TABLE = 13
KINDS = (2, 5, 10, 13)
SMALLEST = 12  # bytes in which the end of a word with its lengths can be
_FREE = Struct(">HH").unpack_from
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
        size, content = pages.size, self._waiting
        whole = len(content) // size
        gaps: list[tuple[int, bytes]] = []
        others: list[tuple[int, bytes]] = []
        heads = Struct(f">BHHH{size - 7}x").iter_unpack(memoryview(content)[: whole * size])
        frees = pages.are_free(self._number, whole)
        for number, is_free, (kind, free, count, start) in zip(range(whole), frees, heads, strict=True):
            place = number * size
            if is_free:
                self._left_over.look(content[place : place + size], "free_page", self._number + number)
            elif kind != LEAF_TABLE:
                if kind not in KINDS:
                    others.append((number, content[place : place + size]))
            elif free:
                self._slack(content[place : place + size], free, 8 + 2 * count, start or 65536, number)
            elif (start or 65536) - count - count >= SMALLEST + 8:
                # Nearly all pages: only the gap before the cells.
                gaps.append((number, content[place + 8 + count + count : place + (start or 65536)]))
        self._together(gaps, others)
        self._number += whole
        self._waiting = content[whole * size :]

    def _together(self, gaps: Sequence[tuple[int, bytes]], others: Sequence[tuple[int, bytes]]) -> None:
        """What nearly never has anything: one look at all of it, then, if need be, at each."""
        look = self._left_over
        if look.may_have(b"".join([region for _, region in gaps])):
            for number, region in gaps:
                look.look(region.strip(b"\0"), "slack", self._number + number)
        if look.may_have_ends(b"".join([region for _, region in others])):
            for number, region in others:
                look.look_for_ends(region, "slack", self._number + number)

    def _slack(self, page: bytes, free: int, low: int, start: int, number: int) -> None:
        for begin, end in _unused(page, free, low, start):
            if end - begin >= SMALLEST and (region := page[begin:end].strip(b"\0")):
                self._left_over.look(region, "slack", self._number + number)


def _unused(page: bytes, free: int, low: int, start: int) -> Iterator[tuple[int, int]]:
    yield low, start
    while 0 < free <= len(page) - 4:
        following, size = _FREE(page, free)
        yield free, free + size
        if following <= free:
            return
        free = following
