"""“Confirm it is you”, tried on an address that exists in this test only."""

import time
import types

import pytest
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from hermesweb import urls
from hermesweb.accounts.access import page
from hermesweb.accounts.confirm import confirmed
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db

CONFIRM = "/account/confirm/"
ASKED = f"{CONFIRM}?next=%2Fdestroy%2F"


@page
@confirmed
def destroy(request: HttpRequest) -> HttpResponse:
    return HttpResponse("form" if request.method == "GET" else f"destroyed {request.POST['word']}")


@pytest.fixture(autouse=True)
def _address(settings: Settings) -> None:
    module = types.ModuleType("destroy_urls")
    module.__dict__.update(vars(urls) | {"urlpatterns": [path("destroy/", destroy), *urls.urlpatterns]})
    settings.ROOT_URLCONF = module


def confirm(client: Client, password: str = PASSWORD, **more: str) -> HttpResponse:
    return client.post(CONFIRM, {"password": password, **more})


def test_a_post_without_confirmation_is_dropped_and_nothing_of_it_is_kept(owner_client: Client) -> None:
    response = owner_client.post("/destroy/?word=velinaddress", {"word": "velprivate"})
    assert (response.status_code, response.headers["Location"]) == (302, ASKED)
    kept = [str(session.get_decoded()) for session in Session.objects.all()]
    assert kept
    assert not [text for text in kept if "vel" in text]


def test_confirming_shows_the_page_first_and_then_it_works(owner_client: Client) -> None:
    asked = owner_client.get("/destroy/").headers["Location"]
    assert asked == ASKED
    assert b"Confirm it is you" in owner_client.get(asked).content
    assert confirm(owner_client, next="/destroy/").headers["Location"] == "/destroy/"
    assert owner_client.get("/destroy/").content == b"form"
    assert owner_client.post("/destroy/", {"word": "velprivate"}).content == b"destroyed velprivate"


def test_a_fresh_sign_in_is_no_confirmation(owner_client: Client) -> None:
    assert owner_client.get("/destroy/").status_code == 302


def test_a_wrong_password_confirms_nothing(owner_client: Client) -> None:
    answer = confirm(owner_client, "wrong", next="/destroy/")
    assert b"That is not your password." in answer.content
    assert owner_client.get("/destroy/").status_code == 302


def test_it_is_good_for_ten_minutes(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    confirm(owner_client)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 590)
    assert owner_client.get("/destroy/").status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + 610)
    assert owner_client.get("/destroy/").status_code == 302
    assert owner_client.post("/destroy/", {"word": "x"}).status_code == 302


def test_it_leads_to_no_other_site(owner_client: Client) -> None:
    assert confirm(owner_client, next="https://evil.example/").headers["Location"] in ("/", "/homes/")


def test_it_is_bound_to_this_sign_in(owner_client: Client) -> None:
    confirm(owner_client)
    owner_client.post("/sign-out/")
    owner_client.post("/sign-in/", {"login": "mara", "password": PASSWORD})
    assert owner_client.get("/destroy/").status_code == 302


def test_guessing_is_limited(owner_client: Client) -> None:
    answers = [confirm(owner_client, "wrong").status_code for _ in range(21)]
    assert answers[-1] == 429
    assert confirm(owner_client).status_code == 429
