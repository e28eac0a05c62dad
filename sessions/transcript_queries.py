"""SELECTs for reading one conversation: which messages come next, and a message whole.

The order of a conversation is that of the row ids, as in every read of Hermes (`get_messages`,
`get_messages_as_conversation` in hermes_state.py): its clock can go back, so timestamps do not tell.

The next fifty ids of a session are found in two ways. First by walking along the row ids near the edge, which
costs the same in a session of ten and of a hundred thousand messages; where other sessions wrote so much in
between that this does not find enough, by the index of the session. 0.22 has an index in exactly this order.
"""

from dataclasses import dataclass
from typing import Any, Final

from sessions.content import PREFIX
from sessions.database import Database
from sessions.parts import Stored

NEAR: Final = 4000  # row ids looked at before the index is asked
TEXT_BYTES: Final = 4_000_000  # read of one text
PARTS_BYTES: Final = 32_000_000  # of a list of parts: a photograph in it has some millions
SMALL_BYTES: Final = 10_000  # of a name, an id, a reason
ORDERED: Final = "idx_messages_session_id"

LARGE: Final = (
    "content",
    "tool_calls",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "codex_reasoning_items",
    "codex_message_items",
    "api_content",
)
SMALL: Final = (
    "role",
    "tool_call_id",
    "tool_name",
    "timestamp",
    "token_count",
    "finish_reason",
    "platform_message_id",
    "observed",
    "active",
    "compacted",
    "display_kind",
    "_compressed_summary",
)


@dataclass(frozen=True)
class Shown:
    """Which messages belong to a page: live ones always, others if asked for."""

    undone: bool = False
    compacted: bool = True

    def condition(self, db: Database) -> str:
        columns = db.columns("messages")
        if "active" not in columns or (self.undone and self.compacted):
            return "1"
        if "compacted" not in columns:
            return "1" if self.undone else _LIVE
        if not self.undone and not self.compacted:
            return _LIVE
        return f"({_LIVE} OR {'' if self.compacted else 'NOT '}COALESCE(compacted, 0))"


_LIVE: Final = "active IS NOT 0"


def ids_beside(
    db: Database, session: str, edge: int, *, forward: bool, take: int, shown: Shown, last: int | None = None
) -> list[int]:
    """Up to `take` row ids of a session after (or before) the id `edge`, in the order of walking.

    `last`: no id beyond this one. Raises StateError.
    """
    if take <= 0 or not can_read(db) or not storable(session):
        return []
    side = f"rowid {'>' if forward else '<'} ? AND rowid <= ?"
    order = f"ORDER BY rowid {'' if forward else 'DESC'} LIMIT ?"
    condition = shown.condition(db)
    end = _LARGEST if last is None else last
    parameters = (session, edge, end, take)
    if _ordered(db):
        sql = f"FROM messages INDEXED BY {ORDERED} WHERE session_id = ? AND {side} AND {condition} {order}"
        return _ids(db, sql, parameters)
    near = min(max(edge + (NEAR if forward else -NEAR), -_LARGEST), _LARGEST)
    # The pluses say which index not to use.
    walk = f"rowid BETWEEN ? AND ? AND +session_id = ? AND {side} AND {condition} {order}"
    found = _ids(db, f"FROM messages WHERE {walk}", (min(edge, near), max(edge, near), *parameters))
    if len(found) < take:
        beyond = side.replace("rowid", "+rowid")
        found = _ids(
            db, f"FROM messages WHERE session_id = ? AND {beyond} AND {condition} {order}", parameters
        )
    return found


def row_of(db: Database, row: int, size: int = TEXT_BYTES) -> tuple[str, dict[str, Stored]] | None:
    """The session of a message and its columns, of texts up to `size` bytes; columns this database lacks are
    left out. Raises StateError.

    One message at a time, so that a page of very long ones never lies in memory together.
    """
    if not can_read(db):
        return None
    columns = db.columns("messages")
    large: list[str] = [name for name in LARGE if name in columns]
    small: list[str] = [name for name in SMALL if name in columns]
    picked = [_capped(name, size) for name in large] + [_capped(name, SMALL_BYTES) for name in small]
    found = db.first(f"SELECT session_id, {', '.join(picked)} FROM messages WHERE rowid = ?", (row,))  # noqa: S608
    if found is None:
        return None
    session, *values = found
    pairs = zip(values[::2], values[1::2], strict=True)
    read = {
        name: Stored(value, size or 0) for name, (value, size) in zip([*large, *small], pairs, strict=True)
    }
    content = read.get("content", Stored())
    if content.cut and size < PARTS_BYTES and content.value.startswith(PREFIX.encode()):
        whole = db.first(f"SELECT {_capped('content', PARTS_BYTES)} FROM messages WHERE rowid = ?", (row,))  # noqa: S608
        read["content"] = Stored(*whole) if whole else content
    return _name(session), read


