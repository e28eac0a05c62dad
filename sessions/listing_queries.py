"""SELECTs over Hermes' sessions for the list of conversations.

Every question either reads narrow columns of all sessions (some ten milliseconds for 40,000), or everything of
the few sessions on one page. Columns that a release lacks are left out (hermes_state.py, 0.13 to 0.22).
"""

import json
from collections.abc import Iterable
from typing import Any

from sessions.database import Database
from sessions.queries import LATEST_TIME, sane

HIDDEN_SOURCES = ("kanban", "oneshot", "subagent", "tool")
PREVIEW_BYTES = 4000
LAST_ROW = 2**63 - 1

Row = tuple[Any, ...]


def column(db: Database, table: str, name: str, alias: str = "") -> str:
    """SQL for a column, or NULL where this database lacks it."""
    return (f"{alias}." if alias else "") + name if name in db.columns(table) else "NULL"


def all_sessions(
    db: Database, first: int = -LAST_ROW, last: int = LAST_ROW, limit: int = LAST_ROW
) -> list[Row]:
    """(row id, started, newest message, noted activity) of every session in the order of row ids."""
    noted = column(db, "sessions", "last_activity_at", "s")
    newest = (
        "(SELECT m.timestamp FROM messages m WHERE m.session_id = s.id AND m.timestamp > 0"  # noqa: S608
        f" AND m.timestamp <= {LATEST_TIME} ORDER BY m.timestamp DESC LIMIT 1)"
    )
    return db.rows(
        f"SELECT s.rowid, {sane('s.started_at')}, {newest}, {sane(noted)}"  # noqa: S608
        " FROM sessions s WHERE s.id IS NOT NULL AND s.rowid BETWEEN ? AND ? ORDER BY s.rowid LIMIT ?",
        (first, last, limit),
    )


def sessions_by_id(db: Database) -> list[int]:
    """Row ids of all sessions, ordered by session id."""
    return [row for (row,) in db.rows("SELECT rowid FROM sessions WHERE id IS NOT NULL ORDER BY id")]


def rows_by_index(db: Database) -> list[int]:
    """Row ids of all sessions without a look at the sessions themselves."""
    return [row for (row,) in db.rows("SELECT rowid FROM sessions INDEXED BY sqlite_autoindex_sessions_1")]


def noted_activity(db: Database) -> list[Row]:
    """(row id, time) where this release notes the last activity itself."""
    if "last_activity_at" not in db.columns("sessions"):
        return []
    time = sane("last_activity_at")
    return db.rows(f"SELECT rowid, {time} FROM sessions WHERE last_activity_at > 0")  # noqa: S608


def families(db: Database, first: int = -LAST_ROW, last: int = LAST_ROW) -> list[Row]:
    """Sessions that have a parent, and the parents: what the rules of lineage.py need to know of each.

    (row id, id, parent id, source, end reason, ended, model_config, session key, started, ended at)
    """
    if "parent_session_id" not in db.columns("sessions"):
        return []
    names = ("source", "end_reason", "ended_at", "model_config", "session_key")
    source, reason, ended, config, key = (column(db, "sessions", name, "s") for name in names)
    # Compared with '' instead of NULL, so that the index on parents is used.
    return db.rows(
        f"SELECT s.rowid, s.id, s.parent_session_id, {source}, {reason}, {ended} IS NOT NULL,"  # noqa: S608
        f" {config}, {key}, {sane('s.started_at')}, {sane(ended)} FROM sessions s WHERE s.rowid IN ("
        " SELECT rowid FROM sessions WHERE parent_session_id > '' UNION"
        " SELECT p.rowid FROM sessions c JOIN sessions p ON p.id = c.parent_session_id"
        " WHERE c.parent_session_id > '') AND s.id IS NOT NULL AND s.rowid BETWEEN ? AND ?",
        (first, last),
    )


def hidden_sessions(db: Database) -> set[int]:
    """Row ids of sessions that Hermes' lists leave out: by source, as somebody's delegate, or hidden."""
    sources = ", ".join(f"'{source}'" for source in HIDDEN_SOURCES)
    found = db.rows(f"SELECT rowid FROM sessions WHERE source IN ({sources})")  # noqa: S608
    if "hidden" in db.columns("sessions"):
        found += db.rows("SELECT rowid FROM sessions WHERE hidden = 1")
    return {row for (row,) in found}


def extent(db: Database) -> tuple[int, int, Any, int, int]:
    """What tells whether sessions or messages were only added since: counts and last rows of both."""
    count, last = db.first("SELECT COUNT(*), MAX(rowid) FROM sessions") or (0, 0)
    name = db.value("SELECT id FROM sessions WHERE rowid = ?", (last,))
    messages = db.value("SELECT COUNT(*) FROM messages")
    return count, last or 0, name, messages, db.value("SELECT MAX(rowid) FROM messages") or 0


