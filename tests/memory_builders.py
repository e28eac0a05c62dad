"""Builds small Hermes homes with memory files and pending writes, and asks the real Hermes about them."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermesweb.hermes.config import Config, read_config
from hermesweb.hermes.homes import Home, Profile
from memory.entries import Store, read_store
from memory.limits import Rules, Target

SEPARATOR = "\n§\n"
ORACLE = Path(__file__).with_name("memory_oracle.py")


@dataclass(frozen=True)
class MemoryHome:
    """A home with a default profile; each method writes one thing and returns where it is."""

    profile: Profile

    @property
    def folder(self) -> Path:
        return self.profile.folder

    def memory(self, content: str | bytes, name: str = "MEMORY.md") -> Path:
        return write(self.folder / "memories" / name, content)

    def user(self, content: str | bytes) -> Path:
        return self.memory(content, "USER.md")

    def config(self, text: str | bytes) -> Config:
        write(self.folder / "config.yaml", text)
        return self.read_config()

    def pending(self, content: object, name: str = "ab12cd34.json", subsystem: str = "memory") -> Path:
        """`content`: bytes as they are, anything else as JSON."""
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        return write(self.folder / "pending" / subsystem / name, raw)

    def read_config(self) -> Config:
        return read_config(self.folder, root=self.profile.home.root)

    def store(self, target: Target = "memory", rules: Rules = "0.22") -> Store:
        return read_store(self.profile, target, self.read_config(), rules)


def memory_home(root: Path) -> MemoryHome:
    """An empty home in the folder `root`, which need not exist."""
    root.mkdir(parents=True, exist_ok=True)
    return MemoryHome(Profile(Home("home", "Home", root), "default", root))


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    path.write_bytes(raw)
    return path


def pending_record(identity: str = "ab12cd34", **changes: object) -> dict[str, object]:
    """A record as Hermes stages it for a new entry `Likes maps`."""
    record: dict[str, object] = {
        "id": identity,
        "subsystem": "memory",
        "action": "add",
        "summary": "add to memory: Likes maps",
        "origin": "foreground",
        "created_at": 1_750_000_000.5,
        "payload": {"action": "add", "target": "memory", "content": "Likes maps", "old_text": None},
    }
    return {key: value for key, value in (record | changes).items() if value is not ...}


def ask_hermes(question: str, cases: list[Any], folder: Path) -> list[Any]:
    """What the installed hermes-agent answers to each case, from one process with homes of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = write(folder / "cases.json", json.dumps(cases))
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "HERMES_HOME": str(folder / "start")}
    # Isolated, or the folder of the script would put our own test folders before Hermes' modules.
    command = [sys.executable, "-I", str(ORACLE), question, str(asked), str(folder / "answers.json")]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads((folder / "answers.json").read_text())
    return answers
