"""What state.db answers: the one module with SELECTs over Hermes' tables.

No column is assumed but the ones every release has had (0.13 to 0.22, hermes_state.py); what a database lacks
is left out of the question. Values in it may be of any type: times are only believed inside a window, since
damaged pages leave numbers like 5e246 behind.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sessions.content import preview
from sessions.database import Database
from sessions.errors import StateDamaged
from sessions.lineage import Kind, Link, marks_of, members_of, root_of, tip_of

LATEST_TIME = 4102444800  # the year 2100
PREVIEW_BYTES = 4000  # enough for 60 characters of text in JSON

Result = TypeVar("Result")


@dataclass(frozen=True)
class Provider:
    """A model provider that sessions were sent to. `base_url` may hold a password."""

    name: str
    base_url: str
    sessions: int


@dataclass(frozen=True)
class Counts:
    """How much is in a state.db. None: that part is damaged. Times: UTC epoch seconds.

    `live_messages`: without rows taken back or summarised away. `stored_prompts`: system prompts, shared or
    not. `sources`: sessions by their source.
    """

    sessions: int | None
    messages: int | None
    live_messages: int | None
    oldest: float | None
    newest: float | None
    stored_prompts: int | None
    sources: dict[str, int] = field(default_factory=dict)
    providers: tuple[Provider, ...] = ()
    damaged: bool = False


@dataclass(frozen=True)
class SessionRow:
    """A conversation as one row: `id`, title and preview of its newest session, `root` the one it began with.

    `messages`: rows of all its `parts` (sessions joined by compression). Times: UTC epoch seconds or None.
    `open`: its newest session has not ended. `damaged`: the preview could not be read.
    """

    id: str
    root: str
    title: str
    preview: str
    source: str
    model: str
    started_at: float | None
    last_activity: float | None
    messages: int
    parts: int
    open: bool
    archived: bool
    hidden: bool
    kind: Kind
    damaged: bool


def count(db: Database) -> Counts:
    """How much there is. Raises StateTimeout, StateLocked; damage makes single numbers None."""
    sessions = _unless_damaged(_count_sessions, db)
    messages = _unless_damaged(_count_messages, db)
    prompts = _unless_damaged(_count_prompts, db)
    sources = _unless_damaged(_count_sources, db)
    providers = _unless_damaged(_list_providers, db)
    damaged = None in (sessions, messages, prompts, sources, providers)
    total, live, oldest, newest = messages or (None, None, None, None)
    return Counts(sessions, total, live, oldest, newest, prompts, sources or {}, providers or (), damaged)


def latest(db: Database, limit: int = 10) -> list[SessionRow]:
    """The conversations with the newest activity, newest first; nothing is hidden, `kind` tells them apart.

    Activity is the newest message anywhere in the chain (or what Hermes noted itself), else the start.
    Raises StateError.
    """
    if not {"sessions", "messages"} <= db.tables:
        return []
    found = _newest_conversations(db, limit, limit * 4)
    if len(found) < limit:  # long chains took many of the newest sessions, or there are not more
        found = _newest_conversations(db, limit, -1)
    return [_row(db, members) for members in found]


def _newest_conversations(db: Database, limit: int, sessions: int) -> list[list[Link]]:
    """The members of each, its root first."""
    found: list[list[Link]] = []
    known: set[Any] = set()
    for link in _newest_sessions(db, sessions):
        if len(found) < limit and link.id not in known:
            root = root_of(link, lambda key: _find(db, key))
            found.append(members_of(root, lambda key: _children(db, key)))
            known.update([link.id], (each.id for each in found[-1]))
    return found


def _unless_damaged(question: Callable[[Database], Result], db: Database) -> Result | None:
    try:
        return question(db)
    except StateDamaged:
        return None


def _count_sessions(db: Database) -> int:
    return int(db.value("SELECT COUNT(*) FROM sessions")) if "sessions" in db.tables else 0


def _count_messages(db: Database) -> tuple[int, int, float | None, float | None]:
    if "messages" not in db.tables:
        return 0, 0, None, None
    columns = db.columns("messages")
    gone = "SUM(active IS 0)" if "active" in columns else "0"
    time = sane("timestamp") if "timestamp" in columns else "NULL"
    # One walk over an index that has both columns, not over the texts.
    found = db.first(f"SELECT COUNT(*), {gone}, MIN({time}), MAX({time}) FROM messages")  # noqa: S608
    messages, inactive, oldest, newest = found or (0, 0, None, None)
    return messages, messages - (inactive or 0), oldest, newest


def _count_prompts(db: Database) -> int:
    prompts = 0
    if "system_prompt" in db.columns("sessions"):
        prompts += db.value("SELECT COUNT(*) FROM sessions WHERE system_prompt <> ''")
    if "system_prompts" in db.tables:
        prompts += db.value("SELECT COUNT(*) FROM system_prompts")
    return prompts


def _count_sources(db: Database) -> dict[str, int]:
    if "source" not in db.columns("sessions"):
        return {}
    sources: dict[str, int] = {}
    for source, sessions in db.rows("SELECT source, COUNT(*) FROM sessions GROUP BY source ORDER BY 2 DESC"):
        sources[_text(source)] = sources.get(_text(source), 0) + sessions
    return sources


def _list_providers(db: Database) -> tuple[Provider, ...]:
    for table, key in (("session_model_usage", "session_id"), ("sessions", "id")):
        if {key, "billing_provider", "billing_base_url"} <= db.columns(table):
            found = db.rows(
                f"SELECT billing_provider, billing_base_url, COUNT(DISTINCT {key}) FROM {table}"  # noqa: S608
                " GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 100"
            )
            providers = (Provider(_text(name), _text(url), sessions) for name, url, sessions in found)
            named = tuple(each for each in providers if each.name or each.base_url)
            if named:
                return named
    return ()


def _newest_sessions(db: Database, take: int) -> list[Link]:
    """Links by activity, newest first. Each session asks an index for its newest message: fast enough."""
    active = f"COALESCE({_NEWEST}, 0)"
    if "last_activity_at" in db.columns("sessions"):
        active = f"MAX({active}, COALESCE({sane('s.last_activity_at')}, 0))"
    started = sane("s.started_at")
    order = f"COALESCE(NULLIF({active}, 0), {started}, 0) DESC, {started} DESC, s.id DESC"
    return _links(db, f"s.id IS NOT NULL ORDER BY {order} LIMIT ?", take)


def _find(db: Database, key: Any) -> Link | None:
    return next(iter(_links(db, "s.id = ?", key)), None)


def _children(db: Database, key: Any) -> list[Link]:
    return _links(db, "s.parent_session_id = ? ORDER BY s.rowid LIMIT 1000", key)


def _links(db: Database, condition: str, parameter: Any) -> list[Link]:
    columns = ", ".join(
        _column(db, name)
        for name in ("parent_session_id", "source", "end_reason", "ended_at", "model_config")
    )
    found = db.rows(
        f"SELECT s.id, {columns}, {sane('s.started_at')}, {_NEWEST} FROM sessions s WHERE {condition}",  # noqa: S608
        (parameter,),
    )
    return [
        Link(key, parent, _text(source), _text(reason), ended is not None, started, newest, marks_of(config))
        for key, parent, source, reason, ended, config, started, newest in found
    ]


def _row(db: Database, members: list[Link]) -> SessionRow:
    root = members[0]
    tip = tip_of(root, members)
    title, model, archived, hidden = _details(db, tip.id)
    shown, damaged = _preview(db, tip, root)
    return SessionRow(
        id=_text(tip.id),
        root=_text(root.id),
        title=_text(title),
        preview=shown,
        source=root.source,
        model=_text(model),
        started_at=root.started_at,
        last_activity=_last_activity(db, members),
        messages=sum(_messages(db, each.id) for each in members),
        parts=len(members),
        open=not tip.ended,
        archived=bool(archived),
        hidden=bool(hidden),
        kind=root.kind,
        damaged=damaged,
    )


def _details(db: Database, key: Any) -> tuple[Any, ...]:
    columns = ", ".join(_column(db, name) for name in ("title", "model", "archived", "hidden"))
    return db.first(f"SELECT {columns} FROM sessions s WHERE s.id = ?", (key,)) or (None,) * 4  # noqa: S608


def _messages(db: Database, key: Any) -> int:
    return int(db.value("SELECT COUNT(*) FROM messages WHERE session_id = ?", (key,)))


def _last_activity(db: Database, members: list[Link]) -> float | None:
    noted: list[float | None] = [each.newest for each in members]
    if "last_activity_at" in db.columns("sessions"):
        question = f"SELECT {sane('last_activity_at')} FROM sessions WHERE id = ?"  # noqa: S608
        noted += [db.value(question, (each.id,)) for each in members]
    known = [time for time in noted if time is not None]
    return max(known) if known else None


def _preview(db: Database, *links: Link) -> tuple[str, bool]:
    """What the person said first in the first of the sessions that has it, and whether damage hid it."""
    try:
        texts = (preview(_first_words(db, link.id)) for link in links)
        return next(filter(None, texts), ""), False
    except StateDamaged:
        return "", True


def _first_words(db: Database, key: Any) -> Any:
    columns = db.columns("messages")
    skip = " AND COALESCE(display_kind, '') <> 'hidden'" if "display_kind" in columns else ""
    return db.value(
        # As a blob: substr() of a text ends at the NUL that Hermes puts before JSON.
        f"SELECT substr(CAST(content AS BLOB), 1, {PREVIEW_BYTES}) FROM messages"  # noqa: S608
        " WHERE session_id = ? AND role = 'user' AND content IS NOT NULL"
        " AND content NOT LIKE '[CONTEXT COMPACTION%' AND content NOT LIKE '[CONTEXT SUMMARY]:%'"
        f"{skip} ORDER BY timestamp, id LIMIT 1",
        (key,),
    )


def _column(db: Database, name: str) -> str:
    return f"s.{name}" if name in db.columns("sessions") else "NULL"


def sane(expression: str) -> str:
    """SQL for a time in seconds, or NULL where it cannot be one (damaged pages leave 5e246 behind)."""
    # SQLite sorts texts and blobs above every number, so they fall out here too.
    return f"CASE WHEN {expression} > 0 AND {expression} <= {LATEST_TIME} THEN {expression} END"


_NEWEST = (
    "(SELECT m.timestamp FROM messages m WHERE m.session_id = s.id"  # noqa: S608
    f" AND m.timestamp > 0 AND m.timestamp <= {LATEST_TIME} ORDER BY m.timestamp DESC LIMIT 1)"
)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
