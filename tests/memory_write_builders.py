"""Changes memory files of small homes, and lets the real Hermes do the same."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hermesweb.hermes.config import Config
from memory.editing import MemoryFile, read_fresh
from memory.limits import Rules, Target
from memory.refusals import Refused
from memory.seen import Seen, fingerprint, seen_entry
from tests.memory_builders import MemoryHome, write

CHECKOUT = Path(__file__).parents[1]
ORACLE = Path(__file__).with_name("memory_write_oracle.py")


def limits(memory: object = 2200, user: object = 1375) -> Config:
    return Config({"memory": {"memory_char_limit": memory, "user_char_limit": user}})


def opened(
    home: MemoryHome,
    target: Target = "memory",
    rules: Rules = "0.22",
    config: Config | None = None,
    **more: Any,
) -> MemoryFile:
    """The memory file under the home's own config.yaml, or under another."""
    return MemoryFile(home.profile, target, config or home.read_config(), rules, **more)


def entries(file: MemoryFile) -> list[str]:
    return list(read_fresh(file).entries)


def see(home: MemoryHome, position: int, target: Target = "memory", rules: Rules = "0.22") -> Seen:
    """What a form about the entry at `position` carries."""
    return seen_entry(home.store(target, rules).entries[position])


def seen_text(text: str, position: int = 0) -> Seen:
    return Seen(fingerprint(text), position)


def refusal(work: Callable[[], object]) -> Refused:
    """What `work` was refused with."""
    try:
        done = work()
    except Refused as refused:
        return refused
    raise AssertionError(done)


def state(folder: Path) -> dict[str, tuple[bytes, int, int, int]]:
    """Content, mode, owner and time of every file: the same again means that nothing was touched."""
    found = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        if not path.name.endswith(".lock") and not path.is_dir():
            found[str(path.relative_to(folder))] = content, about.st_mode, about.st_uid, about.st_mtime_ns
    return found


@contextmanager
def lock_held_elsewhere(path: Path, seconds: float) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the lock of a memory file, as Hermes does, for so long."""
    path.parent.mkdir(parents=True, exist_ok=True)
    program = (
        "import fcntl, sys, time; file = open(sys.argv[1], 'a+'); fcntl.flock(file, fcntl.LOCK_EX);"
        "print('held', flush=True); time.sleep(float(sys.argv[2]))"
    )
    command = [sys.executable, "-c", program, f"{path}.lock", str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder
        finally:
            holder.kill()


def in_python(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run `code` in a process of its own, which finds our modules."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)


def let_hermes(question: str, cases: list[Any], folder: Path, python: str = sys.executable) -> list[Any]:
    """What the real Hermes makes of each case: see memory_write_oracle.py. One process for all of them."""
    asked = write(folder / "cases.json", json.dumps(cases))
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "HERMES_HOME": str(folder / "start")}
    command = [python, "-I", str(ORACLE), question, str(asked), str(folder / "answers.json")]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads((folder / "answers.json").read_text())
    return answers
