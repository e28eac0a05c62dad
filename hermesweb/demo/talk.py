"""What a made-up conversation consists of, before it becomes rows of state.db."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

JSON_MARK: Final = "\0json:"
"""Hermes stores a content that is no text as this mark and JSON."""


@dataclass(frozen=True)
class Message:
    """One row of `messages`. `columns`: values of further columns, by name."""

    role: Literal["user", "assistant", "tool"]
    content: str | None
    columns: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Talk:
    """One session. `key`: how other talks refer to it. `days_ago`: when it starts, before the "now" of the demo.

    `parent`: key of the session it continues or belongs to; `mark`: the name under which `model_config` says so
    too. `ended`: the reason, None while it is open. `deleted`: removed again, the way Hermes removes a session.
    `columns`: values of further columns of `sessions`.
    """

    key: str
    days_ago: float
    messages: tuple[Message, ...]
    source: str = "cli"
    title: str | None = None
    ended: str | None = "cli_close"
    parent: str | None = None
    mark: str | None = None
    deleted: bool = False
    columns: Mapping[str, object] = field(default_factory=dict)


def asks(text: str, **columns: object) -> Message:
    """A message of a person."""
    return Message("user", text, columns)


def says(text: str, thinks: str = "", **columns: object) -> Message:
    """An answer of the model; `thinks`: the reasoning stored with it."""
    thought = {"reasoning": thinks, "reasoning_content": thinks} if thinks else {}
    return Message("assistant", text, {"finish_reason": "stop", **thought, **columns})


def calls(
    tool: str, arguments: Mapping[str, object], result: object, thinks: str = ""
) -> tuple[Message, ...]:
    """A call of a tool and what it gave back, as the two rows that Hermes stores."""
    function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
    identity = f"call_{zlib.crc32(repr(function).encode()):08x}"  # the same in every process
    call = {"id": identity, "call_id": identity, "type": "function", "function": function}
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    columns = {"tool_calls": json.dumps([call]), "finish_reason": "tool_calls", "reasoning": thinks or None}
    return (
        Message("assistant", "", columns),
        Message("tool", text, {"tool_name": tool, "tool_call_id": identity}),
    )


def taken_back(*messages: Message) -> tuple[Message, ...]:
    """The same messages after /undo: no longer live, and still stored."""
    return tuple(Message(m.role, m.content, {**m.columns, "active": 0}) for m in messages)


def compacted(*messages: Message) -> tuple[Message, ...]:
    """The same messages after compaction: summarised away, still stored and still found by Hermes' search."""
    return tuple(Message(m.role, m.content, {**m.columns, "active": 0, "compacted": 1}) for m in messages)
