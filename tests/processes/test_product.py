"""The product in an environment made of requirements.txt only: no developer package is needed to use it."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.home_builders import BuiltHome

pytestmark = pytest.mark.product
ROOT = Path(__file__).resolve().parents[2]


def python() -> str:
    return os.environ["HERMESWEB_TEST_PRODUCT_PYTHON"]


def environ(folder: Path, **more: str) -> dict[str, str]:
    """Nothing set but what a login has: no data folder, no secret, no account."""
    login = folder / "login"
    login.mkdir()
    return {"PATH": os.environ["PATH"], "HOME": str(login), **more}


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_scan_text_agrees_with_every_labelled_text(tmp_path: Path, release: str) -> None:
    labelled = [
        json.loads(line)
        for line in (ROOT / "tests/cases/threats.jsonl").read_text("utf-8").split("\n")
        if line
    ]
    lines = "".join(json.dumps({"text": one["text"]}) + "\n" for one in labelled)
    done = subprocess.run(
        [python(), "manage.py", "scan_text", "--release", release],
        cwd=ROOT, env=environ(tmp_path), input=lines, capture_output=True, text=True, check=True,
    )  # fmt: skip
    name = {"0.19": "hermes-0.19.0", "0.22": "hermes-0.22.2"}[release]
    found = [json.loads(line)["findings"] for line in done.stdout.splitlines()]
    assert len(found) == 1656
    assert found == [one["findings"][name] for one in labelled]
    assert list((tmp_path / "login").iterdir()) == []


def test_audit_reads_a_real_home(tmp_path: Path, home_019: BuiltHome) -> None:
    done = subprocess.run(
        [python(), "manage.py", "audit", "--home", str(home_019.root), "--json"],
        cwd=ROOT, env=environ(tmp_path), capture_output=True, text=True, check=True,
    )  # fmt: skip
    profiles = json.loads(done.stdout)["homes"][0]["profiles"]
    assert [profile["name"] for profile in profiles] == ["default", "office"]
    assert list((tmp_path / "login").iterdir()) == []


def test_the_server_starts_and_asks_for_the_first_link(tmp_path: Path, home_019: BuiltHome) -> None:
    server = subprocess.Popen(
        [python(), "manage.py", "serve", "--port", "8790"],
        cwd=ROOT, env=environ(tmp_path, HERMES_HOME=str(home_019.root)), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    with server.stdout:
        try:
            printed = [line for _, line in zip(range(5), server.stdout, strict=False)]
        finally:
            server.terminate()
            code = server.wait(10)
    assert any(re.search(r"http://hermesweb\.localhost:\d+/first/[\w-]+/", line) for line in printed)
    assert code == 0
