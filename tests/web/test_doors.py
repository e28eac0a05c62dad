"""Case C17 and C18: hosts, tokens, foreign sites, static files, ids shaped like paths."""

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from hermesweb.accounts.models import Person
from hermesweb.hermes.ids import encode_id
from tests.addresses import path_of
from tests.home_builders import BuiltHome, fingerprints
from tests.web.people import HOME, PASSWORD

pytestmark = pytest.mark.django_db

SIGN_IN = "/sign-in/"
MEASURE = f"/homes/{HOME}/office/measure/"


@pytest.fixture
def strict(owner: Person, home: BuiltHome) -> Client:
    """Signed in as an owner; the check of form tokens is on, as in a real server."""
    client = Client(
        enforce_csrf_checks=True, raise_request_exception=False, headers={"Host": "localhost:8642"}
    )
    page = client.get(SIGN_IN)
    form = {"login": "mara", "password": PASSWORD, "csrfmiddlewaretoken": token_in(page.content)}
    assert client.post(SIGN_IN, form).status_code == 302
    return client


def token_in(page: bytes) -> str:
    found = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found
    return found[1].decode()


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "evil.example:8642", "", "a b", "0"]
)
def test_a_foreign_host_is_refused(host: str, owner_client: Client) -> None:
    for address in ("/", SIGN_IN, "/activity/", "/static/nothing"):
        response = owner_client.get(address, headers={"Host": host})
        assert response.status_code == 400, address
        assert b"was not understood" in response.content
        assert b"evil" not in response.content


@pytest.mark.parametrize(
    "host", ["hermesweb.localhost:8642", "localhost:1", "127.0.0.1:8642", "[::1]:8642", "LOCALHOST"]
)
def test_our_own_hosts_are_served(host: str, owner: Person, browser_of_nobody: Client) -> None:
    assert browser_of_nobody.get(SIGN_IN, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ('name="a"; filename="b"', b"hello"),
        ('name="a"', b"hello " * 900_000),
        ('name="a"; filename="b"', b""),
    ],
)
def test_no_file_is_taken(name: str, content: bytes, browser_of_nobody: Client) -> None:
    """Before anybody has signed in, a stranger could fill the folder for temporary files."""
    body = f"--x\r\nContent-Disposition: form-data; {name}\r\n\r\n".encode() + content + b"\r\n--x--\r\n"
    answer = browser_of_nobody.post(SIGN_IN, body, content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 400
    assert b"was not understood" in answer.content


@pytest.mark.parametrize(("host", "status"), [("localhost", 301), ("evil.example", 400)])
def test_what_is_answered_before_any_page_is_kept_by_nobody(
    host: str, status: int, settings: Settings, browser_of_nobody: Client
) -> None:
    """Plain HTTP where there is TLS: the address may be that of a link that signs in."""
    settings.SECURE_SSL_REDIRECT = True
    browser_of_nobody.handler.load_middleware()  # reads the setting
    answer = browser_of_nobody.get("/first/abc/", headers={"Host": host})
    assert answer.status_code == status
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_another_host_in_a_forwarded_header_changes_nothing(owner_client: Client) -> None:
    response = owner_client.get("/account/", headers={"X-Forwarded-Host": "evil.example"})
    assert response.status_code == 200
    assert b"evil.example" not in response.content


def test_a_post_without_a_token_is_refused(strict: Client) -> None:
    for address in (MEASURE, "/sign-out/", "/account/password/", SIGN_IN):
        response = strict.post(address)
        assert response.status_code == 403
        assert b"This form did not come from a page of hermesweb" in response.content
    assert strict.get("/account/").status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:9999", "http://127.0.0.1:8642"]
)
def test_a_post_from_another_origin_is_refused_even_with_the_token(origin: str, strict: Client) -> None:
    token = token_in(strict.get("/account/password/").content)
    response = strict.post(MEASURE, {"csrfmiddlewaretoken": token}, headers={"Origin": origin})
    assert response.status_code == 403


def test_a_post_from_our_own_origin_works(strict: Client) -> None:
    token = token_in(strict.get("/account/password/").content)
    response = strict.post(
        MEASURE, {"csrfmiddlewaretoken": token}, headers={"Origin": "http://localhost:8642"}
    )
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/jobs/")


