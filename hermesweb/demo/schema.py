"""The tables of Hermes 0.19's state.db: schema 22, with the text indexes that keep their own copy of the words.

Columns, defaults, indexes and triggers are those that `hermes_state.py` of that release makes; the table of
deliveries is that of its gateway.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final

SCHEMA_VERSION: Final = 22
WORDS: Final = ("messages_fts", "unicode61")
TRIGRAMS: Final = ("messages_fts_trigram", "trigram")

# What a column is, then the names of those that are so.
_Columns = Sequence[tuple[str, str]]
_COUNT: Final = "INTEGER NOT NULL DEFAULT 0"

_TABLES: Final[dict[str, _Columns]] = {
    "schema_version": [("INTEGER NOT NULL", "version")],
    "sessions": [
        ("TEXT PRIMARY KEY", "id"),
        ("TEXT NOT NULL", "source"),
        ("TEXT", "user_id session_key chat_id chat_type thread_id display_name origin_json"),
        ("INTEGER DEFAULT 0", "expiry_finalized"),
        ("TEXT", "model model_config system_prompt"),
        ("TEXT REFERENCES sessions(id)", "parent_session_id"),
        ("REAL NOT NULL", "started_at"),
        ("REAL", "ended_at"),
        ("TEXT", "end_reason"),
        ("INTEGER DEFAULT 0", "message_count tool_call_count input_tokens output_tokens"),
        ("INTEGER DEFAULT 0", "cache_read_tokens cache_write_tokens reasoning_tokens"),
        ("TEXT", "cwd git_branch git_repo_root billing_provider billing_base_url billing_mode"),
        ("REAL", "estimated_cost_usd actual_cost_usd"),
        ("TEXT", "cost_status cost_source pricing_version title"),
        ("INTEGER DEFAULT 0", "api_call_count"),
        ("TEXT", "handoff_state handoff_platform handoff_error"),
        ("REAL", "compression_failure_cooldown_until"),
        ("TEXT", "compression_failure_error"),
        (_COUNT, "compression_fallback_streak"),
        ("TEXT", "profile_name"),
        (_COUNT, "rewind_count archived"),
    ],
    "messages": [
        ("INTEGER PRIMARY KEY AUTOINCREMENT", "id"),
        ("TEXT NOT NULL REFERENCES sessions(id)", "session_id"),
        ("TEXT NOT NULL", "role"),
        ("TEXT", "content tool_call_id tool_calls tool_name effect_disposition"),
        ("REAL NOT NULL", "timestamp"),
        ("INTEGER", "token_count"),
        ("TEXT", "finish_reason reasoning reasoning_content reasoning_details"),
        ("TEXT", "codex_reasoning_items codex_message_items platform_message_id"),
        ("INTEGER DEFAULT 0", "observed"),
        ("INTEGER NOT NULL DEFAULT 1", "active"),
        (_COUNT, "compacted"),
        ("TEXT", "api_content"),
    ],
    "session_model_usage": [
        ("TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE", "session_id"),
        ("TEXT NOT NULL", "model"),
        ("TEXT NOT NULL DEFAULT ''", "billing_provider billing_base_url billing_mode task"),
        (_COUNT, "api_call_count input_tokens output_tokens cache_read_tokens cache_write_tokens"),
        (_COUNT, "reasoning_tokens"),
        ("REAL NOT NULL DEFAULT 0", "estimated_cost_usd actual_cost_usd"),
        ("TEXT", "cost_status cost_source"),
        ("REAL", "first_seen last_seen"),
    ],
    "state_meta": [("TEXT PRIMARY KEY", "key"), ("TEXT", "value")],
    "gateway_routing": [
        ("TEXT NOT NULL DEFAULT ''", "scope"),
        ("TEXT NOT NULL", "session_key entry_json"),
        ("REAL NOT NULL", "updated_at"),
    ],
    "compression_locks": [
        ("TEXT PRIMARY KEY", "session_id"),
        ("TEXT NOT NULL", "holder"),
        ("REAL NOT NULL", "acquired_at expires_at"),
    ],
    "async_delegations": [
        ("TEXT PRIMARY KEY", "delegation_id"),
        ("TEXT NOT NULL", "origin_session"),
        ("TEXT NOT NULL DEFAULT ''", "origin_ui_session_id"),
        ("TEXT", "parent_session_id"),
        ("TEXT NOT NULL", "state"),
        ("REAL NOT NULL", "dispatched_at"),
        ("REAL", "completed_at"),
        ("REAL NOT NULL", "updated_at"),
        ("TEXT", "event_json result_json"),
        ("TEXT NOT NULL DEFAULT 'pending'", "delivery_state"),
        (_COUNT, "delivery_attempts"),
        ("REAL", "delivered_at"),
        ("INTEGER", "owner_pid owner_started_at"),
        ("TEXT", "task_json delivery_claim"),
        ("REAL", "delivery_claimed_at"),
    ],
    "delivery_obligations": [
        ("TEXT PRIMARY KEY", "obligation_id"),
        ("TEXT NOT NULL", "session_key platform chat_id"),
        ("TEXT", "thread_id"),
        ("TEXT NOT NULL", "content state"),
        (_COUNT, "attempts"),
        ("REAL NOT NULL", "created_at updated_at"),
        ("INTEGER", "owner_pid owner_started_at"),
        ("TEXT", "last_error"),
    ],
}
_PRIMARY_KEYS: Final = {
    "session_model_usage": "session_id, model, billing_provider, billing_base_url, billing_mode, task",
    "gateway_routing": "scope, session_key",
}
# Name, then what is indexed.
_INDEXES: Final = {
    "idx_sessions_source": "sessions(source)",
    "idx_sessions_source_id": "sessions(source, id)",
    "idx_sessions_parent": "sessions(parent_session_id)",
    "idx_sessions_started": "sessions(started_at DESC)",
    "idx_sessions_session_key": "sessions(session_key, started_at DESC)",
    "idx_sessions_gateway_peer": "sessions(source, user_id, chat_id, chat_type, thread_id, started_at DESC)",
    "idx_sessions_handoff_state": "sessions(handoff_state, started_at)",
    "idx_messages_session": "messages(session_id, timestamp)",
    "idx_messages_session_active": "messages(session_id, active, timestamp)",
    "idx_messages_active_null": "messages(active) WHERE active IS NULL",
    "idx_messages_platform_msg_id": (
        "messages(session_id, platform_message_id) WHERE platform_message_id IS NOT NULL"
    ),
    "idx_compression_locks_expires": "compression_locks(expires_at)",
    "idx_session_model_usage_session": "session_model_usage(session_id)",
    "idx_session_model_usage_model": "session_model_usage(model)",
    "idx_async_delegations_delivery": "async_delegations(delivery_state, completed_at)",
}
_UNIQUE_TITLES: Final = (
    "CREATE UNIQUE INDEX idx_sessions_title_unique ON sessions(title) WHERE title IS NOT NULL"
)


def create_tables(connection: sqlite3.Connection, tokenizers: frozenset[str]) -> None:
    """Make every table, index and trigger in an empty database. Of the two text indexes, those are made whose
    tokenizer is in `tokenizers` (see `known_tokenizers`), as Hermes does without them on a lesser SQLite."""
    for table, columns in _TABLES.items():
        connection.execute(_create_table(table, columns))
    for name, indexed in _INDEXES.items():
        connection.execute(f"CREATE INDEX {name} ON {indexed}")
    connection.execute(_UNIQUE_TITLES)
    for table, tokenizer in (WORDS, TRIGRAMS):
        if tokenizer in tokenizers:
            _create_text_index(connection, table, tokenizer)
    connection.execute("INSERT INTO schema_version VALUES (?)", (SCHEMA_VERSION,))


def known_tokenizers() -> frozenset[str]:
    """Those of the two tokenizers that this Python's SQLite has: older ones lack "trigram", some all of FTS5."""
    with closing(sqlite3.connect(":memory:")) as connection:
        return frozenset(_known(connection))


