"""Writes that wait for approval, of every kind (`tools/write_approval.py`): one that fits and those that do not."""

from collections.abc import Mapping
from typing import Final

from hermesweb.demo.folder import Folder

_SKILL: Final = """---
name: sourdough-timer
description: Plan a sourdough loaf backwards from the meal.
---
# Sourdough timer

1. Ask when the bread is to be eaten.
2. Count back: 1 h cooling, 50 min oven, 12 h cold, 4 h warm.
3. Set a reminder for each step. Never wake Mika for one.
"""


def write_proposals(folder: Folder) -> None:
    """Put the records into `pending/` of a profile whose memory is that of the made-up household."""
    _memory(
        folder,
        "3f9a1c04",
        3.0,
        "background_review",
        _operation("add", "user", "Prefers oat milk in tea, and no sugar."),
    )
    _memory(
        folder,
        "81b07e5d",
        2.2,
        "background_review",
        _operation("replace", "memory", "teapot runs Debian 13 now.", "Debian 11"),
    )
    _memory(folder, "0c66d2aa", 1.4, "foreground", _operation("remove", "memory", None, "The printer in the"))
    _memory(folder, "b5e40f19", 0.6, "background_review", _batch())
    folder.write("pending/memory/77c2a930.json", '{\n  "id": "77c2a930",\n  "subsystem": "mem', days_ago=0.5)
    _skill(
        folder,
        "e1d8934b",
        1.1,
        f"create 'sourdough-timer' — Plan a sourdough loaf backwards from the meal. ({len(_SKILL)} chars)",
        {"action": "create", "name": "sourdough-timer", "content": _SKILL, "replace_all": False},
    )
    _skill(
        folder,
        "46fa0b72",
        0.3,
        "patch 'tomato-care' SKILL.md (+2/-1 lines)",
        {
            "action": "patch",
            "name": "tomato-care",
            "old_string": "Water in the evening.",
            "new_string": "Water at six in the morning.\nNever water the leaves.",
            "replace_all": False,
        },
    )


def _operation(
    action: str, target: str, content: str | None, old_text: str | None = None
) -> dict[str, object]:
    return {"action": action, "target": target, "content": content, "old_text": old_text}


def _batch() -> dict[str, object]:
    operations = [
        {"action": "remove", "old_text": "novel about lighthouse keepers"},
        {
            "action": "add",
            "content": "Has finished the lighthouse novel and looks for something with volcanoes.",
        },
    ]
    return {"action": "batch", "target": "user", "operations": operations}


def _memory(
    folder: Folder, identity: str, days_ago: float, origin: str, payload: Mapping[str, object]
) -> None:
    where = "memory" if payload["target"] == "memory" else "user profile"
    said = payload.get("content") or payload.get("old_text") or "2 operations"
    _record(folder, "memory", identity, days_ago, f"{payload['action']} in {where}: {said}", payload, origin)


def _skill(
    folder: Folder, identity: str, days_ago: float, summary: str, payload: Mapping[str, object]
) -> None:
    _record(folder, "skills", identity, days_ago, summary, payload, "background_review")


def _record(
    folder: Folder,
    subsystem: str,
    identity: str,
    days_ago: float,
    summary: str,
    payload: Mapping[str, object],
    origin: str,
) -> None:
    record = {
        "id": identity,
        "subsystem": subsystem,
        "action": payload["action"],
        "summary": summary,
        "origin": origin,
        "created_at": folder.time(days_ago),
        "payload": payload,
    }
    folder.write_json(f"pending/{subsystem}/{identity}.json", record, days_ago=days_ago)
