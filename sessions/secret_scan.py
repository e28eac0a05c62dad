"""Looking for keys and personal numbers in a whole state.db, a page at a time. No value leaves this module.

Findings are positions in the text of a column, as SQLite has it: a picture's or a call's JSON is looked at as
it is stored. So the same place is found again when somebody may see it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sessions.database import Database
from sessions.parts import Stored
from sessions.secrets import Kind, findings_in
from sessions.transcript_family_queries import prompt_of, session_row, sessions_after
from sessions.transcript_queries import LARGE, ids_after, row_of

SESSION_COLUMNS: Final = ("title", "cwd", "model_config", "origin_json", "display_name")
PROMPT: Final = "system_prompt"


@dataclass(frozen=True)
class StoredFinding:
    """A finding in `column`, from `start` to `end` in code points. `message` is None for the session's own."""

    session: str
    message: int | None
    column: str
    kind: Kind
    start: int
    end: int


@dataclass(frozen=True)
class ScanPage:
    """`next`: where to go on, None at the end. `looked_at`: rows; `cut`: texts so long that only the first
    millions of bytes were looked at."""

    findings: tuple[StoredFinding, ...]
    next: int | None
    looked_at: int
    cut: int


def scan_findings(db: Database, after_id: int = 0, limit: int = 500, region: str | None = None) -> ScanPage:
    """What is in the next `limit` messages after the id `after_id`. Raises StateError."""
    ids = ids_after(db, after_id, limit)
    findings: list[StoredFinding] = []
    cut = 0
    for row in ids:
        session, columns = row_of(db, row) or ("", {})
        for column in LARGE:
            stored = columns.get(column, Stored())
            findings += _found(session, row, column, stored, region)
            cut += stored.cut
    return ScanPage(tuple(findings), ids[-1] if len(ids) == limit else None, len(ids), cut)


def scan_sessions(db: Database, after_row: int = 0, limit: int = 200, region: str | None = None) -> ScanPage:
    """The same for the rows of sessions and their system prompts, by their row id. Raises StateError."""
    rows = sessions_after(db, after_row, limit)
    findings: list[StoredFinding] = []
    cut = 0
    for _, session in rows:
        for column, stored in _of_session(db, session):
            findings += _found(session, None, column, stored, region)
            cut += stored.cut
    return ScanPage(tuple(findings), rows[-1][0] if len(rows) == limit else None, len(rows), cut)


def stored_text(db: Database, finding: StoredFinding) -> str | None:
    """The text that a finding is in, None when it is gone. Raises StateError."""
    if finding.message is not None:
        found = row_of(db, finding.message)
        stored = found[1].get(finding.column) if found and found[0] == finding.session else None
    else:
        stored = dict(_of_session(db, finding.session)).get(finding.column)
    return None if stored is None or stored.value is None else stored.text


def _of_session(db: Database, session: str) -> Iterator[tuple[str, Stored]]:
    row = session_row(db, session, SESSION_COLUMNS)
    for column in SESSION_COLUMNS if row else ():
        yield column, Stored(row[column] if row else None)
    prompt, _ = prompt_of(db, session)
    yield PROMPT, prompt or Stored()


def _found(
    session: str, message: int | None, column: str, stored: Stored, region: str | None
) -> Iterator[StoredFinding]:
    if isinstance(stored.value, str | bytes) and stored.value:
        for each in findings_in(stored.text, region):
            yield StoredFinding(session, message, column, each.kind, each.start, each.end)
