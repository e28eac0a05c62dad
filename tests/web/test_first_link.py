"""The first sign-in: a link that only POST spends, then a name and a password."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from hermesweb.accounts.models import Person, SignInLink, somebody_has_a_password
from hermesweb.activity.models import Action, Activity
from tests.addresses import path_of
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db


def link() -> str:
    return path_of("first_link", token=SignInLink.make())


def test_it_works(browser_of_nobody: Client) -> None:
    response = browser_of_nobody.post(link())
    assert response.headers["Location"] == path_of("choose_password")
    form = {"username": "mara", "password1": PASSWORD, "password2": PASSWORD}
    response = browser_of_nobody.post(path_of("choose_password"), form)
    assert response.headers["Location"] == path_of("homes")
    person = Person.objects.get()
    assert (person.username, person.is_owner, person.check_password(PASSWORD)) == ("mara", True, True)
    assert browser_of_nobody.get(path_of("account")).status_code == 200
    assert not SignInLink.objects.exists()
    assert {line.action for line in Activity.objects.all()} == {Action.SIGNED_IN_BY_LINK, Action.PASSWORD_SET}


def test_nobody_has_a_password_so_every_page_leads_to_the_hint(browser_of_nobody: Client) -> None:
    for address in ("/", "/homes/", "/account/", "/homes/hermes/office/"):
        assert browser_of_nobody.get(address).headers["Location"] == path_of("first_link_needed")
    assert b"it prints a fresh one" in browser_of_nobody.get(path_of("first_link_needed")).content


def test_a_preview_does_not_spend_it(browser_of_nobody: Client) -> None:
    address = link()
    for _ in range(3):
        assert browser_of_nobody.get(address).status_code == 200
        assert browser_of_nobody.head(address).status_code == 200
    assert not Person.objects.exists()
    assert browser_of_nobody.post(address).status_code == 302


def test_a_second_post_is_too_late(browser_of_nobody: Client) -> None:
    address = link()
    browser_of_nobody.post(address)
    another = Client()
    assert another.post(address).status_code == 410
    assert another.get(address).status_code == 410
    assert "_auth_user_id" not in another.session


def test_a_start_makes_the_link_of_the_start_before_useless(browser_of_nobody: Client) -> None:
    earlier, later = link(), link()
    assert browser_of_nobody.post(earlier).status_code == 410
    assert browser_of_nobody.post(later).status_code == 302


def test_it_works_for_a_day(browser_of_nobody: Client) -> None:
    address = link()
    assert SignInLink.objects.get().until - timezone.now() > timedelta(hours=23, minutes=59)
    SignInLink.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert browser_of_nobody.get(address).status_code == 410
    assert browser_of_nobody.post(address).status_code == 410


@pytest.mark.parametrize("token", ["wrong", "a" * 5_000, "%00", "%ED%A0%80", "..", "%0A"])
def test_a_wrong_one_opens_nothing(token: str, browser_of_nobody: Client) -> None:
    SignInLink.make()
    for ask in (browser_of_nobody.get, browser_of_nobody.post):
        response = ask(f"/first/{token}/")
        assert response.status_code == 410
        assert b"does not work any more" in response.content
    assert not Person.objects.exists()


def test_it_stops_when_somebody_has_a_password(browser_of_nobody: Client, owner: Person) -> None:
    address = link()
    assert browser_of_nobody.get(address).status_code == 410
    assert browser_of_nobody.post(address).status_code == 410
    assert browser_of_nobody.get(path_of("first_link_needed")).headers["Location"] == path_of("account_login")


def test_only_a_digest_is_kept() -> None:
    token = SignInLink.make()
    assert token not in str(SignInLink.objects.values().get())


def test_the_owner_without_a_password_is_used_again(browser_of_nobody: Client) -> None:
    browser_of_nobody.post(link())
    Client().post(link())
    assert Person.objects.count() == 1
    assert not somebody_has_a_password()


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_tries_one_works() -> None:
    token = SignInLink.make()
    ready, results = threading.Barrier(4), []

    def try_it() -> None:
        ready.wait()
        results.append(SignInLink.spend(token))
        connection.close()

    threads = [threading.Thread(target=try_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [False, False, False, True]


@pytest.mark.parametrize(
    ("username", "password", "words"),
    [
        ("mara", "short1", "too short"),
        ("mara", "password1234", "too common"),
        ("mara-of-the-hill", "mara-of-the-hill", "too similar"),
        ("", PASSWORD, "required"),
        ("a b", PASSWORD, "valid username"),
    ],
)
def test_a_weak_choice_is_refused(username: str, password: str, words: str, link_client: Client) -> None:
    form = {"username": username, "password1": password, "password2": password}
    response = link_client.post(path_of("choose_password"), form)
    assert response.status_code == 422
    assert words in response.content.decode()
    assert password not in response.content.decode().replace(f'value="{username}"', "")
    assert not somebody_has_a_password()


def test_two_different_passwords_are_refused(link_client: Client) -> None:
    form = {"username": "mara", "password1": PASSWORD, "password2": PASSWORD + "!"}
    assert link_client.post(path_of("choose_password"), form).status_code == 422
    assert not somebody_has_a_password()


def test_a_name_that_is_taken_is_refused(link_client: Client, make_member: Callable[..., Person]) -> None:
    taken = make_member("Mara")
    taken.set_unusable_password()
    taken.save()
    form = {"username": "mara", "password1": PASSWORD, "password2": PASSWORD}
    response = link_client.post(path_of("choose_password"), form)
    assert response.status_code == 422
    assert b"Somebody else has this name." in response.content


def test_who_has_a_password_changes_it_on_its_own_page(owner_client: Client) -> None:
    for ask in (owner_client.get, owner_client.post):
        assert ask(path_of("choose_password")).headers["Location"] == path_of("account_change_password")
