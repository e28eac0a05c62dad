"""The texts of a message as a person reads them, and the pieces of them around the marks."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sessions.content import PREFIX, plain_text
from sessions.query_text import Alternative
from sessions.search_condition_queries import COLUMNS, INDEXED, JSON_COLUMNS
from sessions.search_marks import Range, marks, places
from sessions.search_queries import READ, Found
from sessions.search_results import Fragment, Where
from sessions.tool_calls import tool_calls_of

AROUND = 80  # characters on each side of a mark
MOST_FRAGMENTS = 3
DEEPEST = 20  # levels of JSON


def located(
    found: Found, where: Iterable[Where], alternatives: Sequence[Alternative]
) -> tuple[Where, tuple[Fragment, ...]] | None:
    """The field with the words and pieces of it; None when they are in none of them as far as read."""
    texts = {field: list(readable(found, field)) for field in COLUMNS if field in set(where)}
    together = [(field, text) for field in INDEXED for text in texts.get(field, ())]
    for field, own in texts.items():
        # What an index knows is one text to it, and to the rules for several words.
        fitting = _without_unwanted(alternatives, [text for _, text in together] if field in INDEXED else own)
        for text in own:
            if place := marks(fitting, text):
                return field, fragments(text, place)
    fitting = _without_unwanted(alternatives, [text for _, text in together])
    if len(together) > 1 and marks(fitting, "\n".join(text for _, text in together)):
        single = [Alternative((term,)) for each in fitting for term in each.all]
        for field, text in together:
            if place := marks(single, text):
                return field, fragments(text, place)
    return None


def _without_unwanted(alternatives: Sequence[Alternative], texts: Sequence[str]) -> list[Alternative]:
    """The alternatives of which no excluded word is in the texts, without those words."""
    return [
        Alternative(each.all)
        for each in alternatives
        if not any(places(term, text, most=1) for term in each.none for text in texts)
    ]


def is_cut(found: Found) -> bool:
    """Whether some text of the message was not read to its end."""
    return any(isinstance(text, bytes) and len(text) >= READ for text in found.texts.values())


def readable(found: Found, field: Where) -> Iterator[str]:
    """The texts of a field: first as a person reads it, then as stored where that differs."""
    for column in COLUMNS[field]:
        stored = found.texts.get(column)
        if stored is None or stored == b"":
            continue
        raw = stored.decode("utf-8", "replace") if isinstance(stored, bytes) else str(stored)
        shown = _readable(column, raw)
        if shown:
            yield shown
        if raw != shown:
            yield raw.removeprefix(PREFIX).replace("\0", "\ufffd")


def fragments(text: str, marked: Sequence[Range]) -> tuple[Fragment, ...]:
    """Some pieces of the text around the places."""
    pieces: list[tuple[int, int, list[Range]]] = []
    for begin, end in marked:
        if pieces and begin - AROUND <= pieces[-1][1] and begin - pieces[-1][0] < 4 * AROUND:
            pieces[-1] = (pieces[-1][0], min(len(text), end + AROUND), [*pieces[-1][2], (begin, end)])
        elif len(pieces) == MOST_FRAGMENTS:
            break
        else:
            pieces.append((max(0, begin - AROUND), min(len(text), end + AROUND), [(begin, end)]))
    return tuple(_fragment(text, begin, end, inside) for begin, end, inside in pieces)


def _fragment(text: str, begin: int, end: int, marked: Sequence[Range]) -> Fragment:
    # A very long mark is cut too: it is a line of a page.
    end = min(end, begin + 10 * AROUND)
    shifted = tuple((first - begin, min(last, end) - begin) for first, last in marked if first < end)
    return Fragment(text[begin:end], shifted, begin == 0, end == len(text))


def _readable(column: str, raw: str) -> str:
    if column == "content":
        return plain_text(raw)
    if column == "tool_calls":
        return "\n".join(f"{call.name}\n{_plain(dict(call.arguments))}" for call in tool_calls_of(raw))
    if column not in JSON_COLUMNS:
        return raw
    try:
        return _plain(json.loads(raw))
    except (ValueError, RecursionError):
        return raw


def _plain(value: Any, depth: int = 0) -> str:
    """JSON without its quoting: lines of "name: value"."""
    if isinstance(value, str):
        return value
    if depth < DEEPEST and isinstance(value, dict):
        return "\n".join(f"{name}: {_plain(each, depth + 1)}" for name, each in value.items())
    if depth < DEEPEST and isinstance(value, list):
        return "\n".join(_plain(each, depth + 1) for each in value)
    return str(value)
