"""Behind a real nginx with TLS, from the examples in deploy/: at a name of its own, and below a path."""

import http.client
import re
import ssl
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest

from tests.home_builders import recorded_home
from tests.processes.nginx import PROXY, Browser, Nginx, start_nginx
from tests.web.people import PASSWORD
from tests.web.server import Server, Visitor

pytestmark = pytest.mark.nginx

LINKS = re.compile(r'\b(?:href|src|action|hx-get|hx-post)="([^"]*)"')
PAGES = ["homes/", "account/", "activity/", "pending/", "homes/hermes/office/", "homes/hermes/office/memory/"]
PAGES += ["homes/hermes/office/sessions/", "homes/hermes/office/search/", "homes/hermes/office/pending/"]


@dataclass(frozen=True)
class Site:
    server: Server
    nginx: Nginx
    path: str  # of the first page, with a slash at its end

    def link(self) -> str:
        """The path of the sign-in link that was printed."""
        (link,) = re.findall(rf"https://{re.escape(self.nginx.name)}(/\S*first/\S+)", self.server.printed())
        return str(link)

    def sign_in(self, browser: Browser) -> Browser:
        """The first time by the link, which makes a password, and by that afterwards."""
        if self.server.ask_database("SELECT 1 FROM accounts_person WHERE username = 'mara'"):
            assert browser.get(f"{self.path}sign-in/").status == 200
            known = {"login": "mara", "password": PASSWORD}
            assert browser.post(f"{self.path}sign-in/", known).location == f"{self.path}homes/"
            return browser
        link = self.link()
        assert browser.get(link).status == 200
        assert browser.post(link).location == f"{self.path}account/choose-password/"
        assert browser.get(f"{self.path}account/choose-password/").status == 200
        form = {"username": "mara", "password1": PASSWORD, "password2": PASSWORD}
        assert browser.post(f"{self.path}account/choose-password/", form).location == f"{self.path}homes/"
        return browser


@pytest.fixture(scope="module", params=["root", "path"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One for all tests: none of them changes what another looks at."""
    below, folder = request.param == "path", tmp_path_factory.mktemp("nginx")
    name = "box.example.org" if below else "memory.example.org"
    home = recorded_home("0.19", folder / "home").root
    environ = {"HERMES_HOME": str(home), "HERMESWEB_HOSTS": name, "HERMESWEB_TRUSTED_PROXY": PROXY}
    environ |= {"DJANGO_SETTINGS_MODULE": "tests.web.slow.settings"}
    server = Server(folder / "data", environ | ({"HERMESWEB_PATH": "/memory"} if below else {}))
    example = "nginx-path.conf" if below else "nginx.conf"
    try:
        server.start().ready()
        nginx = start_nginx(example, name, folder / "nginx", server.port)
        yield Site(server, nginx, "/memory/" if below else "/")
        nginx.end()
    finally:
        server.end()


def test_it_works(site: Site) -> None:
    mara = site.sign_in(site.nginx.browser())
    checked = set()
    for page in PAGES:
        reply = mara.get(site.path + page)
        assert reply.status == 200, page
        assert reply.headers["Strict-Transport-Security"]
        for link in LINKS.findall(reply.body):
            assert not link.startswith("/") or link.startswith(site.path), (page, link)
            if link.startswith(f"{site.path}static/"):
                checked.add(link)
    for link in checked:
        reply = mara.get(link)
        assert reply.status == 200, link
        assert reply.headers["Cache-Control"] != "no-store"
    assert len(checked) > 2
    assert mara.post(f"{site.path}homes/hermes/office/measure/").location.startswith(f"{site.path}jobs/")
    assert mara.get(site.path).location == f"{site.path}homes/"
    assert mara.post(f"{site.path}sign-out/").location == f"{site.path}sign-in/"
    assert mara.get(f"{site.path}homes/").location == f"{site.path}sign-in/?next={site.path}homes/"


def test_cookies_are_for_this_path_and_for_tls_alone(site: Site) -> None:
    mara = site.sign_in(site.nginx.browser())
    start = "__Secure-" if site.path != "/" else "__Host-"
    assert set(mara.cookies) == {f"{start}hermesweb", f"{start}hermesweb-csrf"}
    for cookie in mara.set_cookies:
        assert {"Secure", "HttpOnly", f"Path={site.path}", "SameSite=Strict"} <= set(cookie.split("; ")), (
            cookie
        )


def test_another_name_is_refused(site: Site) -> None:
    browser = site.nginx.browser()
    assert browser.get(site.path, Host="evil.example").status == 400
    elsewhere = Browser(Nginx(site.nginx.folder, "evil.example", site.nginx.port, 0, site.nginx.process))
    with pytest.raises(ssl.SSLError):
        elsewhere.get(site.path)
    # And when somebody configures the proxy to pass on whatever it is asked for:
    assert Visitor(site.server.port).get(site.path, Host="evil.example").status == 400
    assert Visitor(site.server.port).get(site.path, **{"X-Forwarded-Host": "evil.example"}).location == (
        f"https://hermesweb.localhost:{site.server.port}{site.path}"
    )


def test_plain_http_leads_to_tls(site: Site) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", site.nginx.plain_port, timeout=30)) as connection:
        connection.request("GET", f"{site.path}homes/?a=b", headers={"Host": site.nginx.name})
        answer = connection.getresponse()
    assert answer.status == 308
    assert answer.headers["Location"] == f"https://{site.nginx.name}{site.path}homes/?a=b"


def test_a_stranger_is_not_believed_to_be_a_proxy(site: Site) -> None:
    """Somebody on this machine asks the server itself, and says that TLS was there and who it is."""
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9", "Host": site.nginx.name}
    reply = Visitor(site.server.port).get(f"{site.path}sign-in/", **said)
    assert (reply.status, reply.location) == (301, f"https://{site.nginx.name}{site.path}sign-in/")
    assert not reply.headers["Set-Cookie"]


def test_the_address_is_the_one_that_nginx_saw(site: Site) -> None:
    site.sign_in(Browser(site.nginx, source="127.0.0.77"))
    guest = Browser(site.nginx, source="127.0.0.66")
    guest.get(f"{site.path}sign-in/", **{"X-Forwarded-For": "203.0.113.9"})
    wrong = {"login": "mara", "password": "wrong"}
    guest.post(f"{site.path}sign-in/", wrong, **{"X-Forwarded-For": "203.0.113.9"})
    addresses = {row[0] for row in site.server.ask_database("SELECT address FROM activity_activity")}
    assert {"127.0.0.77", "127.0.0.66"} <= addresses
    assert not addresses & {"203.0.113.9", PROXY}


def test_whether_it_is_up_can_be_asked_without_tls(site: Site) -> None:
    from tests.web.server import wait_for

    wait_for(lambda: Visitor(site.server.port).get(f"{site.path}health/").status == 200)
    assert site.nginx.browser().get(f"{site.path}health/").body == "ok\n"
