"""What every page has in common: its HTML holds nothing inline, is well formed, names its parts; its headers."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpResponse

from tests.web.household_pages import STATES
from tests.web.pages import EVERY_PAGE, PROBLEMS, elements

pytestmark = pytest.mark.django_db

Show = Callable[[str], HttpResponse]


@pytest.fixture(scope="module")
def shown() -> dict[str, HttpResponse]:
    """Each page is asked for once, by the first test that looks at it: looking changes nothing in it."""
    return {}


@pytest.fixture(params=EVERY_PAGE)
def response(request: pytest.FixtureRequest, shown: dict[str, HttpResponse]) -> HttpResponse:
    if request.param not in shown:
        show: Show = request.getfixturevalue("show")
        answer = show(request.param)
        assert answer.status_code == (PROBLEMS | STATES).get(request.param, 200)
        shown[request.param] = answer
    return shown[request.param]


def test_nothing_is_inline(response: HttpResponse) -> None:
    for tag, attributes in elements(response).tags:
        assert tag not in ("style", "iframe", "object", "embed", "base", "img")
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith(("on", "hx-on", "data-hx-on"))]
        if tag == "script":  # ours, or figures for one of them, which no browser runs
            data = attributes.get("type") == "application/json"
            assert data or (attributes.get("src") or "").startswith("/static/")
        for name in ("src", "href", "action", "hx-get", "hx-post"):
            assert (attributes.get(name) or "/").startswith(("/", "#", "?")), (tag, attributes)
            assert not (attributes.get(name) or "").startswith("//")


def test_ids_are_given_once_and_what_refers_to_one_finds_it(response: HttpResponse) -> None:
    tags = elements(response).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in tags:
        named = [attributes.get(name) or "" for name in ("for", "aria-labelledby", "aria-describedby")]
        named += [attributes.get("popovertarget") or ""]
        fragment = attributes.get("href") or ""
        named += [fragment[1:]] if fragment.startswith("#") else []
        assert set(" ".join(named).split()) <= set(ids)


def test_it_has_a_language_one_heading_and_a_title(response: HttpResponse) -> None:
    found = elements(response)
    assert ("html", {"lang": "en"}) in found.tags
    assert [tag for tag, _ in found.tags].count("h1") == 1
    assert next(text for around, text in found.texts if around[-1] == "title.").strip("· ") != "hermesweb"


def test_meters_and_progress_have_a_name(response: HttpResponse) -> None:
    tags = elements(response).tags
    labelled = {attributes["for"] for tag, attributes in tags if tag == "label"}
    for tag, attributes in tags:
        if tag in ("meter", "progress"):
            assert attributes.get("id") in labelled or attributes.get("aria-label")


def test_forms_carry_a_token(response: HttpResponse) -> None:
    html = response.content.decode()
    assert html.count('method="post"') == html.count("csrfmiddlewaretoken")


def test_no_page_is_the_librarys(response: HttpResponse) -> None:
    """Every page is one of ours; of others only what draws a field."""
    for template in getattr(response, "templates", []):
        origin = Path(template.origin.name)
        assert origin.is_relative_to(settings.BASE_DIR / "templates") or "widgets" in origin.parts, origin


def test_headers(response: HttpResponse) -> None:
    headers = response.headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert {
        policy[name] for name in ("script-src", "style-src", "img-src", "connect-src", "form-action")
    } == {"'self'"}
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


def test_cookies(response: HttpResponse) -> None:
    for name, cookie in response.cookies.items():
        assert name in ("hermesweb", "hermesweb-csrf")
        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"
        assert cookie["domain"] == ""
        assert cookie["path"] == "/"
