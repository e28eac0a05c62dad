"""The process that removes the words. Started by scrubbing.py as `python -m sessions.scrubbing_process`.

A process of its own, because it can be ended at any moment without harm, gives its memory back, and has its
own folder for SQLite's temporary copy (SQLITE_TMPDIR, which SQLite reads once). The first line on stdin is a
JSON object with the arguments; anything after it, also the end of stdin when who started it dies, means: stop.
One JSON object a line on stdout: {"phase", "done", "total"}, {"result"}, and at last {"residue"}.
"""

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

from sessions.errors import StateError
from sessions.process_turns import keep_turns_in
from sessions.residue import look
from sessions.scrubbing_report import Phase, Residue, as_json
from sessions.scrubbing_steps import Steps

SECONDS = 0.5  # between two signs of life


class Voice:
    """What is said on stdout, by two threads: a long statement must not look like a process that hangs."""

    def __init__(self) -> None:
        self._lock, self._step = threading.Lock(), {"phase": "merge", "done": 0, "total": 0}

    def step(self, phase: Phase, done: int, total: int) -> None:
        self._step = {"phase": phase, "done": done, "total": total}
        self.say(self._step)

    def say(self, fact: dict[str, Any]) -> None:
        """Nobody may listen any more; then the end of stdin says so too."""
        with self._lock:
            try:
                print(json.dumps(fact), flush=True)
            except BrokenPipeError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def repeat(self, over: threading.Event) -> None:
        while not over.wait(SECONDS):
            self.say(self._step)


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    folder = Path(asked["folder"])
    keep_turns_in(Path(asked["turns"]) if asked["turns"] else None)
    voice, over = Voice(), threading.Event()
    steps = Steps(
        folder,
        Path(asked["temporary"]),
        voice.step,
        asked["small"],
        tuple(asked["ours"]),
        asked["patience"],
    )
    threading.Thread(target=_stop_when_told, args=(steps,), daemon=True).start()
    repeating = threading.Thread(target=voice.repeat, args=(over,), daemon=True)
    repeating.start()
    for result in steps.run():
        voice.say({"result": as_json(result)})
    residue = _residue(folder)
    over.set()
    repeating.join()
    voice.say({"residue": as_json(residue) if residue else None})


def _residue(folder: Path) -> Residue | None:
    try:
        return look(folder)
    except StateError:
        return None


def _stop_when_told(steps: Steps) -> None:
    sys.stdin.read(1)
    steps.stop()


if __name__ == "__main__":
    main()
