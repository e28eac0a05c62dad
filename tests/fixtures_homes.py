"""Fixtures for Hermes homes. Loaded by tests/conftest.py."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.home_builders import BuiltHome, HomeFactory, recorded_home


@pytest.fixture(scope="session")
def home_factory(tmp_path_factory: pytest.TempPathFactory) -> HomeFactory:
    return HomeFactory(tmp_path_factory.mktemp("homes"))


@pytest.fixture
def make_home(home_factory: HomeFactory, tmp_path: Path) -> Callable[..., BuiltHome]:
    """make_home("--variant", "open-wal") -> a generated home of this test's own."""
    made: list[BuiltHome] = []

    def make(*options: str) -> BuiltHome:
        made.append(home_factory.make(tmp_path / f"made-{len(made)}", *options))
        return made[-1]

    return make


@pytest.fixture
def generated_home(make_home: Callable[..., BuiltHome]) -> BuiltHome:
    """Two profiles (default, work) in the layout of 0.19."""
    return make_home()


@pytest.fixture
def home_019(tmp_path: Path) -> BuiltHome:
    """Written by Hermes 0.19: profiles default and office, WAL left behind."""
    return recorded_home("0.19", tmp_path / "home-0.19")


@pytest.fixture
def home_022(tmp_path: Path) -> BuiltHome:
    """Written by Hermes 0.22: profiles default and office, rollback journal."""
    return recorded_home("0.22", tmp_path / "home-0.22")