def _known(connection: sqlite3.Connection) -> Iterator[str]:
    for table, tokenizer in (WORDS, TRIGRAMS):
        try:
            connection.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(x, tokenize='{tokenizer}')")
        except sqlite3.OperationalError:
            continue
        yield tokenizer


def _create_table(table: str, columns: _Columns) -> str:
    lines = [f"{name} {kind}" for kind, names in columns for name in names.split()]
    if table in _PRIMARY_KEYS:
        lines.append(f"PRIMARY KEY ({_PRIMARY_KEYS[table]})")
    return f"CREATE TABLE {table} ({', '.join(lines)})"


def _create_text_index(connection: sqlite3.Connection, table: str, tokenizer: str) -> None:
    option = f", tokenize='{tokenizer}'" if tokenizer != "unicode61" else ""
    connection.execute(f"CREATE VIRTUAL TABLE {table} USING fts5(content{option})")
    text = " || ' ' || ".join(
        f"COALESCE(new.{column}, '')" for column in ("content", "tool_name", "tool_calls")
    )
    enter = f"INSERT INTO {table}(rowid, content) VALUES (new.id, {text});"  # noqa: S608
    leave = f"DELETE FROM {table} WHERE rowid = old.id;"  # noqa: S608
    for event, what in (("insert", enter), ("delete", leave), ("update", f"{leave} {enter}")):
        connection.execute(
            f"CREATE TRIGGER {table}_{event} AFTER {event.upper()} ON messages BEGIN {what} END"
        )
