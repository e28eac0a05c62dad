"""Readers of every process of ours step aside while one of them cleans."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions import process_turns
from sessions.database import read_state
from sessions.errors import StateBeingCleaned
from sessions.process_turns import cleaner_turn, keep_turns_in, reader_turn, turns_folder
from sessions.queries import count
from tests.state_builders import add_session, old_state


@pytest.fixture(autouse=True)
def own_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = turns_folder()
    keep_turns_in(tmp_path / "turns")
    monkeypatch.setattr(process_turns, "READER_SECONDS", 0.05)
    yield
    keep_turns_in(before)


CLEANER = """
import sys
from pathlib import Path
from sessions.process_turns import cleaner_turn, keep_turns_in
keep_turns_in(Path(sys.argv[2]))
with cleaner_turn(Path(sys.argv[1])):
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_reader_waits_and_then_says_why(tmp_path: Path) -> None:
    home = old_state(tmp_path / "home")
    with cleaner_turn(home), pytest.raises(StateBeingCleaned) as caught:
        read_state(home, count)
    assert caught.value.path == home / "state.db"
    assert read_state(home, count).sessions == 0


def test_a_cleaner_of_another_process(tmp_path: Path) -> None:
    add_session(old_state(tmp_path / "home"), "s1")
    command = [sys.executable, "-c", CLEANER, str(tmp_path / "home"), str(tmp_path / "turns")]
    root = Path(process_turns.__file__).parent.parent
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cleaner:
        assert cleaner.stdout is not None
        assert cleaner.stdout.readline() == b"ready\n"
        with pytest.raises(StateBeingCleaned):
            read_state(tmp_path / "home", count)
        cleaner.kill()
        cleaner.wait()
        assert read_state(tmp_path / "home", count).sessions == 1, "the turn ends with the process"


def test_a_cleaner_does_not_wait_for_ever(tmp_path: Path) -> None:
    with reader_turn(tmp_path), pytest.raises(TimeoutError), cleaner_turn(tmp_path, seconds=0.02):
        pass
    with cleaner_turn(tmp_path, seconds=0.02):
        pass


def test_readers_do_not_keep_each_other_out(tmp_path: Path) -> None:
    with reader_turn(tmp_path), reader_turn(tmp_path):
        pass


def test_homes_have_turns_of_their_own(tmp_path: Path) -> None:
    with cleaner_turn(tmp_path / "a"), reader_turn(tmp_path / "b"):
        pass


def test_no_reader_comes_in_while_a_cleaner_waits(tmp_path: Path) -> None:
    """Otherwise pages that are read one after another would keep it waiting."""
    inside = threading.Event()

    def clean() -> None:
        with cleaner_turn(tmp_path, seconds=5):
            inside.set()

    with reader_turn(tmp_path):
        thread = threading.Thread(target=clean)
        thread.start()
        while _comes_in(tmp_path):
            pass
        assert not inside.is_set()
    thread.join()
    assert inside.is_set()


def _comes_in(home: Path) -> bool:
    try:
        with reader_turn(home):
            return True
    except StateBeingCleaned:
        return False


def test_without_a_place_for_them_reading_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (None, tmp_path / "file" / "turns"):
        keep_turns_in(folder)
        with cleaner_turn(tmp_path), reader_turn(tmp_path):
            pass
