from pathlib import Path

import pytest

from tests.memory_race import race


@pytest.mark.interop
def test_four_seconds(tmp_path: Path) -> None:
    """The long one is tests/bench/bench_race.py."""
    outcome = race(tmp_path / "home", 4)
    assert outcome.faults == []
    assert outcome.reads > 0
    assert len(outcome.writes) == 5
    assert min(outcome.writes.values()) > 0, outcome.writes
