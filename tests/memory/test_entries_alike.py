from pathlib import Path

import pytest

from memory.alike import alike
from tests.memory_builders import SEPARATOR, memory_home


def hints(root: Path, *texts: str) -> dict[int, int]:
    home = memory_home(root)
    home.memory(SEPARATOR.join(texts))
    return alike(home.store().entries)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers tea", "prefers  tea."),
        ("caf\u00e9", "cafe\u0301"),
        ("Lives in Bonn", "Lives\nin Bonn"),
        ('Says "no"', "says “no”"),
    ],
)
def test_alike(tmp_path: Path, one: str, other: str) -> None:
    assert hints(tmp_path, one, "something else", other) == {2: 0}


@pytest.mark.parametrize(
    ("one", "other"), [("Likes C", "Likes C++"), ("-5 degrees", "5 degrees"), ("...", "!?"), ("tea", "teas")]
)
def test_not_alike(tmp_path: Path, one: str, other: str) -> None:
    assert hints(tmp_path, one, other) == {}


def test_a_duplicate_needs_no_hint(tmp_path: Path) -> None:
    assert hints(tmp_path, "tea", "tea", "Tea") == {2: 0}
