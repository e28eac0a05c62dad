"""Two browsers and two workers at once: nothing that was accepted is lost, nothing fails. By hand for longer:
python tests/bench/bench_together.py 60"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.processes.together import home_for_two, new_database, work_together
from tests.web.server import Server, wait_for

SECONDS = 8
# The jobs of the product, not the slow one that other tests use.
PRODUCT = {"DJANGO_SETTINGS_MODULE": "hermesweb.settings"}
TWO_OF_EACH = {"HERMESWEB_WEB_PROCESSES": "2", "HERMESWEB_WORKERS": "2", **PRODUCT}


@pytest.fixture
def postgresql() -> Iterator[str]:
    with new_database(os.environ["HERMESWEB_TEST_POSTGRESQL"]) as address:
        yield address


def test_on_sqlite(make_server: Callable[..., Server], tmp_path: Path) -> None:
    home = home_for_two(tmp_path)
    server = make_server(HERMES_HOME=str(home), **TWO_OF_EACH).start().ready()
    # The command itself, two workers, and a web server that has started two processes.
    wait_for(lambda: len(server.processes()) == 2 + 1 + 2)
    work_together(server, home, SECONDS)


@pytest.mark.postgresql
def test_on_postgresql(make_server: Callable[..., Server], tmp_path: Path, postgresql: str) -> None:
    home = home_for_two(tmp_path)
    server = make_server(HERMES_HOME=str(home), DATABASE_URL=postgresql, **TWO_OF_EACH).start().ready()
    work_together(server, home, SECONDS)
    assert not list(server.data.glob("*.sqlite3"))


@pytest.mark.postgresql
def test_two_servers_on_one_database(
    make_server: Callable[..., Server], tmp_path: Path, postgresql: str
) -> None:
    """Each with its own web server and worker: both know the same people, and either does the other's jobs."""
    home = home_for_two(tmp_path)
    first = make_server(HERMES_HOME=str(home), DATABASE_URL=postgresql, **PRODUCT).start().ready()
    second = make_server(HERMES_HOME=str(home), DATABASE_URL=postgresql, **PRODUCT)
    second.data = first.data  # the key that signs cookies
    second.start().ready()
    browsers = work_together(first, home, 2)
    mara = browsers[0].visitor
    mara.port = second.port
    assert mara.get("/homes/hermes/default/memory/").status == 200
    assert mara.post("/homes/hermes/default/measure/").status == 302
