"""An entry that is no longer what was opened: three texts side by side, nothing is written."""

import pytest

from tests.memory_builders import SEPARATOR
from tests.memory_write_builders import state
from tests.web.memory_pages import MemorySite

pytestmark = pytest.mark.django_db

OPENED = ["Likes tea", "Lives in Bath", "Has a dog"]
WROTE = "Lives in Rome"


def save_after(site: MemorySite, *entries: str) -> None:
    """Open the second entry, let Hermes write the file, save."""
    site.home.memory(SEPARATOR.join(OPENED))
    site.get("?edit=memory.1")
    site.home.memory(SEPARATOR.join(entries))
    before = state(site.home.folder)
    assert site.press("Save entry", content=WROTE).status_code == 409
    assert state(site.home.folder) == before
    assert site.lines() == [("memory_refused", "memory Stale")]
    assert site.texts_in("given")[0].endswith("Rome")


def stored(site: MemorySite) -> list[str]:
    return site.bytes().decode().split(SEPARATOR)


def test_changed(site: MemorySite) -> None:
    save_after(site, "Likes tea", "Lives in York", "Has a dog")
    assert "Nothing was saved: the entry changed while you were editing" in site.text
    assert "Lives in Bath" in site.records
    assert site.texts_in("stale") == ["Lives in BathYork"]
    assert site.texts_in("given") == ["Lives in BathRome"]
    assert site.html.count("<del>Bath</del>") == 2
    assert "<ins>York</ins>" in site.html


def test_changed_and_replaced_after_all(site: MemorySite) -> None:
    save_after(site, "Likes tea", "Lives in York", "Has a dog")
    assert site.press("Replace it with what I wrote").status_code == 303
    assert stored(site) == ["Likes tea", WROTE, "Has a dog"]


def test_changed_once_more(site: MemorySite) -> None:
    save_after(site, "Likes tea", "Lives in York", "Has a dog")
    site.home.memory(SEPARATOR.join(["Likes tea", "Lives in Leeds", "Has a dog"]))
    assert site.press("Replace it with what I wrote").status_code == 409
    assert site.texts_in("stale") == ["Lives in YorkLeeds"]
    assert stored(site)[1] == "Lives in Leeds"


def test_changed_and_added_as_a_new_entry(site: MemorySite) -> None:
    save_after(site, "Likes tea", "Lives in York", "Has a dog")
    assert site.press("Add what I wrote as a new entry").status_code == 303
    assert stored(site) == ["Likes tea", "Lives in York", "Has a dog", WROTE]


def test_changed_and_opened_as_it_is_now(site: MemorySite) -> None:
    save_after(site, "Likes tea", "Lives in York", "Has a dog")
    (link,) = [link for link in site.links if "?edit=memory.1" in link]
    site.last = site.client.get(link)
    assert site.typed() == ["Lives in York"]


@pytest.mark.parametrize(
    "left",
    [
        ["Likes tea", "Has a dog"],
        ["Likes tea"],
        ["Has a dog", "Likes tea", "Plays chess"],
    ],
    ids=["another moved up", "nothing moved up", "another order"],
)
def test_gone(left: list[str], site: MemorySite) -> None:
    """What stands at its place now is another entry, which nobody wanted to replace."""
    save_after(site, *left)
    assert "Nothing was saved: the entry is gone since you opened it" in site.text
    assert "Nothing: the entry is gone." in site.text
    assert "Replace it with what I wrote" not in site.buttons
    assert set(left) <= set(site.records)
    site.press("Add what I wrote as a new entry")
    assert stored(site) == [*left, WROTE]


def test_the_file_was_emptied(site: MemorySite) -> None:
    save_after(site)
    assert "Nothing: the entry is gone." in site.text
    site.press("Add what I wrote as a new entry")
    assert stored(site) == [WROTE]


def test_the_file_is_not_there_any_more(site: MemorySite) -> None:
    path = site.home.memory(SEPARATOR.join(OPENED))
    site.get("?edit=memory.1")
    path.unlink()
    assert site.press("Save entry", content=WROTE).status_code == 409
    assert "Nothing: the entry is gone." in site.text
    assert not path.exists()
    site.press("Add what I wrote as a new entry")
    assert stored(site) == [WROTE]


def test_an_entry_that_only_moved_is_still_the_one(site: MemorySite) -> None:
    site.home.memory(SEPARATOR.join(OPENED))
    site.get("?edit=memory.1")
    site.home.memory(SEPARATOR.join(["new", "Has a dog", "Lives in Bath"]))
    assert site.press("Save entry", content=WROTE).status_code == 303
    assert stored(site) == ["new", "Has a dog", WROTE]


def test_a_copy_is_changed_as_a_copy(site: MemorySite) -> None:
    site.home.memory(SEPARATOR.join(["a", "a", "b"]))
    site.get("?edit=memory.1")
    site.home.memory(SEPARATOR.join(["a", "b"]))
    assert site.press("Save entry", content="c").status_code == 409
    assert "Nothing: the entry is gone." in site.text
    assert stored(site) == ["a", "b"]


def test_an_unchanged_save_of_what_has_changed_says_so(site: MemorySite) -> None:
    site.home.memory(SEPARATOR.join(OPENED))
    site.get("?edit=memory.1")
    site.home.memory(SEPARATOR.join(["Likes tea", "Lives in York"]))
    assert site.press("Save entry").status_code == 409


def test_what_was_opened_is_shown_harmlessly(site: MemorySite) -> None:
    """It comes back from the browser, which could send anything."""
    site.home.memory("a")
    site.get("?edit=memory.0")
    site.home.memory("b")
    evil = "</textarea><script>1</script>\u202e\0"
    site.press("Save entry", opened=evil, content=evil + "x")
    assert site.last.status_code == 422
    site.press("Save entry", opened=evil, content="</textarea><script>1</script>")
    assert site.last.status_code == 409
    assert "<script>1" not in site.html
