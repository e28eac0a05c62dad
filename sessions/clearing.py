"""Empties a state.db where it stands, when the file cannot be taken away because Hermes may have it open."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sessions.database import Database
from sessions.deletion import PAUSE, delete_planned
from sessions.deletion_connection import opened_for_deletion, transaction
from sessions.deletion_plan import plan_deletion
from sessions.deletion_queries import guarded, unused_prompts
from sessions.deletion_sides import META_KEYS
from sessions.scrubbing import scrub
from sessions.scrubbing_report import Scrubbed

# What is left when no session is: rows of sessions that never were, and what is kept by chat. The counter of a
# chat (conversation_generations) goes too: with no conversation left there is none it could be mixed up with.
_REST: Final = (
    "session_model_usage",
    "async_delegations",
    "delivery_obligations",
    "gateway_routing",
    "gateway_hygiene_state",
    "telegram_dm_topic_bindings",
    "telegram_dm_topic_mode",
    "conversation_generations",
    "session_deletion_receipts",
)
_EXPIRING: Final = ("compression_locks", "session_turn_leases")
_AT_ONCE: Final = 3_000  # rows of one transaction: a running Hermes gives up a write after 16 seconds

Step = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Cleared:
    """`rows`: how many are left by table, none where all are gone. `held`: conversations that a live process is
    working on, which stay. `scrubbed`: what became of the words."""

    rows: dict[str, int]
    held: int
    scrubbed: Scrubbed

    @property
    def complete(self) -> bool:
        return not self.rows and not self.held and self.scrubbed.complete


def clear_state(folder: Path, *, temporary: Path, step: Step = lambda *_: None) -> Cleared:
    """Delete every row about a person from the state.db of a profile `folder`, then the words it leaves.

    `temporary` is a folder of ours for SQLite's copy. `step(what, done, total)` may raise to stop: what is
    done stays done, and it can be called again. Raises StateError (DeletionRefused for a schema that we do not
    know) before anything is touched, or with nothing half done.
    """
    with opened_for_deletion(folder) as db:
        held = _delete_sessions(db, lambda done, total: step("rows", done, total))
        _delete_odd_sessions(db)
        _delete_rest(db, lambda done: step("rows", done, done))
        rows = rows_left(db)
    return Cleared(rows, held, scrub(folder, temporary=temporary, step=step))


def rows_left(db: Database) -> dict[str, int]:
    """How many rows about a person each table has, those with none left out. Raises StateError."""
    counts = {table: _count(db, table) for table in ("sessions", "messages", "system_prompts", *_REST)}
    counts["state_meta"] = _count(db, "state_meta", _about_a_person(db))
    return {table: count for table, count in counts.items() if count}


def _delete_sessions(db: Database, step: Callable[[int, int], object]) -> int:
    ids = [str(id) for (id,) in db.rows("SELECT id FROM sessions WHERE id IS NOT NULL")]
    plan = plan_deletion(db, ids, quote_seconds=0)
    done = delete_planned(db, plan, step=step)
    return sum(each.why not in ("odd_id", "missing") for each in (*plan.left_out, *done.left_out))


def _delete_odd_sessions(db: Database) -> None:
    """Those that are called by what is no text, and so can be told apart by their row only."""
    rows = db.rows("SELECT rowid, id, CAST(id AS BLOB) FROM sessions")
    for row in [row for row, id, raw in rows if not isinstance(id, str) or id.encode() != raw]:
        its = "= (SELECT id FROM sessions WHERE rowid = ?)"
        with transaction(db):
            if guarded(db, time.time()):
                return
            db.rows(f"UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id {its}", (row,))  # noqa: S608
            db.rows(f"DELETE FROM messages WHERE session_id {its}", (row,))  # noqa: S608
            db.rows("DELETE FROM sessions WHERE rowid = ?", (row,))


def _delete_rest(db: Database, step: Callable[[int], object]) -> None:
    done = 0
    for table, condition in _rest(db):
        while True:
            with transaction(db):
                some = f"SELECT rowid FROM {table} WHERE {condition} LIMIT {_AT_ONCE}"  # noqa: S608
                db.rows(f"DELETE FROM {table} WHERE rowid IN ({some})")  # noqa: S608
                changed = int(db.value("SELECT changes()"))
            done += changed
            step(done)
            if changed < _AT_ONCE:
                break
            time.sleep(PAUSE)


def _rest(db: Database) -> list[tuple[str, str]]:
    found = [("messages", "NOT EXISTS(SELECT 1 FROM sessions WHERE id = session_id)")]
    found += [
        (table, f"expires_at <= {time.time()}") for table in _EXPIRING if "expires_at" in db.columns(table)
    ]
    if unused := unused_prompts(db):
        found.append(("system_prompts", unused))
    # While a live process works on a conversation, what Hermes keeps beside it stays too.
    if not guarded(db, time.time()):
        found += [(table, "1") for table in _REST if table in db.tables]
    found.append(("state_meta", _about_a_person(db)))
    return [(table, condition) for table, condition in found if table in db.tables]


def _about_a_person(db: Database) -> str:
    if "key" not in db.columns("state_meta"):
        return "0"
    return " OR ".join(f"substr(key, 1, {len(prefix)}) = '{prefix}'" for prefix in META_KEYS)


def _count(db: Database, table: str, condition: str = "1") -> int:
    if table not in db.tables:
        return 0
    return int(db.value(f"SELECT COUNT(*) FROM {table} WHERE {condition}"))  # noqa: S608
