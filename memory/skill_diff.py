"""What changes in a file of a skill, line by line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memory.line_matching import matching_lines

Kind = Literal["same", "removed", "added", "left_out"]
AROUND: Final = 3


@dataclass(frozen=True)
class DiffLine:
    """`before` and `after`: the number of the line in the file, from 1, None where it is not in it. For
    "left_out" the text is empty, and `before` and `after` are the numbers of what comes next."""

    kind: Kind
    text: str
    before: int | None
    after: int | None


def diff_lines(before: str, after: str) -> tuple[DiffLine, ...]:
    """The lines that change, with three around them. Line ends are not compared."""
    old, new = before.splitlines(), after.splitlines()
    if old == new:
        return ()
    blocks = _blocks(old, new)
    return tuple(line for group in _groups(blocks) for line in _lines(group, old, new))


Block = tuple[str, int, int, int, int]


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[Block]:
    """What is equal and what is not, by line numbers from 0."""
    blocks: list[Block] = []
    reached = new_reached = 0
    for line, new_line in [*matching_lines(old, new), (len(old), len(new))]:
        if (line, new_line) != (reached, new_reached):
            blocks.append(("replace", reached, line, new_reached, new_line))
        if line < len(old):
            _extend(blocks, line, new_line)
        reached, new_reached = line + 1, new_line + 1
    return blocks


def _extend(blocks: list[Block], line: int, new_line: int) -> None:
    if blocks and blocks[-1][0] == "equal":
        _, start, _, new_start, _ = blocks.pop()
        blocks.append(("equal", start, line + 1, new_start, new_line + 1))
    else:
        blocks.append(("equal", line, line + 1, new_line, new_line + 1))


def _groups(blocks: list[Block]) -> Iterator[list[Block]]:
    """The blocks with long equal ones cut down to what is around a change."""
    for number, (tag, old, old_end, new, new_end) in enumerate(blocks):
        if tag != "equal":
            yield [(tag, old, old_end, new, new_end)]
            continue
        head = AROUND if number > 0 else 0
        tail = AROUND if number < len(blocks) - 1 else 0
        length = old_end - old
        if length <= head + tail:
            yield [(tag, old, old_end, new, new_end)]
            continue
        yield [
            ("equal", old, old + head, new, new + head),
            ("left_out", old_end - tail, old_end - tail, new_end - tail, new_end - tail),
            ("equal", old_end - tail, old_end, new_end - tail, new_end),
        ]


def _lines(group: list[Block], old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    for tag, start, end, new_start, new_end in group:
        if tag == "left_out":
            yield DiffLine("left_out", "", start + 1, new_start + 1)
        elif tag == "equal":
            for offset in range(end - start):
                number = start + offset
                yield DiffLine("same", old[number], number + 1, new_start + offset + 1)
        else:
            yield from (DiffLine("removed", old[number], number + 1, None) for number in range(start, end))
            yield from (
                DiffLine("added", new[number], None, number + 1) for number in range(new_start, new_end)
            )