def test_a_link_on_another_site_comes_again_from_our_own_page(
    browser_of_nobody: Client, owner: Person
) -> None:
    response = browser_of_nobody.get("/activity/?before=7&x=%22", headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 200
    assert b'<meta http-equiv="refresh" content="0; url=/activity/?before=7&amp;x=%22">' in response.content
    assert b"hermesweb" not in response.cookies.output().encode()


@pytest.mark.parametrize(
    "address", ["//evil.example/", "/%0d%0aSet-Cookie:x", "/\\evil.example/", "/;url=https://evil.example"]
)
def test_coming_again_stays_here(address: str, browser_of_nobody: Client) -> None:
    response = browser_of_nobody.get("/", PATH_INFO=address, headers={"Sec-Fetch-Site": "cross-site"})
    target = re.search(r'content="0; url=([^"]*)"', response.content.decode())
    assert target
    assert target[1].startswith("/")
    assert not target[1].startswith(("//", "/\\"))


def test_who_is_signed_in_does_not_come_again(owner_client: Client) -> None:
    response = owner_client.get("/account/", headers={"Sec-Fetch-Site": "cross-site"})
    assert b"You are signed in as" in response.content


def test_htmx_is_led_to_the_sign_in_instead_of_being_given_its_page(
    browser_of_nobody: Client, owner: Person
) -> None:
    response = browser_of_nobody.get("/account/", headers={"HX-Request": "true"})
    assert response.headers["HX-Redirect"] == SIGN_IN


def test_static_files_are_open_to_our_own_pages_only(browser_of_nobody: Client) -> None:
    response = browser_of_nobody.get("/static/app.css")
    assert response.status_code == 200
    assert "Access-Control-Allow-Origin" not in response.headers
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "max-age=0, public"
    response.close()


@pytest.mark.parametrize(
    "address",
    [
        "/static/../manage.py",
        "/static/%2e%2e/manage.py",
        "/static/",
        "/static/../hermesweb/settings.py",
        "/.env",
    ],
)
def test_no_other_file_is_served(address: str, owner_client: Client) -> None:
    assert owner_client.get(address).status_code == 404


@pytest.mark.parametrize(
    "odd",
    ["../../victim", "/etc/passwd", "a%2f..%2fb", "a" * 5_000, "one\ntwo", "..", ".", "-", "%00", "\udcff"],
)
def test_ids_shaped_like_paths_lead_nowhere_and_touch_nothing(
    odd: str, owner_client: Client, home: BuiltHome
) -> None:
    before = fingerprints(home.outer)
    typed = odd.replace("%", "%25").replace("\n", "%0A").replace("\udcff", "%FF")
    for part in (typed, encode_id(odd)):
        for address in (
            f"/homes/{HOME}/{part}/",
            f"/homes/{part}/office/memory/",
            f"/jobs/{part}/",
            f"/jobs/{part}/cancel/",
            f"/homes/{HOME}/office/{part}/",
        ):
            assert owner_client.get(address).status_code == 404
            assert owner_client.post(address).status_code in (404, 405)
    assert fingerprints(home.outer) == before


def test_cookies_belong_to_us_alone(owner_client: Client) -> None:
    assert set(owner_client.cookies) <= {"hermesweb", "hermesweb-csrf"}
    assert settings.LANGUAGE_COOKIE_SAMESITE == "Strict"


def test_reading_a_home_changes_nothing(owner_client: Client, home: BuiltHome) -> None:
    before = fingerprints(home.outer)
    for profile in ("office", "default"):
        for name in ("overview", "memory"):
            assert owner_client.get(path_of(name, home=HOME, profile=profile)).status_code == 200
    assert fingerprints(home.outer) == before


def test_a_member_cannot_see_another_home_by_its_key(
    make_member: Callable[..., Person], signed_in: Callable[..., Client], home: BuiltHome
) -> None:
    client = signed_in(make_member("joan", "office"))
    assert client.get("/homes/Hermes/office/").status_code == 404
    assert client.get("/homes/hermes-1/office/").status_code == 404
