"""Phrases in a stream of bytes, in constant memory."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from hermesweb.hermes.scan.finders import Finder, finder_of
from hermesweb.hermes.scan.needles import Match, Needles

AHEAD = 3  # blocks that are read while one is searched

Read = Callable[[int], bytes]


@dataclass(frozen=True)
class Found:
    """Phrase number `phrase` in the bytes from `offset` to `end`."""

    phrase: int
    offset: int
    end: int
    how: str


@dataclass(frozen=True)
class Part:
    """The bytes from `base` on. A match that begins at `until` or later belongs to the next part."""

    base: int
    raw: bytes
    until: int

    @property
    def is_last(self) -> bool:
        return self.until == len(self.raw)


def search(read: Read, needles: Sequence[Needles]) -> Iterator[Found]:
    """Everything that is found in what `read(size)` gives until it gives nothing."""
    reach = max(each.reach for each in needles)
    finder = finder_of(tuple(needles))
    ends: dict[tuple[int, bool], int] = {}
    for part, matches in _searched(finder, _parts(read, max(finder.step, 2 * reach), reach)):
        for phrase, match in matches:
            kind = (phrase, match.how == "utf16")
            if match.start < part.until and part.base + match.start >= ends.get(kind, 0):
                ends[kind] = part.base + match.end
                yield Found(phrase, part.base + match.start, part.base + match.end, match.how)


def _searched(finder: Finder, parts: Iterator[Part]) -> Iterator[tuple[Part, list[tuple[int, Match]]]]:
    for part in parts:
        if finder.apart and not part.is_last:
            yield from _searched_apart(finder, part, parts)
        else:
            yield part, list(finder.matches(part.raw))


def _searched_apart(
    finder: Finder, first: Part, others: Iterator[Part]
) -> Iterator[tuple[Part, list[tuple[int, Match]]]]:
    """While the following ones are read."""
    with ThreadPoolExecutor(1) as pool:

        def begin(part: Part) -> None:
            waiting.append((part, pool.submit(lambda: list(finder.matches(part.raw)))))

        waiting: deque[tuple[Part, Future[list[tuple[int, Match]]]]] = deque()
        begin(first)
        for part in others:
            begin(part)
            if len(waiting) > AHEAD:
                earlier, matches = waiting.popleft()
                yield earlier, matches.result()
        for earlier, matches in waiting:
            yield earlier, matches.result()


def _parts(read: Read, step: int, reach: int) -> Iterator[Part]:
    """Of about `step` bytes, and what can belong to a match that begins in them."""
    base, raw = 0, _filled(read, step)
    while raw:
        more = _filled(read, step)
        # Shorter than what belongs to the next part, where it has grown since its end was read.
        until = max(0, len(raw) - reach) if more else len(raw)
        yield Part(base, raw, until)
        base, raw = base + until, raw[until:] + more


def _filled(read: Read, step: int) -> bytes:
    """`step` bytes, or what is left."""
    some = read(step)
    if not some or len(some) >= step:
        return some
    parts, size = [some], len(some)
    while size < step and (some := read(step - size)):
        parts.append(some)
        size += len(some)
    return b"".join(parts)
