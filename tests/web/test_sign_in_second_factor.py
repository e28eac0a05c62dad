"""One-time codes, recovery codes, passkeys, and the commands that help when they are lost. No script is needed."""

import re
import time
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from pytest_django import Settings

from hermesweb.accounts.models import Household, Person, SignInLink
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from tests.addresses import ADDRESSES, access_of, path_of
from tests.web.people import HOME, PASSWORD, confirm

pytestmark = pytest.mark.django_db

INDEX = path_of("mfa_index")
APP = path_of("mfa_activate_totp")
CODES = path_of("mfa_view_recovery_codes")
ASK = path_of("mfa_authenticate")


def code_of(secret: str, steps: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


def set_up(client: Client) -> tuple[str, list[str]]:
    """Set an app up as a person would. Its secret, and the recovery codes."""
    page = confirm(client).get(APP).content.decode()
    assert "<svg" in page.partition('class="code-picture"')[2][:200]
    assert "data:image" not in page
    secret = re.search(r'<code class="command">([A-Z2-7]+)</code>', page)
    assert secret
    assert client.post(APP, {"code": code_of(secret[1], -1)}).headers["Location"] == CODES
    shown = re.search(r'<pre class="command">([\d\n]+)</pre>', client.get(CODES).content.decode())
    assert shown
    return secret[1], shown[1].split()


def password(name: str = "mara") -> Client:
    """A browser in which the password was right."""
    client = Client(raise_request_exception=False)
    answer = client.post("/sign-in/", {"login": name, "password": PASSWORD})
    assert answer.headers["Location"] == ASK
    assert SESSION_KEY not in client.session
    return client


def command(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out)
    return out.getvalue()


def test_it_works(owner_client: Client, django_capture_on_commit_callbacks: Callable[..., Any]) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        secret, codes = set_up(owner_client)
    assert len(codes) == 10
    client = password()
    assert client.get("/account/").status_code == 302  # not in yet
    assert b"One more thing" in client.get(ASK).content
    assert client.post(ASK, {"code": code_of(secret)}).headers["Location"] == path_of("homes")
    assert client.get("/account/").status_code == 200
    assert Activity.objects.filter(action=Action.SIGNED_IN).latest("number").about == "password totp"
    assert Activity.objects.filter(action=Action.SECOND_FACTOR_ADDED).get().about == "totp"


def test_it_leads_to_where_one_wanted_to_go(owner_client: Client) -> None:
    secret, _codes = set_up(owner_client)
    client = Client()
    client.post("/sign-in/", {"login": "mara", "password": PASSWORD, "next": "/activity/"})
    assert client.post(ASK, {"code": code_of(secret)}).headers["Location"] == "/activity/"


def test_a_code_works_once(owner_client: Client) -> None:
    secret, _codes = set_up(owner_client)
    code = code_of(secret)
    assert password().post(ASK, {"code": code}).status_code == 302
    again = password()
    assert b"That does not fit" in again.post(ASK, {"code": code}).content
    assert SESSION_KEY not in again.session


def test_a_recovery_code_works_once(owner_client: Client) -> None:
    _secret, codes = set_up(owner_client)
    assert password().post(ASK, {"code": codes[3]}).status_code == 302
    assert password().post(ASK, {"code": codes[3]}).status_code == 200
    assert b"9 codes are left" in owner_client.get(INDEX).content


def test_recovery_codes_are_shown_once(owner_client: Client) -> None:
    _secret, codes = set_up(owner_client)
    page = owner_client.get(CODES).content.decode()
    assert not [code for code in codes if code in page]
    new = owner_client.post(path_of("mfa_generate_recovery_codes"))
    assert new.headers["Location"] == CODES
    assert password().post(ASK, {"code": codes[0]}).status_code == 200  # the old ones are gone


@pytest.mark.parametrize("code", ["", "000000", "x" * 5_000, "１２３４５６", "\0"])
def test_a_wrong_code_opens_nothing(code: str, owner_client: Client) -> None:
    set_up(owner_client)
    client = password()
    answer = client.post(ASK, {"code": code})
    assert answer.status_code == 200
    assert b"That does not fit" in answer.content
    assert SESSION_KEY not in client.session


def test_guessing_codes_is_slowed_and_the_right_person_gets_in_elsewhere(owner_client: Client) -> None:
    secret, _codes = set_up(owner_client)
    guest = Client(REMOTE_ADDR="192.0.2.1")
    guest.post("/sign-in/", {"login": "mara", "password": PASSWORD})
    answers = [guest.post(ASK, {"code": "000000"}) for _ in range(30)]
    assert b"Too many tries" in answers[-1].content
    assert guest.post(ASK, {"code": code_of(secret)}).status_code == 200
    assert password().post(ASK, {"code": code_of(secret)}).status_code == 302


def test_the_second_step_gets_a_fresh_session(owner_client: Client) -> None:
    secret, _codes = set_up(owner_client)
    client = password()
    half_way = client.session.session_key
    client.post(ASK, {"code": code_of(secret)})
    assert client.session.session_key != half_way
    assert not Session.objects.filter(session_key=half_way).exists()


def test_half_way_in_ends_after_a_while(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, _codes = set_up(owner_client)
    client, now = password(), time.time()
    monkeypatch.setattr(time, "time", lambda: now + 16 * 60)
    assert client.post(ASK, {"code": code_of(secret)}).headers["Location"] == "/sign-in/"
    assert SESSION_KEY not in client.session


def test_without_the_password_there_is_no_second_step(
    owner_client: Client, browser_of_nobody: Client
) -> None:
    secret, _codes = set_up(owner_client)
    for ask in (browser_of_nobody.get, browser_of_nobody.post):
        assert ask(ASK, {"code": code_of(secret)}).headers["Location"] == "/sign-in/"


def test_secrets_are_kept_sealed(owner_client: Client) -> None:
    secret, codes = set_up(owner_client)
    kept = str(list(Authenticator.objects.values()))
    assert secret not in kept
    assert not [code for code in codes if code in kept]
    assert not [1 for session in Session.objects.all() if secret in str(session.get_decoded())]
    assert not [line for line in Activity.objects.all() if secret in line.about]


def test_with_another_key_no_code_fits(owner_client: Client, settings: Settings) -> None:
    secret, codes = set_up(owner_client)
    settings.SECRET_KEY = "another key, as after a theft"
    for code in (code_of(secret), code_of(""), codes[0]):
        client = password()
        assert client.post(ASK, {"code": code}).status_code == 200
        assert SESSION_KEY not in client.session


def test_what_changes_it_asks_first_who_it_is(owner_client: Client) -> None:
    secret, _codes = set_up(owner_client)
    other = password()
    other.post(ASK, {"code": code_of(secret)})
    asking = [name for name in ADDRESSES if name.startswith("mfa_") and access_of(name) != "open"]
    for name in set(asking) - {"mfa_index"}:
        for ask in (other.get, other.post):
            location = ask(path_of(name)).headers["Location"]
            assert location.startswith(path_of("account_reauthenticate"))
    assert Authenticator.objects.filter(type="totp").exists()


def test_it_is_removed(owner_client: Client) -> None:
    set_up(owner_client)
    assert b"Remove the app" in owner_client.get(path_of("mfa_deactivate_totp")).content
    assert owner_client.post(path_of("mfa_deactivate_totp")).headers["Location"] == INDEX
    assert not Authenticator.objects.exists()
    assert (
        Client().post("/sign-in/", {"login": "mara", "password": PASSWORD}).headers["Location"] == "/homes/"
    )


def test_a_passkey_that_is_none_opens_nothing(owner: Person, browser_of_nobody: Client) -> None:
    address = path_of("mfa_login_webauthn")
    asked = browser_of_nobody.get(address, headers={"Accept": "application/json"})
    assert asked.json()["request_options"]["publicKey"]["rpId"] == "testserver"
    assert browser_of_nobody.get(address).headers["Location"] == "/sign-in/"
    for credential in (
        "",
        "x",
        "{}",
        "[]",
        '{"response": {"userHandle": "MQ"}}',
        '{"rawId": "AA", "id": "AA"}',
    ):
        answer = browser_of_nobody.post(address, {"credential": credential})
        assert answer.status_code == 200
        assert b"No passkey was accepted" in answer.content
    assert SESSION_KEY not in browser_of_nobody.session


# -- an owner asks everybody for one


@pytest.fixture
def required(db: None) -> None:
    Household(pk=1, second_factor_required=True).save()


OPEN_WITHOUT = {"mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "mfa_view_recovery_codes"}
OPEN_WITHOUT |= {"account_reauthenticate", "account_logout", "choose_password"}


@pytest.mark.parametrize("name", [name for name in ADDRESSES if access_of(name) != "open"])
def test_without_one_nothing_else_is_seen(
    name: str, required: None, owner_client: Client, profile: Profile
) -> None:
    values = {"home": HOME, "profile": "office", "job": "0" * 8 + "-0000-4000-8000-" + "0" * 12}
    for ask in (owner_client.get, owner_client.post):
        answer = ask(path_of(name, **values))
        led = answer.status_code == 302 and answer.headers["Location"] == INDEX
        assert led == (name not in OPEN_WITHOUT) or (
            name in OPEN_WITHOUT and answer.status_code in (302, 404)
        )


def test_who_sets_it_up_sees_everything(required: None, owner_client: Client, profile: Profile) -> None:
    assert b"An owner asks everybody" in owner_client.get(INDEX).content
    set_up(owner_client)
    assert owner_client.get(path_of("homes")).status_code == 200


def test_a_recovery_code_alone_is_no_second_factor(
    required: None, owner_client: Client, owner: Person
) -> None:
    Authenticator.objects.create(user=owner, type="recovery_codes", data={"seed": "x", "used_mask": 0})
    assert owner_client.get(path_of("homes")).headers["Location"] == INDEX


# -- on the machine


def test_a_lost_second_factor_is_taken_away(owner_client: Client) -> None:
    set_up(owner_client)
    assert "with the password alone" in command("reset_second_factor", "MARA")
    assert (
        Client().post("/sign-in/", {"login": "mara", "password": PASSWORD}).headers["Location"] == "/homes/"
    )
    assert "has no second factor" in command("reset_second_factor", "mara")
    line = Activity.objects.filter(action=Action.SECOND_FACTOR_RESET).get()
    assert (line.name, line.address) == ("", "")


def test_a_lost_password_is_replaced_by_a_link(owner_client: Client, owner: Person) -> None:
    said = command("sign_in_link", "mara", "--port", "8700")
    path = re.search(r"http://hermesweb.localhost:8700(/join/\S+/)", said)
    assert path
    assert owner_client.get("/account/").status_code == 200  # the link alone changes nothing
    client = Client()
    assert client.post(path[1]).headers["Location"] == path_of("choose_password")
    assert owner_client.get("/account/").status_code == 302
    form = {"username": "mara", "password1": "a new long one 8", "password2": "a new long one 8"}
    assert client.post(path_of("choose_password"), form).status_code == 302
    assert Client().post("/sign-in/", {"login": "mara", "password": "a new long one 8"}).status_code == 302


def test_a_link_does_not_replace_the_second_factor(owner_client: Client) -> None:
    secret, _codes = set_up(owner_client)
    path = re.search(r"(/join/\S+/)", command("sign_in_link", "mara"))
    assert path
    client = Client()
    assert client.post(path[1]).headers["Location"] == ASK
    assert SESSION_KEY not in client.session
    assert client.post(ASK, {"code": code_of(secret)}).headers["Location"] == path_of("choose_password")


def test_the_commands_name_who_there_is(owner: Person, member: Person) -> None:
    for name in ("sign_in_link", "reset_second_factor", "make_owner"):
        with pytest.raises(CommandError, match="There are: joan, mara"):
            command(name, "x")
    Person.objects.filter(pk=member.pk).update(is_active=False)
    with pytest.raises(CommandError, match="switched off"):
        command("sign_in_link", "joan")
    assert not SignInLink.objects.exists()


def test_somebody_is_made_an_owner(member: Person) -> None:
    Person.objects.filter(pk=member.pk).update(is_active=False)
    assert "is an owner now" in command("make_owner", "joan")
    member.refresh_from_db()
    assert (member.is_owner, member.is_active) == (True, True)
    assert "already" in command("make_owner", "joan")
