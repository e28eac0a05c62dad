"""The rows that belong to sessions beside their messages, found the same way for a preview and for deleting.

Hermes leaves most of them when it deletes a session. Kept on purpose: `conversation_generations`, a counter
that must never start again for a chat (hermes_state_common.py), and the settings of a Telegram chat.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sessions.database import Database
from sessions.deletion_queries import chunks, marks
from sessions.listing_queries import column
from sessions.queries import sane

BY_ID: Final = {
    "session_model_usage": ("session_id",),
    "async_delegations": ("parent_session_id", "origin_session_id", "origin_session", "origin_ui_session_id"),
    "telegram_dm_topic_bindings": ("session_id",),
    "compression_locks": ("session_id",),  # expired ones: a live one keeps the conversation
    "session_turn_leases": ("conversation_id",),
}
META_KEYS: Final = ("goal:", "loop:", "heartbeat:")  # hermes_cli/goals.py, loops.py, heartbeat.py
KEPT: Final = ("conversation_generations", "telegram_dm_topic_mode")
AFTERWARDS: Final = 60.0  # seconds after the last message in which a reply is on its way

Rows = dict[str, set[int]]


def side_rows(db: Database, ids: Iterable[str]) -> Rows:
    """Row ids by table of all that belongs to these sessions. Raises StateError."""
    gone = list(ids)
    found: Rows = defaultdict(set)
    for table, names in BY_ID.items():
        for name in names:
            if name in db.columns(table):
                found[table].update(_where(db, table, name, gone))
    if "key" in db.columns("state_meta"):
        found["state_meta"].update(
            _where(db, "state_meta", "key", [p + id for id in gone for p in META_KEYS])
        )
    found["gateway_routing"].update(_routing(db, set(gone)))
    found["session_deletion_receipts"].update(_receipts(db, set(gone)))
    _add_by_key(db, gone, found)
    return {table: rows for table, rows in found.items() if rows}


def kept_tables(db: Database) -> tuple[str, ...]:
    """Tables that Hermes keeps although they tell of a chat."""
    return tuple(name for name in KEPT if name in db.tables)


def _where(db: Database, table: str, name: str, values: Iterable[Any]) -> Iterator[int]:
    for some in chunks(values):
        rows = db.rows(f"SELECT rowid FROM {table} WHERE {name} IN ({marks(some)})", some)  # noqa: S608
        yield from (row for (row,) in rows)


def _routing(db: Database, gone: set[str]) -> Iterator[int]:
    if "entry_json" in db.columns("gateway_routing"):
        for row, entry in db.rows("SELECT rowid, entry_json FROM gateway_routing"):
            value = _json(entry)
            named = value.get("session_id") if isinstance(value, dict) else None
            if isinstance(named, str) and named in gone:
                yield row


def _receipts(db: Database, gone: set[str]) -> Iterator[int]:
    if "deletion_json" in db.columns("session_deletion_receipts"):
        for row, receipt in db.rows("SELECT rowid, deletion_json FROM session_deletion_receipts"):
            if any(text in gone for text in strings_in(_json(receipt))):
                yield row


def _add_by_key(db: Database, gone: list[str], found: Rows) -> None:
    """Rows that only name the chat: all of them if no other session of that chat stays."""
    if "session_key" not in db.columns("sessions"):
        return
    keys = _keys(db, gone)
    shared = _shared(db, list(keys), set(gone))
    if "session_key" in db.columns("gateway_hygiene_state"):
        found["gateway_hygiene_state"].update(
            _where(db, "gateway_hygiene_state", "session_key", set(keys) - shared)
        )
    if {"session_key", "content", "created_at"} <= db.columns("delivery_obligations"):
        found["delivery_obligations"].update(
            _where(db, "delivery_obligations", "session_key", set(keys) - shared)
        )
        for key in shared:
            found["delivery_obligations"].update(_own_replies(db, key, keys[key]))


def _keys(db: Database, gone: list[str]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = defaultdict(list)
    for some in chunks(gone):
        asked = f"SELECT id, session_key FROM sessions WHERE session_key <> '' AND id IN ({marks(some)})"  # noqa: S608
        for id, key in db.rows(asked, some):
            keys[key].append(id)
    return keys


def _shared(db: Database, keys: list[str], gone: set[str]) -> set[str]:
    shared: set[str] = set()
    for some in chunks(keys):
        asked = f"SELECT id, session_key FROM sessions WHERE session_key IN ({marks(some)})"  # noqa: S608
        shared.update(key for id, key in db.rows(asked, some) if id not in gone)
    return shared


def _own_replies(db: Database, key: str, ids: list[str]) -> Iterator[int]:
    """The replies owed to a chat that say what a session said, or were made while it lasted and are no other's."""
    said = "SELECT 1 FROM messages m WHERE m.session_id = s.id AND m.content = o.content"
    newest = f"SELECT MAX({sane('m.timestamp')}) FROM messages m WHERE m.session_id = s.id"  # noqa: S608
    ended = column(db, "sessions", "ended_at", "s")
    others = (
        "SELECT x.id FROM messages m JOIN sessions x ON x.id = m.session_id WHERE x.session_key = ?"
        " AND m.content = (SELECT o.content FROM delivery_obligations o WHERE o.rowid = ?)"
    )
    for some in chunks(ids):
        rows = db.rows(
            f"SELECT o.rowid, MAX(EXISTS({said})) FROM delivery_obligations o, sessions s"  # noqa: S608
            f" WHERE o.session_key = ? AND s.id IN ({marks(some)}) AND (EXISTS({said}) OR o.created_at"
            f" BETWEEN s.started_at AND COALESCE(({newest}), {sane(ended)}, s.started_at) + {AFTERWARDS})"
            " GROUP BY o.rowid",
            (key, *some),
        )
        for row, is_said in rows:
            if is_said or all(id in ids for (id,) in db.rows(others, (key, row))):
                yield row


def strings_in(value: Any) -> Iterator[str]:
    """All strings inside a JSON value."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict(pairs):
                waiting += [*pairs.keys(), *pairs.values()]
            case list(items):
                waiting += items


def _json(text: object) -> Any:
    try:
        return json.loads(text) if isinstance(text, str | bytes) else None
    except (ValueError, RecursionError):
        return None
