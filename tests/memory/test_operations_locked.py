"""Somebody else holds Hermes' lock, or writes between our reading and our saving."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hermesweb.hermes.locks import Busy
from memory.editing import MemoryFile, locked
from memory.operations import add, clear, move, remove, replace
from memory.seen import seen_store
from memory.tidy import preview, tidy
from tests.memory_builders import SEPARATOR, MemoryHome, memory_home
from tests.memory_write_builders import entries, lock_held_elsewhere, opened, see, seen_text, state


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    home = memory_home(tmp_path / "home")
    home.memory(f"tea{SEPARATOR}maps\n")
    home.user("Lives in Bonn")
    return home


def everything(file: MemoryFile, home: MemoryHome) -> list[Callable[[], object]]:
    tea = seen_text("tea")
    return [
        lambda: add(file, "new"),
        lambda: replace(file, tea, "new"),
        lambda: remove(file, [tea]),
        lambda: move(file, tea),
        lambda: clear(file, seen_store(home.store())),
        lambda: tidy(file, preview(file).seen),
    ]


@pytest.mark.parametrize("name", ["MEMORY.md", "USER.md"])
def test_busy(home: MemoryHome, name: str) -> None:
    """Who moves an entry needs both locks."""
    before = state(home.folder)
    works = everything(opened(home, seconds=0.02), home)
    with lock_held_elsewhere(home.folder / "memories" / name, 60):
        for work in works if name == "MEMORY.md" else works[3:4]:
            with pytest.raises(Busy):
                work()
    assert state(home.folder) == before


def test_it_waits_three_seconds(home: MemoryHome) -> None:
    path = home.folder / "memories/MEMORY.md"
    seen: list[bytes] = []
    with lock_held_elsewhere(path, 3):
        # A process that ends gives the lock back a moment before anybody can see that it has ended.
        held_until = time.monotonic() + 2.5
        saving = threading.Thread(target=lambda: add(opened(home, seconds=60), "new"))
        saving.start()
        while time.monotonic() < held_until:
            seen.append(path.read_bytes())
            time.sleep(0.001)
        saving.join()
    assert set(seen) == {f"tea{SEPARATOR}maps\n".encode()}
    assert entries(opened(home)) == ["tea", "maps", "new"]


def test_what_another_process_appended_stays(home: MemoryHome) -> None:
    seen = see(home, 1)
    add(opened(home), "Z")
    replace(opened(home), seen, "atlases")
    assert entries(opened(home)) == ["tea", "atlases", "Z"]


def test_two_moves_at_once_do_not_wait_for_each_other(home: MemoryHome) -> None:
    works = [
        lambda: [move(opened(home, seconds=60), seen_text("tea")), add(opened(home), "tea")],
        lambda: [
            move(opened(home, "user", seconds=60), seen_text("Lives in Bonn")),
            add(opened(home, "user"), "Lives in Bonn"),
        ],
    ]
    threads = [
        threading.Thread(target=lambda work=work: [work() for _ in range(15)])  # type: ignore[misc]
        for work in works
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {"tea", "maps", "Lives in Bonn"} <= {*entries(opened(home)), *entries(opened(home, "user"))}


def test_the_locks_are_taken_in_one_order(home: MemoryHome) -> None:
    """Whoever waits for the second holds the first."""
    with lock_held_elsewhere(home.folder / "memories/USER.md", 60):
        for files in (opened(home), opened(home, "user")), (opened(home, "user"), opened(home)):
            with pytest.raises(Busy) as caught, locked(*(_quick(file) for file in files)):
                pass
            assert caught.value.path.name == "USER.md.lock"
            assert (home.folder / "memories/MEMORY.md.lock").exists()
            (home.folder / "memories/MEMORY.md.lock").unlink()


def _quick(file: MemoryFile) -> MemoryFile:
    return MemoryFile(file.profile, file.target, file.config, file.rules, seconds=0)
