"""`python -m hermesweb.is_up`, the health check of the container."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.web.server import Server, wait_for

ROOT = Path(__file__).resolve().parents[2]


def ask(**environ: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "hermesweb.is_up"],
        cwd=ROOT, env={**os.environ, **environ}, capture_output=True, text=True,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_it_works(make_server: Callable[..., Server]) -> None:
    server = make_server(HERMESWEB_PATH="/memory").start().ready()
    where = {"HERMESWEB_PORT": str(server.port), "HERMESWEB_PATH": "/memory"}
    wait_for(lambda: ask(**where) == (0, ""))
    assert ask(HERMESWEB_PORT=str(server.port)) == (1, "")
    server.stop()
    assert ask(**where) == (1, "")
