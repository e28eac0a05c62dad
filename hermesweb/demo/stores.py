"""Files of a profile that hold memory, settings, skills and schedules."""

import json
from collections.abc import Sequence
from typing import Final

from hermesweb.demo.families import JOB, WEEKLY_PROMPT
from hermesweb.demo.folder import Folder
from hermesweb.demo.remembered import Note, forgotten, remembered
from memory.entries import FILE_NAMES
from memory.limits import TARGETS
from memory.parsing import DELIMITER

_CONFIG: Final = """model:
  default: sample-small
  provider: ollama
  base_url: http://127.0.0.1:11434/v1
memory:
  memory_enabled: true
  user_profile_enabled: true
  memory_char_limit: 2200
  user_char_limit: 1375
  write_approval: {approval}
  provider: "{provider}"
skills:
  write_approval: {approval}
sessions:
  auto_prune: false
  write_json_snapshots: false
_config_version: 33
"""
_SOUL: Final = """This is a demo: the household, its people and its secrets are made up.

You help the Sample family. You are calm, brief and a little dry. You keep secrets, also from each other.
"""
_SKILL: Final = """---
name: tomato-care
description: How the Sample family looks after its tomatoes.
---
# Tomato care

Water in the evening. Twelve minutes with the timer are enough. Cut off brown leaves on the same day.
"""
_OLD_SKILL: Final = """---
name: window-cleaning
description: Order of the windows.
---
# Window cleaning

Start on the north side. Robin's room last, since Robin sleeps long on Saturdays.
"""


def write_memory(folder: Folder, notes: Sequence[Note]) -> None:
    """MEMORY.md and USER.md as they are on the last day, with their lock files."""
    for target in TARGETS:
        name = FILE_NAMES[target]
        text = DELIMITER.join(remembered(notes, target, 0))
        newest = min(note.since for note in notes if note.target == target)
        folder.write(f"memories/{name}", text, mode=0o600, days_ago=newest)
        folder.write(f"memories/{name}.lock", "", days_ago=newest)


def write_memory_copies(folder: Folder, notes: Sequence[Note]) -> None:
    """What is left of memory beside its files: a copy of a refused write, and what was moved out."""
    days_ago = 130.0
    stamp = int(folder.time(days_ago))
    text = DELIMITER.join(remembered(notes, "memory", days_ago))
    folder.write(
        f"memories/MEMORY.md.bak.{stamp}", text + "\n\n§\n\na line typed by hand\n", days_ago=days_ago
    )
    gone = [
        {
            "ts": f"{folder.moment(note.until):%Y-%m-%dT%H:%M:%SZ}",
            "target": note.target,
            "action": "remove",
            "entry": note.text,
        }
        for note in forgotten(notes)
    ]
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in gone)
    folder.write("memories/ARCHIVE.jsonl", lines, days_ago=forgotten(notes)[-1].until)


def write_settings(folder: Folder, *, provider: str, approval: bool, token: str) -> None:
    """config.yaml, SOUL.md and the credentials, all of them samples."""
    values = {"provider": provider, "approval": "true" if approval else "false"}
    folder.write("config.yaml", _CONFIG.format(**values), days_ago=20)
    folder.write("SOUL.md", _SOUL, days_ago=400)
    folder.write(".env", f"SAMPLE_API_KEY={token}\n", mode=0o600, days_ago=300)
    if provider:
        settings = {"apiKey": token, "workspace": "hermes", "peerName": "sample"}
        folder.write_json(f"{provider}.json", settings, mode=0o600, days_ago=150)


def write_skills(folder: Folder) -> None:
    """A skill that the agent wrote, and one that it put away, which means that it moved it."""
    folder.write("skills/garden/tomato-care/SKILL.md", _SKILL, mode=0o600, days_ago=60)
    folder.write("skills/.archive/window-cleaning/SKILL.md", _OLD_SKILL, mode=0o600, days_ago=220)
    usage = {
        "tomato-care": {"created_by": "agent", "use_count": 6, "state": "active", "pinned": False},
        "window-cleaning": {"created_by": "agent", "use_count": 1, "state": "archived", "pinned": False},
    }
    folder.write_json("skills/.usage.json", usage, mode=0o600, days_ago=4)


def write_schedule(folder: Folder, runs: Sequence[tuple[float, str]]) -> None:
    """The weekly job and what its runs gave. `runs`: how many days ago, and the text."""
    start = folder.moment(200)
    job = {
        "id": JOB,
        "name": "week at a glance",
        "prompt": WEEKLY_PROMPT,
        "schedule": {"kind": "interval", "minutes": 10_080, "display": "every 10080m"},
        "schedule_display": "every 10080m",
        "repeat": {"times": None, "completed": len(runs)},
        "enabled": True,
        "state": "scheduled",
        "created_at": start.isoformat(),
        "next_run_at": folder.moment(-4).isoformat(),
        "last_run_at": folder.moment(min(days_ago for days_ago, _ in runs)).isoformat(),
        "last_status": "ok",
        "deliver": "telegram",
        "origin": {"platform": "telegram", "chat_id": "1000142", "chat_name": "Robin Sample"},
    }
    jobs = {"jobs": [job], "updated_at": folder.moment(3).isoformat()}
    folder.write_json("cron/jobs.json", jobs, mode=0o600, days_ago=3)
    for days_ago, text in runs:
        name = f"cron/output/{JOB}/{folder.moment(days_ago):%Y-%m-%d_%H-%M-%S}.md"
        folder.write(name, f"# week at a glance\n\n{text}\n", mode=0o600, days_ago=days_ago)
