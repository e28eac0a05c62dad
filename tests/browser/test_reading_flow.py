"""Reading, exporting and finding in a real browser, in a home whose every field wants to run something."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from hermesweb.hermes.ids import encode_id
from sessions.content import PREFIX
from tests.browser.axe import violations
from tests.browser.site import Site, owned, start_site
from tests.browser.test_screens import OVERFLOW
from tests.state_builders import add_message, add_session, connect
from tests.web.people import PASSWORD

pytestmark = pytest.mark.browser
BASE = "/homes/hermes/default/"
KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3A"
BAIT = (
    "<img src=http://evil.example/a onerror=alert(1)><script>alert(2)</script>"
    "<svg onload=alert(3)> [x](javascript:alert(4)) ![y](http://evil.example/b.png)"
)
LONG = "reading-long"


def conversation(session: str) -> str:
    return f"{BASE}sessions/{encode_id(session)}/"


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server of its own, with a long conversation and one that is all bait."""
    made = start_site(tmp_path_factory.mktemp("reading"))
    folder = Path(made.server.environ["HERMES_HOME"])
    fill(folder)
    with owned(made):
        yield made


def fill(folder: Path) -> None:
    add_session(folder, LONG, title="A long one")
    with connect(folder) as connection:
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, 1700000000)",
            [(LONG, f"number {n}. The **quincunx** {n}") for n in range(1, 161)],
        )
    fields = dict.fromkeys(("model", "cwd", "user_id", "system_prompt", "end_reason", "source"), BAIT)
    add_session(folder, BAIT, title=BAIT, ended_at=1_700_000_500.0, **fields)
    add_session(folder, "child", title=BAIT + "2", parent_session_id=BAIT)
    calls = json.dumps([{"id": "c1", "function": {"name": BAIT, "arguments": json.dumps({"a": BAIT})}}])
    add_message(folder, BAIT, f"{BAIT} and {KEY}")
    add_message(
        folder, BAIT, BAIT, role="assistant", tool_calls=calls, reasoning=BAIT, api_content=BAIT + "!"
    )
    add_message(folder, BAIT, BAIT, role="tool", tool_call_id="c1", tool_name=BAIT)
    parts = [
        {"type": "image_url", "image_url": {"url": "http://evil.example/c.png"}},
        {"type": "text", "text": BAIT},
    ]
    add_message(folder, BAIT, PREFIX + json.dumps(parts), role=BAIT)
    add_message(folder, BAIT, "taken **back**", active=0)
    add_message(
        folder,
        BAIT,
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n1. x\n\n> quote\n\n```py\ncode\n```",
        compacted=1,
        active=0,
    )


def watched(page: Page, site: Site) -> list[str]:
    """Whatever runs, fails or goes elsewhere, as it happens."""
    wrong: list[str] = []
    page.on("dialog", lambda dialog: (wrong.append("dialog"), dialog.dismiss()))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on(
        "request", lambda r: wrong.append(r.url) if not r.url.startswith((site.origin, "file:")) else None
    )
    return wrong


@pytest.fixture
def reader(context: BrowserContext, reading: Site) -> Page:
    reading.sign_in(context)
    return context.new_page()


@pytest.fixture
def plain_reader(browser: Browser, reading: Site) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    reading.sign_in(context)
    yield context.new_page()
    context.close()


def test_it_is_read_on_by_scrolling(reader: Page, reading: Site) -> None:
    wrong = watched(reader, reading)
    reader.goto(reading.origin + conversation(LONG))
    expect(reader.get_by_text("number 50.")).to_be_attached()
    expect(reader.get_by_text("number 51.")).to_have_count(0)
    for last in (100, 150, 160):
        reader.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(reader.get_by_text(f"number {last}.")).to_be_attached()
    expect(reader.locator(".turn")).to_have_count(160)
    expect(reader.get_by_role("link", name="Later")).to_have_count(0)
    assert wrong == []


def test_it_is_read_on_by_links_without_scripts(plain_reader: Page, reading: Site) -> None:
    plain_reader.goto(reading.origin + conversation(LONG))
    for first in (51, 101, 151):
        plain_reader.get_by_role("link", name="Later").click()
        expect(plain_reader.get_by_text(f"number {first}.")).to_be_visible()
    plain_reader.get_by_role("link", name="Earlier").click()
    expect(plain_reader.get_by_text("number 150.")).to_be_visible()
    plain_reader.get_by_role("link", name="Exact").click()
    expect(plain_reader.get_by_text("The **quincunx** 150")).to_be_visible()


def test_a_hit_leads_to_its_place_with_the_word_marked(reader: Page, reading: Site) -> None:
    reader.goto(reading.origin + BASE + "search/")
    reader.get_by_role("searchbox").or_(reader.get_by_label("Words")).first.fill('"quincunx 77"')
    reader.get_by_role("button", name="Search").click()
    reader.get_by_role("link", name="Open here").first.click()
    found = reader.locator(".turn.found")
    expect(found).to_contain_text("number 77.")
    expect(found).to_be_in_viewport()
    expect(found.locator("mark").first).to_be_visible()
    assert "quincunx" not in reader.url
    reader.get_by_role("link", name="Back to the results").click()
    expect(reader.get_by_role("heading", level=1)).to_have_text("Search")


@pytest.mark.parametrize("query", ["", "?view=exact&undone=1", "?links=1"])
def test_bait_in_every_field_does_nothing(query: str, reader: Page, reading: Site) -> None:
    wrong = watched(reader, reading)
    reader.goto(reading.origin + conversation(BAIT) + query, wait_until="networkidle")
    reader.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    expect(reader.get_by_text("alert(2)").first).to_be_visible()
    reader.goto(reading.origin + conversation("child"))
    reader.goto(reading.origin + BASE + "sessions/")
    assert wrong == []


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_and_nothing_is_too_wide(width: int, reader: Page, reading: Site) -> None:
    reader.set_viewport_size({"width": width, "height": 800})
    schemes: list[Any] = ["light", "dark"]
    for session, query in ((BAIT, "?undone=1"), (BAIT, "?view=exact"), (LONG, "?before=end.0")):
        reader.goto(reading.origin + conversation(session) + query)
        for scheme in schemes:
            reader.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(reader, scheme) == [], scheme
        scrolled, inner, elements = reader.evaluate(OVERFLOW)
        assert scrolled <= inner, elements


def test_found_shown_and_exported(reader: Page, reading: Site, tmp_path: Path) -> None:
    """By one person in one go: look, see it masked, show it after the password, export the page and open it."""
    wrong = watched(reader, reading)
    reader.goto(reading.origin + BASE + "findings/")
    reader.get_by_role("button", name="Look through all conversations").click()
    reader.get_by_role("link", name="See what was found").click(timeout=60_000)
    reader.get_by_role("link", name="<img src").first.click()
    expect(reader.get_by_text("sk-proj-••••••••").first).to_be_visible()
    assert KEY not in reader.content()
    reader.get_by_role("link", name=re.compile("^Show")).first.click()
    reader.get_by_label("Password").fill(PASSWORD)
    reader.get_by_role("button", name="Confirm").click()
    expect(reader.locator("mark")).to_have_text(KEY)
    reader.goto(reading.origin + conversation(BAIT))
    reader.get_by_role("link", name="Export").click()
    reader.get_by_label("HTML").check()
    with reader.expect_download() as download:
        reader.get_by_role("button", name="Download the file").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert "img" not in path.name
    text = path.read_text()
    assert KEY not in text
    reader.goto(path.as_uri(), wait_until="networkidle")
    expect(reader.get_by_text("alert(2)").first).to_be_visible()
    assert wrong == []
