"""Every page as HTML, and what can be read from it."""

from collections.abc import Callable, Iterator
from html.parser import HTMLParser

import pytest
from django.http import HttpResponse
from django.test import Client

from hermesweb.accounts.models import Person, SignInLink
from hermesweb.hermes.homes import Profile
from hermesweb.jobs.models import Job
from tests.addresses import ASKING, PAGES, access_of, path_of
from tests.web.clearing_pages import CLEARING, clearing_page
from tests.web.household_pages import STATES, asking_page, state_page
from tests.web.people import HOME, PASSWORD

JOB_STATES = ["waiting", "running", "done", "failed", "cancelled"]
PROBLEMS = {"400": 400, "403": 403, "404": 404, "429": 429, "500": 500, "signed_out": 403, "come_again": 200}
PROBLEMS |= {"no_home": 200, "first_link_spent": 410, "weak_password": 422, "wrong_password": 200}
VOID = {"meta", "link", "input", "br", "img", "hr", "wbr"}


class Elements(HTMLParser):
    """The start tags of a page with their attributes, and its texts with the elements around them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.around: list[tuple[str, str]] = []
        self.feed(html)
        self.close()
        assert not self.around, f"not closed: {self.around}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in <{tag}>"
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.around.append((tag, dict(attrs).get("class") or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.around, f"</{tag}> closes nothing"
        opened, _ = self.around.pop()
        assert opened == tag, f"</{tag}> closes <{opened}>"

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((tuple(f"{tag}.{classes}" for tag, classes in self.around), data))


def elements(response: HttpResponse) -> Elements:
    return Elements(response.content.decode())


def tags(html: str, name: str) -> Iterator[dict[str, str | None]]:
    return (attributes for tag, attributes in Elements(html).tags if tag == name)


@pytest.fixture
def show(
    profile: Profile, signed_in: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], HttpResponse]:
    """show("memory"), show("job:running"), show("404") -> that page, asked for by somebody who may see it."""

    def make(page: str) -> HttpResponse:
        nobody = Client(raise_request_exception=False)
        if page in ("first_link_needed", "first_link", "choose_password", "weak_password"):
            link = path_of("first_link", token=SignInLink.make())
            if page == "first_link_needed":
                return nobody.get(path_of(page))
            if page == "first_link":
                return nobody.get(link)
            nobody.post(link)
            if page == "choose_password":
                return nobody.get(path_of(page))
            return nobody.post(
                path_of("choose_password"), {"username": "m", "password1": "1", "password2": "1"}
            )
        owner = Person.objects.create_superuser("mara", password=PASSWORD)
        if page in CLEARING:
            return clearing_page(page, signed_in(owner), profile, monkeypatch)
        if page in PROBLEMS:
            return problem(page, nobody, signed_in(owner), monkeypatch)
        if page in STATES:
            return state_page(page, owner, signed_in(owner), signed_in)
        if page in ASKING:
            return asking_page(page, owner, signed_in(owner))
        if page.startswith("pending:"):  # of the profile in which something waits
            path = path_of("pending", home=HOME, profile="default")
            return signed_in(owner).get(path + QUEUE_STATES[page.removeprefix("pending:")])
        name, _, state = page.partition(":")
        job = Job.objects.create(kind="measure", home=HOME, profile="office", **OUTCOMES.get(state, {}))
        client = nobody if access_of(name) == "open" else signed_in(owner)
        return client.get(path_of(name, home=HOME, profile="office", job=job.pk))

    return make


OUTCOMES = {
    "waiting": {},
    "running": {"state": "running", "step": "count", "done": 7},
    "copying": {"state": "running", "step": "copy", "done": 7, "total": 9, "kind": "work_copy"},
    "silent": {"state": "running", "step": "count", "heartbeat": "2026-01-01T00:00:00Z"},
    "done": {"state": "done", "outcome": {"groups": {"memory": [2, 700]}, "complete": True}},
    "failed": {"state": "failed", "outcome": {"problem": "NoSuchProfile"}},
    "cancelled": {"state": "cancelled"},
}
OUTCOMES["copying"].pop("kind")
QUEUE_STATES = {"waiting": "", "open": "?edit=memory-ZDA2ZWUxZDA"}
EVERY_PAGE = (
    [name for name in PAGES if name not in ("job", *STATES)] + ASKING + [f"job:{state}" for state in OUTCOMES]
)
EVERY_PAGE += [f"pending:{state}" for state in QUEUE_STATES] + list(PROBLEMS) + list(STATES) + CLEARING
PROBLEMS |= {"wizard:wrong_name": 422}


def problem(page: str, nobody: Client, owner: Client, monkeypatch: pytest.MonkeyPatch) -> HttpResponse:
    if page == "400":
        return nobody.get("/", headers={"Host": "evil.example"})
    if page == "403":
        return Client(enforce_csrf_checks=True).post(path_of("account_login"), {"login": "x"})
    if page == "404":
        return owner.get("/homes/hermes/attic/")
    if page == "429":
        wrong = {"login": "mara", "password": "wrong"}
        return [nobody.post(path_of("account_login"), wrong) for _ in range(21)][-1]
    if page == "500":
        monkeypatch.setattr("hermesweb.views.overview_context", lambda profile: 1 / 0)
        return owner.get(path_of("overview", home=HOME, profile="office"))
    if page == "signed_out":
        return nobody.post(path_of("measure", home=HOME, profile="office"))
    if page == "come_again":
        return nobody.get("/account/", headers={"Sec-Fetch-Site": "cross-site"})
    if page == "no_home":
        monkeypatch.setenv("HERMES_HOME", "/nowhere/at all")
        return owner.get(path_of("homes"))
    if page == "first_link_spent":
        return nobody.get(path_of("first_link", token="spent"))
    return nobody.post(path_of("account_login"), {"login": "mara", "password": "wrong"})
