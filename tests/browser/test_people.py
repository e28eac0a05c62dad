"""People as they come in: by a link on a phone, without scripts, with a code, with a passkey."""

import re
import time

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Browser, Page, expect

from tests.browser.site import Site
from tests.web.people import PASSWORD

pytestmark = pytest.mark.browser

DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def start(page: Page, site: Site) -> None:
    """The owner of a fresh site."""
    page.goto(site.origin + site.server.link())
    page.get_by_role("button", name="Sign in").click()
    choose(page, "mara")


def choose(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("button", name="Save and open").click()


def confirm(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Confirm it is you")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def sign_in(page: Page, site: Site) -> None:
    page.goto(site.origin + "/sign-in/")
    page.get_by_label("Name").fill("mara")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page, site: Site) -> None:
    page.goto(site.origin + "/sign-out/")
    page.get_by_role("button", name="Sign out").click()


def set_up_app(page: Page, site: Site) -> str:
    page.goto(site.origin + "/account/second-factor/")
    page.get_by_role("link", name="Set up an app").click()
    confirm(page)
    expect(page.get_by_role("img", name="The secret below")).to_be_visible()
    secret = page.locator("code.command").inner_text()
    page.get_by_label("Six digits").fill(code_of(secret))
    page.get_by_role("button", name="Set it up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    return secret


def code_of(secret: str, steps: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


def test_from_the_invitation_to_the_profile_on_a_phone(
    page: Page, page_without_scripts: Page, new_site: Site
) -> None:
    start(page, new_site)
    page.goto(new_site.origin + "/people/")
    page.get_by_role("link", name="Invite somebody").click()
    confirm(page)
    page.get_by_label("Name").fill("joan")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("code.command").inner_text()
    page.get_by_role("link", name="Choose what they may see").click()
    page.get_by_role("combobox", name=re.compile("office")).select_option("reviewer")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    phone = page_without_scripts
    phone.set_viewport_size({"width": 390, "height": 800})
    phone.goto(link)
    phone.get_by_role("button", name="Sign in").click()
    choose(phone, "joan")
    phone.get_by_role("link", name="office").click()
    expect(phone.get_by_text("You review it: reading only")).to_be_visible()
    phone.goto(new_site.origin + "/homes/hermes/office/memory/")
    expect(phone.get_by_text("The garden gate sticks in winter.", exact=True)).to_be_visible()
    expect(phone.get_by_role("link", name="Add an entry")).to_have_count(0)
    assert phone.goto(new_site.origin + "/homes/hermes/default/").status == 404  # type: ignore[union-attr]


def test_a_code_is_enough_without_scripts(page_without_scripts: Page, new_site: Site) -> None:
    page = page_without_scripts
    start(page, new_site)
    secret = set_up_app(page, new_site)
    recovery = page.locator("pre.command").inner_text().split()
    sign_out(page, new_site)
    sign_in(page, new_site)
    page.get_by_label("Code").fill(code_of(secret, 1))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Homes and profiles")
    sign_out(page, new_site)
    page.get_by_role("button", name="Use a passkey").click()  # there is no script to ask the device
    expect(page.get_by_role("alert")).to_contain_text("No passkey was accepted")
    sign_in(page, new_site)
    page.get_by_label("Code").fill(recovery[0])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Homes and profiles")


def test_a_passkey_signs_in_alone_and_as_second_factor(page: Page, new_site: Site) -> None:
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    start(page, new_site)
    page.goto(new_site.origin + "/account/second-factor/passkeys/")
    confirm(page)
    page.get_by_label("Name", exact=True).fill("Laptop")
    page.get_by_role("button", name="Ask the device").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    sign_out(page, new_site)
    sign_in(page, new_site)
    expect(page.get_by_role("heading", level=1)).to_have_text("One more thing")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Homes and profiles")
    sign_out(page, new_site)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Homes and profiles")
    assert wrong == []


def test_the_owner_knocks_and_the_member_is_told(page: Page, browser: Browser, new_site: Site) -> None:
    start(page, new_site)
    page.goto(new_site.origin + "/people/invite/")
    confirm(page)
    page.get_by_label("Name").fill("joan")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("code.command").inner_text()
    page.get_by_role("link", name="Choose what they may see").click()
    page.get_by_role("combobox", name=re.compile("office")).select_option("member")
    page.get_by_role("button", name="Save").click()
    other = browser.new_context().new_page()
    other.goto(link)
    other.get_by_role("button", name="Sign in").click()
    choose(other, "joan")
    page.goto(new_site.origin + "/homes/")
    page.get_by_role("link", name="office").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("office belongs to others")
    page.get_by_role("button", name="Open with notice").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What Hermes keeps in office")
    other.goto(new_site.origin + "/account/")
    expect(other.get_by_text("mara opened your profile office")).to_be_visible()
    other.get_by_role("button", name="I have read it").click()
    expect(other.get_by_text("mara opened your profile office")).to_have_count(0)
    expect(other.get_by_role("heading", level=1)).to_have_text("Account")
    other.context.close()
