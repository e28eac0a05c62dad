"""Whether we may delete from a state.db: only where all that a deletion touches is known to us.

Hermes' tables and triggers of 0.13 to 0.22: hermes_state.py, hermes_state_common.py, hermes_state_fts.py,
hermes_state_telegram.py, gateway/delivery_ledger.py.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from sessions.database import NEWEST_SCHEMA, OLDEST_SCHEMA, Database
from sessions.errors import StateDamaged, StateError, StateTimeout
from sessions.scrubbing_indexes import indexes, quoted

WhyNot = Literal[
    "no_table",  # sessions or messages
    "no_version",
    "newer_version",
    "older_version",
    "unknown_table",  # that refers to sessions or messages
    "unknown_trigger",
    "no_fts5",  # our SQLite lacks what an index of this database needs
    "no_tokenizer",
    "no_function",
    "schema_changed",  # while we were at it
]


@dataclass(eq=False)
class DeletionRefused(StateError):
    """Nothing was touched. `name`: the version, table, trigger or SQLite's words that `why` is about."""

    why: WhyNot
    name: str = ""


KNOWN_TABLES: Final = frozenset(
    (
        "schema_version",
        "sessions",
        "messages",
        "state_meta",
        "system_prompts",
        "session_model_usage",
        "gateway_routing",
        "gateway_hygiene_state",
        "conversation_generations",
        "gateway_heartbeats",
        "compression_locks",
        "session_turn_leases",
        "async_delegations",
        "delivery_obligations",
        "telegram_dm_topic_mode",
        "telegram_dm_topic_bindings",
        "session_deletion_receipts",
    )
)
_INDEX_TABLE = re.compile(
    r"(fts_v\d+_trash_)?messages_fts(_trigram|_cjk)?(_data|_idx|_content|_docsize|_config)?"
)
_KNOWN_TRIGGER = re.compile(
    r"messages_fts(_trigram|_cjk)?_(insert|delete|update)|messages_message_uid_insert"
    r"|messages_display_(order_insert|visibility_update|identity_update|identity_delete)"
)
_REFERRING: Final = frozenset(
    (
        "session_id",
        "conversation_id",
        "parent_session_id",
        "origin_session",
        "origin_session_id",
        "message_id",
        "session_key",
        "system_prompt_hash",
    )
)
# What SQLite also calls a fault in its check, and Hermes' own databases can have.
_HARMLESS = re.compile(r"(NULL|NUMERIC|TEXT) value in |non-\w+ value in |CHECK constraint failed")
CHECK_SECONDS: Final = 3.0


def refuse_unless_known(db: Database) -> None:
    """Raises DeletionRefused, or StateDamaged and the rest of StateError from looking."""
    for table, column in (("sessions", "id"), ("messages", "session_id"), ("messages", "id")):
        if column not in db.columns(table):
            raise DeletionRefused(db.path, "no_table", table)
    _refuse_version(db)
    _refuse_tables(db)
    _refuse_triggers(db)
    _refuse_missing_parts(db)


def refuse_damaged(db: Database, seconds: float = CHECK_SECONDS) -> bool:
    """Look through the whole file for at most `seconds` a question; whether there was time for all of it.

    Raises StateDamaged. What this does not see, SQLite may still meet while deleting: then nothing happens.
    """
    usual, db.seconds = db.seconds, seconds
    complete = True
    try:
        for refuse in (_refuse_faults, _refuse_short_indexes):
            try:
                refuse(db)
            except StateTimeout:
                complete = False
    finally:
        db.seconds = usual
    return complete


def _refuse_faults(db: Database) -> None:
    for (line,) in db.rows("PRAGMA quick_check(20)"):
        if line != "ok" and not _HARMLESS.match(str(line)):
            raise StateDamaged(db.path, str(line), "quick_check")


def _refuse_short_indexes(db: Database) -> None:
    """Rows that an index lacks are not found by it, and would count as gone; quick_check does not compare."""
    for table in ("sessions", "messages"):
        rows = db.value(f"SELECT COUNT(*) FROM {table} NOT INDEXED")  # noqa: S608
        found = db.rows("SELECT name FROM pragma_index_list(?) WHERE partial = 0", (table,))
        for (name,) in found:
            asked = f"SELECT COUNT(*) FROM {table} INDEXED BY {quoted(name)}"  # noqa: S608
            if db.value(asked) != rows:
                raise StateDamaged(db.path, f"wrong # of entries in index {name}", "quick_check")


def _refuse_version(db: Database) -> None:
    version = db.schema_version
    if version is None:
        raise DeletionRefused(db.path, "no_version")
    if version > NEWEST_SCHEMA:
        raise DeletionRefused(db.path, "newer_version", str(version))
    if version < OLDEST_SCHEMA:
        raise DeletionRefused(db.path, "older_version", str(version))


def _refuse_tables(db: Database) -> None:
    for (name,) in db.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
        if name in KNOWN_TABLES or _INDEX_TABLE.fullmatch(name) or name.startswith("sqlite_"):
            continue
        targets = {str(row[2]).lower() for row in db.rows(f"PRAGMA foreign_key_list({quoted(name)})")}
        if _REFERRING & db.columns(name) or targets & KNOWN_TABLES:
            raise DeletionRefused(db.path, "unknown_table", name)


def _refuse_triggers(db: Database) -> None:
    found = db.rows("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    for name, table in found:
        if table in KNOWN_TABLES and not _KNOWN_TRIGGER.fullmatch(name):
            raise DeletionRefused(db.path, "unknown_trigger", name)


def _refuse_missing_parts(db: Database) -> None:
    """Preparing a deletion makes SQLite find every module, tokenizer and function its triggers need."""
    questions = [
        "EXPLAIN DELETE FROM messages WHERE session_id = ''",
        "EXPLAIN DELETE FROM sessions WHERE id = ''",
    ]
    virtual = db.rows("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name")
    questions += [f"EXPLAIN SELECT rowid FROM {quoted(name)} LIMIT 1" for (name,) in virtual]  # noqa: S608
    for question in questions:
        try:
            db.rows(question)
        except StateDamaged as problem:
            if why := _missing_part(problem.message):
                raise DeletionRefused(db.path, why, problem.message) from problem
            raise


def _missing_part(message: str) -> WhyNot | None:
    if "no such module" in message:
        return "no_fts5"
    if "tokenizer" in message:
        return "no_tokenizer"
    return "no_function" if "no such function" in message else None


def stale_indexes(db: Database) -> tuple[str, ...]:
    """The full-text tables that deleting a message leaves as they are."""
    found = db.rows("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'messages'")
    triggers = {name for (name,) in found}
    return tuple(each.name for each in indexes(db.rows) if f"{each.name}_delete" not in triggers)
