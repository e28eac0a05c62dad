"""SELECTs over Hermes' tables for what went to others: model providers ever used, and messaging platforms.

Ask before anything is deleted: the rows that tell go with the conversations (hermes_state.py).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from hermesweb.hermes.remote_place import without_secrets
from sessions.database import Database
from sessions.queries import sane

MOST = 1_000  # rows of an answer


@dataclass(frozen=True)
class UsedProvider:
    """A provider that prompts were sent to. `base_url` without a password. `calls`: None where this release
    does not count them. `sessions`: how many conversations of this database, at least. `first`, `last`: UTC
    epoch seconds, None where not known."""

    provider: str
    base_url: str
    sessions: int
    calls: int | None
    first: float | None
    last: float | None


@dataclass(frozen=True)
class UsedPlatform:
    """A source of conversations (`cli`, `telegram`, …), with its messages, taken back or summarised ones too.
    Times as in UsedProvider."""

    source: str
    sessions: int
    messages: int
    first: float | None
    last: float | None


def used_providers(db: Database) -> tuple[UsedProvider, ...]:
    """Every provider and address that is noted, the most used first. Raises StateError.

    The counts come from session_model_usage (0.19 on, one row for each task) where a session has rows there,
    else from the billing columns of sessions, which hold the last provider only.
    """
    found: dict[tuple[str, str], UsedProvider] = {}
    for row in [*_usage(db), *_billing(db)]:
        each = _provider(row)
        key = (each.provider, each.base_url)
        if each.provider or each.base_url:
            found[key] = _together(found[key], each) if key in found else each
    return tuple(sorted(found.values(), key=lambda each: (-each.sessions, each.provider, each.base_url)))


def used_platforms(db: Database) -> tuple[UsedPlatform, ...]:
    """Every source of conversations, the one with most conversations first. Raises StateError."""
    if not {"id", "source", "started_at"} <= db.columns("sessions"):
        return ()
    time = sane("started_at")
    rows = db.rows(
        f"SELECT source, COUNT(*), MIN({time}), MAX({time}) FROM sessions GROUP BY source"  # noqa: S608
        f" ORDER BY 2 DESC LIMIT {MOST}"
    )
    messages = dict(_messages(db))
    return tuple(
        UsedPlatform(_text(source), count, messages.get(source, 0), first, last)
        for source, count, first, last in rows
    )


def folders_worked_in(db: Database) -> tuple[str, ...]:
    """The folders that conversations were held in, as written. Raises StateError."""
    columns = db.columns("sessions")
    found: set[str] = set()
    for name in ("cwd", "git_repo_root"):
        if name in columns:
            rows = db.rows(f"SELECT DISTINCT {name} FROM sessions LIMIT {MOST}")  # noqa: S608
            found |= {path for (path,) in rows if isinstance(path, str) and path.startswith("/")}
    return tuple(sorted(found))


def _usage(db: Database) -> list[tuple[Any, ...]]:
    columns = db.columns("session_model_usage")
    if not {"session_id", "billing_provider", "billing_base_url"} <= columns:
        return []
    calls = "SUM(api_call_count)" if "api_call_count" in columns else "NULL"
    first, last = (
        f"{end}({sane(name)})" if name in columns else "NULL"
        for end, name in (("MIN", "first_seen"), ("MAX", "last_seen"))
    )
    return db.rows(
        f"SELECT billing_provider, billing_base_url, COUNT(DISTINCT session_id), {calls}, {first}, {last}"  # noqa: S608
        f" FROM session_model_usage GROUP BY 1, 2 LIMIT {MOST}"
    )


def _billing(db: Database) -> list[tuple[Any, ...]]:
    if not {"id", "billing_provider", "billing_base_url", "started_at"} <= db.columns("sessions"):
        return []
    time = sane("started_at")
    only = ""
    if {"session_id", "billing_provider", "billing_base_url"} <= db.columns("session_model_usage"):
        only = "WHERE id NOT IN (SELECT session_id FROM session_model_usage WHERE session_id IS NOT NULL)"
    return db.rows(
        f"SELECT billing_provider, billing_base_url, COUNT(*), NULL, MIN({time}), MAX({time}) FROM sessions {only}"  # noqa: S608
        f" GROUP BY 1, 2 LIMIT {MOST}"
    )


def _messages(db: Database) -> Iterable[tuple[Any, int]]:
    if "session_id" not in db.columns("messages"):
        return []
    rows = db.rows(
        "SELECT s.source, SUM(n) FROM (SELECT session_id, COUNT(*) AS n FROM messages GROUP BY session_id) m"
        " JOIN sessions s ON s.id = m.session_id GROUP BY s.source LIMIT ?",
        (MOST,),
    )
    return [(source, count) for source, count in rows]


def _provider(row: tuple[Any, ...]) -> UsedProvider:
    name, url, sessions, calls, first, last = row
    calls = calls if isinstance(calls, int) else None
    # With and without a slash at the end it is the same address.
    return UsedProvider(_text(name), without_secrets(_text(url)).rstrip("/"), sessions, calls, first, last)


def _together(one: UsedProvider, other: UsedProvider) -> UsedProvider:
    calls = [each for each in (one.calls, other.calls) if each is not None]
    firsts = [each for each in (one.first, other.first) if each is not None]
    lasts = [each for each in (one.last, other.last) if each is not None]
    return replace(
        one,
        # The same conversation may stand in both.
        sessions=max(one.sessions, other.sessions),
        calls=sum(calls) if calls else None,
        first=min(firsts, default=None),
        last=max(lasts, default=None),
    )


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
