"""The memory pages in every state that no address leads to: axe, names, small windows."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.axe import violations
from tests.browser.memory_steps import STATES, MemoryPage, three_entries
from tests.browser.site import Site
from tests.browser.test_screens import OVERFLOW

pytestmark = pytest.mark.browser


@pytest.fixture
def it(browser: Browser, site: Site) -> Iterator[MemoryPage]:
    context = browser.new_context(reduced_motion="reduce")
    site.sign_in(context)
    with three_entries(site):
        yield MemoryPage(site, context.new_page())
    context.close()


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_and_nothing_is_too_wide(state: str, it: MemoryPage) -> None:
    STATES[state](it)
    it.page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    schemes: list[Any] = ["light", "dark"]
    for scheme in schemes:
        it.page.emulate_media(color_scheme=scheme)
        assert violations(it.page, scheme) == []
    for width in (320, 390, 1280):
        it.page.set_viewport_size({"width": width, "height": 800})
        scrolled, inner, elements = it.page.evaluate(OVERFLOW)
        assert scrolled <= inner, (width, elements)
    assert it.wrong == []


def test_a_character_that_turns_the_direction_round_turns_nothing(it: MemoryPage) -> None:
    it.write("ab\u202ecd", "ab\u2067\u202ecd")
    it.open()
    assert it.page.locator(".record.blocked").count() == 2
    for record in it.page.locator(".record.blocked").all():
        places = record.evaluate(
            """record => { const range = document.createRange(), texts = [record.firstChild, record.lastChild];
            return texts.flatMap(text => [0, 1].map(at => { range.setStart(text, at); range.setEnd(text, at + 1);
                return range.getBoundingClientRect().left })) }"""
        )
        assert places == sorted(places)
        assert len(set(places)) == 4
