"""What the application is told about a request: by a known proxy, by anybody else, and below a path."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from hermesweb.environment import networks, sub_path
from hermesweb.front import behind

SAID = {
    "HTTP_X_FORWARDED_FOR": "203.0.113.9, 198.51.100.7",
    "HTTP_X_FORWARDED_PROTO": "https",
    "HTTP_X_FORWARDED_HOST": "evil.example",
    "HTTP_FORWARDED": "for=203.0.113.9",
    "HTTP_X_REAL_IP": "203.0.113.9",
}


def told(proxies: str = "", path: str = "", **environ: str) -> tuple[str, dict[str, Any], dict[str, str]]:
    """The status of the answer, what the application was told ({} if it was not asked), and the headers."""
    seen: list[dict[str, Any]] = []
    answers: list[tuple[str, list[tuple[str, str]]]] = []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.append(dict(environ))
        start_response("200 OK", [])
        return []

    asked = behind(application, networks({"P": proxies}, "P"), sub_path({"S": path}, "S"))
    request = {"REMOTE_ADDR": "127.0.0.1", "PATH_INFO": "/", "SCRIPT_NAME": "", **environ}
    assert list(asked(request, lambda status, headers: answers.append((status, headers)))) == []
    ((status, headers),) = answers
    return status[:3], seen[0] if seen else {}, dict(headers)


@pytest.mark.parametrize(
    ("proxies", "peer"),
    [("", "127.0.0.1"), ("1", "10.0.0.2"), ("10.0.0.2", "127.0.0.1"), ("10.1.0.0/16", "10.0.0.2"), ("1", "")],
)
def test_nothing_of_what_a_stranger_says_is_left(proxies: str, peer: str) -> None:
    _, environ, _ = told(proxies, REMOTE_ADDR=peer, **SAID)
    assert environ == {"REMOTE_ADDR": peer, "PATH_INFO": "/", "SCRIPT_NAME": ""}


@pytest.mark.parametrize(
    ("proxies", "peer"),
    [("1", "127.0.0.1"), ("yes", "::1"), ("10.0.0.2", "::ffff:10.0.0.2"), ("10.1.0.0/16,::1", "10.1.7.7")],
)
def test_a_known_proxy_is_believed_about_what_it_saw_itself(proxies: str, peer: str) -> None:
    _, environ, _ = told(proxies, REMOTE_ADDR=peer, **SAID)
    assert environ["REMOTE_ADDR"] == environ["HTTP_X_FORWARDED_FOR"] == "198.51.100.7"
    assert environ["HTTP_X_FORWARDED_PROTO"] == "https"


@pytest.mark.parametrize("said", ["", "unknown", "198.51.100.7, <b>"])
def test_a_proxy_that_names_no_address_stands_for_itself(said: str) -> None:
    _, environ, _ = told("1", HTTP_X_FORWARDED_FOR=said)
    assert environ == {"REMOTE_ADDR": "127.0.0.1", "PATH_INFO": "/", "SCRIPT_NAME": ""}


def test_below_a_path() -> None:
    status, environ, _ = told(path="/memory/", PATH_INFO="/memory/homes/")
    assert (status, environ["SCRIPT_NAME"], environ["PATH_INFO"]) == ("200", "/memory", "/homes/")
    status, environ, headers = told(path="/memory", PATH_INFO="/memory", QUERY_STRING="a=b")
    assert (status, environ, headers["Location"]) == ("308", {}, "/memory/?a=b")
    assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/homes/", "/memoryx/", "//memory/", "/Memory/", ""])
def test_beside_the_path_is_nothing(path: str) -> None:
    status, environ, _ = told(path="/memory", PATH_INFO=path)
    assert (status, environ) == ("404", {})


def test_at_the_root_the_path_is_left_alone() -> None:
    assert told(PATH_INFO="/memory/homes/")[1]["PATH_INFO"] == "/memory/homes/"


@pytest.mark.parametrize("value", ["memory", "//memory", "/a/../b", "/a b", "/.hidden", "/a?b", "/ä"])
def test_a_path_that_cannot_be_used_is_named(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="like /memory"):
        sub_path({"S": value}, "S")


@pytest.mark.parametrize("value", ["perhaps", "10.0.0.2/99", "10.0.0.1/8", "proxy.example"])
def test_a_proxy_that_is_no_address_is_named(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"10\.0\.0\.2"):
        networks({"P": value}, "P")
