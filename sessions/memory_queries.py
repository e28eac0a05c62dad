"""SELECTs over messages for the calls of the memory tool and the replies around them.

Everything goes by row id, which follows time, in short statements: a table of a million messages is never
held for long (hermes_state.py, 0.13 to 0.22).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sessions.database import Database
from sessions.prompt_queries import text
from sessions.queries import sane

CALL_WINDOW = 5000  # rows looked at in one statement: for calls, which are few,
REPLY_WINDOW = 1000  # and for replies, whose text is fetched
NEAR = 2000  # rows between a call and its answer, or a reply and its question
ANSWERS = 60  # tool messages after one reply
CALL_BYTES = 1_000_000  # of one message
ANSWER_BYTES = 200_000
REPLY_BYTES = 20_000  # of a reply or a question

Window = tuple[int, int]


@dataclass(frozen=True)
class MessageRow:
    """A message. `undone`: taken back by undo or rewind. `at`: UTC epoch seconds, None where not sane."""

    id: int
    session: Any
    role: str
    content: str
    tool_calls: str
    at: float | None
    undone: bool


def windows(db: Database, size: int) -> Iterator[Window]:
    """Ranges of row ids (first, last), newest first, of at most `size` rows. Raises StateError."""
    if not {"session_id", "role", "tool_calls", "content"} <= db.columns("messages"):
        return
    last = db.value("SELECT MAX(rowid) FROM messages")
    while last is not None:
        question = "SELECT rowid FROM messages WHERE rowid <= ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
        first = db.value(question, (last, size - 1))
        yield (-(2**63) if first is None else first), last
        last = None if first is None else first - 1


def time_at(db: Database, window: Window) -> float | None:
    """The time of the oldest message of a window. Raises StateError."""
    if "timestamp" not in db.columns("messages"):
        return None
    question = f"SELECT {sane('timestamp')} FROM messages WHERE rowid >= ? ORDER BY rowid LIMIT 1"  # noqa: S608
    found: float | None = db.value(question, (window[0],))
    return found


def calls_in(db: Database, window: Window, tool: str = "memory") -> Iterator[MessageRow]:
    """The messages that call `tool`, newest first, fetched one by one. Raises StateError."""
    found = db.rows(
        "SELECT rowid FROM messages WHERE rowid BETWEEN ? AND ?"
        " AND tool_calls IS NOT NULL AND instr(tool_calls, ?) ORDER BY rowid DESC",
        (*window, f'"{tool}"'),
    )
    for (row,) in found:
        yield from _rows(db, "rowid = ?", (row,), CALL_BYTES)


def replies_in(db: Database, window: Window, hints: Sequence[str]) -> list[MessageRow]:
    """The agent's messages that hold one of `hints`, newest first. Raises StateError."""
    # LIKE ends at a NUL, with which Hermes marks content in JSON.
    held = " OR ".join("content LIKE ?" for _ in hints)
    condition = f"role = 'assistant' AND ({held} OR content < char(1) OR typeof(content) = 'blob')"
    patterns = (f"%{hint}%" for hint in hints)
    question = f"rowid BETWEEN ? AND ? AND {condition} ORDER BY rowid DESC"
    return _rows(db, question, (*window, *patterns), REPLY_BYTES)


def answers_after(db: Database, row: MessageRow) -> list[tuple[str, str, str]]:
    """Call id, tool and content of the tool messages that follow a message with calls, in their order."""
    columns = ", ".join(_column(db, name) for name in ("tool_call_id", "tool_name"))
    # The plus keeps SQLite from sorting all messages of the session.
    rows = db.rows(
        f"SELECT role, {columns}, {_start('content', ANSWER_BYTES)} FROM messages"  # noqa: S608
        " WHERE rowid > ? AND rowid <= ? AND +session_id = ? ORDER BY rowid LIMIT ?",
        (row.id, row.id + NEAR, row.session, ANSWERS),
    )
    found = []
    for role, call_id, tool, content in rows:
        if role != "tool":
            break
        found.append((text(call_id), text(tool), text(content)))
    return found


def question_before(db: Database, row: MessageRow) -> MessageRow | None:
    """The message of a person (or of Hermes in a person's place) that a message answers."""
    condition = "rowid < ? AND rowid >= ? AND +session_id = ? AND role IN ('user', 'system')"
    near = (row.id, max(row.id - NEAR, -(2**63)), row.session)
    rows = _rows(db, f"{condition} ORDER BY rowid DESC LIMIT 1", near, REPLY_BYTES)
    return rows[0] if rows else None


def turn_of(db: Database, row: MessageRow) -> list[MessageRow]:
    """All messages between the question before a message and the next one, in their order."""
    question = question_before(db, row)
    first = question.id if question else max(row.id - NEAR, -(2**63))
    condition = "rowid > ? AND rowid <= ? AND +session_id = ? ORDER BY rowid LIMIT 500"
    following = _rows(db, condition, (first, row.id + NEAR, row.session), 200)
    turn: list[MessageRow] = []
    for each in following:
        if each.role == "user" and each.id > row.id:
            break
        turn.append(each)
    return turn


def names_of(db: Database, sessions: Iterable[Any]) -> dict[Any, tuple[str, str]]:
    """Title and source of sessions. Raises StateError."""
    wanted = list(dict.fromkeys(sessions))
    columns = ", ".join(name if name in db.columns("sessions") else "NULL" for name in ("title", "source"))
    found: dict[Any, tuple[str, str]] = {}
    for start in range(0, len(wanted) if "sessions" in db.tables else 0, 200):
        some = wanted[start : start + 200]
        marks = ", ".join("?" for _ in some)
        rows = db.rows(f"SELECT id, {columns} FROM sessions WHERE id IN ({marks})", some)  # noqa: S608
        found.update((key, (text(title), text(source))) for key, title, source in rows)
    return found


def reviews_of(db: Database, limit: int) -> list[tuple[Any, float | None, float | None]]:
    """Session, first and last time of the background reviews that were paid for, newest first."""
    if not {"session_id", "task", "first_seen", "last_seen"} <= db.columns("session_model_usage"):
        return []
    first, last = sane("first_seen"), sane("last_seen")
    return db.rows(
        f"SELECT session_id, {first}, {last} FROM session_model_usage"  # noqa: S608
        f" WHERE task = 'background_review' ORDER BY {last} DESC LIMIT ?",
        (limit,),
    )


def _rows(db: Database, condition: str, parameters: tuple[Any, ...], size: int) -> list[MessageRow]:
    undone = "COALESCE(active, 1) = 0" if "active" in db.columns("messages") else "0"
    if "compacted" in db.columns("messages"):
        undone += " AND COALESCE(compacted, 0) = 0"
    time = sane("timestamp") if "timestamp" in db.columns("messages") else "NULL"
    rows = db.rows(
        f"SELECT rowid, session_id, role, {_start('content', size)},"  # noqa: S608
        f" {_start('tool_calls', CALL_BYTES)}, {time}, {undone} FROM messages WHERE {condition}",
        parameters,
    )
    return [
        MessageRow(row, session, text(role), text(content), text(calls), at, bool(gone))
        for row, session, role, content, calls, at, gone in rows
    ]


def _start(column: str, size: int) -> str:
    # As a blob: a NUL in a text would end it for SQLite.
    return f"substr(CAST({column} AS BLOB), 1, {size})"


def _column(db: Database, name: str) -> str:
    return name if name in db.columns("messages") else "NULL"