def session_of(db: Database, row: int) -> str | None:
    """The session a message belongs to."""
    found = db.first("SELECT session_id FROM messages WHERE rowid = ?", (row,)) if can_read(db) else None
    return _name(found[0]) if found else None


def state_of(db: Database, row: int) -> tuple[bool, bool]:
    """Whether a message is not live, and whether it was summed up."""
    columns = db.columns("messages")
    names = [name if name in columns else default for name, default in (("active", "1"), ("compacted", "0"))]
    found = db.first(f"SELECT {names[0]} IS 0, COALESCE({names[1]}, 0) FROM messages WHERE rowid = ?", (row,))  # noqa: S608
    return (bool(found[0]), bool(found[1])) if found else (False, False)


def counts_of(db: Database, session: str) -> tuple[int, int, int]:
    """How many messages of a session are live, taken back, and summed up. Raises StateError."""
    if not can_read(db):
        return 0, 0, 0
    columns = db.columns("messages")
    total = int(db.value("SELECT COUNT(*) FROM messages WHERE session_id = ?", (session,)))
    if "active" not in columns:
        return total, 0, 0
    gone = "session_id = ? AND active = 0"
    inactive = int(db.value(f"SELECT COUNT(*) FROM messages WHERE {gone}", (session,)))  # noqa: S608
    compacted = 0
    if inactive and "compacted" in columns:
        question = f"SELECT COUNT(*) FROM messages WHERE {gone} AND COALESCE(compacted, 0)"  # noqa: S608
        compacted = int(db.value(question, (session,)))
    return total - inactive, inactive - compacted, compacted


def place_of(db: Database, session: str, row: int) -> int:
    """How many messages of a session come before this one, all kinds."""
    question = "SELECT COUNT(*) FROM messages WHERE session_id = ? AND +rowid < ?"
    return int(db.value(question, (session, row))) if can_read(db) else 0


def ends_of(db: Database, session: str) -> tuple[int, int] | None:
    """The smallest and the largest row id of a session's messages, None without any. Raises StateError.

    From the index alone, so it costs little and also works where rows are damaged.
    """
    if not can_read(db) or not storable(session):
        return None
    question = "SELECT MIN(rowid), MAX(rowid) FROM messages WHERE session_id = ?"
    first, last = db.first(question, (session,)) or (None, None)
    return None if first is None else (first, last)


def ids_after(db: Database, row: int, take: int) -> list[int]:
    """Up to `take` row ids of messages after this one, of whatever session. Raises StateError."""
    sql = "FROM messages WHERE rowid > ? ORDER BY rowid LIMIT ?"
    return _ids(db, sql, (row, take)) if can_read(db) else []


def last_id(db: Database) -> int:
    """The id of the newest message of all; 0 without any."""
    return int(db.value("SELECT MAX(rowid) FROM messages") or 0) if can_read(db) else 0


def can_read(db: Database) -> bool:
    """Whether there is a table of messages at all."""
    return {"session_id", "role", "content"} <= db.columns("messages")


def exists(db: Database, session: str) -> bool:
    """Whether there is a session of this id, by a row of its own or by a message. Raises StateError."""
    if not storable(session):
        return False
    if "sessions" in db.tables and db.first("SELECT 1 FROM sessions WHERE id = ?", (session,)):
        return True
    return can_read(db) and bool(db.first("SELECT 1 FROM messages WHERE session_id = ? LIMIT 1", (session,)))


def storable(text: str) -> bool:
    """Whether SQLite can be asked about this text: half a surrogate pair is in no database."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _ids(db: Database, sql: str, parameters: tuple[Any, ...]) -> list[int]:
    return [row for (row,) in db.rows(f"SELECT rowid {sql}", parameters)]


def _ordered(db: Database) -> bool:
    """Whether the index is there and is of what its name says."""
    question = "SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(?) ORDER BY seqno)"
    return bool(db.value(question, (ORDERED,)) == "session_id,id")


def _capped(column: str, size: int) -> str:
    """The value, or its beginning as bytes where it has more than `size`; and its size in bytes.

    As a blob: the text functions of SQLite end at a NUL.
    """
    whole = f"length(CAST({column} AS BLOB))"
    return f"CASE WHEN {whole} > {size} THEN substr(CAST({column} AS BLOB), 1, {size}) ELSE {column} END, {whole}"


def _name(session: object) -> str:
    return session.decode("utf-8", "replace") if isinstance(session, bytes) else str(session)


_LARGEST: Final = 2**63 - 1
