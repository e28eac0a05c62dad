"""The report of a run as plain values: what is kept, printed and given out as JSON. No removed text is in it."""

from dataclasses import asdict
from typing import Any

from hermesweb.privacy.wiping.choice import UNKNOWN, Choice, clearable
from hermesweb.privacy.wiping.database import DATABASE
from hermesweb.privacy.wiping.outcome import (
    TELLING,
    Outcome,
    Seen,
    is_clean,
    is_complete,
    of_unknown_files,
    outcomes,
    sums,
)
from hermesweb.privacy.wiping.survey import Lying, Survey

VERSION = 1
UNKNOWN_NAMED = 200  # names of unknown files that are still there


def report_of(seen: Seen, about: dict[str, Any], looked_for: dict[str, Any]) -> dict[str, Any]:
    """`about`: who, where, when, with which versions. `looked_for`: what a search for sampled words in what is
    left came to (`hermesweb.privacy.wiping.looking`)."""
    found = outcomes(seen)
    unknown = of_unknown_files(seen)
    everything = [*found, unknown]
    left = seen.now.of("unknown")
    return {
        "version": VERSION,
        **about,
        "outcome": "clean" if is_clean(everything, seen.choice) else "incomplete",
        "complete": is_complete(everything, seen.choice),
        "interrupted": not _ran_through(seen),
        "sums": dict(sums(everything)),
        "stores": [_plain(each) for each in found],
        "unknown": _plain(unknown),
        "unknown_files": [each.name for each in left[:UNKNOWN_NAMED]],
        "closed": list(seen.now.closed[:UNKNOWN_NAMED]),
        "missed_locks": seen.record.missed_locks,
        "while_running": seen.record.while_running,
        "attempts": seen.record.attempts,
        "looked_for": looked_for,
        "looks": [],
    }


def came_back(content: dict[str, Any], now: Survey, rows: dict[str, int]) -> list[dict[str, Any]]:
    """Which stores that a report calls wiped have something in them now. An empty state.db that Hermes made anew
    is nothing: `rows`, by table, tell."""
    wiped = {
        each["id"]: each for each in (*content["stores"], content["unknown"]) if each["outcome"] == "wiped"
    }
    return [
        {
            "id": name,
            "files": len(parts),
            "bytes": sum(part.bytes for part in parts),
            "names": _names(parts),
            "rows": {table: rows[table] for table in TELLING if rows.get(table)} if name == DATABASE else {},
        }
        for name, parts in sorted(now.files.items())
        if name in wiped and _has_more(name, parts, wiped[name], rows)
    ]


def _has_more(name: str, parts: tuple[Lying, ...], before: dict[str, Any], rows: dict[str, int]) -> bool:
    if name == DATABASE:
        return any(rows.get(table) for table in TELLING)
    return sum(part.bytes for part in parts) > int(before["bytes_after"])


def left_to_do(content: dict[str, Any]) -> Choice:
    """What a further run would have to clear so that everything that was chosen is gone."""
    left = {
        each["id"]
        for each in (*content["stores"], content["unknown"])
        if each["outcome"] in ("partly", "not_wiped") or _came_back(content, each["id"])
    }
    can = {each.id for each in clearable()}
    return Choice(frozenset(left & can), UNKNOWN in left)


def _came_back(content: dict[str, Any], name: str) -> bool:
    """By the last look."""
    return bool(content["looks"]) and any(each["id"] == name for each in content["looks"][-1]["came_back"])


def exit_code(content: dict[str, Any]) -> int:
    """0: everything that was chosen is wiped and was looked at again; 3: not everything."""
    return 0 if content["complete"] and not content["interrupted"] else 3


def _ran_through(seen: Seen) -> bool:
    choice: Choice = seen.choice
    return choice.stores | ({UNKNOWN} if choice.unknown else set()) <= set(seen.record.done)


def _names(parts: tuple[Any, ...]) -> list[str]:
    return [part.name for part in parts[:20]]


def _plain(each: Outcome) -> dict[str, Any]:
    return {**asdict(each), "left": list(each.left)}
