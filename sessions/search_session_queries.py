"""SELECTs over Hermes' sessions for a search of titles and stored system prompts."""

import json
from collections.abc import Sequence
from typing import Any

from sessions.database import Database
from sessions.listing_queries import column
from sessions.queries import sane
from sessions.query_text import Alternative
from sessions.search_results import Where
from sessions.search_words import patterns

READ = 400_000  # bytes of a prompt


def matching(db: Database, field: Where, alternatives: Sequence[Alternative], last: int) -> list[int]:
    """Row ids, up to `last`, of sessions that may have the words in their title or prompt."""
    expression = column(db, "sessions", "title", "s") if field == "titles" else _prompt(db)
    parameters: list[str] = []
    either = " OR ".join(_all_like(expression, each, parameters) for each in alternatives)
    # NOT NULL and the plus: so the index on titles is walked, not the table with its prompts.
    rows = db.rows(
        f"SELECT s.rowid FROM sessions s WHERE {expression} IS NOT NULL AND ({either})"  # noqa: S608
        " AND +s.rowid <= ?",
        (*parameters, last),
    )
    return [row for (row,) in rows]


def sessions(db: Database, rows: Sequence[int], prompts: bool) -> list[tuple[Any, ...]]:
    """(row id, id, title, source, started, beginning of the prompt), the highest row id first."""
    prompt = f"substr(CAST({_prompt(db)} AS BLOB), 1, {READ})" if prompts else "NULL"
    return db.rows(
        f"SELECT s.rowid, s.id, {column(db, 'sessions', 'title', 's')},"  # noqa: S608
        f" {column(db, 'sessions', 'source', 's')}, {sane('s.started_at')}, {prompt} FROM sessions s"
        " WHERE s.rowid IN (SELECT value FROM json_each(?)) AND s.id IS NOT NULL ORDER BY s.rowid DESC",
        (json.dumps(rows),),
    )


def _all_like(expression: str, alternative: Alternative, parameters: list[str]) -> str:
    likes = []
    for term in alternative.all:
        found = patterns(term)
        likes.append("(" + " OR ".join([f"{expression} LIKE ? ESCAPE '\\'"] * len(found)) + ")")
        parameters += found
    return "(" + " AND ".join(likes) + ")"


def _prompt(db: Database) -> str:
    """A release keeps the prompt with its session, or once for all sessions that share it."""
    own = column(db, "sessions", "system_prompt", "s")
    if "system_prompts" not in db.tables or "system_prompt_hash" not in db.columns("sessions"):
        return own
    shared = "(SELECT p.prompt FROM system_prompts p WHERE p.hash = s.system_prompt_hash)"
    return f"COALESCE({own}, {shared})"
