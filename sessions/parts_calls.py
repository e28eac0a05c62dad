"""The tool calls in the column messages.tool_calls, in both shapes that Hermes has stored.

    [{"id": …, "function": {"name": …, "arguments": "{…}"}}]      as OpenAI has them
    [{"name": …, "arguments": "{…}"}]                             flat

Nothing is left out here: what is not as expected is shown as it stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sessions.parts import MOST, Passage, Problem, Stored, as_text, loaded, passage
from sessions.pretty import as_json, pretty

COLUMN = "tool_calls"


@dataclass(frozen=True)
class Call:
    """A tool call. `name` and `id` are "" where there is none; `arguments` are indented where they are JSON
    and short enough, else as they stand."""

    id: str
    name: str
    arguments: Passage


def calls_of(stored: Stored, limit: int | None = None) -> tuple[tuple[Call, ...], tuple[Problem, ...]]:
    """The calls in their order, arguments cut at `limit` code points. Never raises."""
    source = stored.text
    if not source or source.strip() in ("[]", "null"):
        return (), ()
    value = loaded(source)
    if not isinstance(value, list | dict):
        problem = Problem("cut_json" if stored.cut else "bad_json", COLUMN)
        return (Call("", "", passage(stored, limit)),), (problem,)
    entries = value if isinstance(value, list) else [value]
    problems = []
    if limit is not None and len(entries) > MOST:
        problems.append(Problem("too_many", COLUMN))
        entries = entries[:MOST]
    calls = tuple(_calls(entries, limit))
    if not all(call.name for call in calls):
        problems.append(Problem("odd_call", COLUMN))
    return calls, tuple(problems)


def _calls(entries: list[Any], limit: int | None) -> Iterator[Call]:
    for entry in entries:
        function = _function(entry)
        if function is None:
            yield Call("", "", passage(as_json(entry), limit))
            continue
        key = entry.get("id") or entry.get("call_id") or entry.get("tool_call_id")
        yield Call(as_text(key), function["name"], arguments_of(function, limit))


def _function(entry: Any) -> Mapping[str, Any] | None:
    if not isinstance(entry, dict):
        return None
    inner = entry.get("function")
    function = inner if isinstance(inner, dict) else entry
    return function if isinstance(function.get("name"), str) and function["name"] else None


def arguments_of(function: Mapping[str, Any], limit: int | None) -> Passage:
    """The arguments of a call, or its "input" as another provider names them."""
    value = function.get("arguments", function.get("input"))
    if value is None:
        return Passage("", 0)
    source = value if isinstance(value, str) else as_json(value)
    if limit is not None and len(source) > limit:
        return passage(source, limit)
    shown = pretty(source) or source
    return Passage(shown, len(shown))
