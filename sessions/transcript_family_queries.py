"""SELECTs for what is around a session: its own row, its parent and its children, its system prompt."""

from collections.abc import Sequence
from typing import Any, Final

from sessions.database import Database
from sessions.lineage import Link, marks_of
from sessions.parts import Stored, as_text
from sessions.queries import LATEST_TIME, sane
from sessions.transcript_queries import storable

MOST: Final = 1000  # children of one session
TEXT_BYTES: Final = 4_000_000
NAMES: Final = ("parent_session_id", "source", "end_reason", "ended_at", "model_config")


def session_row(db: Database, session: str, columns: Sequence[str]) -> dict[str, Any] | None:
    """These columns of a session's row, None for those this database lacks; None without such a session.

    Raises StateError.
    """
    if "id" not in db.columns("sessions") or not storable(session):
        return None
    there = [name for name in columns if name in db.columns("sessions")]
    found = db.first(f"SELECT {', '.join([*there, 'rowid'])} FROM sessions WHERE id = ?", (session,))  # noqa: S608
    if found is None:
        return None
    return dict.fromkeys(columns) | dict(zip(there, found, strict=False))


def sessions_after(db: Database, row: int, take: int) -> list[tuple[int, str]]:
    """Row id and session id of up to `take` sessions after this row. Raises StateError."""
    if "id" not in db.columns("sessions"):
        return []
    rows = db.rows("SELECT rowid, id FROM sessions WHERE rowid > ? ORDER BY rowid LIMIT ?", (row, take))
    return [(number, as_text(key)) for number, key in rows]


def link_of(db: Database, key: Any) -> Link | None:
    """What the rules about chains need to know of one session."""
    return next(iter(_links(db, "s.id = ?", key)), None)


def children_of(db: Database, key: Any) -> list[Link]:
    """The same of the sessions whose parent it is, oldest row first."""
    if "parent_session_id" not in db.columns("sessions"):
        return []
    return _links(db, f"s.parent_session_id = ? ORDER BY s.rowid LIMIT {MOST}", key)


def names_of(db: Database, keys: Sequence[Any]) -> dict[Any, tuple[str, float | None]]:
    """Title ("" without one) and start of those sessions that are there. Raises StateError."""
    there = db.columns("sessions")
    if "id" not in there:
        return {}
    title = "title" if "title" in there else "NULL"
    started = sane("started_at") if "started_at" in there else "NULL"
    found: dict[Any, tuple[str, float | None]] = {}
    for start in range(0, len(keys), 200):
        some = list(keys[start : start + 200])
        marks = ", ".join("?" for _ in some)
        rows = db.rows(f"SELECT id, {title}, {started} FROM sessions WHERE id IN ({marks})", some)  # noqa: S608
        found.update((key, (as_text(name), began)) for key, name, began in rows)
    return found


def titles_of(db: Database, keys: Sequence[Any]) -> dict[Any, str]:
    """The titles of some sessions."""
    return {key: title for key, (title, _) in names_of(db, keys).items()}


def prompt_of(db: Database, session: str) -> tuple[Stored | None, str]:
    """The system prompt kept for a session, and its hash where it is shared ("" if it stands in the row).

    None without one; the hash alone when the shared text is gone. Raises StateError.
    """
    row = session_row(db, session, ["system_prompt_hash"])
    if row is None:
        return None, ""
    if "system_prompt" in db.columns("sessions"):
        inline = _text(db, "sessions", "system_prompt", "id", session)
        if inline and inline.size:
            return inline, ""
    key = row["system_prompt_hash"]
    if not key:
        return None, ""
    shared = {"hash", "prompt"} <= db.columns("system_prompts")
    return (_text(db, "system_prompts", "prompt", "hash", key) if shared else None), as_text(key)


def _text(db: Database, table: str, column: str, name: str, key: Any) -> Stored | None:
    blob = f"CAST({column} AS BLOB)"
    capped = f"CASE WHEN length({blob}) > {TEXT_BYTES} THEN substr({blob}, 1, {TEXT_BYTES}) ELSE {column} END"
    found = db.first(f"SELECT {capped}, length({blob}) FROM {table} WHERE {name} = ?", (key,))  # noqa: S608
    return Stored(found[0], found[1] or 0) if found else None


def _links(db: Database, condition: str, parameter: Any) -> list[Link]:
    there = db.columns("sessions")
    if "id" not in there:
        return []
    columns = ", ".join(f"s.{name}" if name in there else "NULL" for name in NAMES)
    started = sane("s.started_at") if "started_at" in there else "NULL"
    newest = "NULL"
    if {"session_id", "timestamp"} <= db.columns("messages"):
        newest = (
            "(SELECT m.timestamp FROM messages m WHERE m.session_id = s.id AND m.timestamp > 0"  # noqa: S608
            f" AND m.timestamp <= {LATEST_TIME} ORDER BY m.timestamp DESC LIMIT 1)"
        )
    picked = f"s.id, {columns}, {started}, {newest}"
    rows = db.rows(f"SELECT {picked} FROM sessions s WHERE {condition}", (parameter,))  # noqa: S608
    return [
        Link(key, parent, as_text(source), as_text(reason), ended is not None, began, last, marks_of(config))
        for key, parent, source, reason, ended, config, began, last in rows
    ]
