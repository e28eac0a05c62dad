"""What a state.db lacks, or what is wrong with its indexes: for a note beside the list, not for a refusal."""

from dataclasses import dataclass
from typing import Literal

from sessions.database import NEWEST_SCHEMA, Database

Code = Literal[
    "no_table",
    "no_column",
    "no_version",
    "newer_version",
    "older_version",
    "no_word_index",
    "no_trigram_index",
    "index_stale",  # Hermes has detached it
    "index_unfinished",  # being rebuilt: a part of the messages is not in it
    "old_index_kept",  # an index being replaced: its full texts still lie in tables of their own
]

EXPECTED = {
    "sessions": (
        "id source model model_config system_prompt parent_session_id started_at ended_at end_reason title"
        " cwd archived"
    ),
    "messages": (
        "id session_id role content tool_calls tool_name timestamp reasoning reasoning_content"
        " reasoning_details active compacted api_content"
    ),
}


@dataclass(frozen=True)
class Note:
    """`code`, and the table or "table.column" it is about, if one."""

    code: Code
    name: str = ""


def schema_notes(db: Database) -> list[Note]:
    """All notes about this database. Raises StateError."""
    return [*_missing(db), *_version(db), *_indexes(db)]


def _missing(db: Database) -> list[Note]:
    notes = []
    for table, names in EXPECTED.items():
        if table not in db.tables:
            notes.append(Note("no_table", table))
            continue
        notes += [
            Note("no_column", f"{table}.{name}") for name in names.split() if name not in db.columns(table)
        ]
    return notes


def _version(db: Database) -> list[Note]:
    if db.schema_version is None:
        return [Note("no_version")]
    if db.schema_known:
        return []
    return [
        Note(
            "newer_version" if db.schema_version > NEWEST_SCHEMA else "older_version", str(db.schema_version)
        )
    ]


def _indexes(db: Database) -> list[Note]:
    wanted: tuple[tuple[str, Code], ...] = (
        ("messages_fts", "no_word_index"),
        ("messages_fts_trigram", "no_trigram_index"),
    )
    notes = [Note(code) for table, code in wanted if table not in db.tables]
    meta = _meta(db)
    if meta.get("fts_stale", "0") not in ("", "0"):
        notes.append(Note("index_stale"))
    if _number(meta.get("fts_rebuild_progress")) < _number(meta.get("fts_rebuild_high_water")):
        notes.append(Note("index_unfinished"))
    notes += [Note("old_index_kept", name) for name in sorted(db.tables) if name.startswith("fts_v22_trash_")]
    return notes


def _meta(db: Database) -> dict[str, str]:
    if not {"key", "value"} <= db.columns("state_meta"):
        return {}
    rows = db.rows("SELECT key, value FROM state_meta WHERE key LIKE 'fts%'")
    return {str(key): str(value) for key, value in rows if value is not None}


def _number(value: str | None) -> int:
    return int(value) if value is not None and value.isdecimal() else 0
