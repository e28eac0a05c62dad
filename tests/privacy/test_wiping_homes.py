"""Clearing the homes that real releases wrote: no planted word is left but where the report says so."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hermesweb.hermes.homes import find_profile, home_at
from hermesweb.hermes.stores.catalogue import stores
from hermesweb.privacy.wiping.database import rows_of_tables
from hermesweb.privacy.wiping.run import Record
from tests.home_builders import BuiltHome, fingerprints, recorded_home
from tests.wiping_builders import clear, planted, words_left

SHARED = ("kanban-db", "kanban-files", "shared-auth", "spawn-ledger", "provider-mem0-data")
# Under the home's own settings: which model, which provider.
_HERMES = """
import sys
from hermes_state import SessionDB
from tools.memory_tool import MemoryStore
from hermes_constants import get_hermes_home
home = get_hermes_home()
store = MemoryStore()
store.load_from_disk()
print(store.add("memory", "A new beginning."))
db = SessionDB(home / "state.db")
db.create_session("new-one", "cli")
db.append_message("new-one", "user", "hello again")
print(len(db.get_messages("new-one")))
db.close()
"""


@pytest.fixture(params=["0.19", "0.22"])
def built(request: pytest.FixtureRequest, tmp_path: Path) -> BuiltHome:
    return recorded_home(request.param, tmp_path / "made")


def test_everything_of_one_profile(built: BuiltHome, tmp_path: Path) -> None:
    profile = find_profile(home_at(built.root), "default")
    office = fingerprints(built.root / "profiles")
    outside = fingerprints(built.outer / "outside")
    cleared = clear(profile, temporary=tmp_path / "ours", shared=True)
    assert cleared.not_gone() == {}
    kept = {name for name, each in cleared.by_id.items() if each.outcome == "kept" and each.files_after}
    left = words_left(built.root, planted(built.manifest), "profiles")
    assert {path.partition("/")[0] for path in left} <= {"kanban.db", "kanban.db-wal", "kanban", "shared"}
    assert {"kanban-db", "shared-auth"} <= kept
    assert fingerprints(built.root / "profiles") == office
    assert fingerprints(built.outer / "outside") == outside
    assert (built.outer / "outside/sentinel.txt").is_file()
    assert not (built.root / "skills/linked").is_symlink()


def test_with_what_all_profiles_share(built: BuiltHome, tmp_path: Path) -> None:
    profile = find_profile(home_at(built.root), "default")
    cleared = clear(profile, ("everything", *SHARED), temporary=tmp_path / "ours", shared=True)
    assert cleared.not_gone() == {}
    assert words_left(built.root, planted(built.manifest), "profiles") == {}


def test_a_named_profile_alone(built: BuiltHome, tmp_path: Path) -> None:
    profile = find_profile(home_at(built.root), "office")
    before = fingerprints(built.root)
    cleared = clear(profile, temporary=tmp_path / "ours")
    assert cleared.not_gone() == {}
    assert words_left(profile.folder, planted(built.manifest)) == {}
    after = fingerprints(built.root)
    mine = "profiles/office"
    assert {path: each for path, each in after.items() if not path.startswith(mine)} == {
        path: each for path, each in before.items() if not path.startswith(mine)
    }


def test_only_the_default_stores(built: BuiltHome, tmp_path: Path) -> None:
    profile = find_profile(home_at(built.root), "default")
    cleared = clear(profile, ("default",), temporary=tmp_path / "ours", shared=True)
    assert cleared.not_gone() == {}
    for name, why in {
        "soul": "choice",
        "env": "choice",
        "state-snapshots": "choice",
        "config": "needed",
    }.items():
        assert cleared.outcome(name) == ("kept", why)
    assert (built.root / "state-snapshots").is_dir()
    # Emptied in place where it cannot be told that nobody has it open: in rollback mode no lock tells.
    gone = not (built.root / "state.db").exists()
    assert cleared.outcome("state-db") == ("wiped", "" if gone else "in_place")
    assert (built.root / "memories/MEMORY.md.lock").exists()


def test_while_hermes_may_be_running(built: BuiltHome, tmp_path: Path) -> None:
    profile = find_profile(home_at(built.root), "default")
    inode = (built.root / "state.db").stat().st_ino
    cleared = clear(profile, temporary=tmp_path / "ours", shared=True, alive=True)
    assert (built.root / "state.db").stat().st_ino == inode
    assert cleared.outcome("state-db") == ("wiped", "in_place")
    assert cleared.outcome("agent-log") == ("wiped", "in_place")
    assert (built.root / "logs/agent.log").read_bytes() == b""
    assert set(cleared.not_gone().values()) == {"running"}
    # Every word that is left stands in a store that the run calls not wiped, or kept.
    stay = {name for name, each in cleared.by_id.items() if each.outcome in ("kept", "not_wiped")}
    named = {path for name in stay for path in cleared.by_id[name].left} | {"config.yaml"}
    left = words_left(built.root, planted(built.manifest), "profiles", "shared", "kanban")
    assert {path for path in left if not path.startswith("kanban.db")} <= named


@pytest.mark.parametrize(
    "stop_at", ["memory-md", "state-db", "agent-log", "unknown", "state-snapshots", "backups"]
)
def test_ended_on_the_way_and_begun_again(stop_at: str, tmp_path: Path) -> None:
    built = recorded_home("0.19", tmp_path / "made")
    profile = find_profile(home_at(built.root), "default")
    seen: list[str] = []

    def step(name: str, done: int, total: int) -> None:
        seen.append(name)
        if name == stop_at:
            raise KeyboardInterrupt

    record = Record()
    with pytest.raises(KeyboardInterrupt):
        clear(profile, temporary=tmp_path / "ours", shared=True, record=record, on_step=step)
    assert seen[-1] == stop_at
    saved = json.loads(json.dumps(record.plain()))
    cleared = clear(profile, temporary=tmp_path / "ours", shared=True, record=Record.of(saved))
    assert cleared.not_gone() == {}
    assert cleared.record.attempts == 2
    # What went in the first attempt is still known to have been there.
    assert cleared.outcome("memory-pending") == ("wiped", "")
    assert set(words_left(built.root, planted(built.manifest), "profiles", "kanban", "shared")) <= {
        "kanban.db",
        "kanban.db-wal",
    }


@pytest.mark.interop
def test_the_real_hermes_begins_anew(tmp_path: Path) -> None:
    built = recorded_home("0.19", tmp_path / "made")
    clear(find_profile(home_at(built.root), "default"), temporary=tmp_path / "ours", shared=True)
    environment = {**os.environ, "HERMES_HOME": str(built.root), "HOME": str(built.outer)}
    done = subprocess.run(
        [sys.executable, "-c", _HERMES], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1"
    assert (built.root / "memories/MEMORY.md").read_text() == "A new beginning."


def test_a_table_that_stays_in_an_emptied_database_is_not_called_wiped(
    built: BuiltHome, tmp_path: Path
) -> None:
    profile = find_profile(home_at(built.root), "default")
    record = Record(rows=rows_of_tables(profile, None))
    cleared = clear(profile, temporary=tmp_path / "ours", shared=True, alive=True, record=record)
    assert cleared.outcome("state-db") == ("wiped", "in_place")
    assert cleared.outcome("state-schema-version") == ("kept", "needed")
    assert cleared.outcome("state-messages") == cleared.outcome("goals") == ("wiped", "in_place")
    left = rows_of_tables(profile, None)
    for each in stores():
        if left.get(each.table or "") and each.table != "state_meta":
            assert cleared.outcome(each.id) == ("kept", "needed"), each.id
