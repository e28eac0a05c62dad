"""Hermes' own questions about messages, for the few of them on a page (hermes_state.py, search_messages)."""

import json
from collections.abc import Sequence

from sessions.database import Database
from sessions.listing_filters import like_pattern


def matched(db: Database, table: str, expression: str, ids: Sequence[int]) -> set[int]:
    """Which of the messages an index finds. Raises StateDamaged also for words that it cannot take."""
    # The plus: one question about a range, not one for each message.
    rows = db.rows(
        f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid BETWEEN ? AND ?"  # noqa: S608
        " AND +rowid IN (SELECT value FROM json_each(?))",
        (expression, min(ids), max(ids), json.dumps(ids)),
    )
    return {row for (row,) in rows}


def alike(db: Database, words: Sequence[str], ids: Sequence[int]) -> set[int]:
    """Which of the messages have one of the words."""
    one = "(content LIKE ? ESCAPE '\\' OR tool_name LIKE ? ESCAPE '\\' OR tool_calls LIKE ? ESCAPE '\\')"
    rows = db.rows(
        "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608
        f" AND ({' OR '.join([one] * len(words))})",
        (json.dumps(ids), *(like_pattern(word) for word in words for _ in range(3))),
    )
    return {row for (row,) in rows}
