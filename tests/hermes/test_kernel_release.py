from pathlib import Path

import pytest

from hermesweb.hermes.release import Release, guess_release
from tests.home_builders import recorded_home
from tests.kernel_builders import write


@pytest.mark.parametrize(
    ("schema", "name", "rules", "certain"),
    [
        (0, "0.13", "0.19", False),
        (11, "0.13", "0.19", True),
        (12, "0.15", "0.19", False),
        (13, "0.15", "0.19", True),
        (14, "0.17", "0.19", False),
        (16, "0.17", "0.19", True),
        (19, "0.18", "0.19", True),
        (21, "0.19", "0.19", False),
        (22, "0.19", "0.19", True),
        (23, "0.22", "0.22", False),
        (30, "0.22", "0.22", False),
        (31, "0.22", "0.22", True),
        (99, "0.22", "0.22", False),
        (-1, "0.13", "0.19", False),
    ],
)
def test_by_schema(tmp_path: Path, schema: int, name: str, rules: str, certain: bool) -> None:
    found = guess_release(tmp_path, schema)
    assert (found.name, found.rules, found.certain, found.evidence) == (
        name,
        rules,
        certain,
        "schema_version",
    )


def test_without_anything(tmp_path: Path) -> None:
    assert guess_release(tmp_path, None) == Release("0.22", "0.22", False, "nothing")
    assert guess_release(tmp_path / "gone", None).evidence == "nothing"


@pytest.mark.parametrize(
    ("written", "name", "evidence"),
    [
        ("33", "0.19", "config_version"),
        ("12", "0.19", "config_version"),
        ("34", "0.22", "config_version"),
        ("50", "0.22", "config_version"),
        ("'33'", "0.22", "nothing"),
        ("true", "0.22", "nothing"),
        ("[33]", "0.22", "nothing"),
    ],
)
def test_by_the_configuration(tmp_path: Path, written: str, name: str, evidence: str) -> None:
    write(tmp_path, {"config.yaml": f"_config_version: {written}"})
    found = guess_release(tmp_path, None)
    assert (found.name, found.certain, found.evidence) == (name, False, evidence)


def test_by_files(tmp_path: Path) -> None:
    write(tmp_path, {"config.yaml": "_config_version: 33", "cache/terminal-output/out.log": ""})
    assert guess_release(tmp_path, None) == Release("0.22", "0.22", False, "newer_files")


def test_recorded_homes(tmp_path: Path) -> None:
    home_019, home_022 = recorded_home("0.19", tmp_path / "a"), recorded_home("0.22", tmp_path / "b")
    assert guess_release(home_019.profile("office"), None).rules == "0.19"
    assert guess_release(home_019.root, 22) == Release("0.19", "0.19", True, "schema_version")
    for name in ("default", "office"):
        assert guess_release(home_022.profile(name), None).rules == "0.22"
