"""Fixtures that start the real server, and end it whatever happens."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.home_builders import BuiltHome
from tests.web.server import Server


@pytest.fixture
def make_server(home: BuiltHome, tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """make_server(HERMES_HOME="") -> a server that is not started yet, for the recorded home of 0.19."""
    made: list[Server] = []

    def make(**environ: str) -> Server:
        environ = {
            "HERMES_HOME": str(home.root),
            "DJANGO_SETTINGS_MODULE": "tests.web.slow.settings",
            **environ,
        }
        made.append(Server(tmp_path / f"data {len(made)}", environ))
        return made[-1]

    yield make
    for server in made:
        server.end()


@pytest.fixture
def server(make_server: Callable[..., Server]) -> Server:
    """A server that answers; nobody has a password yet."""
    return make_server().start().ready()
