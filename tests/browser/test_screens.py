"""Every screen, as people see and use it: axe, names, small windows, keyboard."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.addresses import ASKING, PAGES
from tests.browser.axe import violations
from tests.browser.screens import ANSWERS, FIRST, HEADINGS, SCREENS, Screens

pytestmark = pytest.mark.browser

OVERFLOW = """() => [document.documentElement.scrollWidth, innerWidth, [...document.querySelectorAll('body *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, svg.sprite, pre'))
    .slice(0, 3).map(e => e.outerHTML.slice(0, 120))]"""
# What can be used, whether it was reached, and whether one sees that it has the focus. Of several radio buttons
# Tab stops at the chosen one.
CAN_BE_USED = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.disabled && e.type !== 'hidden'
        && !(e.type === 'radio' && !e.checked))
    .map((e, n) => { e.dataset.stop = n; return e.outerHTML.slice(0, 160) })"""
WATCH_FOCUS = """() => { window.stops = []; addEventListener('keyup', () => {
    const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
    stops.push([e.dataset.stop ?? null, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1.5
            && r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth]) }, true) }"""


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def page(window: Page) -> Page:
    """One for all tests of this file, made as good as new: a new one takes as long as a screen."""
    window.unroute_all()
    window.goto("about:blank")
    window.context.clear_cookies()
    window.set_viewport_size({"width": 1280, "height": 720})
    window.emulate_media(color_scheme="light", reduced_motion="no-preference")
    return window


def test_the_screens_are_all_pages_there_are() -> None:
    shown = {name.partition(":")[0] for name in SCREENS} - {"weak_password", "no_home"}
    assert shown - (set(ANSWERS) - set(PAGES) - set(ASKING)) == {*PAGES, *ASKING}


@pytest.mark.parametrize("name", HEADINGS)
def test_the_screens_are_what_they_are_called(name: str, page: Page, screens: Screens) -> None:
    screens.show(name, page)
    expect(page.get_by_role("heading", level=1)).to_have_text(HEADINGS[name])


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing(name: str, page: Page, screens: Screens) -> None:
    found: dict[Any, Any] = {"light": None, "dark": None}
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    screens.show(name, page)
    for scheme in found:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found[scheme] = violations(page, scheme)
    assert found == {"light": [], "dark": []}
    for role in ("meter", "progressbar"):
        named = page.get_by_role(role, name=re.compile(r"\w"))
        assert named.count() == page.get_by_role(role).count()
    assert page.locator("meter, progress").count() == sum(
        page.get_by_role(role).count() for role in ("meter", "progressbar")
    )


def test_nothing_is_wider_than_the_window(page: Page, screens: Screens) -> None:
    wide = {}
    for name in SCREENS:
        screens.show(name, page)
        for width in (320, 390, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            scrolled, inner, elements = page.evaluate(OVERFLOW)
            assert inner == width
            if scrolled > inner:
                wide[name, width] = (scrolled, elements)
    assert wide == {}


@pytest.mark.parametrize("name", [name for name in SCREENS if name in FIRST or name not in ANSWERS])
def test_everything_is_reached_by_keyboard_and_seen(name: str, page: Page, screens: Screens) -> None:
    page.emulate_media(reduced_motion="reduce")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        screens.show(name, page)
        wanted = page.evaluate(CAN_BE_USED)
        page.evaluate(WATCH_FOCUS)
        for _ in range(len(wanted) + 12):  # a date is several stops
            page.keyboard.press("Tab")
        stops = {int(stop): seen for stop, seen in page.evaluate("stops") if stop is not None}
        assert [wanted[number] for number in range(len(wanted)) if number not in stops] == [], width
        assert [wanted[number] for number, seen in stops.items() if not seen] == [], width


def test_the_first_stop_leads_past_the_menu(page: Page, screens: Screens) -> None:
    screens.show("overview", page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_the_menu_of_a_small_window_opens_by_keyboard(page: Page, screens: Screens) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    screens.show("overview", page)
    menu = page.get_by_role("button", name="Menu")
    link = page.get_by_role("link", name="Homes and profiles")
    expect(link).to_be_hidden()
    menu.focus()
    page.keyboard.press("Enter")
    expect(link).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
