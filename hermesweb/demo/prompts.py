"""The system prompt that a session stores, with the memory of its day in it (`tools/memory_tool.py`)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Final

from hermesweb.demo.remembered import Note, remembered
from memory.blocked import RULES, findings
from memory.entries import FILE_NAMES
from memory.limits import TARGETS, Target, usage_text
from memory.parsing import DELIMITER

LIMITS: Final = {"memory": 2200, "user": 1375}
_RULE: Final = "═" * 46
_HEADINGS: Final = {"memory": "MEMORY (your personal notes)", "user": "USER PROFILE (who the user is)"}
_BASE: Final = """You are the assistant of a household that does not exist. This is the system prompt of a demo.

# How to answer
Say the result first. Ask before you spend money, send a message or delete a file.

# Tools
memory, session_search, web_search, web_extract, terminal, read_file, write_file, todo, delegate_task, cronjob"""


def system_prompt(notes: Sequence[Note], days_ago: float, started_at: float, model: tuple[str, str]) -> str:
    """The prompt of a session that starts `days_ago`, at `started_at` (UTC epoch seconds). `model`: its name and
    its provider. Without `notes` there is no memory in it, as in the sessions of subagents and schedules."""
    day = datetime.fromtimestamp(started_at, UTC)
    name, provider = model
    end = f"Conversation started: {day:%A, %B %d, %Y}\nModel: {name}\nProvider: {provider}"
    blocks = [_block(target, remembered(notes, target, days_ago)) for target in TARGETS]
    return "\n\n".join([_BASE, *filter(None, blocks), end])


def _block(target: Target, entries: Sequence[str]) -> str:
    shown = [_shown(entry, FILE_NAMES[target]) for entry in dict.fromkeys(entries)]
    if not shown:
        return ""
    text = DELIMITER.join(shown)
    return f"{_RULE}\n{_HEADINGS[target]} [{usage_text(len(text), LIMITS[target])}]\n{_RULE}\n{text}"


@cache
def _shown(entry: str, file_name: str) -> str:
    """An entry as the prompt shows it: Hermes puts a notice in the place of one that its rules react to."""
    found = [] if entry.startswith("[BLOCKED:") else findings(entry, "0.19")
    if not found:
        return entry
    named = ", ".join(sorted(found, key=RULES.index))  # in the order in which Hermes tries them
    return (
        f"[BLOCKED: {file_name} entry contained threat pattern(s): {named}. Removed from system prompt; "
        "use memory(action=remove) to delete the original.]"
    )
