"""The screens about people and sign-in, and those after a password: each is asked for once, in its state."""

import re
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

from tests.browser.site import Site
from tests.web.people import PASSWORD
from tests.web.server import Reply, Visitor

HEADINGS = {
    "invite": "Invite somebody",
    "invitation": "The link for joan",
    "join": "This link is for you alone",
    "no_profile": "Homes and profiles",
    "person": "joan",
    "new_link": "Another link for ruth",
    "remove_person": "Remove joan",
    "last_owner": "mara",
    "household": "For everybody",
    "left_over": "Remove left-over words",
    "open_with_notice": "office belongs to others",
    "closed": "This profile is not open to you",
    "notice": "Homes and profiles",
    "reviewed": "What Hermes keeps in office",
    "only_reading": "You review this profile",
    "activity_checked": "Activity",
    "mfa_activate_totp": "Set up an app",
    "wrong_digits": "Set up an app",
    "mfa_add_webauthn": "Add a passkey",
    "mfa_view_recovery_codes": "Recovery codes",
    "factors": "Second factor",
    "mfa_generate_recovery_codes": "Make new recovery codes",
    "mfa_deactivate_totp": "Remove the app",
    "mfa_remove_webauthn": "Remove the passkey Laptop",
    "sign_in_code": "One more thing",
    "wrong_code": "One more thing",
    "no_passkey": "Sign in",
    "factor_missing": "Second factor",
}
HOUSEHOLD = list(HEADINGS)
FACTOR = "/account/second-factor/"


def household_screens(site: Site) -> dict[str, Reply]:
    site.server.ask_database("DELETE FROM hermesweb_cache")
    confirm(site.mara)
    found = {name: site.mara.get(f"/people/{name}/") for name in ("invite", "household")}
    found["left_over"] = site.mara.get("/homes/hermes/office/left-over/")
    joan, seen = invited(site, "joan")
    found |= seen | people(site) | of_a_profile(site, joan) | factors(site, joan)
    found["activity_checked"] = followed(site.mara, site.mara.post("/activity/check/"))
    # As before for the other screens: nobody else has a profile, and mara's sign-in is an ordinary one.
    for table in ("profileaccess", "notice"):
        site.server.ask_database(f"DELETE FROM accounts_{table}")
    site.server.ask_database("DELETE FROM hermesweb_cache")
    site.mara.cookies.clear()
    site.mara.sign_in()
    return found


def confirm(visitor: Visitor) -> None:
    visitor.get("/account/password/")
    assert visitor.post("/account/confirm/", {"password": PASSWORD}).status == 302


def followed(visitor: Visitor, reply: Reply) -> Reply:
    return visitor.get(reply.location)


def number(site: Site, name: str) -> int:
    return int(site.server.ask_database("SELECT id FROM accounts_person WHERE username = ?", name)[0][0])


def invited(site: Site, name: str) -> tuple[Visitor, dict[str, Reply]]:
    """Somebody who came by a link, and what there was to see on the way."""
    site.mara.get("/people/invite/")
    invitation = site.mara.post("/people/invite/", {"username": name, "days": "1"})
    path = re.search(r"http://[^/]+(/join/[^<]+/)", invitation.body)
    assert path
    guest = Visitor(site.server.port)
    found = {"invitation": invitation, "join": guest.get(path[1])}
    guest.post(path[1])
    guest.get("/account/choose-password/")
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    assert guest.post("/account/choose-password/", form).status == 302
    return guest, found | {"no_profile": guest.get("/homes/")}


def people(site: Site) -> dict[str, Reply]:
    mara, joan = number(site, "mara"), number(site, "joan")
    site.mara.get("/people/invite/")
    site.mara.post("/people/invite/", {"username": "ruth", "days": "1"})
    found = {
        "person": site.mara.get(f"/people/{joan}/"),
        "remove_person": site.mara.get(f"/people/{joan}/remove/"),
        "new_link": site.mara.get(f"/people/{number(site, 'ruth')}/link/"),
    }
    return found | {"last_owner": site.mara.post(f"/people/{mara}/", {"whole": "1"})}


def of_a_profile(site: Site, joan: Visitor) -> dict[str, Reply]:
    give(site, "member")
    found = {
        "open_with_notice": site.mara.get("/homes/hermes/office/open/"),
        "closed": site.mara.post("/homes/hermes/office/measure/"),
    }
    site.mara.get("/homes/hermes/office/open/")
    site.mara.post("/homes/hermes/office/open/")
    found["notice"] = joan.get("/homes/")
    give(site, "reviewer")
    found["reviewed"] = joan.get("/homes/hermes/office/")
    return found | {"only_reading": joan.post("/homes/hermes/office/copy/remove/")}


def give(site: Site, level: str) -> None:
    site.mara.get("/people/invite/")
    site.mara.post(f"/people/{number(site, 'joan')}/", {"access hermes office": level})


def factors(site: Site, joan: Visitor) -> dict[str, Reply]:
    confirm(joan)
    app = joan.get(FACTOR + "app/")
    found = {"mfa_activate_totp": app, "mfa_add_webauthn": joan.get(FACTOR + "passkeys/")}
    joan.get(FACTOR + "app/")
    found["wrong_digits"] = joan.post(FACTOR + "app/", {"code": "000000"})
    secret = re.search(r'<code class="command">([A-Z2-7]+)</code>', found["wrong_digits"].body)
    assert secret
    code = format_hotp_value(hotp_value(secret[1], int(time.time()) // 30))
    assert joan.post(FACTOR + "app/", {"code": code}).location == FACTOR + "codes/"
    found["mfa_view_recovery_codes"] = joan.get(FACTOR + "codes/")
    key = add_passkey(site)
    found |= {
        "factors": joan.get(FACTOR),
        "mfa_generate_recovery_codes": joan.get(FACTOR + "codes/new/"),
        "mfa_deactivate_totp": joan.get(FACTOR + "app/remove/"),
        "mfa_remove_webauthn": joan.get(f"{FACTOR}passkeys/{key}/"),
    }
    site.server.ask_database("DELETE FROM mfa_authenticator WHERE id = ?", key)
    return found | at_the_door(site) | {"factor_missing": asked_of_everybody(site)}


def add_passkey(site: Site) -> int:
    values = ("webauthn", '{"name": "Laptop", "credential": {}}', "2026-11-30 10:00:00", number(site, "joan"))
    columns = "type, data, created_at, user_id"
    site.server.ask_database(f"INSERT INTO mfa_authenticator ({columns}) VALUES (?, ?, ?, ?)", *values)
    return int(site.server.ask_database("SELECT max(id) FROM mfa_authenticator")[0][0])


def at_the_door(site: Site) -> dict[str, Reply]:
    guest, other = Visitor(site.server.port), Visitor(site.server.port)
    guest.get("/sign-in/")
    guest.post("/sign-in/", {"login": "joan", "password": PASSWORD})
    found = {"sign_in_code": guest.get("/sign-in/code/")}
    found["wrong_code"] = guest.post("/sign-in/code/", {"code": "000000"})
    other.get("/sign-in/")
    return found | {"no_passkey": other.post("/sign-in/passkey/", {"credential": ""})}


def asked_of_everybody(site: Site) -> Reply:
    site.mara.get("/people/household/")
    site.mara.post("/people/household/", {"second_factor_required": "on", "activity_days": "365"})
    reply = site.mara.get(FACTOR)
    site.server.ask_database("UPDATE accounts_household SET second_factor_required = 0")
    return reply
