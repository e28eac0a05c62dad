"""`manage.py scrub`: words that another program left in state.db by deleting rows, and what its exit code promises."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.deletion_builders import delete_as_hermes, tables
from tests.home_builders import recorded_home
from tests.scrub_builders import (
    Dirty,
    add_message,
    add_session,
    copied,
    dirty_home,
    kept,
    problems,
    residue,
)

ROOT = Path(__file__).resolve().parents[2]
Done = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Dirty:
    return dirty_home(tmp_path_factory.mktemp("made"), "0.22", "WAL")


@pytest.fixture
def dirty(made: Dirty, tmp_path: Path) -> Dirty:
    """A home of which a session was deleted with SQL alone: its words are in free pages and in the indexes."""
    return copied(made, tmp_path / "home")


def scrub(dirty: Dirty, *options: str, command: str = "scrub") -> Done:
    outer = dirty.folder.parent
    return subprocess.run(
        [sys.executable, "manage.py", command, "--home", str(dirty.folder), *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": str(outer), "HERMESWEB_DATA": str(outer / "data")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def answer(done: Done) -> dict[str, Any]:
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_nothing_is_left_over_and_no_message_is_touched(dirty: Dirty) -> None:
    before = kept(dirty)
    assert residue(dirty), "the fixture has left-over words"
    done = scrub(dirty, "--yes", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = answer(done)
    assert (found["result"], found["issues"], found["waiting"]) == ("gone", [], [])
    assert found["before"]["freelist_pages"] > 0 == found["after"]["freelist_pages"]
    assert found["proof"]["phrases"] > 1, "what was left over tells what to look for"
    assert not [needle for needle in dirty.needles if needle in done.stdout]
    assert residue(dirty) == {}
    assert kept(dirty) == before
    assert problems(dirty.folder) == []


def test_a_look_says_how_much_and_changes_nothing(dirty: Dirty) -> None:
    done = scrub(dirty, "--dry-run")
    assert done.returncode == 2
    assert "Free pages: " in done.stdout
    assert "Room that it needs for a moment" in done.stdout
    assert residue(dirty)
    assert scrub(dirty).returncode == 2, "nobody can be asked"


def test_a_trace_says_what_to_do_about_it(dirty: Dirty) -> None:
    done = scrub(dirty, dirty.needles[1], "--profile", "default", command="trace")
    assert done.returncode == 0
    assert "is removed by: manage.py scrub --profile default" in done.stdout


def test_what_waits_for_hermes_is_said(dirty: Dirty) -> None:
    """Somebody reads an older state all the time: the log cannot be emptied."""
    with closing(sqlite3.connect(dirty.folder / "state.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM sessions").fetchone()
        done = scrub(dirty, "--yes", "--while-running", "--json")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "waiting" in answer(done)["issues"]
    assert scrub(dirty, "--yes").returncode == 0, "done again, it comes to its end"
    assert residue(dirty) == {}


def test_a_newer_schema_is_refused_and_nothing_is_touched(dirty: Dirty) -> None:
    with closing(sqlite3.connect(dirty.folder / "state.db")) as db, db:
        db.execute("UPDATE schema_version SET version = 999")
    done = scrub(dirty, "--yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert "newer than what hermesweb knows" in done.stderr
    assert residue(dirty)


@pytest.mark.interop
def test_what_hermes_itself_deleted_is_gone_afterwards(tmp_path: Path) -> None:
    """Its own delete leaves the words; ours takes them, and Hermes' tables stay as they were."""
    folder = recorded_home("0.19", tmp_path / "home").root
    words = tuple(f"zqgone{number}canary" for number in range(9))
    with closing(sqlite3.connect(folder / "state.db", isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete=OFF")
        add_session(db, "goes")
        rows = tuple(add_message(db, "goes", f"{word} " + "in a long text " * 90) for word in words)
    delete_as_hermes(folder, ["goes"])
    deleted, before = Dirty(folder, words, rows), tables(folder)
    assert residue(deleted), "Hermes leaves the words"
    done = scrub(deleted, "--yes", "--json")
    assert (done.returncode, answer(done)["result"]) == (0, "gone"), done.stdout + done.stderr
    assert residue(deleted) == {}
    assert tables(folder) == before
