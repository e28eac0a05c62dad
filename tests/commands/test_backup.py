"""`manage.py backup`: a copy of our own database, while others write."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb import own_database

ROOT = Path(__file__).resolve().parents[2]


def manage(data: Path, *arguments: object, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT, env={**os.environ, "HERMESWEB_DATA": str(data), **environ}, capture_output=True, text=True,
    )  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a database."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    assert manage(folder, "migrate", "--verbosity", "0").returncode == 0
    return folder


def test_it_works(data: Path, tmp_path: Path) -> None:
    """Somebody writes all the time: the copy is whole, and what was there before is in it."""
    over = threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(data / "hermesweb.sqlite3", timeout=20)) as connection:
            number = 0
            while not over.is_set():
                number += 1
                with connection:
                    connection.execute("INSERT INTO tried VALUES (?)", (number,))

    with closing(sqlite3.connect(data / "hermesweb.sqlite3")) as connection, connection:
        connection.execute("CREATE TABLE tried (number)")
        connection.execute("INSERT INTO tried VALUES (0)")
    writer = threading.Thread(target=write)
    writer.start()
    try:
        done = manage(data, "backup", tmp_path / "copy")
    finally:
        over.set()
        writer.join()
    assert (done.returncode, done.stdout) == (0, f"Copied to {tmp_path / 'copy'}.\n"), done.stderr
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"data", "copy"}
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        numbers = [number for (number,) in copy.execute("SELECT number FROM tried ORDER BY number")]
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert numbers == list(range(len(numbers)))
    assert numbers[0] == 0


def test_a_copy_put_back_serves(data: Path, tmp_path: Path) -> None:
    assert manage(data, "backup", tmp_path / "copy").returncode == 0
    for path in data.glob("hermesweb.sqlite3*"):
        path.unlink()
    (tmp_path / "copy").rename(data / "hermesweb.sqlite3")
    assert manage(data, "migrate", "--check").returncode == 0


def test_nothing_is_overwritten(data: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("copy", "link"):
        done = manage(data, "backup", tmp_path / name)
        assert done.returncode == 1
        assert "is there already. Nothing was written" in done.stderr
    assert (tmp_path / "copy").read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_is_not_there(data: Path, tmp_path: Path) -> None:
    done = manage(data, "backup", tmp_path / "no" / "copy")
    assert done.returncode == 1
    assert "cannot be written: No such file or directory" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_database_leaves_no_copy(data: Path, tmp_path: Path) -> None:
    (data / "hermesweb.sqlite3").write_bytes(b"no database at all " * 100)
    done = manage(data, "backup", tmp_path / "copy")
    assert done.returncode == 1
    assert "could not be copied" in done.stderr
    assert not (tmp_path / "copy").exists()


def test_postgresql_has_its_own_tool(tmp_path: Path) -> None:
    done = manage(tmp_path / "data", "backup", tmp_path / "copy", DATABASE_URL="postgres://u:velpassword@h/d")
    assert done.returncode == 1
    assert "pg_dump" in done.stderr
    assert "velpassword" not in done.stderr
    assert not (tmp_path / "copy").exists()


@pytest.mark.django_db
def test_our_own_steps_are_known() -> None:
    assert own_database.unknown_steps() == []


def test_a_newer_database_is_left_alone(data: Path) -> None:
    with closing(sqlite3.connect(data / "hermesweb.sqlite3")) as connection, connection:
        connection.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('jobs', '9999_newer', '2030-01-01')"
        )
    before = (data / "hermesweb.sqlite3").read_bytes()
    done = manage(data, "serve", HERMES_HOME=str(data.parent / "none"))
    assert done.returncode == 1
    assert "was changed by a newer version (jobs.9999_newer). Nothing was touched." in done.stderr
    assert (data / "hermesweb.sqlite3").read_bytes() == before
