"""Our own data in PostgreSQL instead of SQLite: set-up, a sign-in link, a job from the queue to its end."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

pytestmark = pytest.mark.postgresql
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def database() -> Iterator[str]:
    """The address of an empty database on the server that HERMESWEB_TEST_POSTGRESQL names."""
    import psycopg

    server = os.environ["HERMESWEB_TEST_POSTGRESQL"]
    name = f"hermesweb_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def manage(*arguments: str, environ: dict[str, str], text: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environ,
        input=text,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_job_runs_to_its_end(database: str, tmp_path: Path) -> None:
    home = tmp_path / "hermes"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text("likes maps")
    environ = {
        **os.environ,
        "DATABASE_URL": database,
        "HERMESWEB_DATA": str(tmp_path / "data"),
        "HERMESWEB_HOMES": f"Study={home}",
    }
    manage("migrate", "--verbosity", "0", environ=environ)
    manage("createcachetable", environ=environ)
    script = """
from hermesweb import homes
from hermesweb.accounts.models import SignInLink
from hermesweb.jobs import queue
token = SignInLink.make()
assert SignInLink.spend(token) and not SignInLink.spend(token)
queue.start("measure", homes.find("study", "default"), None)
"""
    manage("shell", "--no-imports", "--command", script, environ=environ)
    manage("worker", "--once", environ=environ)
    told = """
from hermesweb.jobs.models import Job
job = Job.objects.get()
print(job.state, job.outcome["groups"]["memory"])
"""
    assert manage("shell", "--no-imports", "--command", told, environ=environ).strip() == "done [1, 10]"
