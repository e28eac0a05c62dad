"""What the model thought before it answered, from up to five columns of a message.

`reasoning` and `reasoning_content` are text. `reasoning_details`, `codex_reasoning_items` and
`codex_message_items` are JSON of the provider's own making: texts, summaries, and data that only the provider
can read (hermes_state.py). The same text often stands in several columns; it is shown once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sessions.parts import MOST, Passage, Problem, Stored, loaded, passage
from sessions.pretty import as_json, pretty

TEXTS: Final = ("reasoning", "reasoning_content")
ITEMS: Final = ("reasoning_details", "codex_reasoning_items", "codex_message_items")
COLUMNS: Final = (*TEXTS, *ITEMS)
DEEPEST: Final = 8

_READABLE: Final = ("text", "summary", "thinking", "content", "reasoning")
_SEALED: Final = ("data", "encrypted_content", "signature", "redacted_thinking")


@dataclass(frozen=True)
class Reasoning:
    """One piece of reasoning and the columns it stands in.

    `text` is None for data that only the provider can read; `sealed`: how many characters that has.
    """

    columns: tuple[str, ...]
    text: Passage | None
    sealed: int = 0


def reasoning_of(
    row: Mapping[str, Stored], limit: int | None = None, said: str = ""
) -> tuple[tuple[Reasoning, ...], tuple[Problem, ...]]:
    """The reasoning in a message, texts cut at `limit` code points. What is the same as `said`, the text of
    the message itself, is left out. Never raises."""
    found: dict[str, Reasoning] = {}
    sealed: list[Reasoning] = []
    problems: list[Problem] = []
    for column in COLUMNS:
        texts, hidden, wrong = _read(column, row.get(column, Stored()))
        if wrong:
            problems.append(wrong)
        if limit is not None and len(texts) > MOST:
            problems.append(Problem("too_many", column))
            texts = texts[:MOST]
        for text in texts:
            known = found.get(text.strip())
            columns = (*known.columns, column) if known else (column,)
            found[text.strip()] = Reasoning(tuple(dict.fromkeys(columns)), passage(text, limit))
        if hidden:
            sealed.append(Reasoning((column,), None, hidden))
    found.pop("", None)
    if said.strip() in found and found[said.strip()].columns == ("codex_message_items",):
        del found[said.strip()]
    cut = [column for column in COLUMNS if row.get(column, Stored()).cut]
    return (*(_marked(each, cut) for each in found.values()), *sealed), tuple(problems)


def _marked(each: Reasoning, cut: list[str]) -> Reasoning:
    """Without a total where the column was not read to its end."""
    if each.text and any(column in cut for column in each.columns):
        return replace(each, text=Passage(each.text.text, None))
    return each


def _read(column: str, stored: Stored) -> tuple[list[str], int, Problem | None]:
    source = stored.text
    if column in TEXTS or not source:
        return [source], 0, None
    value = loaded(source)
    if not isinstance(value, list | dict):
        wrong = None if value is None and source.strip() == "null" else _problem(column, stored)
        return [source if wrong else ""], 0, wrong
    entries = [_entry(each) for each in (value if isinstance(value, list) else [value])]
    texts = [text for found, _ in entries for text in found]
    return texts, sum(hidden for _, hidden in entries), None


def _entry(value: Any) -> tuple[list[str], int]:
    """Of one item the texts and how much only the provider can read; its JSON when it has neither."""
    found = list(_walk(value, 0))
    texts, sealed = [text for text, _ in found if text], sum(hidden for _, hidden in found)
    if value and not texts and not sealed:
        source = as_json(value)
        texts = [value if isinstance(value, str) else pretty(source) or source]
    return texts, sealed


def _problem(column: str, stored: Stored) -> Problem:
    return Problem("cut_json" if stored.cut else "bad_json", column)


def _walk(value: Any, depth: int) -> Iterator[tuple[str, int]]:
    """The texts to read, and the length of what cannot be read, in their order."""
    if isinstance(value, list) and depth < DEEPEST:
        for each in value:
            yield from _walk(each, depth + 1)
    if not isinstance(value, dict) or depth >= DEEPEST:
        return
    for key, inner in value.items():
        if key in _SEALED and isinstance(inner, str):
            yield "", len(inner)
        elif key in _READABLE and isinstance(inner, str):
            yield inner, 0
        elif isinstance(inner, list | dict):
            yield from _walk(inner, depth + 1)
