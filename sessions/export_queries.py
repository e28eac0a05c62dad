"""SELECTs for an export: every column of a session and of its messages, whole, as `hermes sessions export` has
them.

That is `SELECT *` in Hermes (`export_session` in hermes_state.py of 0.19 and hermes_state_portability.py of
0.22), with the shared system prompt put in its place and a few columns of its own bookkeeping left out.
"""

import json
from collections.abc import Iterable
from typing import Any, Final

from sessions.database import Database
from sessions.parts import as_text
from sessions.transcript_family_queries import prompt_of
from sessions.transcript_queries import can_read, storable

NOT_EXPORTED: Final = frozenset(("display_identity", "display_order", "_compressed_summary"))
SUMMARY: Final = "_compressed_summary"  # only there where it is true
SHARED: Final = ("system_prompt", "tool_names")


def whole_session(db: Database, session: str) -> dict[str, Any] | None:
    """All columns of a session's row in their order; None without one. Raises StateError."""
    columns = _in_order(db, "sessions")
    if "id" not in columns or not storable(session):
        return None
    found = db.first(f"SELECT {', '.join(map(_quoted, columns))} FROM sessions WHERE id = ?", (session,))  # noqa: S608
    if found is None:
        return None
    row = dict(zip(columns, found, strict=True))
    if "system_prompt" in row and not row["system_prompt"]:
        prompt, _ = prompt_of(db, session)
        row["system_prompt"] = prompt.value if prompt else row["system_prompt"]
    if row.get("tool_names") and {"hash", "prompt"} <= db.columns("system_prompts"):
        shared = db.first("SELECT prompt FROM system_prompts WHERE hash = ?", (row["tool_names"],))
        row["tool_names"] = shared[0] if shared else row["tool_names"]
    return row


def whole_message(db: Database, row: int) -> dict[str, Any] | None:
    """All columns of a message in their order. Raises StateError."""
    if not can_read(db):
        return None
    columns = _in_order(db, "messages")
    found = db.first(f"SELECT {', '.join(map(_quoted, columns))} FROM messages WHERE rowid = ?", (row,))  # noqa: S608
    if found is None:
        return None
    values = dict(zip(columns, found, strict=True))
    kept = {name: value for name, value in values.items() if name not in NOT_EXPORTED}
    return kept | ({SUMMARY: True} if values.get(SUMMARY) else {})


def ids_of(db: Database, rows: Iterable[int]) -> list[str]:
    """The ids of the sessions with these row ids, in their order. Raises StateError."""
    wanted = list(rows)
    question = "SELECT rowid, id FROM sessions WHERE rowid IN (SELECT value FROM json_each(?))"
    found = {row: as_text(key) for row, key in db.rows(question, (json.dumps(wanted),))}
    return [found[row] for row in wanted if row in found]


def _in_order(db: Database, table: str) -> list[str]:
    return [name for (name,) in db.rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,))]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
