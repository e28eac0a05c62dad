"""Who sees what, generated from the list of addresses: every address × every kind of person × every name."""

import os
import re
import sys
import types
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from hermesweb import urls
from hermesweb.accounts.models import Person, SignInLink
from hermesweb.jobs.models import Job
from tests.addresses import ABOUT_PROFILES, ADDRESSES, POST_ONLY, access_of, path_of
from tests.home_builders import BuiltHome
from tests.web.people import HOME, PASSWORD, private_words

pytestmark = pytest.mark.django_db

BAD_NAMES = ["..", "%2e%2e", "%2e%2e%2fdefault", "%252e%252e", "a" * 5_000, "office%0A", "%0Aoffice", "%00"]
BAD_NAMES += ["Office", "office%20", "%ED%A0%80", "%FF", "~", "*", "office;x", "office%3Fx", "default."]
KINDS = ["nobody", "link", "stranger", "other", "member", "owner"]
CLOSED = [name for name in ADDRESSES if access_of(name) != "open"]
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')


class Watch:
    """Which files and folders below a folder are opened or listed while it looks."""

    def __init__(self) -> None:
        self.below = ""
        self.seen: list[str] = []
        sys.addaudithook(self.hear)  # can never be taken off again, so there is one

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.below and event in ("open", "os.scandir", "os.listdir", "sqlite3.connect") and arguments:
            what = arguments[0]
            text = os.fsdecode(what) if isinstance(what, str | bytes | os.PathLike) else ""
            if self.below in text:
                self.seen.append(f"{event} {text}")

    @contextmanager
    def on(self, folder: object) -> Iterator[list[str]]:
        self.below, self.seen = str(folder), []
        try:
            yield self.seen
        finally:
            self.below = ""


WATCH = Watch()


@dataclass(frozen=True)
class Asked:
    status: int
    body: bytes
    location: str


def ask(client: Client, name: str, address: str) -> Asked:
    response = (client.post if name in POST_ONLY else client.get)(address)
    return Asked(response.status_code, TOKEN.sub(b"", response.content), response.headers.get("Location", ""))


@pytest.fixture
def client_of(
    home: BuiltHome,
    signed_in: Callable[..., Client],
    make_member: Callable[..., Person],
    browser_of_nobody: Client,
) -> Callable[[str], Client]:
    """client_of("member") -> a client of that kind of person. Only with "link" nobody has a password."""

    def make(kind: str) -> Client:
        if kind == "link":
            client = Client(raise_request_exception=False)
            client.post(path_of("first_link", token=SignInLink.make()))
            return client
        owner = Person.objects.create_superuser("mara", password=PASSWORD)
        if kind == "nobody":
            return browser_of_nobody
        profiles = {"stranger": [], "other": ["default"], "member": ["office"]}
        return signed_in(owner if kind == "owner" else make_member("joan", *profiles[kind]))

    return make


def values(profile: str) -> dict[str, object]:
    job = Job.objects.create(kind="measure", home=HOME, profile=profile)
    return {"home": HOME, "profile": profile, "job": job.pk}


def missing_addresses(name: str) -> list[str]:
    """Addresses of this name that lead nowhere, each with its own reason."""
    nowhere = "NOWHERE"
    if "job" in ADDRESSES[name].arguments:
        gone = Job.objects.create(kind="measure", home=HOME, profile="attic")
        return [path_of(name, job=uuid.uuid4()), path_of(name, job=gone.pk)]
    of_home = path_of(name, home=nowhere, profile="office")
    of_profile = path_of(name, home=HOME, profile=nowhere)
    names = ["attic", *BAD_NAMES]
    return [address.replace(nowhere, bad) for bad in names for address in (of_home, of_profile)]


