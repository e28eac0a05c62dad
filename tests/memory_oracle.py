"""Runs inside the real Hermes: answers one question about many homes. Started by memory_builders.ask_hermes.

memory_oracle.py QUESTION CASES.json ANSWERS.json
"""

import functools
import json
import logging
import os
import re
import ssl
import sys
from pathlib import Path

FILES = {"memory": "MEMORY.md", "user": "USER.md"}


def main(question, cases, answers):
    logging.disable(logging.CRITICAL)
    found = []
    for number, case in enumerate(json.loads(Path(cases).read_text())):
        home = Path(os.environ["HOME"]) / f"home-{number}"
        os.environ["HERMES_HOME"] = str(home)
        for name, content in case["files"].items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8", "surrogateescape"))
        found.append(QUESTIONS[question](home))
    Path(answers).write_text(json.dumps(found))


def load(home):
    """Loads both stores without the other's help, as far as it goes."""
    from tools.memory_tool import MemoryStore

    answers = {}
    for target, name in FILES.items():
        store = MemoryStore()
        try:
            entries = list(dict.fromkeys(store._read_file(home / "memories" / name)))
        except UnicodeDecodeError as error:
            answers[target] = {"undecodable": error.start}
            continue
        store._set_entries(target, entries)
        shown = store._sanitize_entries_for_snapshot(entries, name)
        answers[target] = {
            "entries": entries,
            "used": store._char_count(target),
            "shown": shown,
            "block": store._render_block(target, entries),
            "guarded": store._detect_external_drift(target) is not None,
        }
    return answers


def start(home):
    """Starts a session, and says what the memory blocks of its prompt claim about usage."""
    import run_agent
    from tools.memory_tool import load_on_disk_store

    agent = run_agent.AIAgent(
        base_url="http://127.0.0.1:9/v1", api_key="x", model="m", quiet_mode=True, enabled_toolsets=[]
    )
    shown = {"memory": agent._memory_enabled, "user": agent._user_profile_enabled}
    usage = []
    for target in FILES:
        store = agent._memory_store if shown[target] else None
        block = store.format_for_system_prompt(target) if store else None
        usage.append(re.search(r"\[(.*)\]", block)[1] if block else None)
    try:
        approval = load_on_disk_store()
    except UnicodeDecodeError:
        return {"usage": usage, "approval": None}
    return {"usage": usage, "approval": [approval.memory_char_limit, approval.user_char_limit]}


def pending(home):
    """Lists, counts and opens what waits for approval."""
    from tools import write_approval

    try:
        listed = [record.get("id") for record in write_approval.list_pending("memory")]
    except Exception as error:
        listed = type(error).__name__
    names = [path.name for path in (home / "pending" / "memory").iterdir()]
    opened = {
        name: write_approval.get_pending("memory", name.removesuffix(".json")) is not None for name in names
    }
    return {"listed": listed, "count": write_approval.pending_count("memory"), "opened": opened}


QUESTIONS = {"load": load, "start": start, "pending": pending}

if __name__ == "__main__":
    # A session makes nine TLS contexts; they take most of its start.
    ssl.create_default_context = functools.lru_cache(ssl.create_default_context)
    main(*sys.argv[1:])
