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
from hermesweb.accounts.access import page
from hermesweb.accounts.models import Person, SignInLink
from hermesweb.jobs.models import Job
from tests.addresses import (
    ABOUT_PROFILES,
    ADDRESSES,
    POST_ONLY,
    PROFILE,
    Address,
    access_of,
    path_of,
    patterns,
)
from tests.home_builders import BuiltHome, fingerprints, recorded_home
from tests.web.people import HOME, PASSWORD, private_words

pytestmark = pytest.mark.django_db

BAD_NAMES = ["..", "%2e%2e", "%2e%2e%2fdefault", "%252e%252e", "a" * 5_000, "office%0A", "%0Aoffice", "%00"]
BAD_NAMES += ["Office", "office%20", "%ED%A0%80", "%FF", "~", "*", "office;x", "office%3Fx", "default."]
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
    body = response.getvalue() if response.streaming else response.content
    return Asked(response.status_code, TOKEN.sub(b"", body), response.headers.get("Location", ""))


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BuiltHome]:
    """One home for all of them, since asking changes nothing in it, which is looked at in the end."""
    built = recorded_home("0.19", tmp_path_factory.mktemp("home"))
    before = fingerprints(built.outer)
    yield built
    assert fingerprints(built.outer) == before


@pytest.fixture
def home(untouched: BuiltHome, monkeypatch: pytest.MonkeyPatch) -> BuiltHome:
    """It as the configured one: profiles "default" and "office"."""
    monkeypatch.setenv("HERMES_HOME", str(untouched.root))
    return untouched


@pytest.fixture
def client_of(
    home: BuiltHome,
    signed_in: Callable[..., Client],
    make_member: Callable[..., Person],
    browser_of_nobody: Client,
) -> Callable[[str], Client]:
    """client_of("member") -> a client of that kind of person: nobody, link (the first one, so that nobody has a
    password), stranger (no profile), other ("default" alone), member and reviewer of "office", owner, and closed:
    an owner while "office" has a member."""

    def make(kind: str) -> Client:
        if kind == "link":
            client = Client(raise_request_exception=False)
            client.post(path_of("first_link", token=SignInLink.make()))
            return client
        owner = Person.objects.create_superuser("mara", password=PASSWORD)
        if kind == "nobody":
            return browser_of_nobody
        profiles = {"stranger": [], "other": ["default"]}.get(kind, ["office"])
        if kind == "owner":  # of everything that is nobody's in particular
            return signed_in(owner)
        joan = make_member("joan", *profiles, level="reviewer" if kind == "reviewer" else "member")
        return signed_in(owner if kind == "closed" else joan)

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


def check_not_yours(name: str, client: Client, home: BuiltHome) -> None:
    """It answers like what is not there, and nothing of the profile was touched for that."""
    with WATCH.on(home.root) as opened:
        not_yours = ask(client, name, path_of(name, **values("office")))
        not_there = [ask(client, name, address) for address in missing_addresses(name)]
    assert not_yours.status == 404
    assert set(not_there) == {not_yours}
    assert not opened
    assert not [word for word in private_words(home) if word.encode() in not_yours.body]
    assert b"office" not in not_yours.body


