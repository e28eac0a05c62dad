import os
from pathlib import Path

import pytest

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.locks import Busy
from hermesweb.hermes.writing import NotWritten
from memory.side_files import READ_LIMIT, SHOWN_CHARACTERS, list_side_files, remove_side_file
from tests.kernel_builders import NOBODY
from tests.memory_builders import MemoryHome, memory_home
from tests.memory_write_builders import lock_held_elsewhere, state

KINDS = {
    ".mem_a1b2c3.tmp": ("temporary", None, False),
    ".mem_hermesweb_USER.md_0011.tmp": ("temporary", "user", True),
    "ARCHIVE.jsonl": ("archive", None, False),
    "MEMORY.md.bak.1750000000": ("backup", "memory", False),
    "MEMORY.md.lock": ("lock", "memory", False),
    "USER.md.bak.1750000001": ("backup", "user", False),
    "USER.md.orig": ("other", "user", False),
    "notes.txt": ("other", None, False),
}


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    home = memory_home(tmp_path / "home")
    for name in ("MEMORY.md", "USER.md", *KINDS):
        home.memory(f"in {name}", name)
    return home


def seen(home: MemoryHome, name: str) -> str:
    return next(file.seen for file in list_side_files(home.profile) if file.name == name)


def why(home: MemoryHome, name: str, seen: str = "") -> str:
    with pytest.raises(NotWritten) as caught:
        remove_side_file(home.profile, name, seen)
    return caught.value.why


def test_what_is_listed(home: MemoryHome) -> None:
    before = state(home.folder)
    files = list_side_files(home.profile)
    assert {file.name: (file.kind, file.of, file.ours) for file in files} == KINDS
    assert all(file.content == f"in {file.name}" and file.problem is None for file in files)
    assert {file.name for file in files if not file.removable} == {"MEMORY.md.lock"}
    assert state(home.folder) == before


def test_size_time_mode_and_owner(home: MemoryHome) -> None:
    path = home.memory(b"bad \xff", "USER.md.bak.1")
    path.chmod(0o640)
    os.utime(path, (1_750_000_000, 1_750_000_000))
    os.chown(path, NOBODY, NOBODY)
    file = next(each for each in list_side_files(home.profile) if each.path == path)
    assert (file.size, file.changed_at, file.mode, file.owner) == (5, 1_750_000_000, 0o640, NOBODY)
    assert (file.readable_by_others, file.foreign_owner, file.content) == (True, True, "bad \ufffd")
    path.chmod(0o600)
    assert not next(each for each in list_side_files(home.profile) if each.path == path).readable_by_others


def test_large_ones(home: MemoryHome) -> None:
    home.memory("x" * (SHOWN_CHARACTERS + 1), "long")
    home.memory(b"x" * (READ_LIMIT + 1), "longer")
    files = {file.name: file for file in list_side_files(home.profile)}
    assert (files["long"].cut, len(files["long"].content or "")) == (True, SHOWN_CHARACTERS)
    assert files["longer"].content is None
    assert files["longer"].problem
    assert files["longer"].problem.why == "too_large"
    remove_side_file(home.profile, "longer", files["longer"].seen)


def test_many(home: MemoryHome) -> None:
    """Hermes leaves one with every write it refuses."""
    files = list_side_files(home.profile, read=3)
    assert [file.content is not None for file in files] == [True] * 3 + [False] * (len(KINDS) - 3)


def test_no_folder(tmp_path: Path) -> None:
    assert list_side_files(memory_home(tmp_path / "home").profile) == []


def test_a_folder_behind_a_link(home: MemoryHome, tmp_path: Path) -> None:
    (home.folder / "memories").rename(tmp_path / "elsewhere")
    (home.folder / "memories").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Unreadable) as caught:
        list_side_files(home.profile)
    assert caught.value.why == "link"


@pytest.mark.parametrize("name", [name for name in KINDS if name != "MEMORY.md.lock"])
def test_remove(home: MemoryHome, name: str) -> None:
    remove_side_file(home.profile, name, seen(home, name))
    left = {path.name for path in (home.folder / "memories").iterdir()}
    assert left == {"MEMORY.md", "USER.md", "USER.md.lock", *KINDS} - {name}


def test_never_removed(home: MemoryHome, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (home.folder / "memories/folder").mkdir()
    (home.folder / "memories/linked").symlink_to(tmp_path / "victim")
    os.mkfifo(home.folder / "memories/pipe")
    before = state(home.folder)
    for name in ("MEMORY.md.lock", "folder", "linked", "pipe"):
        assert why(home, name, seen(home, name)) == "not_a_file"
    for name in (
        "MEMORY.md",
        "USER.md",
        "",
        ".",
        "..",
        "none",
        "../memories/notes.txt",
        "../../victim",
        "a\0b",
    ):
        assert why(home, name) == "missing"
    assert state(home.folder) == before
    assert (tmp_path / "victim").read_text() == "precious"
    assert {file.name: file.problem.why for file in list_side_files(home.profile) if file.problem} == {
        "folder": "not_a_file",
        "linked": "link",
        "pipe": "not_a_file",
    }


def test_only_what_was_seen(home: MemoryHome) -> None:
    before = seen(home, "notes.txt")
    home.memory("other content now", "notes.txt")
    assert why(home, "notes.txt", before) == "changed"
    assert (home.folder / "memories/notes.txt").exists()


def test_not_while_hermes_writes(home: MemoryHome) -> None:
    """A temporary file may be about to become the memory file."""
    name = ".mem_a1b2c3.tmp"
    for locked in ("MEMORY.md", "USER.md"):
        with lock_held_elsewhere(home.folder / "memories" / locked, 60), pytest.raises(Busy):
            remove_side_file(home.profile, name, seen(home, name), seconds=0.02)
    assert (home.folder / "memories" / name).exists()


def test_a_name_that_is_no_text(home: MemoryHome) -> None:
    path = os.path.join(os.fsencode(home.folder / "memories"), b"odd \xff")  # noqa: PTH118
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"text")
    found = next(each for each in list_side_files(home.profile) if each.name.startswith("odd"))
    assert (found.name, found.content) == ("odd \\xff", "text")
    remove_side_file(home.profile, found.name, found.seen)
    assert not os.path.exists(path)  # noqa: PTH110
