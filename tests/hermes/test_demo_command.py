"""`manage.py demo`: builds the home in our data folder and serves that one, with accounts of its own."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.core.management.base import CommandError

from hermesweb.demo.home import MARK, is_demo
from hermesweb.hermes.homes import configured_homes


class Replaced(BaseException):
    """Stands for the end of this process: it became another one."""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    calls: list[tuple[Any, ...]] = []

    def become(*arguments: Any) -> None:
        calls.append(arguments)
        raise Replaced

    monkeypatch.setattr(os, "execve", become)
    return calls


@pytest.fixture(params=["data", 'data, with "quotes" = and commas'])
def data(request: pytest.FixtureRequest, tmp_path: Path, settings: Any) -> Path:
    folder = tmp_path / str(request.param)
    settings.DATA_FOLDER = folder
    return folder


def run(*options: str) -> None:
    with pytest.raises(Replaced):
        call_command("demo", *options)


def test_it_works(data: Path, started: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]) -> None:
    run("--address", "127.0.0.1", "--port", "8790")
    [(program, command, environ)] = started
    assert program == sys.executable
    manage = str(django_settings.BASE_DIR / "manage.py")
    assert command[1:] == [manage, "serve", "--address", "127.0.0.1", "--port", "8790"]
    assert [(home.label, home.root) for home in configured_homes(environ, Path("/nobody"))] == [
        ("Demo", data / "demo" / "home")
    ]
    assert environ["HERMESWEB_DATA"] == str(data / "demo" / "data")
    assert is_demo(data / "demo" / "home")
    assert "made up" in capsys.readouterr().out


def test_our_folders_are_for_their_owner_alone(data: Path, started: list[tuple[Any, ...]]) -> None:
    run()
    assert {folder.stat().st_mode & 0o777 for folder in (data, data / "demo", data / "demo" / "home")} == {
        0o700
    }
    assert [path.name for path in data.iterdir()] == ["demo"]


def test_the_real_database_and_home_are_not_passed_on(
    data: Path, started: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://server.example/real")
    monkeypatch.setenv("HERMES_HOME", "/home/sample/.hermes")
    monkeypatch.setenv("HERMESWEB_HOMES", "Real=/home/sample/.hermes")
    run()
    environ = started[0][2]
    assert "DATABASE_URL" not in environ
    assert "HERMES_HOME" not in environ
    assert "/home/sample" not in environ["HERMESWEB_HOMES"]


def test_it_is_built_anew_at_each_start_unless_kept(data: Path, started: list[tuple[Any, ...]]) -> None:
    run()
    memory = data / "demo" / "home" / "memories" / "MEMORY.md"
    memory.write_text("changed")
    run("--keep")
    assert memory.read_text() == "changed"
    run()
    assert memory.read_text() != "changed"


def test_there_need_be_nothing_to_keep(data: Path, started: list[tuple[Any, ...]]) -> None:
    run("--keep")
    assert is_demo(data / "demo" / "home")


@pytest.mark.parametrize("options", [(), ("--keep",)])
def test_what_is_no_demo_is_left_alone(
    data: Path, started: list[tuple[Any, ...]], options: tuple[str, ...]
) -> None:
    mine = data / "demo" / "home" / "diary.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    with pytest.raises(CommandError, match=MARK):
        call_command("demo", *options)
    assert mine.read_text() == "mine"
    assert started == []


def test_it_is_not_built_inside_a_real_home(
    tmp_path: Path, settings: Any, started: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memories").mkdir()
    monkeypatch.setenv("HERMESWEB_HOMES", f"Real={tmp_path}")
    settings.DATA_FOLDER = tmp_path / "data"
    with pytest.raises(CommandError, match="inside the Hermes home"):
        call_command("demo")
    assert not (tmp_path / "data").exists()
    assert started == []


def test_a_setting_that_cannot_be_understood_is_said(
    data: Path, started: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMESWEB_HOMES", "Real=relative")
    with pytest.raises(CommandError):
        call_command("demo")
    assert started == []


def test_a_disk_that_refuses_is_said(tmp_path: Path, settings: Any, started: list[tuple[Any, ...]]) -> None:
    settings.DATA_FOLDER = tmp_path / "file"
    settings.DATA_FOLDER.write_text("no folder")
    with pytest.raises(CommandError, match="cannot be built"):
        call_command("demo")
    assert started == []
