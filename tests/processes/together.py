"""Two browsers and two workers at once on one server: who got what answer, and what must be true afterwards."""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.memory_builders import memory_home
from tests.web.memory_pages import Forms
from tests.web.server import Server, Visitor, wait_for

DEFAULT = "/homes/hermes/default/"
PAGES = ["/homes/", DEFAULT, f"{DEFAULT}memory/", "/activity/", f"{DEFAULT}pending/", "/account/"]
# Given to the shared entry again and again: its text is the list of who changed it.
SHARED = "Shared:"
FINE = {200, 302, 303, 409, 422}


@dataclass
class Browser:
    """Adds entries, changes the shared one, starts jobs and looks at pages until it is told to stop."""

    name: str
    visitor: Visitor
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    jobs: set[str] = field(default_factory=set)
    statuses: "Counter[int]" = field(default_factory=Counter)
    longest: float = 0.0
    rounds: int = 0

    def go_on_until(self, over: Callable[[], bool]) -> None:
        self.get(f"{DEFAULT}memory/")  # signing in has changed the token of forms
        while not over():
            self.rounds += 1
            word = f"{self.name}{self.rounds}"
            if self.post(f"{DEFAULT}memory/save/", {"target": "memory", "content": f"Entry {word}."}) == 303:
                self.added.append(f"Entry {word}.")
            self.change(word)
            self.get(PAGES[self.rounds % len(PAGES)])
            if self.rounds % 5 == 0:
                self.start_job()

    def change(self, word: str) -> None:
        """Put a word behind what the shared entry says on the page."""
        page = self.get(f"{DEFAULT}memory/?edit=memory.0")
        (form,) = [
            form
            for form in Forms(page).forms
            if ("content" in dict(form.fields)) and dict(form.fields).get("seen")
        ]
        typed = dict(form.fields)
        typed["content"] = f"{typed['content'].strip()} {word}"
        if self.post(f"{DEFAULT}memory/save/", typed) == 303:
            self.changed.append(word)

    def start_job(self) -> None:
        if self.post(f"{DEFAULT}measure/", {}) == 302:
            self.jobs.add(self.last.location)
            self.get(self.last.location)

    def get(self, path: str) -> str:
        self.answered(lambda: self.visitor.get(path))
        return self.last.body

    def post(self, path: str, form: dict[str, str]) -> int:
        form = {key: text for key, text in form.items() if key != "csrfmiddlewaretoken"}
        self.answered(lambda: self.visitor.post(path, form))
        return self.last.status

    def answered(self, ask: Callable[[], object]) -> None:
        began = time.monotonic()
        self.last = ask()  # type: ignore[assignment]
        self.longest = max(self.longest, time.monotonic() - began)
        self.statuses[self.last.status] += 1


def work_together(server: Server, home: Path, seconds: float) -> list[Browser]:
    """Two browsers for so many seconds on a server that is ready; then everything that was accepted must be
    there. `home` is what `home_for_two` made."""
    first = Visitor(server.port).sign_in_first(server.link())
    browsers = [Browser("a", first), Browser("b", Visitor(server.port).sign_in())]
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=browser.go_on_until, args=(lambda: time.monotonic() > end,))
        for browser in browsers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(browsers, home, first)
    assert "Traceback" not in server.printed()
    assert "ERROR" not in server.printed(), server.printed()
    return browsers


def check(browsers: list[Browser], home: Path, visitor: Visitor) -> None:
    assert any(browser.changed for browser in browsers)
    shared, *entries = (home / "memories/MEMORY.md").read_text().split("\n§\n")
    for browser in browsers:
        assert set(browser.statuses) <= FINE, browser.statuses
        assert browser.added
        # Each word stands there once, in the order in which its browser wrote: no change undid another.
        assert [word for word in shared.split() if word.startswith(browser.name)] == browser.changed
    assert sorted(entries) == sorted(entry for browser in browsers for entry in browser.added)
    for job in set[str]().union(*(browser.jobs for browser in browsers)):
        wait_for(lambda job=job: re.search(r"\bDone\b", visitor.get(job).body))  # type: ignore[misc]


def home_for_two(folder: Path) -> Path:
    """A home whose memory has room for everything that two browsers can add."""
    home = memory_home(folder / ".hermes")
    home.config(json.dumps({"memory": {"memory_char_limit": 10_000_000}}))
    (home.folder / "memories").mkdir()
    (home.folder / "memories/MEMORY.md").write_text(SHARED)
    return home.folder


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """The address of an empty database on a PostgreSQL server, for as long as the block runs."""
    import uuid

    import psycopg

    name = f"hermesweb_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
