"""Queues of waiting writes in small homes: decided by us, and by the real Hermes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hermesweb.hermes.config import Config
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from memory.approval import approve
from memory.approval_answers import Decision
from memory.editing import MemoryFile
from memory.entries import read_store
from memory.limits import TARGETS, Rules, Target
from memory.pending import find_pending
from memory.pending_record import PendingRecord
from memory.proposal import Proposal, proposal_view
from memory.proposal_state import State, state_of_store
from memory.skill_approval import approve_skill
from memory.skill_proposal import SkillProposal, skill_view
from tests.memory_builders import MemoryHome, pending_record, write

ORACLE = Path(__file__).with_name("approval_oracle.py")
HEAD = "---\nname: {name}\ndescription: {description}\n---\n{body}"


def skill(name: str = "brew", description: str = "d", body: str = "# x\n\nAlways begin here.\n") -> str:
    return HEAD.format(name=name, description=description, body=body)


def wants(home: MemoryHome, identity: str = "ab12cd34", **payload: Any) -> str:
    """A waiting write to memory; the id of it."""
    record = pending_record(identity, payload={"target": "memory", **payload})
    home.pending(record, f"{identity}.json")
    return identity


def wants_skill(home: MemoryHome, identity: str = "ab12cd34", **payload: Any) -> str:
    record = pending_record(identity, subsystem="skills", payload=payload)
    home.pending(record, f"{identity}.json", "skills")
    return identity


def states(profile: Profile, config: Config, rules: Rules) -> dict[Target, State]:
    return {target: state_of_store(read_store(profile, target, config, rules), config) for target in TARGETS}


def record_of(home: MemoryHome, identity: str = "ab12cd34", subsystem: Any = "memory") -> PendingRecord:
    record = find_pending(home.profile, subsystem, identity)
    assert record is not None
    return record


def shown(home: MemoryHome, identity: str = "ab12cd34", rules: Rules = "0.22") -> Proposal:
    """The proposal as a page shows it."""
    return proposal_view(record_of(home, identity), states(home.profile, home.read_config(), rules))


def shown_skill(home: MemoryHome, identity: str = "ab12cd34", rules: Rules = "0.19") -> SkillProposal:
    return skill_view(record_of(home, identity, "skills"), home.profile, rules)


def decision(proposal: Proposal | SkillProposal, edited: dict[int, str] | None = None) -> Decision:
    return Decision(proposal.record.id, proposal.seen, edited or {})


def memory_of(home: MemoryHome, rules: Rules = "0.22", **more: Any) -> MemoryFile:
    return MemoryFile(home.profile, "memory", home.read_config(), rules, **more)


def waiting(home: MemoryHome, subsystem: str = "memory") -> list[str]:
    folder = home.folder / "pending" / subsystem
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def files_of(folder: Path) -> dict[str, str | None]:
    """Memory files and skills, as the oracle names them."""
    found: dict[str, str | None] = {}
    for below in ("memories", "skills"):
        for path in sorted((folder / below).rglob("*")):
            if not path.name.endswith((".lock", ".usage.json", ".tmp")) and ".bak." not in path.name:
                name = str(path.relative_to(folder))
                found[name] = path.read_bytes().decode("latin-1") if path.is_file() else None
    return found


def let_hermes_approve(cases: list[Any], folder: Path, python: str = sys.executable) -> list[Any]:
    """What the real Hermes makes of each case: see approval_oracle.py. One process for all of them."""
    asked = write(folder / "cases.json", json.dumps(cases))
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "HERMES_HOME": str(folder / "start")}
    command = [python, "-I", str(ORACLE), str(asked), str(folder / "answers.json")]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads((folder / "answers.json").read_text())
    return answers


def approved(home: MemoryHome, subsystem: str, identity: str, rules: Rules = "0.19") -> str:
    """What stands against it, after looking at the page anew. Empty: it was carried out."""
    try:
        if subsystem == "memory":
            approve(memory_of(home, rules), decision(shown(home, identity, rules)))
        else:
            approve_skill(home.profile, decision(shown_skill(home, identity)))
    except HermesError as refused:
        return repr(getattr(refused, "reason", refused))
    return ""
