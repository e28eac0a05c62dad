"""`manage.py audit`: always JSON, an exit code that tells whether all was read, and no content unless asked."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.home_builders import BuiltHome

ROOT = Path(__file__).resolve().parents[2]


def audit(*options: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "audit", *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def profile_of(done: subprocess.CompletedProcess[str]) -> Any:
    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is no JSON")

    return json.loads(done.stdout, parse_constant=refuse)["homes"][0]["profiles"][0]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "memories").mkdir(parents=True)
    (folder / "memories/MEMORY.md").write_text("the first entry\n§\nthe second")
    return folder


def test_content_only_when_asked_for(home: Path) -> None:
    without, with_content = audit("--home", home, "--json"), audit("--home", home, "--json", "--with-content")
    assert "the first entry" not in without.stdout
    assert [each["text"] for each in profile_of(with_content)["memory"]["memory"]["entries"]] == [
        "the first entry",
        "the second",
    ]
    assert (without.returncode, with_content.returncode) == (0, 0)


def test_a_real_home_is_read_in_full(home_019: BuiltHome) -> None:
    done = audit("--home", home_019.root, "--json")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_home_that_is_set_but_not_there_is_named(home: Path, tmp_path: Path) -> None:
    done = audit("--json", HERMESWEB_HOMES=f"Here={home},Gone={tmp_path / 'gone'}")
    assert done.returncode == 2
    assert profile_of(done)["name"] == "default"
    assert "Gone: no Hermes home at" in done.stderr


@pytest.mark.parametrize("name", ["", "nobody", "../default"])
def test_a_profile_that_is_not_there_is_named(name: str, home: Path) -> None:
    done = audit("--home", home, "--profile", name, "--json")
    assert (done.returncode, json.loads(done.stdout)) == (2, {"homes": []})
    assert "no profile called" in done.stderr


@pytest.mark.parametrize("limit", [".inf", "-.inf", ".nan"])
def test_a_limit_that_json_cannot_hold(limit: str, home: Path) -> None:
    (home / "config.yaml").write_text(f"memory:\n  memory_char_limit: {limit}\n")
    assert profile_of(audit("--home", home, "--json"))["memory"]["memory"]["limit"] is None
    assert audit("--home", home).returncode == 0


def test_a_database_of_something_else_has_no_figures(home: Path) -> None:
    with sqlite3.connect(home / "state.db") as connection:
        connection.execute("CREATE TABLE recipes (title)")
    connection.close()
    done = audit("--home", home, "--json")
    assert done.returncode == 2
    assert profile_of(done)["sessions"] == {"sessions": None, "messages": None, "live_messages": None}


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_name_that_is_no_text(options: list[str], home: Path, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"a\xffb")
    home.rename(odd)
    done = audit("--home", odd, *options, PYTHONIOENCODING="ascii:strict")
    assert (done.returncode, done.stderr) == (0, "")
    assert "a\\" in done.stdout


def test_a_reader_who_leaves_early_is_no_fault(home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "manage.py", "audit", "--home", home],
        cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_is_said(home: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "manage.py", "audit", "--home", home],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "CommandError: The answer could not be written: No space left on device.\n"


def test_the_line_of_a_file_counts_what_wants_attention(home: Path) -> None:
    (home / "memories" / "MEMORY.md").write_text("one thing\n§\none thing\n§\nanother")
    (home / "memories" / "USER.md").write_text("one thing")
    lines = audit("--home", home).stdout
    assert re.search(r"MEMORY\.md: .* 3 entries, 1 duplicate$", lines, re.MULTILINE)
    assert re.search(r"USER\.md: .* 1 entry$", lines, re.MULTILINE)
