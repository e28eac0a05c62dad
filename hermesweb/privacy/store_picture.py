"""The picture of the stores: lanes by how much they tell, further right the larger."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from django.utils.translation import gettext_lazy as _

LANES: Final = (
    (_("Your own words"), ("conversations", "conversation_copies", "snapshots_and_backups")),
    (_("Facts about you"), ("memory", "memory_copies", "contacts")),
    (_("Traces"), ("logs_and_caches", "work")),
    (_("Keys and settings"), ("credentials", "skills_and_settings")),
)
NAMED: Final = 4  # stores of a lane that the picture names: the largest
LETTER: Final = 5.9  # units of a letter of a name, about
GAP: Final = 6
LABEL: Final = 190  # up to where the name of the lane may reach


class Drawn(Protocol):
    """What the picture needs of a store."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> str: ...
    @property
    def kind_id(self) -> str: ...
    @property
    def bytes(self) -> int: ...


@dataclass(frozen=True)
class Mark:
    """A store in the picture. `x`: further right the larger it is. `above`: where its name stands."""

    x: int
    shape: str
    name: str
    above: bool

    @property
    def left(self) -> int:
        return self.x - 7

    @property
    def anchor(self) -> str:
        if self.x < 80:
            return "start"
        return "end" if self.x > 400 else "middle"


@dataclass(frozen=True)
class Lane:
    name: str
    y: int
    marks: tuple[Mark, ...]

    @property
    def label_y(self) -> int:
        return self.y - 28

    @property
    def top(self) -> int:
        return self.y - 7

    @property
    def above(self) -> int:
        return self.y - 14

    @property
    def below(self) -> int:
        return self.y + 27


def lanes_of(rows: Sequence[Drawn]) -> Iterator[Lane]:
    """From one kilobyte at the left to one gigabyte: the drawing is 560 units wide, each lane 88 high."""
    for number, (name, kinds) in enumerate(LANES):
        mine = sorted((row for row in rows if row.kind_id in kinds), key=lambda row: -row.bytes)
        yield Lane(str(name), 50 + 88 * number, tuple(_marks(mine)))


def _marks(rows: Sequence[Drawn]) -> Iterator[Mark]:
    """The largest are named, above or below, where their name does not run into another."""
    taken: dict[bool, list[tuple[float, float]]] = {True: [(20, LABEL)], False: []}
    for row in rows:
        x, wide = x_of(row.bytes), LETTER * len(row.name)
        side = None
        if sum(map(len, taken.values())) <= NAMED:
            side = next((each for each in (False, True) if _fits(_span(x, wide), taken[each])), None)
        if side is not None:
            taken[side].append(_span(x, wide))
        yield Mark(x, row.shape, row.name if side is not None else "", side or False)


def _span(x: int, wide: float) -> tuple[float, float]:
    anchor = Mark(x, "", "", False).anchor
    return {"start": (x, x + wide), "middle": (x - wide / 2, x + wide / 2), "end": (x - wide, x)}[anchor]


def _fits(span: tuple[float, float], taken: list[tuple[float, float]]) -> bool:
    return all(span[0] > end + GAP or span[1] < start - GAP for start, end in taken)


def x_of(size: int) -> int:
    """70 units for each step of ten, from 1 KB on."""
    return 20 + max(0, min(420, round(70 * (math.log10(max(size, 1)) - 3))))
