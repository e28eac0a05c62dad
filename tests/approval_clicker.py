"""A process that approves one record, as a web server does. Started by the tests of what happens once.

approval_clicker.py HOME SUBSYSTEM ID SEEN RULES KILLED_AT
"""

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from hermesweb.hermes.config import read_config
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Home, Profile
from memory.approval import approve
from memory.approval_answers import Decision
from memory.editing import MemoryFile
from memory.skill_approval import approve_skill


def main(folder: str, subsystem: str, identity: str, seen: str, rules: str, killed_at: str) -> None:
    root = Path(folder)
    profile = Profile(Home("home", "Home", root), "default", root)

    def reached(moment: str) -> None:
        if moment == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)

    config = read_config(root, root=root)
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        if subsystem == "skills":
            approve_skill(profile, Decision(identity, seen), reached, reached)  # type: ignore[arg-type]
        else:
            file = MemoryFile(profile, "memory", config, rules, 60, reached)  # type: ignore[arg-type]
            approve(file, Decision(identity, seen), reached)
        print("approved")
    except HermesError as refused:
        print(type(refused).__name__)


if __name__ == "__main__":
    main(*sys.argv[1:])