@pytest.mark.parametrize("name", CLOSED)
def test_signed_out_gets_nothing_but_the_way_to_sign_in(
    name: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    client = client_of("nobody")
    for profile in ("office", "attic"):
        address = path_of(name, **values(profile))
        with WATCH.on(home.root) as opened:
            asked = ask(client, name, address)
        assert not opened
        if name in POST_ONLY:
            assert asked.status == 403
            assert b"You are signed out" in asked.body
        else:
            assert (asked.status, asked.location) == (302, f"/sign-in/?next={address}")
            assert asked.body == b""


@pytest.mark.parametrize("name", CLOSED)
def test_the_first_link_opens_only_the_choice_of_a_password(
    name: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    client = client_of("link")
    with WATCH.on(home.root) as opened:
        asked = ask(client, name, path_of(name, **values("office")))
    assert not opened
    if name == "choose_password":
        assert asked.status == 200
    else:
        assert (asked.status, asked.location) == (302, path_of("choose_password"))


@pytest.mark.parametrize("kind", ["stranger", "other"])
@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_what_is_not_yours_is_as_if_it_were_not_there(
    name: str, kind: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    client = client_of(kind)
    with WATCH.on(home.root) as opened:
        not_yours = ask(client, name, path_of(name, **values("office")))
        not_there = [ask(client, name, address) for address in missing_addresses(name)]
    assert not_yours.status == 404
    assert set(not_there) == {not_yours}
    assert not opened
    assert not [word for word in private_words(home) if word.encode() in not_yours.body]
    assert b"office" not in not_yours.body


@pytest.mark.parametrize("kind", ["member", "owner"])
@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_what_is_yours_answers(name: str, kind: str, client_of: Callable[[str], Client]) -> None:
    asked = ask(client_of(kind), name, path_of(name, **values("office")))
    address = ADDRESSES[name]
    by_get = {"page": 200, "file": 200, "redirect": 302}
    assert asked.status == (address.empty_post if name in POST_ONLY else by_get[address.get])


@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_a_member_does_not_reach_the_profile_beside(
    name: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    client = client_of("member")
    with WATCH.on(home.root) as opened:
        assert ask(client, name, path_of(name, **values("default"))).status == 404
    assert not opened


@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_for_an_owner_bad_names_lead_nowhere_and_open_nothing(
    name: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    client = client_of("owner")
    with WATCH.on(home.root) as opened:
        answers = {ask(client, name, address).status for address in missing_addresses(name)}
    assert answers == {404}
    assert not opened


@pytest.mark.parametrize("kind", ["stranger", "other", "member", "owner"])
@pytest.mark.parametrize("name", sorted(set(CLOSED) - set(ABOUT_PROFILES)))
def test_pages_of_no_profile_hold_no_private_word(
    name: str, kind: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    asked = ask(client_of(kind), name, path_of(name, **values("office")))
    assert asked.status in (200, 302)
    # All that waits in the profiles one may see, and only "default" has anything waiting.
    shows_words = name == "all_pending" and kind in ("other", "owner")
    assert bool([word for word in private_words(home) if word.encode() in asked.body]) == shows_words


def test_the_list_of_homes_names_only_what_one_may_see(client_of: Callable[[str], Client]) -> None:
    client = client_of("member")
    body = client.get(path_of("homes")).content.decode()
    assert path_of("overview", home=HOME, profile="office") in body
    assert path_of("overview", home=HOME, profile="default") not in body
    assert "default" not in body


def test_the_activity_of_others_is_not_shown(
    client_of: Callable[[str], Client], signed_in: Callable[..., Client]
) -> None:
    joan = client_of("member")
    signed_in(Person.objects.get(username="mara")).get(path_of("overview", home=HOME, profile="default"))
    lines = joan.get(path_of("activity")).content.decode()
    assert "joan" in lines
    assert "mara" not in lines
    assert "default" not in lines


def test_somebody_who_was_switched_off_is_signed_out(client_of: Callable[[str], Client]) -> None:
    client = client_of("member")
    Person.objects.filter(username="joan").update(is_active=False)
    response = client.get(path_of("overview", home=HOME, profile="office"))
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/sign-in/")


def test_a_view_without_an_access_mark_is_refused(
    client_of: Callable[[str], Client], settings: Settings
) -> None:
    def forgotten(request: HttpRequest) -> HttpResponse:
        return HttpResponse("velvet secret")

    module = types.ModuleType("forgotten_urls")
    module.__dict__.update(vars(urls) | {"urlpatterns": [path("forgotten/", forgotten), *urls.urlpatterns]})
    settings.ROOT_URLCONF = module
    for kind in ("owner", "nobody"):
        Person.objects.all().delete()
        response = client_of(kind).get("/forgotten/")
        assert response.status_code == 500
        assert b"velvet secret" not in response.content
