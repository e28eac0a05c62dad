"""The words of an export for people, and what both of its forms share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from sessions.database import Database
from sessions.export_pages import Options, Tally
from sessions.parts import Part
from sessions.secrets import masked
from sessions.transcript_heading import Heading
from sessions.transcript_message import Message, message_of
from sessions.transcript_queries import row_of

WHOLE: Final = 2**31 - 1  # bytes: no text is cut


@dataclass(frozen=True)
class Words:
    """What is said in an export around what was recorded. A caller with a language brings its own."""

    title: str = "Hermes conversations"
    untitled: str = "Without a title"
    roles: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType(
            {"user": "User", "assistant": "Hermes", "tool": "Tool", "system": "System"}
        )
    )
    undone: str = "taken back"
    compacted: str = "summed up since"
    summary: str = "summary"
    reasoning: str = "Reasoning"
    sealed: str = "encrypted, not readable"
    call: str = "Call"
    result: str = "Result of"
    sent: str = "Sent to the provider instead"
    not_shown: str = "not included"
    bytes: str = "bytes"
    source: str = "Source"
    model: str = "Model"
    started: str = "Started"
    ended: str = "Ended"
    sessions: str = "Sessions"
    messages: str = "Messages"
    left_out_undone: str = "Left out, taken back"
    left_out_compacted: str = "Left out, summed up since"
    missing: str = "Not found"
    was_masked: str = "Keys, passwords and personal numbers that were found are masked."
    was_exact: str = "Nothing is masked."


ENGLISH: Final = Words()


def moment(at: float | None) -> str:
    """A time as ISO 8601 in UTC; "" for none."""
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def facts_of(about: Heading, words: Words) -> list[tuple[str, str]]:
    """What is said of a session before its messages."""
    facts = [
        (words.source, about.source),
        (words.model, about.model),
        (words.started, moment(about.started_at)),
        (words.ended, moment(about.ended_at)),
    ]
    return [(name, value) for name, value in facts if value]


def who_of(message: Message, words: Words) -> str:
    """Who speaks, and what became of it."""
    name = words.roles.get(message.role, message.role)
    tool = [message.tool_name] if message.tool_name else []
    state = {"undone": [words.undone], "compacted": [words.compacted]}.get(message.state, [])
    summary = [words.summary] if message.summary else []
    display = [message.display] if message.display else []
    return " · ".join([name, *tool, *state, *summary, *display])


def placeholder(part: Part, words: Words) -> str:
    """What stands for a picture, a sound or a file."""
    size = "" if part.size is None else f"{part.size} {words.bytes}"
    return " · ".join(
        filter(None, (part.kind, part.media_type, part.name, size, part.address, words.not_shown))
    )


def counted(tally: Tally, words: Words) -> list[tuple[str, int]]:
    """What is in the file, in words."""
    return [
        (words.sessions, tally.sessions),
        (words.messages, tally.messages),
        (words.left_out_undone, tally.undone),
        (words.left_out_compacted, tally.compacted),
        (words.missing, tally.missing),
    ]


def whole_message_of(db: Database, row: int) -> Message | None:
    """A message with all of its texts; None when it was removed just now."""
    found = row_of(db, row, WHOLE)
    return message_of(row, found[0], found[1], None) if found else None


def said(text: str, options: Options) -> str:
    """A text as it goes into the file."""
    return masked(text, options.region) if options.masked else text
