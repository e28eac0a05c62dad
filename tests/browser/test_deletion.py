"""Deleting in a real browser, on a home of its own, with and without scripts."""

import json
import re
import uuid
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.site import Site, owned
from tests.browser.test_screens import OVERFLOW
from tests.home_builders import BuiltHome, HomeFactory
from tests.web.people import PASSWORD
from tests.web.server import Server, wait_for

pytestmark = pytest.mark.browser
BASE = "/homes/home/default/"
PATIENCE = 120_000  # milliseconds: a whole run, on a machine with much to do


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BuiltHome:
    folder = tmp_path_factory.mktemp("deleting")
    options = ("--no-oracle", "--sessions", "6", "--messages-per-session", "2", "--profiles", "0")
    return HomeFactory(folder / "workshop").make(folder / "home", *options)


@pytest.fixture(scope="module")
def place(built: BuiltHome) -> Iterator[Site]:
    with owned(Site(Server(built.root.parent / "data", {"HERMES_HOME": str(built.root)}).start())) as made:
        yield made


def is_over(site: Site) -> bool:
    """Whether the deletion begun last has come to its end."""
    asked = "SELECT state FROM jobs_job WHERE kind = 'delete_sessions' ORDER BY created DESC LIMIT 1"
    return site.server.ask_database(asked) == [("done",)]


def titled_in(page: Page) -> Locator:
    """The rows of the list that have a title: the first words stand below it."""
    return page.locator("tbody tr").filter(has=page.locator("p.small > bdi"))


def delete_first_listed(page: Page, site: Site) -> str:
    """Tick the first conversation of the list that has a title, and ask for its deletion; the title."""
    page.goto(site.origin + BASE + "sessions/")
    row = titled_in(page).first
    title = row.locator("a.title").inner_text()
    row.get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete picked").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(re.compile("Confirm it is you|Delete 1 conversation"))
    if page.get_by_label("Password").count():
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Confirm").click()
    expect(heading).to_contain_text("Delete 1 conversation?")
    return title


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_ticked_conversation_goes(
    page: Page, page_without_scripts: Page, place: Site, scripts: bool
) -> None:
    shown = page if scripts else page_without_scripts
    place.sign_in(shown.context)
    title = delete_first_listed(shown, place)
    assert title not in shown.title()
    assert title not in shown.url
    shown.get_by_role("button", name="Delete and check").click()
    expect(shown.get_by_role("heading", name="Step by step")).to_be_visible()
    if not scripts:  # it looks for itself every few seconds
        assert shown.locator("meta[http-equiv=refresh]").count() == 1
        wait_for(lambda: is_over(place))  # the next test lists what is there then
        return
    expect(shown.get_by_text("What a disk keeps of blocks")).to_be_visible(timeout=PATIENCE)
    (outcome,) = place.server.ask_database("SELECT outcome FROM jobs_job ORDER BY created DESC LIMIT 1")[0]
    assert json.loads(outcome)["conversations"] == 1
    assert json.loads(outcome)["proof"]["state"] == []
    shown.goto(place.origin + BASE + "sessions/")
    expect(shown.get_by_role("link", name=title, exact=True)).to_have_count(0)


def words_of(page: Page) -> list[str]:
    """Texts of the conversation that is open."""
    expect(page.locator("article .record").first).to_be_visible()
    texts = page.locator("article .record").all_inner_texts()
    long = [text.strip() for text in texts if len(text) > 12]
    assert len(long) > 1
    return long


def held_by_browser(page: Page) -> str:
    return str(page.evaluate("[{...localStorage}, {...sessionStorage}, history.state]")) + page.content()


def go_back_past(page: Page, times: int, *never: str) -> None:
    for _ in range(times):
        page.go_back()
        page.wait_for_load_state("networkidle")
        if page.url == "about:blank":
            break  # before the first page
        held = held_by_browser(page)
        assert [text for text in never if text in held] == [], page.url


def test_back_shows_nothing_of_what_was_deleted_nor_after_signing_out(page: Page, place: Site) -> None:
    """Neither does the browser keep anything of it."""
    place.sign_in(page.context)
    page.goto(place.origin + BASE + "sessions/")
    titled = titled_in(page)
    titled.nth(1).locator("a.title").click()
    stays = words_of(page)
    page.go_back()
    titled.first.locator("a.title").click()
    goes = words_of(page)
    page.get_by_role("link", name="exact").or_(page.locator("a[href*='view=exact']")).first.click()
    title = delete_first_listed(page, place)
    page.get_by_role("button", name="Delete and check").click()
    expect(page.get_by_text("What a disk keeps of blocks")).to_be_visible(timeout=PATIENCE)
    go_back_past(page, 6, title, *goes)
    page.goto(place.origin + BASE + "sessions/")
    titled.first.locator("a.title").click()
    assert words_of(page) == stays
    page.goto(place.origin + "/sign-out/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    go_back_past(page, 6, title, *goes, *stays)
    place.mara.sign_in()  # whose sign-in that was, for the next test


@pytest.mark.parametrize("width", [390, 1280])
def test_its_pages_can_be_used_by_everybody(page: Page, place: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    place.sign_in(page.context)
    delete_first_listed(page, place)
    assert violations(page) == []
    assert page.evaluate(OVERFLOW) == [width, width, []]
    page.goto(place.origin + BASE + "deletion/")
    assert violations(page) == []
    (job,) = place.server.ask_database("SELECT id FROM jobs_job WHERE state = 'done' LIMIT 1")[0]
    page.goto(f"{place.origin}/jobs/{uuid.UUID(job)}/")
    expect(page.get_by_role("heading", name="Step by step")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate(OVERFLOW) == [width, width, []]
