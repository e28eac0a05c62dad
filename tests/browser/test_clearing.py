"""From the first step of the wizard to the printed report in a real browser, with scripts and without."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.site import Site
from tests.browser.test_screens import OVERFLOW
from tests.web.people import PASSWORD

pytestmark = pytest.mark.browser

START = "/clear/"
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def home(site: Site) -> Iterator[Path]:
    """The folder of the profile "office"; afterwards it is as it was."""
    office = Path(site.server.environ["HERMES_HOME"]) / "profiles/office"
    kept = office.parents[2] / "office-as-it-was"
    shutil.copytree(office, kept, symlinks=True)
    yield office
    shutil.rmtree(office)
    shutil.move(kept, office)


@pytest.fixture(params=["with scripts", "without scripts"])
def any_page(request: pytest.FixtureRequest, site: Site) -> Page:
    page: Page = request.getfixturevalue(
        "page" if request.param == "with scripts" else "page_without_scripts"
    )
    site.sign_in(page.context)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    return page


def press(page: Page, name: str) -> None:
    page.locator("main").get_by_role("button", name=name, exact=True).click()


def follow(page: Page, name: str) -> None:
    page.locator("main").get_by_role("link", name=name, exact=True).click()


def looked_at(page: Page) -> None:
    """Nothing is wider than the phone."""
    page.wait_for_load_state()  # a page that a button led to may not be there yet
    page.locator("main").wait_for()
    scrolled, inner, elements = page.evaluate(OVERFLOW)
    assert scrolled <= inner, elements


def to_last_step(page: Page, site: Site) -> None:
    page.goto(site.origin + START)
    page.locator("main").get_by_role("link", name="office").click()
    follow(page, "Next: choose")
    press(page, "Everything")
    page.get_by_label("Persona", exact=True).uncheck()
    press(page, "What is there")  # back by the list of steps, with the ticks
    follow(page, "Next: choose")
    expect(page.get_by_label("Persona", exact=True)).not_to_be_checked()
    expect(page.get_by_label("Keys and tokens")).to_be_checked()
    looked_at(page)
    press(page, "Next: out of reach")
    expect(page.locator("main").get_by_role("button", name="Next: Hermes", exact=True)).to_be_visible()
    if page.get_by_label("I have seen what is out of reach").count():
        page.get_by_label("I have seen what is out of reach").check()
    press(page, "Next: Hermes")
    go_on = page.get_by_role("button", name="Go on while it runs")
    expect(go_on.or_(page.get_by_role("link", name="Next: export"))).to_be_visible()
    if go_on.count():
        press(page, "Go on while it runs")
    else:
        follow(page, "Next: export")
    expect(page.locator("main").get_by_role("link", name="Next: confirm", exact=True)).to_be_visible()
    looked_at(page)
    follow(page, "Next: confirm")
    expect(
        page.get_by_label("Password").or_(page.get_by_label("Type the name of the profile"))
    ).to_be_visible()
    if page.get_by_label("Password").count():
        page.get_by_label("Password").fill(PASSWORD)
        page.locator("main").get_by_role("button").first.click()


def test_from_the_first_step_to_the_report(any_page: Page, site: Site, home: Path, tmp_path: Path) -> None:
    page = any_page
    (home / "SOUL.md").write_text("Speak plainly.")
    to_last_step(page, site)
    page.get_by_label("Type the name of the profile").fill("ofice")
    page.locator("main .danger").click()
    expect(page.get_by_text("That is not the name. It is: office")).to_be_visible()
    page.get_by_label("Type the name of the profile").fill("office")
    page.locator("main .danger").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Clearing office")
    link = page.get_by_role("link", name="Read the report")
    expect(link).to_be_visible(timeout=60_000)  # without scripts the page asks for itself again
    looked_at(page)
    link.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Everything that was chosen is gone")
    looked_at(page)
    assert not (home / "memories/MEMORY.md").exists()
    assert (home / "SOUL.md").read_text() == "Speak plainly."
    with page.expect_download() as download:
        follow(page, "Save as JSON")
    saved = json.loads(download.value.path().read_bytes())
    assert saved["complete"]
    page.emulate_media(media="print")
    expect(page.locator(".menu")).not_to_be_visible()
    expect(page.get_by_role("button", name="Check again")).not_to_be_visible()
    expect(page.get_by_role("heading", name="Wiped, and looked at again")).to_be_visible()
    assert page.pdf(path=tmp_path / "report.pdf")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, site: Site, home: Path, scheme: str) -> None:
    site.sign_in(page.context)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page.goto(site.origin + START)
    assert violations(page, scheme) == []
    to_last_step(page, site)
    assert violations(page, scheme) == []
    page.get_by_label("Type the name of the profile").fill("office")
    page.locator("main .danger").click()
    expect(page.get_by_role("heading", level=2, name="Step by step")).to_be_visible()
    page.get_by_role("link", name="Read the report").click(timeout=60_000)
    assert violations(page, scheme) == []
    follow(page, "Delete this report")
    assert violations(page, scheme) == []
    press(page, "Delete this report")
    expect(page.get_by_text("The report is deleted. The home was not touched.")).to_be_visible()
    assert violations(page, scheme) == []


def test_a_saved_report_is_shown_without_us(owner_page: Page, site: Site, home: Path, tmp_path: Path) -> None:
    page = owner_page
    to_last_step(page, site)
    page.get_by_label("Type the name of the profile").fill("office")
    page.locator("main .danger").click()
    page.get_by_role("link", name="Read the report").click(timeout=60_000)
    with page.expect_download() as download:
        follow(page, "Save as HTML")
    download.value.save_as(tmp_path / "report.html")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "report.html").as_uri())
    expect(page.get_by_role("heading", level=1)).to_contain_text("Everything that was chosen is gone")
    assert page.evaluate("getComputedStyle(document.querySelector('.outcomes')).display") == "flex"
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
