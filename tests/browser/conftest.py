"""Debian's chromium, and a real server for it, which serves most tests of a process."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.screens import Screens
from tests.browser.site import Site, owned, start_site

# Playwright keeps an event loop in this process; Django would refuse the database to the tests after it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

LAUNCH = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
LAUNCH += ["--disable-component-update", "--disable-sync", "--no-first-run"]
LAUNCH += ["--host-resolver-rules=MAP evil.example 127.0.0.1"]


@pytest.fixture(scope="session")
def base_url() -> str:
    """The plug-in's own fixture is made in a way that pytest warns of."""
    return ""


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": "/usr/bin/chromium", "args": LAUNCH}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose owner is signed in."""
    with owned(start_site(tmp_path_factory.mktemp("site"))) as made:
        yield made


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[Site]:
    """A server on which nobody has a password yet."""
    made = start_site(tmp_path)
    try:
        made.server.ready()
        yield made
    finally:
        made.server.end()


@pytest.fixture
def owner_page(context: BrowserContext, site: Site) -> Page:
    site.sign_in(context)
    return context.new_page()


@pytest.fixture
def page_without_scripts(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def screens(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screens]:
    """Two servers: one in use, and one that was started for the first time where no home is."""
    first = start_site(tmp_path_factory.mktemp("first"), HERMES_HOME="/nowhere/at all")
    try:
        first.server.ready()
        made = Screens(site, first)
        made.fetch()
        yield made
    finally:
        first.server.end()
