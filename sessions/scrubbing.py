"""Removing the words of rows that were deleted from a state.db. Nothing that is not deleted changes.

The work is done in a process of its own (scrubbing_process.py); its steps are in scrubbing_steps.py. What is
done stays done: to go on after any kind of end, it is called again. What SQLite cannot reach is not reached:
blocks that the file system has freed, snapshots of the disk, backups.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sessions.process_turns import turns_folder
from sessions.scrubbing_report import PHASES, Phase, PhaseResult, Residue, Scrubbed, residue_from, result_from
from sessions.scrubbing_steps import SMALL
from sessions.state_files import look_at
from sessions.writer import refuse_unless_ours

Step = Callable[[Phase, int, int], object]
_CHECKOUT = Path(__file__).resolve().parent.parent


def scrub(
    folder: Path,
    *,
    temporary: Path,
    step: Step = lambda *_: None,
    stop: Callable[[], bool] = lambda: False,
    small: int = SMALL,
    ours: Iterable[int] = (),
    patience: float = 5,
) -> Scrubbed:
    """Remove the words of deleted rows from the state.db of a profile `folder`, as far as it can be done now.

    `temporary`: a folder of ours that is made if need be; SQLite puts a copy of the database there meanwhile.
    `step(phase, done, total)` is told how far it is, at least once a second; it may raise to stop, and then
    nothing is left half done.
    `stop` is asked at each step. `small`: bytes up to which the database is written anew beside a running
    Hermes. `ours`: process numbers that are not Hermes. `patience`: seconds to wait for one lock.
    Raises StateError where nothing can be begun; everything else is in the answer.
    """
    refuse_unless_ours(look_at(folder, needs_index=False))
    temporary.mkdir(mode=0o700, parents=True, exist_ok=True)
    said = _Said(step, stop)
    asked = {"small": small, "ours": [os.getpid(), *ours], "patience": patience}
    with _process(folder, temporary, asked) as process:
        for line in process.stdout or ():
            if said.hear(json.loads(line)):
                _tell_to_stop(process)
    return said.scrubbed()


@dataclass
class _Said:
    step: Step
    stop: Callable[[], bool]
    results: tuple[PhaseResult, ...] = ()
    residue: Residue | None = None

    def hear(self, fact: dict[str, Any]) -> bool:
        """Whether the process is to stop."""
        if "phase" in fact:
            self.step(fact["phase"], fact["done"], fact["total"])
        elif "result" in fact:
            self.results += (result_from(fact["result"]),)
        elif fact["residue"]:
            self.residue = residue_from(fact["residue"])
        return self.stop()

    def scrubbed(self) -> Scrubbed:
        """What was not said, because the process was ended, is waiting."""
        known = {result.phase: result for result in self.results}
        died = [PhaseResult(phase, "waiting", "failed", "ended") for phase in PHASES if phase not in known]
        return Scrubbed((*self.results, *died), self.residue)


@contextmanager
def _process(folder: Path, temporary: Path, asked: dict[str, Any]) -> Iterator[subprocess.Popen[bytes]]:
    turns = turns_folder()
    asked = {
        **asked,
        "folder": os.fspath(folder),
        "temporary": os.fspath(temporary),
        "turns": os.fspath(turns) if turns else None,
    }
    with subprocess.Popen(
        [sys.executable, "-m", "sessions.scrubbing_process"],
        cwd=_CHECKOUT,
        env={**os.environ, "SQLITE_TMPDIR": os.fspath(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        try:
            # It may be gone already; then it says nothing, and all is waiting.
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(asked).encode() + b"\n")
                process.stdin.flush()
            yield process
        finally:
            _tell_to_stop(process)
            for _ in process.stdout or ():  # until it is gone
                pass


def _tell_to_stop(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError):
            process.stdin.close()
