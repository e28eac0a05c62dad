"""JSON for reading: indented, but every name, string and number as it was written.

Parsing and writing it again would change numbers, drop double keys and undo escapes; an audit shows what
stands there.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

LONGEST: Final = 100_000  # characters; a longer text is shown as it stands
DEEPEST: Final = 20  # levels that are indented further and further

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+')


def pretty(text: str) -> str | None:
    """An object or array on several lines; None for everything else. Never raises."""
    if len(text) > LONGEST or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    return "".join(_lines(_TOKEN.findall(text)))


def as_json(value: Any) -> str:
    """A value that came from JSON as JSON again, characters as they are. Never raises."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, TypeError, RecursionError):
        return str(value)


def _lines(tokens: list[str]) -> Iterator[str]:
    depth = 0
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token in ("{", "["):
            depth += 1
            yield token if following in ("}", "]") else token + _line(depth)
        elif token in ("}", "]"):
            depth -= 1
            yield token
        else:
            yield {",": "," + _line(depth), ":": ": "}.get(token, token)
        if following in ("}", "]") and token not in ("{", "["):
            yield _line(depth - 1)


def _line(depth: int) -> str:
    return "\n" + "  " * min(depth, DEEPEST)
