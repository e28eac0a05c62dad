"""Changing the memory in a real browser, with and without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.memory_steps import (
    ENTRIES,
    INJECTION,
    PATH,
    MemoryPage,
    gone,
    split,
    three_entries,
    three_ways,
    undo,
)
from tests.browser.site import Site
from tests.browser.test_first_steps import HTMX_ADDRESS, kept

pytestmark = pytest.mark.browser


@pytest.fixture
def _files(site: Site) -> Iterator[None]:
    with three_entries(site):
        yield


@pytest.fixture(params=["scripts", "plain"])
def it(request: pytest.FixtureRequest, browser: Browser, site: Site, _files: None) -> Iterator[MemoryPage]:
    scripts = request.param == "scripts"
    context = browser.new_context(java_script_enabled=scripts)
    site.sign_in(context)
    yield (made := MemoryPage(site, context.new_page(), scripts))
    if scripts:
        assert made.wrong == []
    context.close()


def moved_once(it: MemoryPage) -> None:
    """With scripts everything happened on the page that was opened, and the browser kept none of it."""
    if it.scripts:
        assert it.moves == 1
        assert it.page.evaluate("performance.getEntriesByType('navigation').length") == 1
        assert kept(it.page) == [{}, {HTMX_ADDRESS: PATH}]


def test_adding(it: MemoryPage) -> None:
    it.open()
    it.add()
    it.save("Plays chess\non Fridays", "Add entry")
    it.said("Added to MEMORY.md. 3% — 80/2,200 chars")
    assert it.stored() == [*ENTRIES, "Plays chess\non Fridays"]
    expect(it.editor()).to_have_count(0)
    moved_once(it)


def test_changing(it: MemoryPage) -> None:
    it.open()
    it.edit()
    if it.scripts:
        expect(it.editor()).to_be_focused()
        expect(it.page.locator(".counter")).to_contain_text("13 characters.")
    it.save("Lives in York")
    it.said("Saved in MEMORY.md.")
    assert it.stored() == [ENTRIES[0], "Lives in York", ENTRIES[2]]
    moved_once(it)


def test_saving_without_a_change(it: MemoryPage) -> None:
    it.write("one\n\ntwo  \t three", "Lives in Bath")
    before = (it.folder / "MEMORY.md").stat().st_mtime_ns
    it.open()
    it.edit(1)
    it.button("Save entry").click()
    it.said("Nothing was saved: the text is as it was.")
    assert (it.folder / "MEMORY.md").stat().st_mtime_ns == before


def test_leaving_the_editor(it: MemoryPage) -> None:
    it.open()
    it.edit()
    it.editor().fill("not this")
    it.link("Cancel").click()
    expect(it.editor()).to_have_count(0)
    assert it.stored() == ENTRIES


def test_deleting_and_bringing_back(it: MemoryPage) -> None:
    undo(it)
    assert it.stored() == [ENTRIES[0], ENTRIES[2]]
    it.button("Bring back").click()
    it.said("Added to MEMORY.md.")
    assert it.stored() == ENTRIES
    moved_once(it)


def test_deleting_several(it: MemoryPage) -> None:
    it.open()
    for number in (1, 3):
        it.page.get_by_label(f"Pick entry {number} of MEMORY.md").check()
    it.button("Delete picked entries of MEMORY.md").click()
    it.said("Deleted from MEMORY.md: 2 entries.")
    assert it.stored() == [ENTRIES[1]]
    it.button("Bring back").click()
    it.said("Added to MEMORY.md.")
    assert it.stored() == ENTRIES
    moved_once(it)


def test_moving(it: MemoryPage) -> None:
    it.open()
    it.button("Move to USER.md entry 2 of MEMORY.md").click()
    it.said("Moved to USER.md. 2% — 30/1,375 chars")
    assert it.stored() == [ENTRIES[0], ENTRIES[2]]
    assert it.stored("USER.md") == ["Works at night", "Lives in Bath"]
    moved_once(it)


def test_a_stale_edit(it: MemoryPage) -> None:
    three_ways(it)
    assert it.stored()[1] == "Lives in York"
    expect(it.page.locator(".threeway del").first).to_have_text("Bath")
    it.button("Replace it with what I wrote").click()
    it.said("Saved in MEMORY.md.")
    assert it.stored()[1] == "Lives in Rome"
    moved_once(it)


def test_a_stale_edit_that_starts_again(it: MemoryPage) -> None:
    three_ways(it)
    it.link("Edit what stands there now").click()
    expect(it.editor()).to_have_value("Lives in York")
    it.save("Lives in York, near Bath")
    it.said("Saved in MEMORY.md.")
    moved_once(it)


def test_an_edit_of_an_entry_that_is_gone(it: MemoryPage) -> None:
    gone(it)
    expect(it.button("Replace it with what I wrote")).to_have_count(0)
    it.button("Add what I wrote as a new entry").click()
    it.said("Added to MEMORY.md.")
    assert it.stored() == [ENTRIES[0], ENTRIES[2], "Lives in Rome"]
    moved_once(it)


def test_what_hermes_would_block(it: MemoryPage) -> None:
    it.open()
    it.edit()
    it.save(f"{INJECTION}\nplease")
    alert = it.page.get_by_role("alert")
    expect(alert).to_contain_text("Nothing was saved. Hermes would keep this out of its prompt.")
    expect(it.editor()).to_have_value(f"{INJECTION}\nplease")
    if it.scripts:
        expect(it.editor()).to_be_focused()
    assert it.stored() == ENTRIES
    it.save("Lives in York")
    it.said("Saved in MEMORY.md.")
    moved_once(it)


def test_over_the_limit(it: MemoryPage) -> None:
    it.open()
    it.add()
    it.editor().fill("x" * 2_146)
    if it.scripts:
        expect(it.page.locator(".counter")).to_contain_text("2,146 characters. MEMORY.md would come to")
        expect(it.page.locator(".counter")).to_contain_text("100% — 2,204/2,200 chars")
        expect(it.page.locator(".counter")).to_contain_text("Over the limit: it cannot be saved")
    it.button("Add entry").click()
    expect(it.page.get_by_role("alert")).to_contain_text(
        "would come to 2,204 of 2,200 characters; it has 55 now"
    )
    expect(it.editor()).to_have_value("x" * 2_146)
    assert it.stored() == ENTRIES
    moved_once(it)


def test_a_text_with_a_separator(it: MemoryPage) -> None:
    split(it)
    assert it.stored() == ENTRIES
    it.button("Save as 2 entries").click()
    it.said("Added to MEMORY.md.")
    assert it.stored() == [*ENTRIES, "Deploy list", "run migration"]
    moved_once(it)


def test_a_byte_order_mark(it: MemoryPage) -> None:
    it.write("\ufeffone", "two")
    it.open()
    it.button("Remove the byte order mark of MEMORY.md").click()
    it.said("MEMORY.md is tidy now.")
    assert it.stored() == ["one", "two"]


def test_clearing_asks_for_the_password(it: MemoryPage) -> None:
    it.open()
    it.link("Clear this file : MEMORY.md").click()
    it.confirm("Clear MEMORY.md")
    assert it.stored() == ENTRIES
    it.button("Clear MEMORY.md").click()
    it.said("MEMORY.md is empty now.")
    assert (it.folder / "MEMORY.md").read_bytes() == b""


def test_tidying(it: MemoryPage) -> None:
    it.write("one\r\n", "two", "two", "x" * 2_500)
    it.open()
    it.link("Tidy this file : MEMORY.md").click()
    it.page.get_by_label("Entry 4", exact=True).check()
    it.button("Show what it would become").click()
    expect(it.page.get_by_text("1 entry goes.")).to_be_visible()
    it.button("Tidy MEMORY.md").click()
    it.said("MEMORY.md is tidy now.")
    assert it.stored() == ["one", "two"]


@pytest.mark.usefixtures("_files")
def test_by_keyboard_alone(context: BrowserContext, site: Site) -> None:
    site.sign_in(context)
    it = MemoryPage(site, context.new_page())
    it.open()
    it.page.locator("h1").click()  # somewhere above the entries

    def tab_to(name: str) -> None:
        for _ in range(60):
            it.page.keyboard.press("Tab")
            if " ".join(it.page.evaluate("document.activeElement.textContent").split()) == name:
                return
        raise AssertionError(name)

    tab_to("Edit entry 2 of MEMORY.md")
    it.page.keyboard.press("Enter")
    expect(it.editor()).to_be_focused()
    it.page.keyboard.press("Control+End")
    it.page.keyboard.type(", and in York")
    tab_to("Save entry")
    it.page.keyboard.press("Enter")
    it.said("Saved in MEMORY.md.")
    assert it.stored()[1] == "Lives in Bath, and in York"
    assert it.moves == 1
    assert it.wrong == []
