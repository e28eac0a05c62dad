"""The table of addresses is complete, and each address says which methods it takes."""

import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from hermesweb.accounts.models import SignInLink
from hermesweb.hermes.homes import Profile
from hermesweb.jobs.models import Job
from tests.addresses import ADDRESSES, PAGES, POST_ONLY, access_of, path_of, patterns
from tests.web.people import HOME

pytestmark = pytest.mark.django_db


def test_every_view_is_in_the_table() -> None:
    assert set(patterns()) == set(ADDRESSES)


def test_every_view_has_an_access_mark() -> None:
    assert {access_of(name) for name in ADDRESSES} == {"open", "page", "owner", "profile"}


def test_only_the_first_steps_are_open() -> None:
    opened = {name for name in ADDRESSES if access_of(name) == "open"}
    assert opened == {
        "health", "first_link_needed", "first_link", "join", "account_login", "mfa_authenticate",
        "mfa_login_webauthn",
    }  # fmt: skip


@pytest.mark.parametrize("name", POST_ONLY)
def test_what_changes_something_refuses_get(name: str, owner_client: Client, profile: Profile) -> None:
    job = Job.objects.create(kind="measure", home=HOME, profile="office")
    for ask in (owner_client.get, owner_client.head, owner_client.put, owner_client.delete):
        response = ask(path_of(name, home=HOME, profile="office", job=job.pk))
        assert response.status_code == 405
        assert response.headers["Allow"] == "POST"


@pytest.mark.parametrize(
    "name", sorted(set(PAGES) - {"first_link_needed", "first_link", "join"} - {"choose_password"})
)
def test_pages_answer_get(
    name: str, owner_client: Client, profile: Profile, browser_of_nobody: Client
) -> None:
    job = Job.objects.create(kind="measure", home=HOME, profile="office")
    client = browser_of_nobody if access_of(name) == "open" else owner_client
    response = client.get(path_of(name, home=HOME, profile="office", job=job.pk))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


def test_the_pages_of_the_first_start_answer_get(link_client: Client, browser_of_nobody: Client) -> None:
    assert browser_of_nobody.get(path_of("first_link_needed")).status_code == 200
    assert link_client.get(path_of("choose_password")).status_code == 200
    assert browser_of_nobody.get(path_of("first_link", token=SignInLink.make())).status_code == 200


def test_start_leads_to_the_only_profile_or_to_the_list(
    profile: Profile, owner_client: Client, signed_in: Callable[..., Client], member: object
) -> None:
    assert owner_client.get("/").headers["Location"] == path_of("homes")
    assert signed_in(member).get("/").headers["Location"] == path_of("overview", home=HOME, profile="office")


def test_a_job_that_never_was_is_not_there(owner_client: Client, profile: Profile) -> None:
    assert owner_client.get(path_of("job", job=uuid.uuid4())).status_code == 404
