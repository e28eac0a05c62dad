"""Every screen a person can see, and how to get it onto a page of a real browser."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, Route

from tests.addresses import PAGES, path_of
from tests.browser.household import HEADINGS as OF_THE_HOUSEHOLD
from tests.browser.household import HOUSEHOLD, household_screens
from tests.browser.site import Site
from tests.web.pages import QUEUE_STATES
from tests.web.people import PASSWORD
from tests.web.server import Reply, Visitor

JOBS: dict[str, dict[str, Any]] = {
    "waiting": {},
    "running": {"step": "count", "done": 7},
    "copying": {"state": "running", "kind": "work_copy", "step": "copy", "done": 7, "total": 9},
    "looking": {"state": "running", "kind": "findings", "step": "look", "done": 7, "total": 9},
    "looked": {"state": "done", "kind": "findings", "outcome": '{"messages": 9, "sessions": 2}'},
    "tracing": {"state": "running", "kind": "trace", "step": "trace", "done": 7},
    "traced": {"state": "done", "kind": "trace", "outcome": '{"times": 9, "places": 3, "files": 200}'},
    "neutral": {"state": "done", "kind": "forget_traces"},
    "silent": {"state": "running", "step": "count", "heartbeat": "2026-01-01 00:00:00"},
    "done": {"outcome": '{"groups": {"memory": [2, 700], "unknown": [1, 900000000]}, "complete": true}'},
    "failed": {"outcome": '{"problem": "NoSuchProfile"}'},
    "cancelled": {},
}
QUEUE = ["pending:waiting", "pending:open"]
# What only the first start shows, and answers to what is no plain visit.
FIRST = ["first_link_needed", "first_link", "choose_password", "weak_password", "no_home"]
ANSWERS = ["400", "403", "404", "429", "500", "signed_out", "come_again", "first_link_spent"]
ANSWERS += ["wrong_password", "wrong_confirmation", "wrong_change", *HOUSEHOLD]
VISITED = (
    [name for name in PAGES if name not in (*FIRST, *HOUSEHOLD, "job")]
    + [f"job:{state}" for state in JOBS]
    + QUEUE
)
SCREENS = [*VISITED, *FIRST, *ANSWERS]


@dataclass
class Screens:
    site: Site
    first: Site
    replies: dict[str, Reply] = field(default_factory=dict)

    def show(self, name: str, page: Page) -> None:
        if name in VISITED:
            if name != "account_login":
                self.site.sign_in(page.context)
            page.goto(self.site.origin + self.address(name))
        elif name in FIRST:
            fulfil(page, self.first.origin, self.replies[name])
        else:
            fulfil(page, self.site.origin, self.replies[name])

    def address(self, name: str) -> str:
        if name.startswith("job:"):
            state = name.removeprefix("job:")
            return self.site.add_job(**{"state": state, **JOBS[state]})
        if name in QUEUE:  # of the profile in which something waits
            opened = QUEUE_STATES[name.removeprefix("pending:")]
            return path_of("pending", home="hermes", profile="default") + opened
        return path_of(name, home="hermes", profile="office")

    def fetch(self) -> None:
        """Ask for each screen that needs more than a visit, once."""
        self.replies |= first_screens(self.first)
        self.replies |= {name: ask(self.site) for name, ask in ASKED.items()}
        self.replies |= household_screens(self.site)
        self.site.server.ask_database("DELETE FROM hermesweb_cache")  # nobody has tried too often


def fulfil(page: Page, origin: str, reply: Reply) -> None:
    """Shows an answer where it came from, so that its style sheet loads under its own policy."""
    body = reply.body.replace('http-equiv="refresh"', 'name="refresh"')
    headers = {"Content-Security-Policy": reply.headers["Content-Security-Policy"]}

    def answer(route: Route) -> None:
        route.fulfill(
            status=reply.status, headers=headers, content_type="text/html; charset=utf-8", body=body
        )

    page.route(origin + "/answer/", answer)
    page.goto(origin + "/answer/")


def first_screens(site: Site) -> dict[str, Reply]:
    guest, link = Visitor(site.server.port), site.server.link()
    found = {"first_link_needed": guest.get("/first/"), "first_link": guest.get(link)}
    guest.post(link)
    found["choose_password"] = guest.get("/account/choose-password/")
    weak = {"username": "mara", "password1": "mara", "password2": "mara"}
    found["weak_password"] = guest.post("/account/choose-password/", weak)
    guest.post(
        "/account/choose-password/", {"username": "mara", "password1": PASSWORD, "password2": PASSWORD}
    )
    found["no_home"] = guest.get("/homes/")
    return found


def too_many(site: Site) -> Reply:
    guest = Visitor(site.server.port)
    guest.get("/sign-in/")
    return [guest.post("/sign-in/", {"login": "mara", "password": "wrong"}) for _ in range(21)][-1]


def as_guest(path: str, form: dict[str, str]) -> Callable[[Site], Reply]:
    def ask(site: Site) -> Reply:
        guest = Visitor(site.server.port)
        guest.get("/sign-in/")
        return guest.post(path, form)

    return ask


def as_mara(path: str, form: dict[str, str]) -> Callable[[Site], Reply]:
    def ask(site: Site) -> Reply:
        site.mara.get("/account/password/")
        return site.mara.post(path, form)

    return ask


ASKED: dict[str, Callable[[Site], Reply]] = {
    "400": lambda site: site.mara.get("/", Host="evil.example"),
    "403": lambda site: site.mara.post("/sign-out/", {"csrfmiddlewaretoken": "x"}),
    "404": lambda site: site.mara.get("/homes/hermes/attic/"),
    "500": lambda site: site.mara.get("/fault/"),
    "signed_out": as_guest("/homes/hermes/office/measure/", {}),
    "come_again": lambda site: Visitor(site.server.port).get("/account/", **{"Sec-Fetch-Site": "cross-site"}),
    "first_link_spent": lambda site: site.mara.get("/first/spent/"),
    "wrong_password": as_guest("/sign-in/", {"login": "mara", "password": "wrong"}),
    "wrong_confirmation": as_mara("/account/confirm/", {"password": "wrong"}),
    "wrong_change": as_mara("/account/password/", {"oldpassword": "x", "password1": "x", "password2": "y"}),
    "429": too_many,
}
HEADINGS = OF_THE_HOUSEHOLD | {
    "400": "This request was not understood",
    "403": "This form did not come from a page of hermesweb",
    "404": "There is nothing at this address",
    "429": "Too many tries",
    "500": "Something went wrong in hermesweb",
    "signed_out": "You are signed out",
    "come_again": "One moment",
    "first_link_spent": "This link does not work any more",
    "no_home": "No Hermes home found",
}
