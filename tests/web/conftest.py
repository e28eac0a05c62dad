"""A small home of its own for the tests of the memory pages."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from hermesweb.jobs import work
from sessions import deletion_work
from tests.memory_builders import MemoryHome, memory_home
from tests.web.memory_pages import MemorySite
from tests.web.pending_pages import QueueSite


@pytest.fixture
def small_home(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryHome]:
    """An empty home by the rules of 0.22, in a folder that other users of the machine can reach."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        home = memory_home(Path(folder) / ".hermes")
        home.config("{}\n")
        monkeypatch.setenv("HERMES_HOME", str(home.folder))
        yield home


@pytest.fixture
def site(small_home: MemoryHome, owner_client: Client) -> MemorySite:
    """Its memory page, for its owner."""
    return MemorySite(small_home, owner_client)


@pytest.fixture
def queue(small_home: MemoryHome, owner_client: Client) -> QueueSite:
    """The page of what waits in it, for its owner."""
    return QueueSite(small_home, owner_client)


@pytest.fixture
def few_phrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for many takes long on a machine with much to do."""
    monkeypatch.setattr(deletion_work, "PHRASES", 2)
    # Its database belongs to this test alone, which a second thread cannot know.
    monkeypatch.setattr(work.Heart, "EVERY", 600.0)
