"""A disk that is full at each step: a small one of its own, filled to its last byte. state.db stays whole, nothing is
claimed that is not so, and with room again the same run comes to its end."""

import contextlib
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hermesweb.hermes.errors import HermesError
from sessions.deletion_outcome import outcome_of
from sessions.deletion_run import AGAIN, STEPS, Order, run
from tests.deletion_builders import assert_sound
from tests.deletion_run_builders import Doomed, doomed, residue
from tests.home_builders import BuiltHome

pytestmark = pytest.mark.small_disk
SIZE = "64m"
# A run as a person is told of it: its own steps, and those of removing the words.
MOMENTS = [*STEPS[1:], "merge", "vacuum", "last_checkpoint"]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(place)], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture
def goes(make_home: Callable[..., BuiltHome], disk: Path) -> Doomed:
    built = make_home("--no-oracle", "--sessions", "3", "--messages-per-session", "2", "--profiles", "0")
    shutil.copytree(built.root, disk / "home", symlinks=True)
    return doomed(replace(built, root=disk / "home", outer=disk), disk / "ours")


def fill(disk: Path) -> None:
    with (disk / "filler").open("ab", buffering=0) as filler:
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while filler.write(b"x" * size) == size:
                    pass
    assert shutil.disk_usage(disk).free == 0


@pytest.mark.parametrize("moment", MOMENTS)
def test_full_from_a_step_on(goes: Doomed, disk: Path, moment: str) -> None:
    full: list[str] = []

    def tell(step: str, *_: Any) -> None:
        if step == moment and not full:
            full.append(step)
            fill(disk)

    order = goes.order(tell=tell)
    try:
        run(order)
        said = outcome_of(order.plan, order.record)
    except HermesError:
        said = None
    assert full, f"{moment} was not reached"
    if moment in ("samples", "rows"):
        assert said is None
    elif moment == "words":  # the phases inside are told by another process, which has gone on
        assert said is not None
        assert "waiting" in said["issues"]
    (disk / "filler").unlink()
    assert_sound(goes.folder)
    left = residue(goes.folder, goes.words, goes.rows)
    if said is None:  # it said that nothing was deleted
        assert goes.plan().counts.conversations == 1
        order.record.clear()
    elif left:
        assert not order.record.get("words", {}).get("complete"), "it said that the words are gone"
        assert "failed" in order.record or "waiting" in said["issues"], said
    assert_the_next_time_finishes(order, goes)


def assert_the_next_time_finishes(order: Order, goes: Doomed) -> None:
    again = {*AGAIN, "failed"}
    order.record = {step: fact for step, fact in order.record.items() if step not in again}
    order.tell = lambda *_: None
    run(order)
    assert "failed" not in order.record
    assert order.record["words"]["complete"]
    assert order.record["proof"]["state"] == ()
    assert residue(goes.folder, goes.words, goes.rows) == {}
    assert_sound(goes.folder)
