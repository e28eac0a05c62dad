"""A real server with a home, and somebody who is signed in there."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from tests.home_builders import recorded_home
from tests.web.server import Server, Visitor


@dataclass
class Site:
    """A server with its home. `mara` is signed in as its owner, if somebody has a password."""

    server: Server
    mara: Visitor = field(init=False)

    def __post_init__(self) -> None:
        self.mara = Visitor(self.server.port)

    @property
    def origin(self) -> str:
        return f"http://hermesweb.localhost:{self.server.port}"

    def sign_in(self, context: BrowserContext) -> None:
        cookies = [{"name": n, "value": v, "url": self.origin} for n, v in self.mara.cookies.items()]
        context.add_cookies(cookies)  # type: ignore[arg-type]

    def add_job(self, state: str, **values: Any) -> str:
        """The address of a job as if a worker had brought it there."""
        now, key = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"), uuid.uuid4()
        row: dict[str, Any] = {
            "id": key.hex,
            "kind": "measure",
            "home": "hermes",
            "profile": "office",
            "place": "",
            "sealed": "",
        }
        row |= {"state": state, "step": "", "done": 0, "total": 0, "cancel_wanted": 0, "heartbeat": now}
        row |= {"attempt": 1, "checkpoint": "{}", "outcome": "{}", "created": now, "modified": now} | values
        places = ", ".join("?" for _ in row)
        self.server.ask_database(f"INSERT INTO jobs_job ({', '.join(row)}) VALUES ({places})", *row.values())
        return f"/jobs/{key}/"


@contextmanager
def owned(site: Site) -> Iterator[Site]:
    """A site whose owner is signed in while the block runs; its server ends with it."""
    try:
        site.server.ready()
        site.mara.sign_in_first(site.server.link())
        yield site
    finally:
        site.server.end()


def start_site(folder: Path, **environ: str) -> Site:
    home = recorded_home("0.19", folder / "home")
    settings = {"HERMES_HOME": str(home.root), "DJANGO_SETTINGS_MODULE": "tests.web.slow.settings"}
    return Site(Server(folder / "data", settings | environ).start())
