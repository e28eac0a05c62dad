"""Marks of the tests that need a program of the machine; tests/run.py says which are left out without it."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "nginx: starts a real nginx")
    config.addinivalue_line("markers", "other_user: needs root, to become two other users of the machine")
