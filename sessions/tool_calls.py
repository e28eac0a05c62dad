"""The JSON in the column messages.tool_calls, in both shapes that Hermes has stored.

    [{"id": …, "function": {"name": …, "arguments": "{…}"}}]      as OpenAI has them
    [{"name": …, "arguments": "{…}"}]                             flat

Arguments are JSON in a string; a mapping is taken as well. The id may be missing.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ToolCall:
    """One call as it is stored. `arguments` is empty when it is no JSON object; `id` is "" without one."""

    id: str
    name: str
    arguments: Mapping[str, Any]


def tool_calls_of(stored: object) -> list[ToolCall]:
    """The calls of one message in their order; what cannot be read is left out. Never raises."""
    value = _loaded(stored)
    return list(_calls(value if isinstance(value, list) else [value]))


def _calls(values: list[object]) -> Iterator[ToolCall]:
    for value in values:
        if not isinstance(value, dict):
            continue
        inner = value.get("function")
        function = inner if isinstance(inner, dict) else value
        name, arguments = function.get("name"), _loaded(function.get("arguments"))
        if isinstance(name, str):
            found = arguments if isinstance(arguments, dict) else {}
            yield ToolCall(_word(value.get("id") or value.get("call_id")), name, found)


def _loaded(value: object) -> object:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""
