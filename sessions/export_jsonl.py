"""An export as JSON, one session on each line, with the fields of `hermes sessions export`.

Hermes can read it again (its dashboard's import of sessions; up to 500 sessions, 5 MB each in 0.19). One key
is ours, and Hermes passes over it: "hermesweb" counts what is in the line and in the file up to there.
"""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sessions.content import PREFIX
from sessions.database import Database
from sessions.export_pages import Options, Reader, SessionPages, Tally, begin, pages, sequence_of
from sessions.export_queries import whole_message, whole_session
from sessions.parts import as_text, loaded
from sessions.secrets import masked

OWN_KEY: Final = "hermesweb"
# Names that tie rows together; hiding a part of one would only break the file.
KEPT: Final = frozenset(("id", "session_id", "parent_session_id", "tool_call_id", "call_id")) | {
    "response_item_id",
    "system_prompt_hash",
    "message_uid",
    "tool_call_uid",
}


def export_jsonl(read: Reader, sessions: Sequence[str], options: Options = Options()) -> Iterator[bytes]:  # noqa: B008  (frozen)
    """The lines of these sessions in pieces. Memory: one page, or the longest message. Raises StateError."""
    tally = Tally()
    for session in sequence_of(sessions):
        begun = begin(read, session, options, tally)
        if begun is not None:
            yield from _line(read, begun, options, tally)


def _line(read: Reader, session: SessionPages, options: Options, tally: Tally) -> Iterator[bytes]:
    def head(db: Database) -> dict[str, Any]:
        return whole_session(db, session.id) or {"id": session.id}

    fields = _dumped(_shown(read(head), options))
    yield fields[:-1] + b', "messages": ['
    between = b""

    def message(db: Database, row: int) -> bytes | None:
        found = whole_message(db, row)
        return _dumped(_shown(_as_hermes(found), options)) if found else None

    for page in pages(read, session, options, tally, message):
        yield between + b", ".join(page)
        between = b", "
    yield b'], "' + OWN_KEY.encode() + b'": ' + _dumped(_counts(session, options, tally)) + b"}\n"


def _as_hermes(row: dict[str, Any]) -> dict[str, Any]:
    """Content and tool calls as values. What is no JSON stays as it stands, where Hermes would drop it."""
    content, calls = row.get("content"), row.get("tool_calls")
    if isinstance(content, str) and content.startswith(PREFIX):
        value = loaded(content.removeprefix(PREFIX))
        row["content"] = content if value is None else value
    if isinstance(calls, str) and calls:
        value = loaded(calls)
        row["tool_calls"] = calls if value is None else value
    metadata = row.get("display_metadata")
    if isinstance(metadata, str):
        row["display_metadata"] = loaded(metadata) or metadata
    return row


def _counts(session: SessionPages, options: Options, tally: Tally) -> dict[str, Any]:
    left_out = {"undone": session.undone, "compacted": session.compacted}
    so_far = {"sessions": tally.sessions, "messages": tally.messages, "missing": tally.missing}
    so_far |= {"undone_left_out": tally.undone, "compacted_left_out": tally.compacted}
    return {
        "messages": session.messages,
        "left_out": left_out,
        "masked": options.masked,
        "file_so_far": so_far,
    }


def _shown(value: Any, options: Options, key: str = "") -> Any:
    """The value as JSON can hold it, masked where asked for."""
    if isinstance(value, dict):
        return {name: _shown(inner, options, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_shown(inner, options, key) for inner in value]
    if isinstance(value, bytes):
        value = as_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, str) and options.masked and key not in KEPT:
        return masked(value, options.region)
    return value


def _dumped(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can hold
        return json.dumps(value).encode()
