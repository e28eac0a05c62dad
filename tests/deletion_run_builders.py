"""Runs of deleting on generated homes, and what an independent program finds afterwards."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermesweb.hermes.homes import Profile, find_profile, home_at
from sessions.database import read_state
from sessions.deletion_outcome import outcome_of
from sessions.deletion_plan import plan_deletion
from sessions.deletion_run import Order, run
from sessions.deletion_values import DeletionPlan
from tests.home_builders import BuiltHome
from tests.scrub_builders import copy_state

RESIDUE = Path(__file__).parent / "homes" / "residue.py"
PHRASES = 2  # looking for many takes long on a machine with much to do


@dataclass(frozen=True)
class Doomed:
    """The profile of a generated home with the conversation that goes; `words` stand in it alone."""

    profile: Profile
    id: str
    words: tuple[str, ...]
    rows: tuple[int, ...]
    ours: Path

    @property
    def folder(self) -> Path:
        return self.profile.folder

    def plan(self) -> DeletionPlan:
        return read_state(self.folder, lambda db: plan_deletion(db, [self.id]))

    def order(self, **more: Any) -> Order:
        return Order(self.profile, self.plan(), self.ours, most_phrases=PHRASES, **more)

    def deleted(self, **more: Any) -> dict[str, Any]:
        """The outcome of a whole run."""
        order = self.order(**more)
        return outcome_of(order.plan, run(order))


def doomed(home: BuiltHome, ours: Path) -> Doomed:
    facts = home.facts()["doomed"]
    profile = find_profile(home_at(home.root), "default")
    return Doomed(profile, facts["session"], tuple(facts["only_here"]), tuple(facts["rowids"]), ours)


def residue(folder: Path, words: Sequence[str], rows: Sequence[int]) -> dict[str, Any]:
    """What tests/homes/residue.py, which shares no code with the product, finds in state.db and its side files."""
    with tempfile.TemporaryDirectory() as name:
        copy_state(folder, Path(name))
        asked = [part for word in words for part in ("--needle", word)]
        asked += [part for row in rows for part in ("--rowid", str(row))]
        done = subprocess.run(
            [sys.executable, str(RESIDUE), name, *asked], stdout=subprocess.PIPE, check=False
        )
    assert done.returncode in (0, 1)
    return dict(json.loads(done.stdout)) if done.returncode else {}
