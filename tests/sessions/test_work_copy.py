"""Work copies: what cannot be opened in place is read from a private copy, and the home stays as it is."""

import itertools
import os
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from sessions.database import read_state
from sessions.errors import NoSpace, StateChanging, StateEmpty, StateMissing, StateNeedsCopy, StateUnreadable
from sessions.queries import count
from sessions.work_copy import make_work_copy, remove_work_copies
from tests.home_builders import BuiltHome, fingerprints
from tests.state_builders import add_message, held_by_another, old_state


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    return tmp_path / "ours" / "copies"


def test_it_rolls_back_a_hot_journal(make_home: Callable[..., BuiltHome], parent: Path) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--variant", "hot-journal")
    untouched = make_home("--profiles", "0", "--no-oracle")
    before = fingerprints(home.root)
    with pytest.raises(StateNeedsCopy):
        read_state(home.root, count)
    copy = make_work_copy(home.root, parent)
    counts = read_state(home.root, count, copy=copy.folder)
    assert counts.messages == home.facts()["facts"]["messages"]
    assert counts.newest == read_state(untouched.root, count).newest
    assert fingerprints(home.root) == before


def test_it_reads_a_wal_without_its_index(make_home: Callable[..., BuiltHome], parent: Path) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--variant", "open-wal")
    (home.root / "state.db-shm").unlink()
    before = fingerprints(home.root)
    copy = make_work_copy(home.root, parent)
    question = "SELECT COUNT(*) FROM messages WHERE content LIKE '%onlyinthewal%'"
    assert read_state(home.root, lambda db: db.value(question), copy=copy.folder) == 1
    assert read_state(home.root, count, copy=copy.folder).messages == home.facts()["facts"]["messages"] + 1
    assert fingerprints(home.root) == before


def test_it_belongs_to_us_alone(tmp_path: Path, parent: Path) -> None:
    old_state(tmp_path)
    folder = make_work_copy(tmp_path, parent).folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(parent.stat().st_mode) == 0o700


def test_it_says_how_far_it_is(tmp_path: Path, parent: Path) -> None:
    old_state(tmp_path)
    seen: list[tuple[int, int]] = []
    copy = make_work_copy(tmp_path, parent, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (copy.bytes, copy.bytes)
    assert copy.bytes == (tmp_path / "state.db").stat().st_size


def test_it_can_be_stopped(tmp_path: Path, parent: Path) -> None:
    old_state(tmp_path)

    def stop(done: int, total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        make_work_copy(tmp_path, parent, stop)
    assert list(parent.iterdir()) == []


def test_no_space(tmp_path: Path, parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old_state(tmp_path)
    size = (tmp_path / "state.db").stat().st_size
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=size))
    with pytest.raises(NoSpace) as caught:
        make_work_copy(tmp_path, parent)
    assert caught.value.free == size < caught.value.needed
    assert list(parent.iterdir()) == []


@contextmanager
def changing_all_the_time(path: Path) -> Iterator[threading.Event]:
    """Another thread sets the time of the file again and again, until the event is set."""
    still = threading.Event()

    def change() -> None:
        for number in itertools.count():
            if still.is_set():
                return
            os.utime(path, ns=(number, number))

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield still
    finally:
        still.set()
        thread.join()


def test_a_source_that_keeps_changing(tmp_path: Path, parent: Path) -> None:
    add_message(old_state(tmp_path), "s1", b"x" * 40_000_000)
    with changing_all_the_time(tmp_path / "state.db"), pytest.raises(StateChanging):
        make_work_copy(tmp_path, parent)
    assert list(parent.iterdir()) == []


def test_a_source_that_changes_for_a_while_is_copied_again(tmp_path: Path, parent: Path) -> None:
    add_message(old_state(tmp_path), "s1", b"x" * 40_000_000)
    with changing_all_the_time(tmp_path / "state.db") as still:
        copy = make_work_copy(tmp_path, parent, lambda *_: still.set())
    assert read_state(tmp_path, count, copy=copy.folder).messages == 1


def test_a_copy_beside_a_living_writer(tmp_path: Path, parent: Path) -> None:
    old_state(tmp_path)
    insert = "INSERT INTO sessions(id, source, started_at) VALUES('s1', 'cli', 1)"
    with held_by_another(tmp_path, insert):
        copy = make_work_copy(tmp_path, parent)
        assert read_state(tmp_path, count, copy=copy.folder).sessions == 1


def test_what_cannot_be_copied(tmp_path: Path, parent: Path) -> None:
    with pytest.raises(StateMissing):
        make_work_copy(tmp_path, parent)
    (tmp_path / "state.db").touch()
    with pytest.raises(StateEmpty):
        make_work_copy(tmp_path, parent)
    (tmp_path / "state.db").unlink()
    os.mkfifo(tmp_path / "state.db")
    with pytest.raises(StateUnreadable):
        make_work_copy(tmp_path, parent)
    assert not parent.exists()


def test_copies_are_removed_and_nothing_else(tmp_path: Path, parent: Path) -> None:
    old_state(tmp_path)
    make_work_copy(tmp_path, parent)
    make_work_copy(tmp_path, parent)
    (parent / "notes.txt").write_text("not ours")
    (parent / "state-copy-link").symlink_to(tmp_path)
    assert remove_work_copies(parent) == 2
    assert {path.name for path in parent.iterdir()} == {"notes.txt", "state-copy-link"}
    assert (tmp_path / "state.db").exists()
    assert remove_work_copies(tmp_path / "nowhere") == 0
