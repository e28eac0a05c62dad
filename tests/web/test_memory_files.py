"""Acts on a whole memory file and on what lies beside it: clear, tidy, byte order mark, download, side files."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client

from hermesweb.accounts.models import Person
from hermesweb.hermes.ids import encode_id
from tests.memory_builders import SEPARATOR
from tests.memory_write_builders import state
from tests.web.memory_pages import OLD, MemorySite
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db

TWO = SEPARATOR.join(["Likes tea", "Lives in Bath"])
SPREAD = "Likes tea\r\n\r\n§\r\n\r\nLives in Bath\r\n§\r\n"  # as an editor of Windows leaves it


@pytest.fixture(autouse=True)
def _file(site: MemorySite) -> None:
    site.home.memory(TWO)


def written(site: MemorySite) -> dict[str, object]:
    return state(site.home.folder)


# -- clear


def test_clearing_asks_for_the_password_and_then_shows_what_goes(site: MemorySite) -> None:
    address = site.path("clear_memory", target="memory")
    site.get(name="clear_memory", target="memory")
    assert site.last.headers["Location"] == f"/account/confirm/?next={address.replace('/', '%2F')}"
    site.confirm(PASSWORD)
    site.get(name="clear_memory", target="memory")
    assert "2 entries of the profile default are removed. This cannot be undone." in site.text
    assert "Clearing this file removes none of those." in site.text
    response = site.press("Clear MEMORY.md")
    assert (response.status_code, response.headers["Location"]) == (303, site.path())
    assert site.bytes() == b""
    site.follow()
    assert site.notices == ["MEMORY.md is empty now. Copies of what was in it may stand elsewhere."]
    assert site.lines() == [("memory_cleared", "memory")]


def test_clearing_without_the_password_does_nothing(
    site: MemorySite, signed_in: Callable[..., Client]
) -> None:
    site.confirm(PASSWORD)
    site.get(name="clear_memory", target="memory")
    form = dict(site.form("Clear MEMORY.md").fields)
    fresh = signed_in(Person.objects.get())
    response = fresh.post(site.path("clear_memory", target="memory"), form)
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/account/confirm/")
    assert site.bytes() == TWO.encode()


def test_clearing_a_file_that_has_changed(site: MemorySite) -> None:
    site.confirm(PASSWORD)
    site.get(name="clear_memory", target="memory")
    site.home.memory(TWO + SEPARATOR + "new")
    assert site.press("Clear MEMORY.md").status_code == 409
    assert "Nothing was changed. The file has changed since you opened it." in site.text
    assert "3 entries of the profile default are removed." in site.text
    assert b"new" in site.bytes()
    site.press("Clear MEMORY.md")
    assert site.bytes() == b""


def test_a_file_over_the_limit_can_be_cleared(site: MemorySite) -> None:
    site.home.memory("x" * 3000)
    site.confirm(PASSWORD)
    site.get(name="clear_memory", target="memory")
    site.press("Clear MEMORY.md")
    assert site.bytes() == b""


def test_a_file_that_cannot_be_read_offers_no_clearing(site: MemorySite) -> None:
    site.home.memory(b"good \xff")
    site.confirm(PASSWORD)
    site.get(name="clear_memory", target="memory")
    assert "byte 5 cannot be decoded" in site.text
    assert site.buttons == []
    assert site.post("clear_memory", {"fingerprint": "0" * 64}, target="memory").status_code == 422
    assert site.bytes() == b"good \xff"


# -- tidy


def test_tidying_shows_before_and_after_and_then_does_it(site: MemorySite) -> None:
    site.home.memory(SPREAD)
    before = written(site)
    site.get(name="tidy_memory", target="memory")
    assert written(site) == before
    assert "Line ends of Windows become those of Hermes." in site.text
    assert "Blank lines and separators that Hermes would not write go." in site.text
    response = site.press("Tidy MEMORY.md")
    assert (response.status_code, response.headers["Location"]) == (303, site.path())
    assert site.bytes() == TWO.encode()
    site.follow()
    assert site.notices == ["MEMORY.md is tidy now. 1% — 25/2,200 chars"]
    assert site.lines() == [("memory_tidied", "memory")]


def test_tidying_without_some_entries(site: MemorySite) -> None:
    site.home.memory(SEPARATOR.join(["x" * 2500, "Likes tea", "Likes tea"]))
    site.get()
    assert not [label for label in site.buttons if label.startswith("Delete")]
    assert site.path("tidy_memory", target="memory") in site.links
    site.get(name="tidy_memory", target="memory")
    assert "1 duplicate goes." in site.text
    site.press("Show what it would become", ticks=1)
    assert site.last.status_code == 200
    assert "1 entry goes." in site.text
    assert site.bytes().startswith(b"xxx")
    site.press("Tidy MEMORY.md")
    assert site.bytes() == b"Likes tea"


def test_tidying_what_is_tidy(site: MemorySite) -> None:
    site.get(name="tidy_memory", target="memory")
    assert "The file is tidy already: there is nothing to do." in site.text
    assert "Tidy MEMORY.md" not in site.buttons
    assert "Tidy this file" not in site.get()


def test_tidying_a_file_that_has_changed_shows_it_again(site: MemorySite) -> None:
    site.home.memory(SPREAD)
    site.get(name="tidy_memory", target="memory")
    site.home.memory(SPREAD + "new")
    before = written(site)
    assert site.press("Tidy MEMORY.md").status_code == 409
    assert written(site) == before
    assert site.notices[0].startswith("Nothing was changed. The file has changed since you opened it.")
    site.press("Tidy MEMORY.md")
    assert site.bytes() == TWO.encode() + b"\n\xc2\xa7\nnew"


def test_tidying_what_cannot_be_read(site: MemorySite) -> None:
    site.home.memory(b"good \xff")
    site.get(name="tidy_memory", target="memory")
    assert site.last.status_code == 422
    assert "byte 5 cannot be decoded" in site.text
    assert site.buttons == []


@pytest.mark.parametrize("config", [OLD, "{}\n"])
def test_a_byte_order_mark_goes_with_one_click(config: str, site: MemorySite) -> None:
    site.home.config(config)
    site.home.memory(b"\xef\xbb\xbf" + SPREAD.encode())
    site.get()
    assert "The file starts with a byte order mark (U+FEFF)." in site.text
    assert site.press("Remove the byte order mark of MEMORY.md").status_code == 303
    assert site.bytes() == SPREAD.encode()
    assert site.lines() == [("memory_tidied", "memory")]


def test_a_byte_order_mark_of_a_file_that_has_changed(site: MemorySite) -> None:
    site.home.memory(b"\xef\xbb\xbfone")
    site.get()
    site.home.memory(b"\xef\xbb\xbftwo")
    assert site.press("Remove the byte order mark of MEMORY.md").status_code == 409
    assert site.bytes() == b"\xef\xbb\xbftwo"


# -- download


@pytest.mark.parametrize("content", [b"", TWO.encode(), b"\xef\xbb\xbfa\r\nb", b"good \xff\xfe\0"])
def test_a_download_is_the_file(content: bytes, site: MemorySite) -> None:
    site.home.memory(content)
    response = site.client.get(site.path("download_memory", target="memory"))
    assert response.content == content
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["Content-Disposition"] == 'attachment; filename="MEMORY.md"'
    assert response.headers["Cache-Control"] == "no-store"
    assert site.lines() == [("downloaded_memory", "memory")]


def test_a_download_of_nothing(site: MemorySite) -> None:
    response = site.client.get(site.path("download_memory", target="user"))
    assert response.status_code == 404
    assert "It is not there." in response.content.decode()
    assert site.lines() == []


@pytest.mark.parametrize("name", ["clear_memory", "tidy_memory", "download_memory"])
def test_there_are_two_memory_files(name: str, site: MemorySite) -> None:
    for target in ("Memory", "MEMORY.md", "config", "..", "memory%00"):
        assert site.client.get(site.path(name, target=target)).status_code == 404


# -- side files

BACKUP = "MEMORY.md.bak.1750000000"


def beside(site: MemorySite, name: str = BACKUP) -> Callable[[], HttpResponse]:
    return lambda: site.client.get(site.path("delete_side_file", name=encode_id(name)))


@pytest.fixture
def backup(site: MemorySite) -> Path:
    return site.home.memory("old words about tea", BACKUP)


def test_side_files_are_listed_with_their_content(site: MemorySite, backup: Path) -> None:
    for name in (".mem_a1b2.tmp", "ARCHIVE.jsonl", "notes.txt", "MEMORY.md.lock"):
        site.home.memory(f"in {name}", name)
    site.get()
    for words in (
        "Hermes refused a save and kept the file as it was",
        "Oldest entries, moved out to make room",
        "Left by a save of Hermes that was killed, or in use right now",
        "A lock: left alone, or Hermes and hermesweb could write at once",
        "Unknown file",
    ):
        assert words in site.text
    assert "old words about tea" in site.records
    assert site.path("delete_side_file", name=encode_id(BACKUP)) in site.links
    assert site.path("delete_side_file", name=encode_id("MEMORY.md.lock")) not in site.links


def test_deleting_a_side_file(site: MemorySite, backup: Path) -> None:
    assert beside(site)().headers["Location"].startswith("/account/confirm/?next=")
    site.confirm(PASSWORD)
    site.last = beside(site)()
    assert site.records == ["old words about tea"]
    site.press("Delete this file")
    assert site.last.status_code == 302
    assert not backup.exists()
    site.follow()
    assert site.notices == ["The file is deleted. It was looked for again and is not there any more."]
    assert site.lines() == [("side_file_removed", "backup")]


def test_a_side_file_that_has_changed_stays(site: MemorySite, backup: Path) -> None:
    site.confirm(PASSWORD)
    site.last = beside(site)()
    backup.write_text("new words about tea!")
    assert site.press("Delete this file").status_code == 422
    assert site.notices[0].endswith("Another file is there than the one you saw.")
    assert site.records == ["new words about tea!"]
    assert backup.exists()
    site.press("Delete this file")
    assert not backup.exists()


@pytest.mark.parametrize(
    "name",
    ["MEMORY.md", "USER.md", "MEMORY.md.lock", "../config.yaml", "/etc/passwd", "", "gone", "folder", "link"],
)
def test_nothing_else_is_deleted(name: str, site: MemorySite) -> None:
    memories = site.home.folder / "memories"
    (memories / "folder").mkdir()
    (memories / "link").symlink_to("../config.yaml")
    (memories / "MEMORY.md.lock").touch()
    site.confirm(PASSWORD)
    before = written(site)
    for part in (encode_id(name) or "-", name.replace("/", "%2f") or "%00"):
        address = site.path("delete_side_file", name="PART").replace("PART", part)
        assert site.client.get(address).status_code == 404
        assert site.client.post(address, {"fingerprint": "0" * 64}).status_code == 404
    assert written(site) == before


def test_names_of_side_files_are_shown_harmlessly(site: MemorySite) -> None:
    name = "<b>\u202egnp.\udcff\n"
    (site.home.folder / "memories" / name).write_bytes(b"x")
    page = site.get()
    assert "<b>" not in page
    assert "\u202e" not in page
    site.confirm(PASSWORD)
    (link,) = [link for link in site.links if "/beside/" in link]
    site.last = site.client.get(link)
    assert site.last.status_code == 200
    site.press("Delete this file")
    assert site.last.status_code == 302
    assert [path.name for path in (site.home.folder / "memories").iterdir() if ".md" not in path.name] == []