def messages_after(db: Database, last: int) -> list[Row]:
    """(session's row id or None, messages, newest time) for the messages with a row id above `last`."""
    # The plus keeps SQLite from walking the index on sessions.
    return db.rows(
        f"SELECT s.rowid, COUNT(*), MAX({sane('m.timestamp')}) FROM messages m"  # noqa: S608
        " LEFT JOIN sessions s ON s.id = m.session_id WHERE m.rowid > ? GROUP BY +m.session_id",
        (last,),
    )


def message_counts(db: Database) -> list[Row]:
    """(session's row id, stored messages) of all sessions that have some."""
    return db.rows(
        "SELECT s.rowid, c.messages FROM (SELECT session_id, COUNT(*) AS messages FROM messages"
        " GROUP BY session_id) c JOIN sessions s ON s.id = c.session_id"
    )


def titles(db: Database, rows: Iterable[int] | None = None) -> dict[int, str]:
    """Titles of all sessions that have one, or of some."""
    if "title" not in db.columns("sessions"):
        return {}
    chosen, parameters = ("", ()) if rows is None else (f" AND rowid IN ({_LISTED})", (_list(rows),))
    found = db.rows(f"SELECT rowid, title FROM sessions WHERE title <> ''{chosen}", parameters)  # noqa: S608
    return {row: text(title) for row, title in found}


def matching(db: Database, condition: str, parameters: Iterable[Any]) -> set[int]:
    """Row ids of the sessions for which a condition holds."""
    found = db.rows(f"SELECT rowid FROM sessions WHERE {condition}", tuple(parameters))  # noqa: S608
    return {row for (row,) in found}


NUMBERS = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "actual_cost_usd",
    "estimated_cost_usd",
)
DETAILS = (
    "source",
    "model",
    "title",
    "cwd",
    "ended_at",
    "end_reason",
    "archived",
    "pinned",
    "hidden",
    *NUMBERS,
)


def details(db: Database, rows: Iterable[int]) -> dict[int, dict[str, Any]]:
    """What a row of the list shows of a session, by its row id; `messages` are counted, not believed."""
    names = [name for name in DETAILS if name in db.columns("sessions")]
    found = db.rows(
        f"SELECT s.rowid, s.id, {column(db, 'sessions', 'parent_session_id', 's')},"  # noqa: S608
        " (SELECT COUNT(*) FROM messages m WHERE m.session_id = s.id)"
        f"{''.join(f', s.{name}' for name in names)} FROM sessions s WHERE s.rowid IN ({_LISTED})",
        (_list(rows),),
    )
    keys = ("id", "parent", "messages", *names)
    return {row: dict(zip(keys, values, strict=True)) for row, *values in found}


def first_words(db: Database, rows: Iterable[int]) -> dict[int, Any]:
    """The beginning of what the person said first, by the session's row id. May raise StateDamaged."""
    shown = "AND COALESCE(m.display_kind, '') <> 'hidden'" if "display_kind" in db.columns("messages") else ""
    # As a blob: substr() of a text ends at the NUL that Hermes puts before JSON.
    found = db.rows(
        f"SELECT s.rowid, (SELECT substr(CAST(m.content AS BLOB), 1, {PREVIEW_BYTES}) FROM messages m"  # noqa: S608
        " WHERE m.session_id = s.id AND m.role = 'user' AND m.content IS NOT NULL"
        " AND m.content NOT LIKE '[CONTEXT COMPACTION%' AND m.content NOT LIKE '[CONTEXT SUMMARY]:%'"
        f" {shown} ORDER BY m.timestamp, m.id LIMIT 1) FROM sessions s WHERE s.rowid IN ({_LISTED})",
        (_list(rows),),
    )
    return dict(found)


def row_of(db: Database, session: str) -> int | None:
    """The row id of a session."""
    found = db.value("SELECT rowid FROM sessions WHERE id = ?", (session,))
    return found if isinstance(found, int) else None


def id_of(db: Database, row: int) -> str:
    """The id of the session with a row id, "" for none."""
    return text(db.value("SELECT id FROM sessions WHERE rowid = ?", (row,)))


def sessions_by(db: Database, name: str) -> dict[str, int]:
    """How many sessions have each value of a column."""
    counts: dict[str, int] = {}
    for value, sessions in db.rows(f"SELECT {name}, COUNT(*) FROM sessions GROUP BY 1"):  # noqa: S608
        counts[text(value)] = counts.get(text(value), 0) + sessions
    return counts


def values_of(db: Database, name: str, rows: Iterable[int]) -> list[str]:
    """A column of some sessions, in no order."""
    found = db.rows(f"SELECT {name} FROM sessions WHERE rowid IN ({_LISTED})", (_list(rows),))  # noqa: S608
    return [text(value) for (value,) in found]


def text(value: object) -> str:
    """A stored value as text, whatever its type."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


_LISTED = "SELECT value FROM json_each(?)"


def _list(rows: Iterable[int]) -> str:
    return json.dumps(list(rows))
