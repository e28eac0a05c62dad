"""Phrases in a stream of bytes, in constant memory."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hermesweb.hermes.scan.blocks import Block
from hermesweb.hermes.scan.needles import Needles, gate_for

STEP = 64 << 10
"""Small enough to stay in the processor's cache while it is looked at in several ways."""
FEW = 3

Read = Callable[[int], bytes]


@dataclass(frozen=True)
class Found:
    """Phrase number `phrase` in the bytes from `offset` to `end`."""

    phrase: int
    offset: int
    end: int
    how: str


def search(read: Read, needles: Sequence[Needles]) -> Iterator[Found]:
    """Everything that is found in what `read(size)` gives until it gives nothing."""
    reach = max(each.reach for each in needles)
    many = len(needles) > FEW
    gate = gate_for(needles)
    step = max(STEP, 2 * reach)
    ends: dict[tuple[int, bool], int] = {}
    for base, raw in _blocks(read, step, reach):
        block = Block(raw, gate, many=many)
        for phrase, each in enumerate(needles):
            for match in each.find(block):
                kind = (phrase, match.how == "utf16")
                if match.start < step and base + match.start >= ends.get(kind, 0):
                    ends[kind] = base + match.end
                    yield Found(phrase, base + match.start, base + match.end, match.how)


def _blocks(read: Read, step: int, reach: int) -> Iterator[tuple[int, bytes]]:
    """Blocks of `step` bytes and what can belong to a match that begins in them, with their offsets."""
    waiting, base = b"", 0
    while chunk := read(step):
        waiting += chunk
        while len(waiting) >= step + reach:
            yield base, waiting[: step + reach]
            waiting, base = waiting[step:], base + step
    for start in range(0, len(waiting), step):
        yield base + start, waiting[start : start + step + reach]
