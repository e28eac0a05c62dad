"""`manage.py trace`: the answer as JSON, the exit codes, and a phrase that is in no list of processes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.home_builders import fingerprints

ROOT = Path(__file__).resolve().parents[2]
WORD = "velquincunx"


def trace(*options: str | Path, typed: bytes = b"", **environ: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", "trace", *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TMPDIR": "/tmp", **environ},
        input=typed,
        capture_output=True,
        check=False,
    )


def answer(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    assert set(found) == {"found", "complete", "hits", "not_checked"}
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "memories").mkdir(parents=True)
    (folder / "memories/MEMORY.md").write_text(f"Allergic to {WORD}, VELQUINCUNX.")
    (folder / "profiles/office/memories").mkdir(parents=True)
    (folder / "profiles/office/memories/USER.md").write_text(f"office {WORD}")
    (folder / "kanban").mkdir()
    (folder / "kanban/board.json").write_text('{"a": "v\\u0065lquincunx"}')
    (folder / "odd thing.txt").write_text(WORD)
    return folder


def test_it_works(home: Path) -> None:
    before = fingerprints(home)
    done = trace("-", "--home", home, "--json", typed=f"{WORD}\n".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    found = answer(done)
    assert (found["found"], found["complete"], found["not_checked"]) == (True, True, [])
    assert {"profile": "default", "store": "memory-md", "file": "memories/MEMORY.md", "where": "", "how": "bytes",
            "count": 2} in found["hits"]  # fmt: skip
    assert {(each["profile"], each["store"], each["file"]) for each in found["hits"]} == {
        ("default", "memory-md", "memories/MEMORY.md"),
        ("default", "kanban-files", "kanban/board.json"),
        ("default", "unknown", "odd thing.txt"),
        ("office", "user-md", "profiles/office/memories/USER.md"),
    }
    assert fingerprints(home) == before


def test_one_profile(home: Path) -> None:
    def files(name: str) -> set[str]:
        done = trace(WORD, "--home", home, "--profile", name, "--json")
        return {each["file"] for each in answer(done)["hits"]}

    assert files("office") == {"profiles/office/memories/USER.md"}
    assert files("default") == {"memories/MEMORY.md", "kanban/board.json", "odd thing.txt"}


def test_the_exit_says_whether_nobody_found_it_or_nobody_could_look(home: Path) -> None:
    nothing = trace("zqxnowhere", "--home", home, "--json")
    assert nothing.returncode == 1
    assert answer(nothing) == {"found": False, "complete": True, "hits": [], "not_checked": []}
    (home / "sealed.gpg").write_bytes(b"Salted__ and more")
    closed = trace("zqxnowhere", "--home", home, "--json")
    assert closed.returncode == 2
    assert answer(closed)["not_checked"] == [{"file": "sealed.gpg", "why": "encrypted"}]
    found = trace(WORD, "--home", home, "--json")
    assert (found.returncode, answer(found)["complete"]) == (0, False)


def test_for_people(home: Path) -> None:
    done = trace(WORD, "--home", home)
    assert b"memories/MEMORY.md: Memory file, as text (2)" in done.stdout
    assert b"Found nowhere." in trace("zqxnowhere", "--home", home).stdout


@pytest.mark.parametrize(
    ("phrase", "options", "typed", "says"),
    [
        ("x", (), b"", "too short"),
        ("-", (), b"", "too short"),
        ("-", (), b"\xff\xfe\x00", "not UTF-8"),
        ("-", (), b"x" * 9000, "longer than 1,000"),
        (WORD, ("--home", "/nowhere/at all"), b"", "there is no folder"),
        (WORD, ("--profile", "attic"), b"", "no profile called 'attic'"),
        (WORD, ("--profile", "../office"), b"", "no profile called"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    phrase: str, options: tuple[str, ...], typed: bytes, says: str, home: Path
) -> None:
    options = options if "--home" in options else (*options, "--home", str(home))
    done = trace(phrase, *options, typed=typed)
    assert done.returncode == 2
    assert says in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_several_homes_need_a_name(home: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    done = trace(WORD, HERMESWEB_HOMES=f"A={home},B={tmp_path / 'other'}")
    assert (done.returncode, b"--home" in done.stderr) == (2, True)


def test_fixed_places_outside_and_our_own_count(home: Path, tmp_path: Path) -> None:
    login, data = tmp_path / "login", tmp_path / "data"
    (login / ".openclaw").mkdir(parents=True)
    (login / ".openclaw/notes.md").write_text(WORD)
    (data / "scratch/home/default/state-copy-1").mkdir(parents=True)
    (data / "scratch/home/default/state-copy-1/state.db").write_text(WORD)
    (data / "scratch/other/default").mkdir(parents=True)
    (data / "scratch/other/default/state.db").write_text(WORD)
    done = trace(WORD, "--home", home, "--json", HOME=str(login), HERMESWEB_DATA=str(data))
    outside = {(each["store"], each["file"]) for each in answer(done)["hits"] if each["file"][0] in "~<"}
    assert outside == {
        ("openclaw-leftover", "~/.openclaw/notes.md"),
        ("hermesweb-work-copies", "<data>/scratch/home/default/state-copy-1/state.db"),
    }
