"""What a person sets is understood or refused; the data folder and its key are private."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from hermesweb.environment import data_folder, flag, make_private, make_secret_key, secret_key, words

CHECKOUT = Path(__file__).parents[2]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("value", ["1", "true", "YES", " on ", "True"])
def test_a_flag_is_on(value: str) -> None:
    assert flag({"X": value}, "X") is True


@pytest.mark.parametrize("environ", [{}, {"X": ""}, {"X": "0"}, {"X": "no"}, {"X": "False"}, {"X": " off "}])
def test_a_flag_is_off(environ: dict[str, str]) -> None:
    assert flag(environ, "X") is False


@pytest.mark.parametrize("value", ["2", "ja", "on off", "-"])
def test_anything_else_is_refused_by_name(value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="X is "):
        flag({"X": value}, "X")


def test_words() -> None:
    assert words({"X": " a, b ,,c"}, "X") == ["a", "b", "c"]
    assert words({}, "X") == []


def test_the_data_folder_can_be_chosen(tmp_path: Path) -> None:
    assert data_folder({"HERMESWEB_DATA": str(tmp_path / "a b")}) == tmp_path / "a b"
    assert data_folder({"HERMESWEB_DATA": "~/x"}) == Path.home() / "x"
    assert data_folder({"HERMESWEB_DATA": "x"}).is_absolute()


def test_the_data_folder_is_that_of_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_folder({}) == Path.home() / ".local/share/hermesweb"
    assert data_folder({"XDG_DATA_HOME": "/srv/data"}) == Path("/srv/data/hermesweb")
    assert data_folder({"XDG_DATA_HOME": "relative"}) == Path.home() / ".local/share/hermesweb"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder({}) == Path.home() / "Library/Application Support/hermesweb"


def test_a_folder_that_others_could_enter_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    make_private(folder)
    make_private(tmp_path / "new" / "data")
    assert mode(folder) == mode(tmp_path / "new" / "data") == 0o700


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    make_secret_key(folder)
    key = secret_key(folder)
    make_secret_key(folder)
    assert secret_key(folder) == key
    assert len(key) >= 50
    assert mode(folder / "secret-key") == 0o600
    assert mode(folder) == 0o700
    assert [path.name for path in folder.iterdir()] == ["secret-key"]


def test_starts_at_the_same_moment_agree_on_one_key(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from hermesweb.environment import *; "
        "make_secret_key(Path(sys.argv[1])); print(secret_key(Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "data")]

    def start(_: int) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=CHECKOUT).stdout

    with ThreadPoolExecutor(4) as starts:
        keys = set(starts.map(start, range(4)))
    assert len(keys) == 1


def test_without_a_key_each_asking_gives_another_and_writes_nothing(tmp_path: Path) -> None:
    assert secret_key(tmp_path / "data") != secret_key(tmp_path / "data")
    assert not list(tmp_path.iterdir())


def test_an_empty_key_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("\n")
    assert len(secret_key(tmp_path)) >= 50


def test_a_damaged_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_bytes(b"\xff\xfe")
    with pytest.raises(ImproperlyConfigured, match="Move it away"):
        secret_key(tmp_path)


def test_a_link_planted_where_the_draft_goes_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    (tmp_path / f".secret-key.{os.getpid()}").symlink_to(victim)
    with pytest.raises(OSError, match="symbolic links"):
        make_secret_key(tmp_path)
    assert victim.read_text() == "untouched"
