"""What `manage.py audit` prints: each profile as plain values. The form is in docs/commands.md."""

import math
from collections.abc import Iterator
from typing import Any

from hermesweb.hermes.homes import (
    DEFAULT,
    Home,
    Profile,
    condition,
    is_home,
    list_profiles,
    profiles_problem,
)
from hermesweb.privacy.look import Look, look_at
from memory.entries import Entry, Store
from memory.limits import Number
from sessions.errors import StateMissing


def audit_home(
    home: Home, profiles: list[Profile], *, with_content: bool
) -> tuple[dict[str, Any], list[str]]:
    """The entry of one home, and the codes of what could not be read (empty: everything was)."""
    label = printable(home.label)
    problems = [] if is_home(home.root) or is_closed(home) else [f"{label}: not_a_home"]
    if profiles_problem(home):
        problems.append(f"{label}: profiles_unreadable")
    audited = []
    for profile in profiles:
        look = look_at(profile)
        found = list(problems_of(look))
        problems += [f"{label}, {profile.name}: {code}" for code in found]
        audited.append(audit_profile(look, found, with_content=with_content))
    return {"path": printable(home.root), "label": label, "profiles": audited}, problems


def is_closed(home: Home) -> bool:
    """Whether there is a folder, but this user may not look into it."""
    return condition(Profile(home, DEFAULT, home.root)).state == "unreadable"


def profiles_of(home: Home, name: str | None) -> list[Profile]:
    """The profiles to look at: the one called *name*, or all."""
    return [profile for profile in list_profiles(home) if name is None or profile.name == name]


def problems_of(look: Look) -> Iterator[str]:
    if look.condition.state != "ok":
        yield f"folder_{look.condition.state}"
    for store in look.stores:
        if store.problem:
            yield f"{store.path.name}_{store.problem.why}"
    if look.state.problem and not isinstance(look.state.problem, StateMissing):
        yield f"state_db_{type(look.state.problem).__name__}"
    if look.state.counts and look.state.counts.damaged:
        yield "state_db_damaged_in_part"
    for name in sorted(look.state.missing_tables):
        yield f"state_db_no_table_{name}"
    if look.pending.problem:
        yield "pending_unreadable"
    if look.config.problem:
        yield f"config_{look.config.problem}"


def audit_profile(look: Look, problems: list[str], *, with_content: bool) -> dict[str, Any]:
    counts, missing = look.state.counts, look.state.missing_tables
    has_sessions, has_messages = "sessions" not in missing, "messages" not in missing
    return {
        "name": look.profile.name,
        "release": look.release.name,
        "release_certain": look.release.certain,
        "blocked_by_rules_of": look.release.rules,
        "hermes_running": look.running.answer,
        "memory": {store.target: audit_store(store, with_content=with_content) for store in look.stores},
        "pending": pending_counts(look),
        "sessions": {
            "sessions": counts.sessions if counts and has_sessions else None,
            "messages": counts.messages if counts and has_messages else None,
            "live_messages": counts.live_messages if counts and has_messages else None,
        },
        "schema_version": look.state.schema_version,
        "problems": problems,
    }


def audit_store(store: Store, *, with_content: bool) -> dict[str, Any]:
    return {
        "used": store.used,
        "limit": json_number(store.limit.value),
        "limit_effect": store.limit.effect,
        "percent": store.percent,
        "over_limit": store.over_limit,
        "readable": store.problem is None,
        "exists": store.exists,
        "enabled": store.enabled,
        "entries": [audit_entry(entry, with_content=with_content) for entry in store.entries],
    }


def pending_counts(look: Look) -> dict[str, int | None]:
    """How many wait; null for both when a queue could not be looked into."""
    if look.pending.problem:
        return {"memory": None, "skills": None}
    return {"memory": look.pending.memory, "skills": look.pending.skills}


def json_number(value: Number | None) -> Number | None:
    """JSON has no infinity and no "not a number"; config.yaml has both."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def audit_entry(entry: Entry, *, with_content: bool) -> dict[str, Any]:
    values: dict[str, Any] = {
        "characters": entry.characters,
        "blocked": list(entry.blocked),
        "duplicate_of": entry.duplicate_of,
        "scanned": entry.scanned,
    }
    return {**values, "text": entry.text} if with_content else values


def printable(path: object) -> str:
    """A path as text: bytes that are no UTF-8 are shown as escapes."""
    return str(path).encode("utf-8", "backslashreplace").decode()
