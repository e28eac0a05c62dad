"""`manage.py wipe`: what it prints, when it refuses, and that nothing is left but where its report says so."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hermesweb.hermes.homes import find_profile, home_at
from hermesweb.hermes.stores.catalogue import store_of
from hermesweb.privacy.wiping.place import only_one
from tests.home_builders import fingerprints, recorded_home
from tests.wiping_builders import planted, undeletable, words_left

ROOT = Path(__file__).resolve().parents[2]
LINE = {"id", "outcome", "why", "verified", "bytes_before", "bytes_after"}
OUTCOMES = {"wiped", "partly", "not_wiped", "kept", "absent", "out_of_reach"}
HOLDS_A_LOCK = (
    "import fcntl, sys; f = open(sys.argv[1], 'a'); fcntl.flock(f, 2); print(flush=True); sys.stdin.read()"
)
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def wipe(tmp_path: Path) -> Callable[..., Done]:
    """wipe("--profile", "default", …) -> what came of it. Our own data folder is empty: there is no database."""
    login = tmp_path / "login"
    login.mkdir()
    environ = {"PATH": os.environ["PATH"], "HOME": str(login), "HERMESWEB_DATA": str(tmp_path / "data")}
    environ["TMPDIR"] = str(login)  # whatever lies in that of this machine is none of ours

    def run(*options: str | Path, **more: str) -> Done:
        command = [sys.executable, "manage.py", "wipe", *map(str, options)]
        return subprocess.run(
            command,
            cwd=ROOT,
            env={**environ, **more},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )

    return run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A home with one memory file, one unknown file and a backup."""
    home = tmp_path / "small"
    for path in ("memories/MEMORY.md", "diary.txt", "backups/pre-update-1.zip"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text("velsmall12")
    (home / "config.yaml").write_text("{}\n")
    return home


def answer(done: Done) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    found = json.loads(done.stdout)
    return found, {each["id"]: each for each in found["stores"]}


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_an_independent_look_finds_no_word_but_where_the_report_says(
    release: str, wipe: Callable[..., Done], tmp_path: Path
) -> None:
    built = recorded_home(release, tmp_path / "made")
    office, outside = fingerprints(built.root / "profiles"), fingerprints(built.outer / "outside")
    done = wipe("--home", built.root, "--profile", "default", "--stores", "everything", "--yes", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found, by_id = answer(done)
    assert set(found) == {"outcome", "stores", "unknown_files"}
    assert all(set(each) == LINE for each in found["stores"])
    assert {each["outcome"] for each in found["stores"]} <= OUTCOMES
    assert len(by_id) == len(found["stores"])
    for path in words_left(built.root, planted(built.manifest), "profiles"):
        named = store_of(path, root=True)
        assert named, path
        assert by_id[named.id]["outcome"] == "kept", path
    assert fingerprints(built.root / "profiles") == office
    assert fingerprints(built.outer / "outside") == outside


def test_by_default_only_what_hermes_wrote_goes(
    wipe: Callable[..., Done], small: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    done = wipe("--home", small, "--profile", "default", "--yes", "--json", "--report", report)
    found, by_id = answer(done)
    # All that was chosen is gone, and yet it is not clean: a backup is kept.
    assert (done.returncode, found["outcome"]) == (0, "incomplete")
    assert by_id["memory-md"] == {
        "id": "memory-md", "outcome": "wiped", "why": "", "verified": True, "bytes_before": 10, "bytes_after": 0,
    }  # fmt: skip
    assert (by_id["backups"]["outcome"], by_id["backups"]["why"]) == ("kept", "choice")
    assert found["unknown_files"] == ["diary.txt"]
    assert (small / "diary.txt").read_text() == "velsmall12"
    whole = json.loads(report.read_text())
    assert {"version", "by", "began", "ended", "sums", "looked_for", "looks"} <= set(whole)
    assert report.stat().st_mode & 0o077 == 0
    words = {each["file"] for each in whole["looked_for"]["found"]}
    assert words == {"diary.txt", "backups/pre-update-1.zip"} or not whole["looked_for"]["phrases"]


def test_clean_is_said_when_nothing_of_the_kind_is_left(wipe: Callable[..., Done], small: Path) -> None:
    done = wipe(
        "--home", small, "--profile", "default", "--stores", "default,backups,unknown", "--yes", "--json"
    )
    found, _ = answer(done)
    assert (done.returncode, found["outcome"], found["unknown_files"]) == (0, "clean", [])
    assert not (small / "diary.txt").exists()


def test_not_everything_is_three(wipe: Callable[..., Done], small: Path) -> None:
    with undeletable(small / "memories/MEMORY.md"):
        done = wipe("--home", small, "--profile", "default", "--yes", "--json")
    found, by_id = answer(done)
    assert (done.returncode, found["outcome"]) == (3, "incomplete")
    assert by_id["memory-md"]["outcome"] == "not_wiped"


def test_a_dry_run_says_what_would_go_and_does_nothing(wipe: Callable[..., Done], small: Path) -> None:
    before = fingerprints(small)
    done = wipe("--home", small, "--profile", "default", "--dry-run", "--json")
    assert done.returncode == 2
    found, by_id = answer(done)
    assert (by_id["memory-md"]["outcome"], by_id["memory-md"]["why"]) == ("not_wiped", "dry_run")
    assert by_id["backups"]["outcome"] == "kept"
    assert found["unknown_files"] == ["diary.txt"]
    assert fingerprints(small) == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--profile", "attic", "--yes"], "no profile called 'attic'"),
        (
            ["--profile", "default", "--yes", "--stores", "default,state-messages"],
            "'state-messages' is no store",
        ),
        (["--profile", "default", "--yes", "--stores", "../x"], "'../x' is no store"),
        (["--profile", "default"], "say --yes"),
        (
            ["--profile", "default", "--yes", "--report", "/nowhere/at/all.json"],
            "the report cannot be written",
        ),
    ],
)
def test_nothing_is_done(wipe: Callable[..., Done], small: Path, options: list[str], said: str) -> None:
    before = fingerprints(small)
    done = wipe("--home", small, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert fingerprints(small) == before


def test_a_report_that_is_there_is_not_written_over(
    wipe: Callable[..., Done], small: Path, tmp_path: Path
) -> None:
    (tmp_path / "old.json").write_text("old")
    done = wipe("--home", small, "--profile", "default", "--yes", "--report", tmp_path / "old.json")
    assert (done.returncode, (tmp_path / "old.json").read_text()) == (2, "old")
    assert (small / "memories/MEMORY.md").exists()


def test_refused_places(wipe: Callable[..., Done], small: Path, tmp_path: Path) -> None:
    """The root of the machine, the folder of a login, a folder that is no home, one that is not there."""
    login, empty = tmp_path / "login", tmp_path / "empty"
    empty.mkdir()
    (empty / "holiday.jpg").write_text("x")
    (login / "config.yaml").write_text("{}")
    (login / "state.db").write_text("x")
    for place in (Path("/"), login, empty, tmp_path / "gone"):
        done = wipe("--home", place, "--profile", "default", "--yes", "--stores", "everything")
        assert done.returncode == 2, place
        assert done.stderr.startswith("Nothing was done: "), place
    assert (login / "state.db").exists()
    assert (empty / "holiday.jpg").exists()


def test_while_hermes_runs(wipe: Callable[..., Done], small: Path) -> None:
    """Somebody who is not hermesweb holds Hermes' lock: nothing without --while-running."""
    (small / "processes.json").write_text("[]")
    before = fingerprints(small)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS_A_LOCK, str(small / "gateway.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        refused = wipe("--home", small, "--profile", "default", "--yes", "--json")
        assert refused.returncode == 2
        assert "Hermes runs, or it cannot be told" in refused.stderr
        after = fingerprints(small)
        assert {path: each for path, each in after.items() if path != "gateway.lock"} == before
        done = wipe(
            "--home",
            small,
            "--profile",
            "default",
            "--yes",
            "--json",
            "--stores",
            "everything",
            "--while-running",
        )
        holder.kill()
    _, by_id = answer(done)
    assert done.returncode == 3
    assert by_id["memory-md"]["outcome"] == "wiped"
    assert (by_id["processes"]["outcome"], by_id["processes"]["why"]) == ("not_wiped", "running")


def test_in_words_what_is_left_comes_first(wipe: Callable[..., Done], small: Path) -> None:
    with undeletable(small / "memories/MEMORY.md"):
        done = wipe("--home", small, "--profile", "default", "--yes")
    first, second, third, *_ = done.stdout.splitlines()
    assert (first, second) == ("Not everything is gone.", "Not wiped: 1")
    assert third.startswith("  memory-md: Memory file.")


def test_one_run_at_a_time(wipe: Callable[..., Done], small: Path, tmp_path: Path) -> None:
    """The web server and the command line share the turn through the data folder."""
    with only_one(find_profile(home_at(small), "default"), tmp_path / "data/scratch"):
        done = wipe("--home", small, "--profile", "default", "--yes")
    assert (done.returncode, done.stderr) == (2, "Nothing was done: this profile is being cleared already.\n")
    assert (small / "memories/MEMORY.md").exists()


KILLED = """
import os, signal, sys
import django
django.setup()
from django.core.management import call_command
from hermesweb.privacy.wiping.run import Run
clear = Run._clear_store
def clear_some(self, name, found):
    if name == sys.argv[1]:
        os.kill(os.getpid(), int(sys.argv[2]))
    clear(self, name, found)
Run._clear_store = clear_some
call_command("wipe", *sys.argv[3:])
"""


def ended(home: Path, tmp_path: Path, wanted: int, *options: str) -> Done:
    """The command, which is sent a signal when it is at the unknown files."""
    command = [sys.executable, "-c", KILLED, "unknown", str(wanted), "--home", str(home), *options]
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "login"), "TMPDIR": str(tmp_path / "login")}
    environ |= {"HERMESWEB_DATA": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "hermesweb.settings"}
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)


