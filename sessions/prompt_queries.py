"""SELECTs for the system prompts that state.db keeps, and for the sessions they belong to.

Older Hermes keeps each session's prompt in sessions.system_prompt; newer ones keep each different text once
in system_prompts and its hash in sessions.system_prompt_hash (hermes_state.py). Both can stand side by side.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sessions.database import Database
from sessions.queries import LATEST_TIME, sane

PROMPT_BYTES = 1_000_000  # of one prompt, its end, where memory stands; a real one has some 12,000 to 60,000
PAGE = 100  # rows with a prompt in them
PAGE_OF_HASHES = 2000
MAIN_TASKS = (
    "",
    "background_review",
)  # what gets the session's prompt; other tasks have prompts of their own
AT_ONCE = 200  # sessions asked about in one statement


@dataclass(frozen=True)
class PromptRow:
    """A session and its stored prompt: `inline` the text's bytes, or `hash` where it is. Newest first."""

    rowid: int
    open: bool
    started_at: float | None
    inline: bytes | None
    hash: Any


@dataclass(frozen=True)
class Recipient:
    """Where a prompt was sent. `base_url` may hold a password."""

    model: str
    provider: str
    base_url: str


@dataclass(frozen=True)
class PromptSession:
    """A session with a stored prompt. Times: UTC epoch seconds, None where not sane.

    `open`: not ended, so the prompt stays until /new, compression or /undo. `recipients`: who was sent it, as
    far as Hermes noted that.
    """

    id: str
    title: str
    source: str
    open: bool
    model: str
    recipients: tuple[Recipient, ...]
    started_at: float | None
    last_activity: float | None


def pages_of_prompts(db: Database) -> Iterator[list[PromptRow]]:
    """Pages of sessions, newest first; between two pages nothing is held. Raises StateError."""
    columns = db.columns("sessions")
    if not {"system_prompt", "system_prompt_hash"} & columns:
        return
    before = 2**63 - 1
    hashed = "system_prompt_hash" in columns and not _has_inline(db)
    while page := _page(db, before, PAGE_OF_HASHES if hashed else PAGE):
        yield page
        before = page[-1].rowid


def shared_prompt(db: Database, key: Any) -> bytes | None:
    """The end of the prompt with this hash. Raises StateError."""
    if not {"hash", "prompt"} <= db.columns("system_prompts"):
        return None
    question = f"SELECT {_end('prompt')} FROM system_prompts WHERE hash = ?"  # noqa: S608
    return _bytes(db.value(question, (key,)))


def pages_of_hashes(db: Database) -> Iterator[list[Any]]:
    """The hashes of all shared prompts, whether a session still refers to them or not. Raises StateError."""
    if not {"hash", "prompt"} <= db.columns("system_prompts"):
        return
    before = 2**63 - 1
    question = "SELECT rowid, hash FROM system_prompts WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"
    while page := db.rows(question, (before, PAGE_OF_HASHES)):
        yield [key for _, key in page]
        before = page[-1][0]


def sessions_by_row(db: Database, rowids: Iterable[int]) -> dict[int, PromptSession]:
    """What is to be said about these sessions, by rowid. Raises StateError."""
    wanted = sorted(set(rowids))
    found: dict[int, PromptSession] = {}
    for start in range(0, len(wanted), AT_ONCE):
        found.update(_sessions(db, wanted[start : start + AT_ONCE]))
    return found


def _has_inline(db: Database) -> bool:
    if "system_prompt" not in db.columns("sessions"):
        return False
    return db.first("SELECT 1 FROM sessions WHERE system_prompt <> '' LIMIT 1") is not None


def _page(db: Database, before: int, size: int) -> list[PromptRow]:
    inline = _end("system_prompt") if "system_prompt" in db.columns("sessions") else "NULL"
    columns = f"{_column(db, 'ended_at')} IS NULL, {_time(db, 'started_at')}"
    rows = db.rows(
        f"SELECT rowid, {columns}, {inline}, {_column(db, 'system_prompt_hash')}"  # noqa: S608
        " FROM sessions WHERE rowid < ? ORDER BY rowid DESC LIMIT ?",
        (before, size),
    )
    return [
        PromptRow(row, bool(open_), started, _bytes(text), key) for row, open_, started, text, key in rows
    ]


def _sessions(db: Database, rowids: list[int]) -> dict[int, PromptSession]:
    names = ", ".join(_column(db, name) for name in ("title", "source", "ended_at", "model"))
    money = ", ".join(_column(db, name) for name in ("billing_provider", "billing_base_url"))
    rows = db.rows(
        f"SELECT rowid, id, {names}, {money}, {_time(db, 'started_at')}, {_activity(db)}"  # noqa: S608
        f" FROM sessions WHERE rowid IN ({_marks(rowids)})",
        rowids,
    )
    used = _recipients(db, [row[1] for row in rows])
    return {
        rowid: PromptSession(
            id=text(key),
            title=text(title),
            source=text(source),
            open=ended is None,
            model=text(model),
            recipients=used.get(key) or _billed(model, provider, url),
            started_at=started,
            last_activity=activity,
        )
        for rowid, key, title, source, ended, model, provider, url, started, activity in rows
    }


def _recipients(db: Database, keys: list[Any]) -> dict[Any, tuple[Recipient, ...]]:
    columns = db.columns("session_model_usage")
    if not {"session_id", "model", "billing_provider", "billing_base_url"} <= columns:
        return {}
    main = f" AND task IN ({_marks(MAIN_TASKS)})" if "task" in columns else ""
    rows = db.rows(
        "SELECT DISTINCT session_id, model, billing_provider, billing_base_url FROM session_model_usage"  # noqa: S608
        f" WHERE session_id IN ({_marks(keys)}){main} ORDER BY rowid LIMIT 2000",
        [*keys, *(MAIN_TASKS if main else ())],
    )
    found: dict[Any, tuple[Recipient, ...]] = {}
    for key, *names in rows:
        found[key] = (*found.get(key, ()), Recipient(*(text(name) for name in names)))
    return found


def _billed(model: object, provider: object, url: object) -> tuple[Recipient, ...]:
    return (Recipient(text(model), text(provider), text(url)),) if provider or url else ()


def _activity(db: Database) -> str:
    """The newest message of a session, or what Hermes noted itself."""
    newest = "NULL"
    if {"session_id", "timestamp"} <= db.columns("messages"):
        newest = (
            "(SELECT m.timestamp FROM messages m WHERE m.session_id = sessions.id AND m.timestamp > 0"  # noqa: S608
            f" AND m.timestamp <= {LATEST_TIME} ORDER BY m.timestamp DESC LIMIT 1)"
        )
    noted = _time(db, "last_activity_at")
    return f"NULLIF(MAX(COALESCE({newest}, 0), COALESCE({noted}, 0)), 0)"


def _end(column: str) -> str:
    # As a blob: a NUL in a text would end it for SQLite.
    return f"substr(CAST({column} AS BLOB), -{PROMPT_BYTES})"


def _column(db: Database, name: str) -> str:
    return name if name in db.columns("sessions") else "NULL"


def _time(db: Database, name: str) -> str:
    return sane(_column(db, name))


def _marks(values: Iterable[Any]) -> str:
    return ", ".join("?" for _ in values)


def _bytes(value: object) -> bytes | None:
    return value if isinstance(value, bytes) and value else None


def text(value: object) -> str:
    """A value of any type as text; "" for none."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
