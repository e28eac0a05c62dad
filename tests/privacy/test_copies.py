"""Work copies of a state.db that cannot be read in place: never older than what they stand for."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hermesweb.hermes.homes import Profile, home_at, list_profiles
from hermesweb.hermes.running import is_running
from hermesweb.privacy.copies import copy_of, make_copy, remove_all_copies, remove_copies

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    folder = tmp_path / "home"
    folder.mkdir()
    write(folder, "CREATE TABLE messages (content)")
    return list_profiles(home_at(folder))[0]


def write(folder: Path, sql: str) -> None:
    with sqlite3.connect(folder / "state.db") as connection:
        connection.execute(sql)
    connection.close()


def copies_in(work: Path) -> list[Path]:
    return list(work.glob("*/*/state-copy-*"))


def nothing(done: int, total: int) -> None:
    pass


def test_a_copy_is_there_until_it_is_removed(tmp_path: Path, profile: Profile) -> None:
    work = tmp_path / "work"
    assert copy_of(work, profile) is None
    made = make_copy(work, profile, nothing)
    assert copy_of(work, profile) == made
    assert [path.stat().st_mode & 0o777 for path in (made, made / "ready")] == [0o700, 0o600]
    assert remove_copies(work, profile) == 1
    assert copy_of(work, profile) is None


def test_a_copy_goes_when_the_original_was_written(tmp_path: Path, profile: Profile) -> None:
    work = tmp_path / "work"
    make_copy(work, profile, nothing)
    write(profile.folder, "INSERT INTO messages VALUES ('later')")
    assert copy_of(work, profile) is None
    assert copies_in(work) == []


def test_a_copy_goes_when_the_original_is_gone(tmp_path: Path, profile: Profile) -> None:
    work = tmp_path / "work"
    make_copy(work, profile, nothing)
    (profile.folder / "state.db").unlink()
    assert copy_of(work, profile) is None
    assert copies_in(work) == []


def test_the_newer_of_two_copies_is_read(tmp_path: Path, profile: Profile) -> None:
    work = tmp_path / "work"
    make_copy(work, profile, nothing)
    newer = make_copy(work, profile, nothing)
    assert copy_of(work, profile) == newer
    assert remove_all_copies(work) == 2


def test_who_copies_is_not_hermes(profile: Profile) -> None:
    """It holds state.db open, which is otherwise a sign that Hermes runs."""
    script = "import sys; held = open(sys.argv[2]); print('open', flush=True); input()"
    command = [sys.executable, "-Ic", script, str(ROOT / "sessions/work_copy_process.py")]
    with subprocess.Popen(
        [*command, str(profile.folder / "state.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            assert not [one for one in is_running(profile).evidence if one.code == "open_database"]
        finally:
            process.kill()
