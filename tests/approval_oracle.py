"""Runs inside the real Hermes: stages writes and approves them. Started by approval_builders.let_hermes_approve.

approval_oracle.py CASES.json ANSWERS.json
"""

import json
import logging
import os
import sys
from pathlib import Path

NOT_COMPARED = (".lock", ".usage.json", ".tmp")


def main(cases, answers):
    logging.disable(logging.CRITICAL)
    found = []
    for number, case in enumerate(json.loads(Path(cases).read_text())):
        home = Path(os.environ["HOME"]) / f"home-{number}"
        os.environ["HERMES_HOME"] = str(home)
        home.mkdir()
        for name, content in case["files"].items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8", "surrogateescape"))
        queue = case.get("queue") or staged(home, case["stage"])
        found.append(
            {"queue": queue, "steps": [approve(home, subsystem, text) for subsystem, _, text in queue]}
        )
    Path(answers).write_text(json.dumps(found))


def staged(home, writes):
    """Lets the tools stage each write; those they refuse at once are left out."""
    from tools.memory_tool import load_on_disk_store, memory_tool
    from tools.skill_manager_tool import skill_manage

    queue, seen = [], set()
    for subsystem, arguments in writes:
        if subsystem == "memory":
            memory_tool(**arguments, store=load_on_disk_store())
        else:
            skill_manage(**arguments)
        for path in (home / "pending" / subsystem).glob("*.json"):
            if path.name not in seen:
                seen.add(path.name)
                queue.append([subsystem, path.name, path.read_text(encoding="utf-8")])
    return queue


def approve(home, subsystem, text):
    """Approves one record the way the slash command does. What comes of it, and all files then."""
    from tools.memory_tool import apply_memory_pending, load_on_disk_store
    from tools.skill_manager_tool import apply_skill_pending

    payload = json.loads(text).get("payload", {})
    try:
        if subsystem == "memory":
            result = apply_memory_pending(payload, load_on_disk_store())
        else:
            result = json.loads(apply_skill_pending(payload))
        said = "" if result.get("success") else result.get("error", "refused")
    except Exception as error:  # the slash command takes it for a refusal, too
        said = f"{type(error).__name__}: {error}"
    return {"refused": said, "files": files(home)}


def files(home):
    found = {}
    for folder in ("memories", "skills"):
        for path in sorted((home / folder).rglob("*")):
            if not path.name.endswith(NOT_COMPARED) and ".bak." not in path.name:
                name = str(path.relative_to(home))
                found[name] = path.read_bytes().decode("latin-1") if path.is_file() else None
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
