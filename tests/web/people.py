"""Fixtures for the web layer: the home that is configured, people, and clients signed in as them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from hermesweb.accounts.models import Person, ProfileAccess, SignInLink
from hermesweb.hermes.homes import Profile
from hermesweb.homes import find
from tests.home_builders import BuiltHome

PASSWORD = "a fine long password 7"
HOME = "hermes"  # the key of a home in a folder called .hermes


@pytest.fixture
def home(home_019: BuiltHome, monkeypatch: pytest.MonkeyPatch) -> BuiltHome:
    """The recorded home of 0.19 as the configured one: profiles "default" and "office"."""
    monkeypatch.setenv("HERMES_HOME", str(home_019.root))
    return home_019


@pytest.fixture
def profile(home: BuiltHome) -> Profile:
    return find(HOME, "office")


@pytest.fixture
def owner(db: None) -> Person:
    return Person.objects.create_superuser("mara", password=PASSWORD)


@pytest.fixture
def make_member(db: None) -> Callable[..., Person]:
    """make_member("joan", "office") -> somebody who is no owner and may see these profiles; with level="reviewer"
    only for reading."""

    def make(name: str, *profiles: str, level: str = "member") -> Person:
        person = Person.objects.create_user(name, password=PASSWORD)
        for profile in profiles:
            ProfileAccess.objects.create(person=person, home=HOME, profile=profile, level=level)
        return person

    return make


@pytest.fixture
def member(make_member: Callable[..., Person]) -> Person:
    """May see the profile "office" and nothing else."""
    return make_member("joan", "office")


@pytest.fixture
def reviewer(make_member: Callable[..., Person]) -> Person:
    """May read the profile "office" and nothing else."""
    return make_member("ruth", "office", level="reviewer")


@pytest.fixture
def signed_in(db: None) -> Callable[..., Client]:
    """signed_in(person) -> a client with that person's sign-in."""

    def make(person: Person, **options: Any) -> Client:
        client = Client(raise_request_exception=False, **options)
        response = client.post("/sign-in/", {"login": person.get_username(), "password": PASSWORD})
        assert response.status_code == 302, "signing in failed"
        return client

    return make


@pytest.fixture
def owner_client(signed_in: Callable[..., Client], owner: Person) -> Client:
    return signed_in(owner)


@pytest.fixture
def link_client(db: None) -> Client:
    """Signed in by the first link; no password is chosen yet."""
    client = Client(raise_request_exception=False)
    client.post(f"/first/{SignInLink.make()}/")
    return client


def confirm(client: Client) -> Client:
    """Give the password once more, as is asked before what cannot be taken back."""
    assert client.post("/account/confirm/", {"password": PASSWORD}).status_code == 302
    return client


def open_closed(client: Client, profile: str = "office") -> Client:
    """An owner opens a profile of others, with notice to them."""
    answer = confirm(client).post(f"/homes/{HOME}/{profile}/open/")
    assert answer.status_code == 302
    return client


def private_words(home: BuiltHome) -> list[str]:
    """The words that Hermes stored somewhere in the recorded home: none may appear where it is not shown."""
    return [each["word"] for each in home.manifest["canaries"]]


@pytest.fixture
def browser_of_nobody() -> Client:
    """A signed-out client that shows our own error pages instead of raising."""
    return Client(raise_request_exception=False)
