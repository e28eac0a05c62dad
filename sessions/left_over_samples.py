"""What can be looked for after left-over words were removed: phrases that no row has any more, and the row
numbers of messages that are gone. Before anything is removed nothing else tells what was deleted, and when."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sessions.database import Database, read_state
from sessions.errors import StateTimeout
from sessions.samples import spread

CANDIDATES: Final = 200
READ_SECONDS, ASK_SECONDS = 20.0, 10.0
GAPS: Final = 5_000  # of row numbers that are looked at
TEXTS: Final = {
    "messages": ("content", "reasoning", "reasoning_content", "tool_calls"),
    "sessions": ("title", "system_prompt"),
    "system_prompts": ("prompt", "content"),
}
"""Where most of what was ever written stands."""
_CHECKOUT = Path(__file__).resolve().parent.parent


def left_over_phrases(folder: Path, most: int) -> list[str]:
    """Up to `most` phrases out of free pages and gaps of the state.db of a profile `folder`; those that no row
    has, as far as there was time to ask. Read by a process of its own. Raises StateError."""
    found = _read(folder / "state.db")
    said = read_state(folder, lambda db: _said(db, found, most), seconds=ASK_SECONDS)
    return [each for each in found if each not in said][:most] or found[:most]


def gone_rows(db: Database, most: int) -> list[int]:
    """Row numbers of messages that are not there any more, spread over all of them. Raises StateError."""
    if not {"id", "session_id"} <= db.columns("messages"):
        return []
    last = min(_last_given(db), 2**63 - 2)  # one more has to fit into a column
    gaps = db.rows(
        "SELECT before + 1, id - 1 FROM (SELECT id, LAG(id, 1, 0) OVER (ORDER BY id) AS before FROM messages"
        " UNION ALL SELECT ?, COALESCE((SELECT MAX(id) FROM messages), 0)) WHERE id > before + 1 LIMIT ?",
        (last + 1, GAPS),
    )
    rows = [number for first, end in gaps for number in spread(range(max(1, first), end + 1), most)]
    return spread(sorted(set(rows)), most)


def deleted_so_far(db: Database) -> int:
    """How many messages are not there any more: a number is given once, and never again. Raises StateError."""
    if "id" not in db.columns("messages"):
        return 0
    return _last_given(db) - int(db.value("SELECT COUNT(*) FROM messages"))


def _last_given(db: Database) -> int:
    last = int(db.value("SELECT MAX(id) FROM messages") or 0)
    if "sqlite_sequence" in db.tables:
        given = db.value("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")
        last = max(last, given if isinstance(given, int) else 0)
    return last


def _said(db: Database, phrases: Sequence[str], most: int) -> set[str]:
    """Those that a row has, too; until `most` are known that none has, or the time is over."""
    until, said, telling = time.monotonic() + ASK_SECONDS, set[str](), 0
    there = {table: [name for name in names if name in db.columns(table)] for table, names in TEXTS.items()}
    questions = [_question(table, names) for table, names in there.items() if names]
    for phrase in phrases:
        if telling >= most or time.monotonic() > until:
            break
        try:
            if any(db.rows(asked, (phrase,) * count) for asked, count in questions):
                said.add(phrase)
            else:
                telling += 1
        except StateTimeout:
            break
    return said


def _question(table: str, names: Sequence[str]) -> tuple[str, int]:
    has = " OR ".join(f"instr({name}, ?)" for name in names)
    return f"SELECT 1 FROM {table} WHERE {has} LIMIT 1", len(names)  # noqa: S608


def _read(path: Path) -> list[str]:
    asked = {"path": str(path), "most": CANDIDATES, "seconds": READ_SECONDS}
    with subprocess.Popen(
        [sys.executable, "-m", "sessions.left_over_process"],
        cwd=_CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a traceback could quote what was looked at
    ) as process:
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
            return [json.loads(line) for line in process.stdout or ()]
        except (BrokenPipeError, ValueError):
            return []  # it died; then the looks at SQLite's own structures have to do
        finally:
            process.kill()
