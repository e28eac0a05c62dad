"""A setting that cannot be used is answered with a sentence, whatever it holds; never with a trace."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(command: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    settings = {"HERMESWEB_DATA": str(folder / "data"), "HERMES_HOME": str(folder / "home"), **environ}
    return subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT, env={"PATH": os.environ["PATH"], "HOME": str(folder), **settings},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("environ", "sentence"),
    [
        ({"HERMESWEB_PORT": "-5"}, "a port is a number from 1 to 65535"),
        ({"HERMESWEB_PORT": "0"}, "a port is a number from 1 to 65535"),
        ({"HERMESWEB_PORT": "99999"}, "a port is a number from 1 to 65535"),
        ({"HERMESWEB_ADDRESS": "ünicode..x", "HERMESWEB_HOSTS": "a", "HERMESWEB_ALLOW_HTTP": "1"},
         "Cannot listen on"),
        ({"HERMESWEB_HOSTS": "*"}, "lets any site speak for this one"),
        ({"HERMESWEB_HOSTS": "http://memory.example.org"}, "no host name"),
        ({"HERMESWEB_HOSTS": "memory.example.org:8443"}, "no host name"),
        ({"HERMESWEB_HOSTS": "two words"}, "no host name"),
        ({"HERMESWEB_TRUSTED_PROXY": "1"}, "needs the name of that proxy"),
        ({"HERMESWEB_DATA": "~nobody-of-this-name/x"}, "there is no such user"),
        ({"DATABASE_URL": "oracle://name:velpassword@host/x"}, "DATABASE_URL is not understood"),
        ({"DATABASE_URL": "sqlite:////nonexistent/x"}, "DATABASE_URL is not understood"),
        ({"HERMESWEB_TLS_CERT": "/nonexistent/c", "HERMESWEB_TLS_KEY": "/nonexistent/k"}, "cannot be used"),
    ],
)  # fmt: skip
def test_it_is_said_what_is_wrong(environ: dict[str, str], sentence: str, tmp_path: Path) -> None:
    done = run("serve", tmp_path, **environ)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "velpassword" not in done.stderr


def test_a_home_behind_links_in_a_circle_is_not_read(tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    done = run("audit", tmp_path, HERMES_HOME=str(circle))
    assert done.returncode == 2
    assert "circle, default: folder_unreadable" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["hermesweb.sqlite3", "secret-key"])
def test_what_lies_in_the_data_folder_is_damaged(name: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / name).write_bytes(bytes(range(256)) * 100)
    done = run("serve", tmp_path)
    assert done.returncode == 1
    assert name in done.stderr
    assert "Traceback" not in done.stderr
