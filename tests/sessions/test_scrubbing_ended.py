"""Removing words that is ended in the middle: state.db is whole, nothing is claimed, and the next time finishes."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from sessions import scrubbing_steps
from sessions.scrubbing import scrub
from sessions.scrubbing_report import Phase, residue_from
from tests.scrub_builders import Dirty, copied, dirty_home, kept, problems, residue

ROOT = Path(__file__).resolve().parents[2]
KINDS = [("0.19", "WAL"), ("0.22", "DELETE")]


@pytest.fixture(scope="module")
def dirty_homes(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Dirty]:
    """With ten megabytes more, so that there is time to end it."""
    homes = {kind: dirty_home(tmp_path_factory.mktemp("dirty"), *kind) for kind in KINDS}
    for home in homes.values():
        with closing(sqlite3.connect(home.folder / "state.db")) as connection, connection:
            sql = "INSERT INTO state_meta VALUES(?, hex(randomblob(500000)))"
            connection.executemany(sql, [(f"filler {number}",) for number in range(10)])
    return homes


@pytest.fixture(params=KINDS, ids="-".join)
def home(request: pytest.FixtureRequest, dirty_homes: dict[tuple[str, str], Dirty], tmp_path: Path) -> Dirty:
    return copied(dirty_homes[request.param], tmp_path / "home")


@contextmanager
def scrubbing(home: Dirty, temporary: Path, largest: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """The process that does the work; it can write no file larger than `largest` bytes."""
    temporary.mkdir(exist_ok=True)
    asked = {
        "folder": str(home.folder),
        "temporary": str(temporary),
        "turns": None,
        "small": 1 << 40,
        "ours": [],
        "patience": 0.2,
    }
    command = [sys.executable, "-m", "sessions.scrubbing_process"]
    environment = {**os.environ, "SQLITE_TMPDIR": str(temporary)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as process:
        assert process.stdin is not None
        if largest is not None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest, largest))
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        yield process


def facts(process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, process.stdout or ())


def assert_whole_and_finished_next_time(home: Dirty, tmp_path: Path) -> None:
    assert problems(home.folder) == []
    assert scrub(home.folder, temporary=tmp_path / "ours").complete
    assert residue(home) == {}
    assert problems(home.folder) == []
    assert kept(home) == 40


@pytest.mark.parametrize("later", [0, 0.04])
@pytest.mark.parametrize("phase", ["merge", "vacuum", "last_checkpoint"])
def test_killed_at_each_phase(home: Dirty, tmp_path: Path, phase: Phase, later: float) -> None:
    with scrubbing(home, tmp_path / "ours") as process:
        assert any(fact.get("phase") == phase for fact in facts(process)), "the phase was not reached"
        time.sleep(later)
        process.kill()
    assert_whole_and_finished_next_time(home, tmp_path)


class Enough(Exception):
    """As the job's own step raises it."""


@pytest.mark.parametrize("phase", ["merge", "vacuum", "last_checkpoint"])
def test_told_to_stop_at_each_phase(home: Dirty, tmp_path: Path, phase: Phase) -> None:
    def step(now: Phase, *_: int) -> None:
        if now == phase:
            raise Enough

    with pytest.raises(Enough):
        scrub(home.folder, temporary=tmp_path / "ours", step=step)
    assert_whole_and_finished_next_time(home, tmp_path)


def test_asked_to_stop_it_says_what_is_left(home: Dirty, tmp_path: Path) -> None:
    scrubbed = scrub(home.folder, temporary=tmp_path / "ours", stop=lambda: True)
    assert not scrubbed.complete
    assert scrubbed.phases[-1].reason == "stopped"
    assert_whole_and_finished_next_time(home, tmp_path)


def test_it_gives_way_to_who_opens_a_large_file_meanwhile(
    home: Dirty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose writes would fail if they had to wait for all of it."""
    steps = scrubbing_steps.Steps(home.folder, tmp_path, lambda *_: None, small=1)
    monkeypatch.setattr(scrubbing_steps, "PAUSE", 0.001)
    monkeypatch.setattr(scrubbing_steps, "processes_with", lambda *_: [4711])
    monkeypatch.setattr(steps, "connected", lambda: "nobody")
    results = {result.phase: result for result in steps.run()}
    assert results["vacuum"].reason == "hermes_has_it_open"
    assert results["last_checkpoint"].outcome in ("done", "not_needed")
    assert_whole_and_finished_next_time(home, tmp_path)


STARTER = """
import sys
from pathlib import Path
from sessions.scrubbing import scrub
def step(phase, done, total):
    if phase == "vacuum":
        print("vacuum", flush=True)
scrub(Path(sys.argv[1]), temporary=Path(sys.argv[2]), step=step)
"""


def test_whoever_started_it_is_killed(home: Dirty, tmp_path: Path) -> None:
    command = [sys.executable, "-c", STARTER, str(home.folder), str(tmp_path / "ours")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as starter:
        assert starter.stdout is not None
        assert starter.stdout.readline() == b"vacuum\n"
        workers = psutil.Process(starter.pid).children()
        starter.kill()
    assert workers
    assert psutil.wait_procs(workers, timeout=10)[1] == [], "it went on alone"
    assert_whole_and_finished_next_time(home, tmp_path)


@pytest.mark.parametrize("largest", [40_000, 500_000, 1_000_000, 6_000_000])
def test_the_disk_is_full(home: Dirty, tmp_path: Path, largest: int) -> None:
    """Played by a limit on the size of a file, which every user may set."""
    with scrubbing(home, tmp_path / "ours", largest) as process:
        said = list(facts(process))
        assert process.wait() == 0
    results = [fact["result"] for fact in said if "result" in fact]
    waiting = {result["reason"] for result in results if result["outcome"] == "waiting"}
    assert waiting & {"failed", "no_space"}
    assert said[-1]["residue"] is None or not residue_from(said[-1]["residue"]).is_clean
    assert_whole_and_finished_next_time(home, tmp_path)
