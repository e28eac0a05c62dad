"""System checks say what is wrong with a machine or a setting."""

from pathlib import Path

import pytest
from pytest_django import Settings

from hermesweb import checks


def test_a_good_machine_has_nothing_to_say(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_FOLDER = tmp_path / "not made yet"
    assert checks.homes_setting() == checks.full_text_search() == checks.private_data_folder() == []


@pytest.mark.parametrize("setting", ["relative/path", 'a="/x', "/srv/a,/srv/a", "/"])
def test_a_setting_of_homes_that_cannot_be_used(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMESWEB_HOMES", setting)
    (found,) = checks.homes_setting()
    assert found.id == "hermesweb.E001"
    assert "HERMESWEB_HOMES=" in found.msg


def test_a_data_folder_that_others_can_enter(tmp_path: Path, settings: Settings) -> None:
    tmp_path.chmod(0o755)
    settings.DATA_FOLDER = tmp_path
    (found,) = checks.private_data_folder()
    assert (found.id, found.hint) == ("hermesweb.E003", f"chmod 700 {tmp_path}")


def test_a_data_folder_that_is_a_file(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_FOLDER = tmp_path / "file"
    settings.DATA_FOLDER.write_text("")
    (found,) = checks.private_data_folder()
    assert found.id == "hermesweb.E002"
