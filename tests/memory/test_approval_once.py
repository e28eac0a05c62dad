"""Once, whatever happens: two clicks at the same moment, a process killed at any step, a chat beside us."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memory.approval import approve, recover_memory
from memory.claims import Recovered, left_claims
from memory.skill_approval import approve_skill, recover_skills
from tests.approval_builders import (
    decision,
    memory_of,
    shown,
    shown_skill,
    skill,
    waiting,
    wants,
    wants_skill,
)
from tests.memory_builders import SEPARATOR, MemoryHome, memory_home, write

CLICKER = Path(__file__).parents[1] / "approval_clicker.py"
WRITE_STEPS = ["created", "owned", "written", "synced", "renamed", "folder_synced"]
SKILLS: list[dict[str, Any]] = [
    {"action": "create", "name": "new", "content": skill("new")},
    {"action": "edit", "name": "brew", "content": skill(description="e")},
    {"action": "patch", "name": "brew", "old_string": "Always", "new_string": "Never"},
    {"action": "write_file", "name": "brew", "file_path": "references/b.md", "file_content": "b"},
    {"action": "remove_file", "name": "brew", "file_path": "references/a.md"},
    {"action": "delete", "name": "brew"},
]


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    home = memory_home(tmp_path / "home")
    home.memory("tea")
    write(home.folder / "skills/brew/SKILL.md", skill())
    write(home.folder / "skills/brew/references/a.md", "alpha\n")
    return home


def clicker(home: MemoryHome, subsystem: str, seen: str, killed_at: str = "") -> "subprocess.Popen[str]":
    arguments = [home.folder, subsystem, "ab12cd34", seen, "0.22", killed_at]
    command = [sys.executable, str(CLICKER), *map(str, arguments)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def killed(home: MemoryHome, subsystem: str, seen: str, moment: str) -> None:
    process = clicker(home, subsystem, seen, moment)
    process.communicate("go\n")
    assert process.returncode == -9, moment


def text(home: MemoryHome) -> str:
    return (home.folder / "memories/MEMORY.md").read_text()


@pytest.mark.parametrize("subsystem", ["memory", "skills"])
def test_two_clicks_in_two_processes(home: MemoryHome, subsystem: str) -> None:
    for _ in range(4):
        if subsystem == "memory":
            wants(home, action="batch", operations=[{"action": "add", "content": "new"}])
            seen = shown(home).seen
        else:
            wants_skill(home, action="create", name="new", content=skill("new"))
            seen = shown_skill(home).seen
        clickers = [clicker(home, subsystem, seen) for _ in range(2)]
        for process in clickers:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        said = sorted(process.communicate()[0] for process in clickers)
        assert said[1] == "approved\n"
        assert said[0] in ("NoSuchProposal\n", "Busy\n")
        assert waiting(home, subsystem) == []
        if subsystem == "memory":
            assert text(home) == SEPARATOR.join(["tea", "new"])
            home.memory("tea")
        else:
            (home.folder / "skills/new/SKILL.md").unlink()
            (home.folder / "skills/new").rmdir()


@pytest.mark.parametrize("moment", ["claimed", *WRITE_STEPS, "changed", "removed"])
def test_memory_killed(home: MemoryHome, moment: str) -> None:
    """Carried out and gone, or not carried out and waiting as before: never both, never neither."""
    wants(home, action="add", content="new")
    record = (home.folder / "pending/memory/ab12cd34.json").read_bytes()
    killed(home, "memory", shown(home).seen, moment)
    recovered = recover_memory(memory_of(home))
    if moment in ("renamed", "folder_synced", "changed", "removed"):
        assert text(home) == SEPARATOR.join(["tea", "new"])
        assert waiting(home) == []
    else:
        assert text(home) == "tea"
        assert (home.folder / "pending/memory/ab12cd34.json").read_bytes() == record
        assert recovered == (Recovered("ab12cd34", "memory", "put_back"),)
        approve(memory_of(home), decision(shown(home)))
        assert text(home) == SEPARATOR.join(["tea", "new"])
    assert not list((home.folder / "memories").glob(".mem_*"))


def test_killed_between_the_change_and_the_removal(home: MemoryHome) -> None:
    wants(home, action="add", content="new")
    killed(home, "memory", shown(home).seen, "renamed")
    assert [claim.record.id for claim in left_claims(home.profile, "memory")] == ["ab12cd34"]
    assert recover_memory(memory_of(home)) == (Recovered("ab12cd34", "memory", "finished"),)
    assert recover_memory(memory_of(home)) == ()


def test_killed_and_then_somebody_wrote(home: MemoryHome) -> None:
    """It cannot be told: it is shown again, and to approve it again does no harm."""
    wants(home, action="add", content="new")
    killed(home, "memory", shown(home).seen, "renamed")
    home.memory(SEPARATOR.join(["tea", "new", "by Hermes"]))
    assert recover_memory(memory_of(home)) == (Recovered("ab12cd34", "memory", "put_back"),)
    assert shown(home).changes_nothing
    assert not approve(memory_of(home), decision(shown(home))).wrote
    assert text(home) == SEPARATOR.join(["tea", "new", "by Hermes"])


def test_the_next_decision_recovers(home: MemoryHome) -> None:
    wants(home, action="add", content="new")
    seen = shown(home)
    killed(home, "memory", seen.seen, "claimed")
    assert waiting(home) != ["ab12cd34.json"]
    approve(memory_of(home), decision(seen))
    assert text(home) == SEPARATOR.join(["tea", "new"])


def test_the_name_is_taken(home: MemoryHome) -> None:
    wants(home, action="add", content="new")
    killed(home, "memory", shown(home).seen, "claimed")
    wants(home, action="add", content="another")
    assert recover_memory(memory_of(home))[0].outcome == "name_taken"
    assert len(waiting(home)) == 2


def test_a_living_process_is_left_alone(home: MemoryHome) -> None:
    wants(home, action="add", content="new")
    outcomes = []

    def reached(moment: str) -> None:
        if moment == "claimed":
            outcomes.extend(recover_memory(memory_of(home)))

    approve(memory_of(home), decision(shown(home)), reached)
    assert outcomes == [Recovered("ab12cd34", "memory", "in_use")]
    assert text(home) == SEPARATOR.join(["tea", "new"])


def test_decided_in_the_chat_meanwhile(home: MemoryHome) -> None:
    """Hermes removes the record when it has applied it, and asks nobody."""
    wants(home, action="add", content="new")
    seen = decision(shown(home))
    home.memory(SEPARATOR.join(["tea", "new"]))
    assert not approve(memory_of(home), seen).wrote
    assert text(home) == SEPARATOR.join(["tea", "new"])


SKILL_KILLS = [
    *((payload, moment) for payload in SKILLS for moment in ("claimed", "changed", "removed")),
    *((payload, moment) for payload in SKILLS[:4] for moment in WRITE_STEPS),
]


@pytest.mark.parametrize(("payload", "moment"), SKILL_KILLS, ids=lambda each: str(each)[:24])
def test_skills_killed(home: MemoryHome, payload: dict[str, Any], moment: str) -> None:
    wants_skill(home, **payload)
    killed(home, "skills", shown_skill(home).seen, moment)
    recovered = recover_skills(home.profile)
    if moment in ("renamed", "folder_synced", "changed"):
        assert recovered == (Recovered("ab12cd34", "skills", "finished"),)
    elif moment != "removed":
        assert recovered == (Recovered("ab12cd34", "skills", "put_back"),)
        approve_skill(home.profile, decision(shown_skill(home)))
    assert waiting(home, "skills") == []
    assert not left_claims(home.profile, "skills")
    assert not list((home.folder / "skills").rglob(".mem_*"))


def test_a_skill_removed_in_part(home: MemoryHome) -> None:
    """SKILL.md goes last: as long as it is there, the rest can be removed by approving again."""
    wants_skill(home, action="delete", name="brew")
    killed(home, "skills", shown_skill(home).seen, "claimed")
    (home.folder / "skills/brew/references/a.md").unlink()
    assert recover_skills(home.profile)[0].outcome == "put_back"
    approve_skill(home.profile, decision(shown_skill(home)))
    assert not (home.folder / "skills/brew").exists()
