"""Removing words while others have state.db open: nobody's write fails, and what waits is named. Case C15."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.connected import is_anyone_connected
from sessions.database import read_state
from sessions.process_turns import keep_turns_in, reader_turn, turns_folder
from sessions.queries import count
from sessions.scrubbing import scrub
from sessions.scrubbing_report import Scrubbed
from tests.scrub_builders import Dirty, copied, dirty_home, problems, residue
from tests.state_builders import held_by_another

READING = ("BEGIN", "SELECT COUNT(*) FROM messages")


@pytest.fixture(scope="module")
def dirty_homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dirty]:
    return {mode: dirty_home(tmp_path_factory.mktemp("dirty"), "0.19", mode) for mode in ("WAL", "DELETE")}


@pytest.fixture
def home(dirty_homes: dict[str, Dirty], tmp_path: Path) -> Dirty:
    return copied(dirty_homes["WAL"], tmp_path / "home")


@pytest.fixture
def journal_home(dirty_homes: dict[str, Dirty], tmp_path: Path) -> Dirty:
    return copied(dirty_homes["DELETE"], tmp_path / "home")


@pytest.fixture(autouse=True)
def own_turns(tmp_path: Path) -> Iterator[None]:
    before = turns_folder()
    keep_turns_in(tmp_path / "turns")
    yield
    keep_turns_in(before)


def waiting(scrubbed: Scrubbed) -> dict[str, str | None]:
    return {result.phase: result.reason for result in scrubbed.waiting}


def quick(home: Dirty, tmp_path: Path) -> Scrubbed:
    """Without patience."""
    return scrub(home.folder, temporary=tmp_path / "ours", patience=0.2)


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_nobody_is_connected(dirty_homes: dict[str, Dirty], tmp_path: Path, mode: str) -> None:
    home = copied(dirty_homes[mode], tmp_path / "home")
    assert is_anyone_connected(home.folder).answer in ("nobody", "unknown" if mode == "DELETE" else "nobody")
    assert residue(home), "asking removed nothing"


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_an_idle_connection_is_seen(dirty_homes: dict[str, Dirty], tmp_path: Path, mode: str) -> None:
    home = copied(dirty_homes[mode], tmp_path / "home")
    with held_by_another(home.folder, "SELECT COUNT(*) FROM messages"):
        connected = is_anyone_connected(home.folder)
    assert connected.answer == "somebody"
    assert len(connected.who) == 1


def test_an_idle_connection_is_no_obstacle(home: Dirty, tmp_path: Path) -> None:
    with held_by_another(home.folder, "SELECT COUNT(*) FROM messages"):
        assert scrub(home.folder, temporary=tmp_path / "ours").complete
        assert residue(home) == {}


def test_a_large_file_is_not_written_anew_while_somebody_is_connected(home: Dirty, tmp_path: Path) -> None:
    with held_by_another(home.folder, "SELECT COUNT(*) FROM messages"):
        scrubbed = scrub(home.folder, temporary=tmp_path / "ours", small=1)
        assert waiting(scrubbed) == {"vacuum": "too_large_while_running"}
        assert not scrubbed.complete
    assert residue(home)
    assert scrub(home.folder, temporary=tmp_path / "ours", small=1).complete
    assert residue(home) == {}


def test_a_reader_of_an_older_state(home: Dirty, tmp_path: Path) -> None:
    """Every statement reports success; nothing of it may be believed."""
    with held_by_another(home.folder, *READING):
        scrubbed = quick(home, tmp_path)
        assert waiting(scrubbed) == dict.fromkeys(("checkpoint", "vacuum", "last_checkpoint"), "reader")
        assert not scrubbed.complete
        assert residue(home)
    assert scrub(home.folder, temporary=tmp_path / "ours").complete
    assert residue(home) == {}


def test_a_writer_that_does_not_let_go(home: Dirty, tmp_path: Path) -> None:
    with held_by_another(home.folder, "BEGIN IMMEDIATE"):
        scrubbed = quick(home, tmp_path)
    assert waiting(scrubbed)["merge"] == "busy"
    assert problems(home.folder) == []


def test_with_a_journal_a_reader_is_an_obstacle_too(journal_home: Dirty, tmp_path: Path) -> None:
    with held_by_another(journal_home.folder, *READING):
        scrubbed = quick(journal_home, tmp_path)
        assert waiting(scrubbed)["merge"] == waiting(scrubbed)["vacuum"] == "busy"
    assert scrub(journal_home.folder, temporary=tmp_path / "ours").complete
    assert residue(journal_home) == {}


def test_readers_of_ours_step_aside(home: Dirty, tmp_path: Path) -> None:
    """They come and go all the time, and nothing waits for them; nor do they fail."""
    over = threading.Event()
    read: list[int | None] = []

    def look() -> None:
        while not over.is_set():
            read.append(read_state(home.folder, count).messages)

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    scrubbed = scrub(home.folder, temporary=tmp_path / "ours")
    over.set()
    for reader in readers:
        reader.join()
    assert scrubbed.complete, scrubbed
    assert len(set(read)) == 1
    assert residue(home) == {}


def test_a_reader_of_ours_that_stays(home: Dirty, tmp_path: Path) -> None:
    with reader_turn(home.folder):
        scrubbed = quick(home, tmp_path)
    assert waiting(scrubbed)["checkpoint"] == "reader"
    assert waiting(scrubbed)["vacuum"] == "reader"


HERMES = """
import sys, threading, time
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]))
db._conn.execute("PRAGMA journal_mode=" + sys.argv[2])
enough = threading.Thread(target=sys.stdin.read)
enough.start()
print("ready", flush=True)
number = 0
while enough.is_alive() or number < 200:
    if number % 20 == 0:
        db.create_session(f"live-{number // 20}", "cli")
    db.append_message(f"live-{number // 20}", "user", f"message {number} " + "word " * 200)
    number += 1
    time.sleep(0.005)
db.close()
print(number, flush=True)
"""


@pytest.mark.interop
@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_a_real_hermes_writes_on_and_loses_nothing(home: Dirty, tmp_path: Path, mode: str) -> None:
    before = read_state(home.folder, count).messages
    command = [sys.executable, "-c", HERMES, str(home.folder / "state.db"), mode]
    environment = {"HERMES_HOME": str(home.folder), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, env=environment, **pipes) as hermes:
        assert hermes.stdout is not None
        assert hermes.stdout.readline() == b"ready\n"
        scrubs = [scrub(home.folder, temporary=tmp_path / "ours") for _ in range(3)]
        connected = is_anyone_connected(home.folder)
        time.sleep(0.05)
        written, errors = hermes.communicate()
    assert (hermes.returncode, errors) == (0, b""), "a write failed"
    assert connected.answer == "somebody", "its locks were dropped"
    assert int(written) >= 200
    assert read_state(home.folder, count).messages == (before or 0) + int(written)
    assert problems(home.folder) == []
    assert all(result.reason in ("reader", "busy") for each in scrubs for result in each.waiting)
    if scrubs[-1].complete:
        assert residue(home) == {}
    assert scrub(home.folder, temporary=tmp_path / "ours").complete
    assert residue(home) == {}
