"""Listing and searching in a real browser, on a home whose fields try to run something."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.site import Site, owned
from tests.browser.test_screens import OVERFLOW
from tests.home_builders import HomeFactory
from tests.web.server import Server

pytestmark = pytest.mark.browser
LIST, SEARCH = "/homes/home/default/sessions/", "/homes/home/default/search/"


@pytest.fixture(scope="module")
def baited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for a generated home: scripts in titles, contents and tools, and every kind of conversation."""
    folder = tmp_path_factory.mktemp("baited")
    home = HomeFactory(folder / "workshop").make(folder / "home", "--sessions", "70")
    with owned(Site(Server(folder / "data", {"HERMES_HOME": str(home.root)}).start())) as made:
        yield made


class Watched:
    """A page, with everything that went wrong, was run, or was asked of others."""

    def __init__(self, page: Page, site: Site) -> None:
        self.wrong: list[str] = []
        page.on("console", lambda message: self.wrong.append(message.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: (self.wrong.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda r: self.wrong.append(r.url) if not r.url.startswith(site.origin) else None)


@pytest.fixture
def reader(page: Page, baited: Site) -> Page:
    baited.sign_in(page.context)
    return page


def look_for(page: Page, site: Site, words: str) -> None:
    page.goto(site.origin + SEARCH)
    page.get_by_label("Words", exact=True).fill(words)
    page.get_by_role("button", name="Search").click()
    expect(page.locator("main h2")).to_be_visible()


def test_nothing_in_a_conversation_is_run(reader: Page, baited: Site) -> None:
    watched = Watched(reader, baited)
    reader.goto(baited.origin + LIST + "?hidden=1")
    expect(reader.get_by_text("<script>alert('title')</script>").first).to_be_visible()
    while reader.get_by_role("link", name="Further").count():
        reader.get_by_role("link", name="Further").click()
    for words in ("script", "onerror", "alert"):
        look_for(reader, baited, words)
        for place in ("Reasoning", "Stored prompts", "Texts as sent to the provider"):
            reader.get_by_role("checkbox", name=place).check()
        reader.get_by_role("button", name="Search").click()
        expect(reader.locator("mark").first).to_be_visible()
    assert reader.locator("main script, main img").count() == 0
    assert watched.wrong == []


def test_a_search_is_found_again_by_back_and_by_nobody_else(reader: Page, baited: Site) -> None:
    look_for(reader, baited, "script")
    expect(reader.locator("#results")).to_contain_text("message")
    address, title = reader.url, reader.title()
    assert "script" not in address
    assert "script" not in title
    look_for(reader, baited, "onerror")
    for _ in range(2):
        reader.go_back()
    expect(reader.get_by_label("Words", exact=True)).to_have_value("script")
    assert reader.url == address
    expect(reader.locator("mark").first).to_have_text("script")
    assert "script" not in str(reader.evaluate("[{...localStorage}, {...sessionStorage}]"))


def test_it_works_without_scripts(page_without_scripts: Page, baited: Site) -> None:
    page = page_without_scripts
    baited.sign_in(page.context)
    look_for(page, baited, "script")
    expect(page.locator("mark").first).to_have_text("script")
    page.goto(baited.origin + LIST)
    page.get_by_label("Title contains").fill("script")
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page.locator("main h2")).to_have_text("1 conversation")
    assert "script" not in page.url
    page.goto(baited.origin + LIST)
    page.locator(".months a").last.click()
    assert re.search(r"from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d", page.url)
    expect(page.locator(".months [aria-current]")).to_have_count(1)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_full_pages_are_accessible_and_fit(reader: Page, baited: Site, width: int) -> None:
    reader.set_viewport_size({"width": width, "height": 800})
    schemes: list[Any] = ["light", "dark"]
    for open_page in (
        lambda: reader.goto(baited.origin + LIST + "?hidden=1&sort=messages"),
        lambda: look_for(reader, baited, "script OR the"),
        lambda: look_for(reader, baited, "(velnowhere"),
    ):
        open_page()
        for scheme in schemes:
            reader.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(reader, scheme) == [], scheme
        scrolled, inner, elements = reader.evaluate(OVERFLOW)
        assert scrolled <= inner, elements
