"""What a person does first, in a real browser."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.site import Site
from tests.web.people import PASSWORD
from tests.web.server import wait_for

pytestmark = pytest.mark.browser

ENTRY = "The garden gate sticks in winter."


# htmx notes the address of the page that is open, which is in the browser's own history too.
HTMX_ADDRESS = "htmx-current-path-for-history"


def kept(page: Page) -> list[dict[str, str]]:
    """What the browser holds for us in its two stores."""
    return page.evaluate("[{...localStorage}, {...sessionStorage}]")  # type: ignore[no-any-return]


def sign_in(page: Page, site: Site) -> None:
    page.goto(site.origin + "/sign-in/")
    page.get_by_label("Name").fill("mara")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Homes and profiles")


def from_the_link_to_the_memory(page: Page, site: Site) -> None:
    page.goto(site.origin + site.server.link())
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Name").fill("mara")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("button", name="Save and open").click()
    page.get_by_role("link", name="office").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What Hermes keeps in office")
    page.get_by_role("heading", name="Memory").get_by_role("link").click()
    expect(page.get_by_text(ENTRY, exact=True)).to_be_visible()


def test_from_the_link_to_the_memory(page: Page, new_site: Site) -> None:
    from_the_link_to_the_memory(page, new_site)


def test_from_the_link_to_the_memory_without_scripts(page_without_scripts: Page, new_site: Site) -> None:
    from_the_link_to_the_memory(page_without_scripts, new_site)


def test_a_plain_form_is_posted_with_our_origin(page: Page, site: Site) -> None:
    posted: list[Request] = []
    page.on("request", lambda request: posted.append(request) if request.method == "POST" else None)
    sign_in(page, site)
    (request,) = posted
    headers = request.all_headers()
    assert headers["origin"] == site.origin
    assert "hx-request" not in headers
    cookies = page.context.cookies()
    assert {cookie["name"] for cookie in cookies} == {"hermesweb", "hermesweb-csrf"}
    assert {(cookie["httpOnly"], cookie["sameSite"], cookie["domain"]) for cookie in cookies} == {
        (True, "Strict", "hermesweb.localhost")
    }


def test_nothing_fails_and_nothing_is_asked_of_others_or_kept(context: BrowserContext, site: Site) -> None:
    site.sign_in(context)
    page, wrong, hosts = context.new_page(), [], set()
    page.on("console", lambda message: wrong.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.on("request", lambda request: hosts.add(re.match(r"\w+://[^/]*", request.url)[0]))
    done = site.add_job("done", outcome='{"groups": {"memory": [2, 7]}, "complete": true}')
    running = site.add_job("running", step="count", done=7)
    pages = ["/homes/", "/homes/hermes/office/", "/homes/hermes/office/memory/", "/homes/hermes/default/"]
    for address in [*pages, "/activity/", "/account/", "/account/password/", done, running]:
        page.goto(site.origin + address, wait_until="networkidle" if address != running else "load")
        assert kept(page) == [{}, {HTMX_ADDRESS: address}]
    with page.expect_response(re.compile("/jobs/")):  # htmx asks on its own
        pass
    assert kept(page) == [{}, {HTMX_ADDRESS: address}]
    assert wrong == []
    assert hosts == {site.origin}
    assert {cookie["name"] for cookie in context.cookies()} <= {"hermesweb", "hermesweb-csrf"}


def test_after_signing_out_back_shows_nothing(page: Page, site: Site) -> None:
    sign_in(page, site)
    for address in ("/homes/hermes/office/", "/homes/hermes/office/memory/", "/account/"):
        page.goto(site.origin + address)
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    for _ in range(5):
        page.go_back()
        page.wait_for_load_state()
        text = page.inner_text("body")
        assert ENTRY not in text
        assert "office" not in text
        assert "You are signed in" not in text
        assert ENTRY not in str(kept(page))


def test_a_job_page_goes_on_by_itself_and_can_be_left(owner_page: Page, site: Site) -> None:
    site.mara.get("/account/password/")
    address = site.mara.post("/homes/hermes/default/measure/").location
    owner_page.goto(site.origin + address)
    expect(owner_page.get_by_text(re.compile(r"\d+ files counted"))).to_be_visible()
    first = owner_page.get_by_text(re.compile(r"\d+ files counted")).inner_text()
    expect(owner_page.get_by_text(first, exact=True)).to_have_count(0)
    owner_page.get_by_role("link", name="To the overview").click()
    expect(owner_page.get_by_role("heading", level=1)).to_contain_text("What Hermes keeps in")
    owner_page.go_back()
    expect(owner_page.get_by_role("heading", level=1)).to_contain_text("Counting the files of")
    owner_page.get_by_role("button", name="Stop it").click()
    expect(owner_page.get_by_text("Stopped at your wish.")).to_be_visible()


def test_a_job_page_is_loaded_again_without_scripts(page_without_scripts: Page, site: Site) -> None:
    site.sign_in(page_without_scripts.context)
    page_without_scripts.goto(site.origin + site.add_job("running", step="count", done=7))
    with page_without_scripts.expect_navigation(timeout=10_000):
        pass
    expect(page_without_scripts.get_by_text("7 files counted")).to_be_visible()


def test_a_link_on_another_site_finds_one_signed_in(context: BrowserContext, site: Site) -> None:
    site.sign_in(context)
    page = context.new_page()
    link = f'<a href="{site.origin}/account/">there</a>'
    page.route("http://elsewhere.example/", lambda route: route.fulfill(body=link, content_type="text/html"))
    page.goto("http://elsewhere.example/")
    page.get_by_role("link", name="there").click()
    expect(page.get_by_text("You are signed in as mara")).to_be_visible()


def test_the_first_link_works_from_another_site(page: Page, new_site: Site) -> None:
    link = f'<a href="{new_site.origin}{new_site.server.link()}">there</a>'
    page.route("http://elsewhere.example/", lambda route: route.fulfill(body=link, content_type="text/html"))
    page.goto("http://elsewhere.example/")
    page.get_by_role("link", name="there").click()
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a name and a password")


def test_no_other_site_can_show_us_in_a_frame(page: Page, site: Site) -> None:
    frame = f'<iframe src="{site.origin}/sign-in/"></iframe>'
    page.route("http://elsewhere.example/", lambda route: route.fulfill(body=frame, content_type="text/html"))
    page.goto("http://elsewhere.example/")
    wait_for(lambda: len(page.frames) == 2)
    assert "Sign in" not in (page.frames[1].content() or "")