@pytest.mark.parametrize("kind", ["stranger", "other"])
@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_what_is_not_yours_is_as_if_it_were_not_there(
    name: str, kind: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    check_not_yours(name, client_of(kind), home)


BY_GET = {"page": 200, "file": 200, "redirect": 302, "asks": 302, "word": 200}


@pytest.mark.parametrize("kind", ["member", "owner"])
@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_what_is_yours_answers(name: str, kind: str, client_of: Callable[[str], Client]) -> None:
    asked = ask(client_of(kind), name, path_of(name, **values("office")))
    address = ADDRESSES[name]
    expected = address.empty_post if name in POST_ONLY else BY_GET[address.get]
    assert asked.status == (404 if kind == "member" and access_of(name) == "owner" else expected)


@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_a_reviewer_reads_and_changes_nothing(
    name: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    client, address = client_of("reviewer"), path_of(name, **values("office"))
    before = fingerprints(home.outer)
    posted, got = client.post(address), client.get(address)
    assert fingerprints(home.outer) == before
    if access_of(name) == "owner":
        assert (posted.status_code, got.status_code) == (404, 404)
        return
    if name not in POST_ONLY:
        # Pages that are a form for a change say that there is nothing to be changed.
        assert got.status_code == (403 if name in FORMS_FOR_A_CHANGE else BY_GET[ADDRESSES[name].get])
    if name in READING:
        assert posted.status_code in (200, 302, 303, 400, 405, 422)
    else:
        assert posted.status_code in (403, 405)
        assert posted.status_code == 405 or b"You review this profile" in posted.content


# What a reviewer may post, since nothing of the home is changed by it. Anything new has to be added here on purpose.
READING = {"sessions", "search", "export", "export_file", "look_for_findings", "measure", "make_copy", "job"}
READING |= {"check_again"}
READING |= {"trace", "show_hit", "name_phrase", "forget_trace"}
FORMS_FOR_A_CHANGE = {"clear_memory", "tidy_memory", "delete_side_file", "deletion", "left_over"}
FORMS_FOR_A_CHANGE |= {
    f"clear{step}" for step in ("", "_choose", "_remote", "_hermes", "_export", "_confirm")
}


def test_only_what_changes_nothing_is_open_to_a_reviewers_post() -> None:
    marked = {name for name in ADDRESSES if getattr(patterns()[name].callback, "reading", False)}
    assert marked <= READING


@pytest.mark.parametrize("name", ABOUT_PROFILES)
def test_an_owner_reaches_a_profile_of_others_only_through_the_notice(
    name: str, client_of: Callable[[str], Client], home: BuiltHome
) -> None:
    client, address = client_of("closed"), path_of(name, **values("office"))
    door = path_of("open_with_notice", home=HOME, profile="office")
    with WATCH.on(home.root) as opened:
        got, posted = client.get(address), client.post(address)
    assert not [each for each in opened if "/office" in each]
    if name == "open_with_notice":
        assert got.headers["Location"].startswith(path_of("account_reauthenticate"))
        assert posted.headers["Location"].startswith(path_of("account_reauthenticate"))
        return
    if name not in POST_ONLY:
        assert got.status_code == 302
        assert got.headers["Location"].startswith(f"{door}?next=")
    assert posted.status_code in (403, 405)
    assert posted.status_code == 405 or b"This profile is not open to you" in posted.content


def test_every_address_of_a_profile_carries_its_check() -> None:
    of_profiles = {name for name, address in ADDRESSES.items() if "profile" in address.arguments}
    assert {name for name in of_profiles if access_of(name) != "profile"} == {"open_with_notice"}
    assert access_of("open_with_notice") == "owner"


def test_a_view_that_does_not_check_is_found(
    client_of: Callable[[str], Client], home: BuiltHome, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table of this file is worth something only if it sees a view that gives away what it should not."""

    @page
    def leak(request: HttpRequest, home: str, profile: str) -> HttpResponse:
        return HttpResponse(f"the memory of {profile}")

    module = types.ModuleType("leaking_urls")
    leaking = path("homes/<str:home>/<str:profile>/leak/", leak, name="leak")
    module.__dict__.update(vars(urls) | {"urlpatterns": [leaking, *urls.urlpatterns]})
    settings.ROOT_URLCONF = module
    monkeypatch.setitem(ADDRESSES, "leak", Address(PROFILE))
    with pytest.raises(AssertionError):
        check_not_yours("leak", client_of("other"), home)
    with pytest.raises(AssertionError):
        test_every_address_of_a_profile_carries_its_check()


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
    if access_of(name) == "owner" and kind != "owner":
        assert asked.status == 404
    elif name in POST_ONLY:
        assert asked.status == ADDRESSES[name].empty_post
    else:
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
