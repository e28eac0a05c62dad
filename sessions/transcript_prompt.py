"""The system prompt that is kept for a session: what its provider was sent first, memory included."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sessions.database import Database
from sessions.parts import Passage, passage
from sessions.transcript_family_queries import prompt_of


class Block(Protocol):
    """A stretch of a prompt that came from memory, in code points."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True)
class Prompt:
    """The system prompt as it is kept. `blocks`: (start, end) of what memory put there, in code points.

    `hash`: where it is shared with other sessions. `text` is None when only its hash is left.
    """

    text: Passage | None
    hash: str = ""
    blocks: tuple[tuple[int, int], ...] = ()


def stored_prompt(
    db: Database, session: str, blocks_of: Callable[[str], Sequence[Block]], characters: int | None = None
) -> Prompt | None:
    """The system prompt of a session, cut at `characters`; None when none is kept for it.

    `blocks_of` finds the memory blocks in a prompt (`memory.prompt.blocks_in`). Raises StateError.
    """
    stored, key = prompt_of(db, session)
    if stored is None:
        return Prompt(None, key) if key else None
    text = passage(stored, None)
    blocks = tuple((block.start, block.end) for block in blocks_of(text.text))
    return Prompt(Passage(text.text[:characters], text.characters), key, blocks)
