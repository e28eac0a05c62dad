"""A process that is killed in the middle of a change, at every step of it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from hermesweb.hermes.writing import Step
from memory.operations import add
from memory.side_files import list_side_files
from tests.memory_builders import SEPARATOR, MemoryHome, memory_home
from tests.memory_write_builders import CHECKOUT, entries, opened

STEPS: tuple[Step, ...] = get_args(Step)
OLD = SEPARATOR.join(["tea", "maps"]).encode()

# Says each step, and waits there for ever when it is the one to be killed at.
PROGRAM = """
import sys, time
from pathlib import Path
from hermesweb.hermes.config import Config
from hermesweb.hermes.homes import Home, Profile
from memory.editing import MemoryFile
from memory.operations import add, move
from memory.seen import Seen, fingerprint
root, change, last = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
steps = []
def watch(step):
    steps.append(step)
    print(step, flush=True)
    if len(steps) == last:
        time.sleep(600)
file = MemoryFile(Profile(Home("home", "Home", root), "default", root), "memory", Config(), "0.22", watch=watch)
add(file, "new " * 500) if change == "add" else move(file, Seen(fingerprint("maps"), 1))
"""


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    home = memory_home(tmp_path / "home")
    home.memory(OLD)
    home.user("Lives in Bonn")
    return home


def kill_at(home: MemoryHome, change: str, number: int) -> list[str]:
    """The steps that were reached before the process was killed."""
    command = [sys.executable, "-c", PROGRAM, str(home.folder), change, str(number)]
    with subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        steps = [process.stdout.readline().strip() for _ in range(number)]
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    return steps


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_the_file_is_old_or_new(home: MemoryHome, number: int) -> None:
    assert kill_at(home, "add", number) == list(STEPS[:number])
    renamed = STEPS.index("renamed") < number
    path = home.folder / "memories/MEMORY.md"
    assert path.read_bytes() == (OLD + f"{SEPARATOR}{('new ' * 500).strip()}".encode() if renamed else OLD)
    left = [file for file in list_side_files(home.profile) if file.kind == "temporary"]
    assert [(file.ours, file.of, file.removable) for file in left] == (
        [] if renamed else [(True, "memory", True)]
    )
    if STEPS.index("synced") >= number:  # until it is about to be the file it is more private than that
        assert not left[0].readable_by_others
    # The lock died with its process, and the next write of ours clears up.
    add(opened(home, seconds=0), "later")
    assert [file.name for file in list_side_files(home.profile) if file.kind != "lock"] == []
    assert entries(opened(home))[-1] == "later"


@pytest.mark.parametrize("number", range(1, 2 * len(STEPS) + 1))
def test_an_entry_on_the_move_is_never_lost(home: MemoryHome, number: int) -> None:
    assert kill_at(home, "move", number) == [*STEPS, *STEPS][:number]
    here, there = entries(opened(home)), entries(opened(home, "user"))
    assert "maps" in here + there
    assert here in (["tea", "maps"], ["tea"])
    assert there in (["Lives in Bonn"], ["Lives in Bonn", "maps"])
