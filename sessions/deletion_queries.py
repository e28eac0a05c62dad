"""SELECTs for planning a deletion. Ids are compared as they are: never a pattern, never a prefix."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sessions.database import Database
from sessions.listing_queries import column
from sessions.queries import LATEST_TIME, sane
from sessions.transcript_queries import storable

CHUNK = 200
TEXTS = (
    "content",
    "tool_calls",
    "tool_name",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "codex_reasoning_items",
    "codex_message_items",
    "api_content",
    "display_metadata",
)
RESULT_BYTES = 200_000
_DELEGATION = re.compile(r"(?:delegation/live/|delegation_id\W{1,6})(deleg_[0-9a-f]{6,32})\b")
_SUMMARY = re.compile(r"\b(subagent-summary-\d{1,6}-[0-9_]{15,30}\.txt)")


def chunks(values: Iterable[Any]) -> Iterator[list[Any]]:
    """The values, so many at a time as one statement can name."""
    found = list(values)
    for start in range(0, len(found), CHUNK):
        yield found[start : start + CHUNK]


def marks(values: Sequence[Any]) -> str:
    """As many question marks."""
    return ", ".join("?" * len(values))


def existing(db: Database, ids: Iterable[str]) -> set[str]:
    """Those of the ids that have a row among the sessions."""
    found: set[str] = set()
    for some in chunks(filter(storable, ids)):
        rows = db.rows(f"SELECT id FROM sessions WHERE id IN ({marks(some)})", some)  # noqa: S608
        found.update(str(id) for (id,) in rows)
    return found


def extents(db: Database, ids: Iterable[str]) -> dict[str, tuple[int, int]]:
    """(messages, highest row id) of the sessions that have messages."""
    found: dict[str, tuple[int, int]] = {}
    for some in chunks(filter(storable, ids)):
        rows = db.rows(
            "SELECT session_id, COUNT(*), MAX(id) FROM messages"  # noqa: S608
            f" WHERE session_id IN ({marks(some)}) GROUP BY session_id",
            some,
        )
        found.update((str(id), (count, last)) for id, count, last in rows)
    return found


def beginnings(db: Database, ids: Iterable[str]) -> dict[str, float]:
    """When sessions began: UTC epoch seconds, of those that say so."""
    if "started_at" not in db.columns("sessions"):
        return {}
    found: dict[str, float] = {}
    for some in chunks(filter(storable, ids)):
        asked = f"SELECT id, {sane('started_at')} FROM sessions WHERE id IN ({marks(some)})"  # noqa: S608
        found.update((str(id), float(began)) for id, began in db.rows(asked, some) if began is not None)
    return found


def still_there(db: Database, ids: Iterable[str]) -> tuple[set[str], int]:
    """The ids that have a row among the sessions, and how many messages: looked for row by row, since an index
    that is damaged does not find what it lacks."""
    names: set[str] = set()
    messages = 0
    wanted = list(filter(storable, ids))
    # SQLite ends a text in JSON at a NUL.
    plain = json.dumps([id for id in wanted if "\0" not in id])
    questions = [("SELECT value FROM json_each(?)", [plain])]
    questions += [(marks(some), some) for some in chunks(id for id in wanted if "\0" in id)]
    for among, values in questions:
        sessions = f"SELECT id FROM sessions NOT INDEXED WHERE id IN ({among})"  # noqa: S608
        counted = f"SELECT COUNT(*) FROM messages NOT INDEXED WHERE session_id IN ({among})"  # noqa: S608
        names.update(str(id) for (id,) in db.rows(sessions, values))
        messages += db.value(counted, values)
    return names, messages


def text_bytes(db: Database, ids: Iterable[str]) -> int:
    """Bytes of text in the messages of some sessions."""
    names = [name for name in TEXTS if name in db.columns("messages")]
    size = " + ".join(f"COALESCE(length(CAST({name} AS BLOB)), 0)" for name in names)
    total = 0
    for some in chunks(ids):
        asked = f"SELECT SUM({size}) FROM messages WHERE session_id IN ({marks(some)})"  # noqa: S608
        total += db.value(asked, some) or 0
    return total


def activities(db: Database) -> list[tuple[Any, ...]]:
    """(id, started, newest message, noted activity, ended at, archived, pinned) of every session."""
    noted, archived, pinned, ended = (
        column(db, "sessions", name, "s") for name in ("last_activity_at", "archived", "pinned", "ended_at")
    )
    newest = (
        "(SELECT m.timestamp FROM messages m WHERE m.session_id = s.id AND m.timestamp > 0"  # noqa: S608
        f" AND m.timestamp <= {LATEST_TIME} ORDER BY m.timestamp DESC LIMIT 1)"
    )
    return db.rows(
        f"SELECT s.id, {sane('s.started_at')}, {newest}, {sane(noted)}, {ended}, {archived}, {pinned}"  # noqa: S608
        " FROM sessions s WHERE s.id IS NOT NULL ORDER BY s.rowid"
    )


def guarded(db: Database, now: float) -> dict[str, str]:
    """ "locked" or "leased" by session id, for what a live process holds at this time."""
    found: dict[str, str] = {}
    for table, name, why in (
        ("session_turn_leases", "conversation_id", "leased"),
        ("compression_locks", "session_id", "locked"),
    ):
        if {name, "expires_at"} <= db.columns(table):
            rows = db.rows(f"SELECT {name} FROM {table} WHERE expires_at > ?", (now,))  # noqa: S608
            found.update((str(id), why) for (id,) in rows)
    return found


def delegation_names(db: Database, ids: Iterable[str]) -> tuple[set[str], set[str]]:
    """Folders and files below cache/delegation that the delegations of some sessions wrote."""
    folders: set[str] = set()
    files: set[str] = set()
    for some in chunks(ids):
        if {"delegation_id", "parent_session_id"} <= db.columns("async_delegations"):
            asked = f"SELECT delegation_id FROM async_delegations WHERE parent_session_id IN ({marks(some)})"  # noqa: S608
            folders.update(str(name) for (name,) in db.rows(asked, some))
        if not {"role", "tool_name", "content"} <= db.columns("messages"):
            continue
        results = db.rows(
            f"SELECT substr(content, 1, {RESULT_BYTES}) FROM messages WHERE session_id IN ({marks(some)})"  # noqa: S608
            " AND role = 'tool' AND tool_name = 'delegate_task'",
            some,
        )
        for (result,) in results:
            folders.update(_DELEGATION.findall(str(result)))
            files.update(_SUMMARY.findall(str(result)))
    return folders, files


def lost_prompts(db: Database, ids: Sequence[str]) -> int:
    """How many stored prompts only these sessions refer to, or none does."""
    names = prompt_references(db)
    if "hash" not in db.columns("system_prompts") or not names:
        return 0
    gone = set(ids)
    used: set[Any] = set()
    for name in names:
        rows = db.rows(f"SELECT id, {name} FROM sessions WHERE {name} IS NOT NULL")  # noqa: S608
        used.update(key for id, key in rows if id not in gone)
    return sum(key not in used for (key,) in db.rows("SELECT hash FROM system_prompts"))


def prompt_references(db: Database) -> list[str]:
    """The columns of a session that can name a stored prompt."""
    return [name for name in ("system_prompt_hash", "tool_names") if name in db.columns("sessions")]


def unused_prompts(db: Database) -> str:
    """Which stored prompts no session refers to, as SQL; "" if there are none at all."""
    names = prompt_references(db)
    if "hash" not in db.columns("system_prompts") or not names:
        return ""
    used = " UNION ".join(f"SELECT {name} FROM sessions WHERE {name} IS NOT NULL" for name in names)  # noqa: S608
    return f"hash NOT IN ({used})"
