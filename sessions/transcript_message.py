"""One message as a value, from the columns of its row."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sessions.parts import Part, Passage, Problem, Stored, parts_of, passage, text_of
from sessions.parts_calls import Call, calls_of
from sessions.parts_reasoning import Reasoning, reasoning_of
from sessions.queries import LATEST_TIME

State = Literal["live", "undone", "compacted"]
CHARACTERS: Final = 20_000  # of each text on a page

# How Hermes begins the message that stands for what it has summed up; newer ones have a column for it.
SUMMARIES: Final = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")


@dataclass(frozen=True)
class Message:
    """One message. `at`: UTC epoch seconds, None where not sane.

    `state`: "undone" was taken back by undo or rewind, "compacted" was summed up; neither is sent any more.
    `display`: what newer releases note about rows that are no person's words ("hidden", "model_switch", …).
    `summary`: it stands for messages that were summed up. `answers`: the id of the tool call it is the result
    of. `sent`: what the provider was sent instead of the text, where Hermes noted that. `first`: nothing
    comes before it in its session (of what is shown).
    """

    id: int
    session: str
    role: str
    at: float | None
    state: State
    parts: tuple[Part, ...]
    calls: tuple[Call, ...] = ()
    reasoning: tuple[Reasoning, ...] = ()
    sent: Passage | None = None
    tool_name: str = ""
    answers: str = ""
    display: str = ""
    summary: bool = False
    observed: bool = False
    platform_id: str = ""
    finish_reason: str = ""
    tokens: int | None = None
    problems: tuple[Problem, ...] = ()
    first: bool = False

    @property
    def text(self) -> str:
        """The texts of its parts."""
        return text_of(self.parts)

    @property
    def cut(self) -> bool:
        """Whether one of its texts is longer than what is here."""
        texts = [part.text for part in self.parts] + [each.text for each in self.reasoning]
        texts += [call.arguments for call in self.calls] + [self.sent]
        return any(text is not None and text.cut for text in texts)


def message_of(
    id: int, session: str, row: Mapping[str, Stored], limit: int | None = CHARACTERS, *, first: bool = False
) -> Message:
    """The message in a row; what is not as Hermes writes it becomes a Problem. Never raises."""
    parts, wrong_parts = parts_of(_stored(row, "content"), limit)
    calls, wrong_calls = calls_of(_stored(row, "tool_calls"), limit)
    said = text_of(parts)
    reasoning, wrong_reasoning = reasoning_of(row, limit, said)
    at, wrong_time = _time(_stored(row, "timestamp"))
    return Message(
        id=id,
        session=session,
        role=_text(row, "role"),
        at=at,
        state=_state(row),
        parts=parts,
        calls=calls,
        reasoning=reasoning,
        sent=_sent(row, limit),
        tool_name=_text(row, "tool_name"),
        answers=_text(row, "tool_call_id"),
        display=_text(row, "display_kind"),
        summary=bool(_stored(row, "_compressed_summary").value) or said.startswith(SUMMARIES),
        observed=bool(_stored(row, "observed").value),
        platform_id=_text(row, "platform_message_id"),
        finish_reason=_text(row, "finish_reason"),
        tokens=_number(_stored(row, "token_count")),
        problems=(*wrong_parts, *wrong_calls, *wrong_reasoning, *wrong_time),
        first=first,
    )


def _stored(row: Mapping[str, Stored], column: str) -> Stored:
    return row.get(column, Stored())


def _text(row: Mapping[str, Stored], column: str) -> str:
    return _stored(row, column).text


def _state(row: Mapping[str, Stored]) -> State:
    if _stored(row, "active").value != 0:  # none in some old databases: live
        return "live"
    return "compacted" if _stored(row, "compacted").value else "undone"


def _sent(row: Mapping[str, Stored], limit: int | None) -> Passage | None:
    sent, content = _stored(row, "api_content"), _stored(row, "content")
    if not sent.value or sent.value == content.value:
        return None
    return passage(sent, limit)


def _time(stored: Stored) -> tuple[float | None, tuple[Problem, ...]]:
    value = stored.value
    if isinstance(value, int | float) and 0 < value <= LATEST_TIME:
        return float(value), ()
    return None, (Problem("bad_time", "timestamp"),) if value is not None else ()


def _number(stored: Stored) -> int | None:
    return stored.value if isinstance(stored.value, int) else None
