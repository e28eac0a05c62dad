"""What a session is told: the block of a memory file in its system prompt, written and read back.

From `_render_block` and the scan at load (0.19 `tools/memory_tool.py`, 0.22 `tools/memory_tool_store.py`), and
from the place the blocks get in a prompt (`agent/system_prompt.py`): after everything fixed, MEMORY.md first.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from memory.blocked import RULES
from memory.entries import FILE_NAMES, Entry, Store
from memory.limits import Rules, Target, usage_text
from memory.parsing import DELIMITER

LINE: Final = "═" * 46
HEADERS: Final[Mapping[Target, str]] = {
    "memory": "MEMORY (your personal notes)",
    "user": "USER PROFILE (who the user is)",
}
_TARGET_OF: Final = {header: target for target, header in HEADERS.items()}
_ORDER: Final = {rule: position for position, rule in enumerate(RULES)}
# What the placeholder tells the agent to call; 0.20 and later name the store too.
_REMEDY: Final[Mapping[Rules, str]] = {
    "0.19": "memory(action=remove)",
    "0.22": "memory(action=remove, target='{target}')",
}
_HEAD: Final = re.compile(
    rf"{LINE}\n({'|'.join(map(re.escape, _TARGET_OF))}) \[(\d+% — (-?[\d,]+)/[^\]\n]{{1,40}} chars)\]\n{LINE}\n"
)
# Where a block ends at the latest when the count in its head does not say so.
_NEXT: Final = re.compile(rf"\n\n(?={LINE}|Conversation started: )")


@dataclass(frozen=True)
class Block:
    """A memory block in a prompt: `text[start:end]` of the prompt, in code points.

    `usage`: the figure in its head. Not `certain`: the figure does not fit the text, as in a prompt that was
    changed after Hermes made it, so that the last entry may hold what follows the block.
    """

    target: Target
    usage: str
    entries: tuple[str, ...]
    start: int
    end: int
    certain: bool


@dataclass(frozen=True)
class PromptParts:
    """What is in a prompt: the entries of its memory blocks, the blocks, and the pieces around them."""

    entries: frozenset[str]
    blocks: frozenset[str]
    pieces: tuple[str, ...]


def prompt_block(store: Store) -> str | None:
    """The block the next session gets from this store, byte for byte; None when it gets none.

    The figure in its head counts the text as it stands there, so it differs from the store's own `used` when
    an entry is blocked. One thing cannot be foretold: the order of the rule names in the placeholder of an
    entry with several different invisible characters changes from one start of Hermes to the next.
    """
    limit = store.limit.value
    if not store.enabled or store.not_loaded_because or limit is None or not store.kept:
        return None
    text = DELIMITER.join(shown_text(entry, store) for entry in store.kept)
    return f"{LINE}\n{HEADERS[store.target]} [{usage_text(len(text), limit)}]\n{LINE}\n{text}"


def shown_text(entry: Entry, store: Store) -> str:
    """What stands in the prompt for an entry of this store: itself, or the placeholder if it is blocked."""
    return placeholder(entry, store.target, store.rules) or entry.text


def placeholder(entry: Entry, target: Target, rules: Rules) -> str | None:
    """What a release with these rules puts into the prompt instead of a blocked entry; None if it is not."""
    blocked = sorted(entry.blocked_by[rules], key=lambda rule: _ORDER[rule])
    if not blocked:
        return None
    return (
        f"[BLOCKED: {FILE_NAMES[target]} entry contained threat pattern(s): {', '.join(blocked)}."
        f" Removed from system prompt; use {_REMEDY[rules].format(target=target)} to delete the original.]"
    )


def blocks_in(prompt: str) -> tuple[Block, ...]:
    """The memory blocks of a stored prompt in its order. A head that stands inside a block is text of it."""
    return tuple(_blocks(prompt))


def parts_of(prompt: str) -> PromptParts:
    """A stored prompt taken apart into what memory put there and what is around it."""
    blocks = blocks_in(prompt)
    starts = [*(block.start for block in blocks), len(prompt)]
    ends = [0, *(block.end for block in blocks)]
    pieces = (prompt[end:start] for end, start in zip(ends, starts, strict=True))
    return PromptParts(
        entries=frozenset(entry for block in blocks for entry in block.entries),
        blocks=frozenset(prompt[block.start : block.end] for block in blocks),
        pieces=tuple(piece for piece in pieces if piece.strip()),
    )


def _blocks(prompt: str) -> Iterator[Block]:
    head = _HEAD.search(prompt)
    while head:
        end, certain = _end_of(prompt, head)
        entries = tuple(filter(None, (part.strip() for part in prompt[head.end() : end].split(DELIMITER))))
        yield Block(_TARGET_OF[head[1]], head[2], entries, head.start(), end, certain)
        head = _HEAD.search(prompt, end)


def _end_of(prompt: str, head: re.Match[str]) -> tuple[int, bool]:
    """Where the block ends: the head says how many characters it has."""
    end = head.end() + int(head[3].replace(",", "")[:9] or "0")
    if head.end() < end <= len(prompt) and (end == len(prompt) or prompt.startswith("\n\n", end)):
        return end, True
    following = _NEXT.search(prompt, head.end())
    return following.start() if following else len(prompt), False