RUN = ("--profile", "default", "--yes", "--json", "--stores", "default,unknown")


def test_a_killed_run_is_gone_on_with_and_the_report_is_of_all_of_it(
    wipe: Callable[..., Done], small: Path, tmp_path: Path
) -> None:
    assert ended(small, tmp_path, 9, *RUN).returncode == -9
    assert not (small / "memories/MEMORY.md").exists()
    assert (small / "diary.txt").exists()
    noted = list((tmp_path / "data/scratch/unfinished").iterdir())
    assert [each.stat().st_mode & 0o077 for each in noted] == [0]
    assert "velsmall12" not in noted[0].read_text()
    (small / "memories/MEMORY.md").write_text("back again")
    other = wipe("--home", small, "--profile", "default", "--yes", "--stores", "backups")
    assert (other.returncode, other.stdout) == (2, "")
    assert "stores are done. What is gone stays gone" in other.stderr
    assert f"--stores default,unknown --home {small}" in other.stderr
    assert (small / "backups/pre-update-1.zip").exists()
    done = wipe("--home", small, *RUN)
    assert done.returncode == 0, done.stderr
    assert "This goes on with a run that did not come to its end" in done.stderr
    found, by_id = answer(done)
    assert (by_id["memory-md"]["outcome"], by_id["memory-md"]["bytes_before"]) == ("wiped", 10)
    assert found["unknown_files"] == []
    assert not (small / "memories/MEMORY.md").exists()
    assert list((tmp_path / "data/scratch/unfinished").iterdir()) == []


def test_stopped_it_reports_what_is_gone_and_how_to_go_on(
    wipe: Callable[..., Done], small: Path, tmp_path: Path
) -> None:
    done = ended(small, tmp_path, 15, *RUN)
    assert done.returncode == 3, done.stderr
    _, by_id = answer(done)
    assert by_id["memory-md"]["outcome"] == "wiped"
    assert "To go on with it: manage.py wipe --profile default --stores default,unknown" in done.stderr
    anew = wipe("--home", small, "--profile", "default", "--yes", "--json", "--stores", "backups", "--anew")
    assert anew.returncode == 0, anew.stderr
    assert answer(anew)[1]["backups"]["outcome"] == "wiped"
    assert answer(anew)[1]["memory-md"]["outcome"] == "absent"
