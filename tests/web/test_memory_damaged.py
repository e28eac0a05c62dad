"""Files that are no memory files: the page answers at once, says what is wrong, and changes nothing."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.presentation import SHOWN_ENTRIES
from tests.memory_builders import SEPARATOR
from tests.web.memory_pages import MemorySite, as_it_is
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db

MEGABYTE = 1024 * 1024


def nul(path: Path) -> None:
    path.write_bytes(b"one\0\n\xc2\xa7\ntwo")


def ten_megabytes(path: Path) -> None:
    path.write_bytes(b"word and more. " * (10 * MEGABYTE // 15))


def ten_megabytes_of_chinese(path: Path) -> None:
    path.write_text("明天讨论大别山项目启动。" * (10 * MEGABYTE // 36))


def many_entries(path: Path) -> None:
    path.write_text(SEPARATOR.join(f"entry {number}" for number in range(2_000)))


def too_many_entries(path: Path) -> None:
    path.write_text(SEPARATOR.join("ab" for _ in range(25_000)))


def seventeen_megabytes(path: Path) -> None:
    path.write_bytes(b"x" * 17 * MEGABYTE)


def folder(path: Path) -> None:
    path.mkdir()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket has to be short
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(here)


def link(path: Path) -> None:
    path.symlink_to("../config.yaml")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


# How it is made, what is said, whether it can be downloaded.
DAMAGED: list[tuple[Callable[[Path], None], str, bool]] = [
    (nul, "2 entries", True),
    (ten_megabytes, "characters over the limit", True),
    (ten_megabytes_of_chinese, "characters over the limit", True),
    (
        many_entries,
        f"{2_000 - SHOWN_ENTRIES:,} more entries are not shown. The download has all of them.",
        True,
    ),
    (too_many_entries, "It is too large to be shown", True),
    (seventeen_megabytes, "It is too large to be shown (17.0 MB).", False),
    (folder, "It is not a regular file, so it was not opened.", False),
    (pipe, "It is not a regular file, so it was not opened.", False),
    (listening, "It is not a regular file, so it was not opened.", False),
    (link, "It is a link, and links are not followed.", False),
    (loop, "It is a link, and links are not followed.", False),
]


@pytest.mark.parametrize(("make", "said", "offered"), DAMAGED)
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_the_pages_answer(make: Callable[[Path], None], said: str, offered: bool, site: MemorySite) -> None:
    path = site.home.folder / "memories/MEMORY.md"
    site.home.user("Works at night")
    make(path)
    before = as_it_is(path)
    site.confirm(PASSWORD)
    site.get("?edit=memory.0&add=memory")
    assert site.last.status_code == 200
    assert said in site.text
    assert len(site.last.content) < 3 * MEGABYTE
    assert "Works at night" in site.records
    download = site.path("download_memory", target="memory")
    assert (download in site.links) == offered
    answer = site.client.get(download)
    assert answer.status_code == (200 if offered else 404)
    assert not offered or answer.content == path.read_bytes()
    for name in ("tidy_memory", "clear_memory"):
        assert site.get(name=name, target="memory")
        assert site.last.status_code in (200, 422)
        assert len(site.last.content) < 3 * MEGABYTE
    for name in ("memory_history", "memory_settings", "overview"):
        site.get(name=name)
        assert site.last.status_code == 200
    assert as_it_is(path) == before


def test_a_folder_in_the_place_of_memories(site: MemorySite) -> None:
    site.home.folder.joinpath("memories").write_text("no folder")
    site.get()
    assert site.last.status_code == 200
    assert "Something on its path is not a folder." in site.text
    assert site.post("save_entry", {"target": "memory", "content": "x"}).status_code == 422


def test_no_folder_at_all(site: MemorySite) -> None:
    site.get("?add=memory")
    assert "The file is not there: Hermes makes it with the first entry." in site.text
    assert not site.home.folder.joinpath("memories").exists()
    assert site.press("Add entry", content="first").status_code == 303
    assert site.bytes() == b"first"


@pytest.mark.parametrize(
    "config",
    [b"\xff", b"memory: [", b"- a", b"memory: text", b"agent: 7", b"memory: {memory_char_limit: .inf}"],
)
def test_a_damaged_configuration(config: bytes, site: MemorySite) -> None:
    site.home.config(config)
    site.home.memory("Likes tea")
    for name in ("memory", "memory_settings", "memory_history"):
        site.get(name=name)
        assert site.last.status_code == 200
    site.get()
    assert "Likes tea" in site.records


def test_a_damaged_history_hides_no_entry(site: MemorySite) -> None:
    (site.home.folder / "state.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)
    site.home.memory("Likes tea")
    site.get()
    assert "Likes tea" in site.records
    site.get(name="memory_history")
    assert site.last.status_code == 200
    assert "So nothing can be said about the past." in site.text
