"""Runs inside the real Hermes: carries out operations on memory files and tells what became of them. Started by
memory_write_builders.let_hermes.

memory_write_oracle.py QUESTION CASES.json ANSWERS.json
"""

import json
import logging
import os
import sys
from pathlib import Path

FILES = {"memory": "MEMORY.md", "user": "USER.md"}


def main(question, cases, answers):
    logging.disable(logging.CRITICAL)
    found = []
    for number, case in enumerate(json.loads(Path(cases).read_text())):
        home = Path(os.environ["HOME"]) / f"home-{number}"
        os.environ["HERMES_HOME"] = str(home)
        (home / "memories").mkdir(parents=True)
        found.append(QUESTIONS[question](home / "memories", case))
    Path(answers).write_text(json.dumps(found))


def load(folder, case):
    """What a new session loads from two files."""
    from tools.memory_tool import MemoryStore

    for target, content in case["files"].items():
        (folder / FILES[target]).write_bytes(content.encode("utf-8", "surrogateescape"))
    store = MemoryStore(*case["limits"])
    store.load_from_disk()
    return {"memory": store.memory_entries, "user": store.user_entries}


def operate(folder, case):
    """Carries out a sequence. For each step: the outcome, and both files as they are then."""
    from tools.memory_tool import MemoryStore

    store = MemoryStore(*case["limits"])
    store.load_from_disk()
    return [one_step(folder, store, step) for step in case["steps"]]


def one_step(folder, store, step):
    store.reset_consolidation_failures()
    try:
        outcome = STEPS[step["do"]](folder, store, step)
    except Exception as error:  # whatever Hermes stumbles over is a refusal, too
        outcome = f"{type(error).__name__}: {error}"
    return {"outcome": outcome, "files": {target: content(folder, target) for target in FILES}}


def poke(folder, store, step):
    """Somebody writes to the file without asking Hermes."""
    (folder / FILES[step["target"]]).write_bytes(step["content"].encode("utf-8", "surrogateescape"))
    return ""


def add(folder, store, step):
    return said(store.add(step["target"], step["text"]))


def replace(folder, store, step):
    return said(store.replace(step["target"], picked(store, step), step["text"]))


def remove(folder, store, step):
    old_texts = [picked(store, step | {"pick": pick}) for pick in step["picks"]]
    if len(old_texts) == 1:
        return said(store.remove(step["target"], old_texts[0]))
    unique = list(dict.fromkeys(old_texts))
    return said(store.apply_batch(step["target"], [{"action": "remove", "old_text": old} for old in unique]))


def move(folder, store, step):
    """Hermes has no such action: it would add first, and remove only if that worked."""
    old_text = picked(store, step)
    if old_text.startswith("gone"):
        return said(store.remove(step["target"], old_text))
    if store._detect_external_drift(step["target"], *raw_for_newer(store, step["target"])):
        return "Refusing to write"
    other = "user" if step["target"] == "memory" else "memory"
    return said(store.add(other, old_text)) or said(store.remove(step["target"], old_text))


def raw_for_newer(store, target):
    if not hasattr(store, "_read_raw_checked"):
        return []
    return [store._read_raw_checked(store._path_for(target))[0]]


def picked(store, step):
    """The whole text of the entry that a person would point at; one that is not there if they see none."""
    entries = list(dict.fromkeys(store._read_file(store._path_for(step["target"]))))
    return entries[step["pick"] % len(entries)] if entries and step["pick"] >= 0 else f"gone {step['pick']}"


def said(result):
    return "" if result["success"] else result["error"]


def content(folder, target):
    path = folder / FILES[target]
    return path.read_bytes().decode("latin-1") if path.exists() else None


STEPS = {"poke": poke, "add": add, "replace": replace, "remove": remove, "move": move}
QUESTIONS = {"load": load, "operate": operate}

if __name__ == "__main__":
    main(*sys.argv[1:])
