"""Looking for a phrase in a real browser, with and without scripts; and what is in our files afterwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from hermesweb.hermes.scan.needles import needles_of
from tests.browser.axe import violations
from tests.browser.site import Site, owned, start_site
from tests.browser.test_screens import OVERFLOW

pytestmark = pytest.mark.browser
TRACE = "/homes/hermes/office/trace/"
PHRASE = "Köstliche velquincunx"


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own, with the phrase in a text and in the name of a file."""
    made = start_site(tmp_path_factory.mktemp("trace"))
    office = Path(made.server.environ["HERMES_HOME"]) / "profiles/office"
    (office / f"{PHRASE}.txt").write_text(f"before {PHRASE} after")
    with owned(made):
        yield made


def ask(page: Page, site: Site) -> None:
    page.goto(site.origin + TRACE)
    page.get_by_label("Word or phrase").fill(PHRASE)
    page.get_by_role("button", name="Trace", exact=True).click()
    expect(page.get_by_role("heading", name="Found ")).to_be_visible(timeout=60_000)
    assert "velquincunx" not in page.url
    page.get_by_role("button", name="Show").first.click()
    expect(page.locator("mark").first).to_have_text(PHRASE)


def held(site: Site) -> list[str]:
    """Our files that hold the phrase in any spelling."""
    spellings = [each.lower() for each in needles_of(PHRASE).variants] + [b"velquincunx"]
    files = [path for path in site.server.data.rglob("*") if path.is_file()]
    assert any(path.name.endswith("-wal") for path in files)
    return [path.name for path in files if any(each in path.read_bytes().lower() for each in spellings)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_with_scripts(scheme: str, traced: Site, context: BrowserContext, page: Page) -> None:
    traced.sign_in(context)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(traced.origin + TRACE)
    assert violations(page, scheme) == []
    ask(page, traced)
    assert violations(page, scheme) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(OVERFLOW) == [390, 390, []]
    assert held(traced) == []


def test_without_scripts(traced: Site, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    try:
        traced.sign_in(context)
        ask(context.new_page(), traced)
    finally:
        context.close()
    assert held(traced) == []
    assert "velquincunx" not in traced.server.printed()
