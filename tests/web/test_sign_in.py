"""Signing in and out with a name and a password."""

import re
from collections.abc import Callable

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client

from hermesweb.accounts.models import Person
from hermesweb.activity.models import Action, Activity
from tests.addresses import path_of
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db

SIGN_IN = "/sign-in/"
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')


def credentials(name: str = "mara", password: str = PASSWORD, **more: str) -> dict[str, str]:
    return {"login": name, "password": password, **more}


def test_it_works(browser_of_nobody: Client, owner: Person) -> None:
    response = browser_of_nobody.post(SIGN_IN, credentials())
    assert (response.status_code, response.headers["Location"]) == (302, path_of("homes"))
    assert Activity.objects.get().action == Action.SIGNED_IN


def test_it_leads_to_where_one_wanted_to_go(browser_of_nobody: Client, owner: Person) -> None:
    wanted = browser_of_nobody.get("/activity/?before=7").headers["Location"]
    page = browser_of_nobody.get(wanted)
    assert b'value="/activity/?before=7"' in page.content
    response = browser_of_nobody.post(SIGN_IN, credentials(next="/activity/?before=7"))
    assert response.headers["Location"] == "/activity/?before=7"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example/",
        "///evil.example/",
        "/\\evil.example/",
        "\\\\evil.example",
        "http:evil.example",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://localhost@evil.example/",
        "\thttps://evil.example/",
        "//evil.example/%0d%0aSet-Cookie:planted=1",
        "https://evil.example/\r\nSet-Cookie: planted=1",
    ],
)
def test_it_leads_to_no_other_place(elsewhere: str, browser_of_nobody: Client, owner: Person) -> None:
    response = browser_of_nobody.post(SIGN_IN, credentials(next=elsewhere))
    assert response.headers["Location"] == path_of("homes")
    again = browser_of_nobody.get(SIGN_IN, {"next": elsewhere})  # signed in already
    assert again.headers["Location"] == path_of("homes")
    out = browser_of_nobody.post(path_of("account_logout"), {"next": elsewhere})
    assert out.headers["Location"] == SIGN_IN


def test_where_one_wants_to_go_writes_no_header(browser_of_nobody: Client, owner: Person) -> None:
    response = browser_of_nobody.post(SIGN_IN, credentials(next="/homes/\r\nSet-Cookie: planted=1"))
    assert "planted" not in response.cookies
    assert "\n" not in response.headers["Location"]


def test_an_unknown_name_and_a_wrong_password_look_the_same(
    browser_of_nobody: Client, owner: Person, make_member: Callable[..., Person]
) -> None:
    off = make_member("joan")
    off.is_active = False
    off.save()
    tries = [credentials(password="wrong"), credentials(name="nobody"), credentials(name="joan")]
    answers = [browser_of_nobody.post(SIGN_IN, each) for each in tries]
    bodies = {TOKEN.sub(b"", answer.content) for answer in answers}
    assert len(bodies) == 1
    assert {answer.status_code for answer in answers} == {200}
    assert b"Name and password do not fit together." in answers[0].content
    assert SESSION_KEY not in browser_of_nobody.session


def test_what_was_typed_is_neither_shown_nor_kept(browser_of_nobody: Client, owner: Person) -> None:
    answer = browser_of_nobody.post(SIGN_IN, credentials(name="velpassword", password="velother"))
    assert b"velpassword" not in answer.content
    assert b"velother" not in answer.content
    line = Activity.objects.get()
    assert (line.action, line.name, line.about, line.person) == (Action.SIGN_IN_FAILED, "", "", None)


def test_a_sign_in_gets_a_fresh_session(browser_of_nobody: Client, owner: Person) -> None:
    browser_of_nobody.get(SIGN_IN)
    session = browser_of_nobody.session
    session["planted"] = "1"
    session.save()
    planted = session.session_key
    browser_of_nobody.cookies["hermesweb"] = planted
    browser_of_nobody.post(SIGN_IN, credentials())
    assert browser_of_nobody.cookies["hermesweb"].value != planted


def test_a_new_password_ends_the_other_sign_ins(signed_in: Callable[..., Client], owner: Person) -> None:
    here, elsewhere = signed_in(owner), signed_in(owner)
    new = PASSWORD + " and more"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(path_of("account_change_password"), form).headers["Location"] == path_of("account")
    assert here.get(path_of("account")).status_code == 200
    assert elsewhere.get(path_of("account")).status_code == 302
    assert Activity.objects.filter(action=Action.PASSWORD_CHANGED).count() == 1


def test_a_password_is_not_changed_without_the_old_one(owner_client: Client, owner: Person) -> None:
    form = {"oldpassword": "wrong", "password1": "a new long one 8", "password2": "a new long one 8"}
    answer = owner_client.post(path_of("account_change_password"), form)
    assert b"a new long one 8" not in answer.content
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)
    assert not any("a new long one" in str(session.get_decoded()) for session in Session.objects.all())


def test_signing_out_ends_it(owner_client: Client) -> None:
    assert owner_client.get(path_of("account_logout")).status_code == 200
    assert owner_client.get(path_of("account")).status_code == 200  # the page alone ends nothing
    old_cookie = owner_client.cookies["hermesweb"].value
    response = owner_client.post(path_of("account_logout"))
    assert response.headers["Location"] == SIGN_IN
    assert response.headers["Clear-Site-Data"] == '"cache", "storage"'
    owner_client.cookies["hermesweb"] = old_cookie
    assert owner_client.get(path_of("account")).status_code == 302
    assert not Session.objects.filter(session_key=old_cookie).exists()


def test_there_is_no_sign_up(browser_of_nobody: Client, owner: Person) -> None:
    for address in ("/signup/", "/accounts/signup/", "/sign-up/"):
        assert browser_of_nobody.get(address).status_code == 404


def test_after_twenty_failures_an_address_has_to_wait(browser_of_nobody: Client, owner: Person) -> None:
    for _ in range(20):
        assert browser_of_nobody.post(SIGN_IN, credentials(password="wrong")).status_code == 200
    answer = browser_of_nobody.post(SIGN_IN, credentials())
    assert answer.status_code == 429
    assert b"Too many tries" in answer.content
    assert b'class="brand"' in answer.content
    assert SESSION_KEY not in browser_of_nobody.session


def test_another_address_is_not_locked_out(browser_of_nobody: Client, owner: Person) -> None:
    for _ in range(21):
        browser_of_nobody.post(SIGN_IN, credentials(password="wrong"), REMOTE_ADDR="192.0.2.1")
    assert browser_of_nobody.post(SIGN_IN, credentials(), REMOTE_ADDR="192.0.2.2").status_code == 302


def test_an_address_cannot_be_made_up(browser_of_nobody: Client, owner: Person) -> None:
    for number in range(21):
        answer = browser_of_nobody.post(
            SIGN_IN, credentials(password="wrong"), headers={"X-Forwarded-For": f"192.0.2.{number}"}
        )
    assert answer.status_code == 429


def test_right_sign_ins_do_not_count_as_failures(owner: Person) -> None:
    for _ in range(25):
        assert Client().post(SIGN_IN, credentials()).status_code == 302


def test_sixty_sign_ins_a_minute_are_enough(browser_of_nobody: Client, owner: Person) -> None:
    answers = [Client().post(SIGN_IN, credentials()).status_code for _ in range(61)]
    assert answers == [302] * 60 + [429]
