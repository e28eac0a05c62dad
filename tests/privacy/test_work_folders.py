"""Files of Hermes in the folders the agent worked in: found by the inventory and the trace, and nothing else there."""

import os
from pathlib import Path

import pytest

from hermesweb.hermes.homes import Profile, find_profile, home_at
from hermesweb.hermes.inventory import take_inventory
from hermesweb.hermes.mounts import mount_named
from hermesweb.hermes.outside import Bases, find_outside
from hermesweb.hermes.scan.events import NotChecked
from hermesweb.hermes.scan.excerpts import excerpt_of
from hermesweb.privacy import work_folders as module
from hermesweb.privacy.trace import Trace, trace
from hermesweb.privacy.trace_places import Reach
from hermesweb.privacy.work_folders import WorkFolders, work_folders
from tests.state_builders import add_session, old_state

WORD = "velquincunx"


def write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(WORD)


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    """A conversation was held in `garden`, one in a folder that is gone, one behind a link, one in the home itself."""
    home = tmp_path / "home"
    home.mkdir()
    state = old_state(home)
    (tmp_path / "linked").symlink_to(tmp_path / "garden")
    for number, name in enumerate(
        ("garden", "gone", "linked", "home", "garden/.worktrees/one", "garden/../other")
    ):
        add_session(state, f"s{number}", cwd=str(tmp_path / name))
    write(
        tmp_path / "garden",
        "AGENTS.md",
        "trajectory_samples.jsonl",
        "sample_9.json",
        ".worktrees/one/AGENTS.md",
    )
    write(tmp_path / "garden", "diary.md", "sub/AGENTS.md")
    write(tmp_path / "other", "AGENTS.md")
    return find_profile(home_at(home), "default")


def traced(profile: Profile) -> Trace:
    return trace([profile], WORD, reach=Reach(work={"default": work_folders(profile)}))


def test_only_what_hermes_leaves_there_is_found(profile: Profile, tmp_path: Path) -> None:
    garden = tmp_path / "garden"
    found = traced(profile)
    assert {each.file: each.store for each in found.found} == {
        f"{garden}/AGENTS.md": "context-files",
        f"{garden}/trajectory_samples.jsonl": "trajectories",
        f"{garden}/sample_9.json": "trajectories",
        f"{garden}/.worktrees/one/AGENTS.md": "worktrees",
    }
    assert found.not_checked == (NotChecked(str(tmp_path / "linked"), "link"),)


def test_the_inventory_counts_the_same(profile: Profile, tmp_path: Path) -> None:
    folders = work_folders(profile)
    taken = take_inventory(profile, work_folders=folders.folders, work_whole=folders.whole)
    held = {each.store.id: each for each in taken.holdings}
    assert (held["trajectories"].state, held["trajectories"].amount.files) == ("present", 2)
    assert held["worktrees"].amount.files == 1
    assert held["trajectories"].complete is False, "one folder is behind a link"
    assert held["user-backups"].state == "unreadable", "so nobody says that none is there"


def test_no_link_in_such_a_folder_is_followed_and_nothing_is_waited_for(
    profile: Profile, tmp_path: Path
) -> None:
    garden = tmp_path / "garden"
    for name in ("AGENTS.md", "sample_9.json"):
        (garden / name).unlink()
    (garden / "AGENTS.md").symlink_to(tmp_path / "other/AGENTS.md")
    os.mkfifo(garden / "sample_9.json")
    found = traced(profile)
    assert not [each for each in found.found if each.file.endswith(("garden/AGENTS.md", "sample_9.json"))]
    missed = {each.file.removeprefix(f"{garden}/"): each.why for each in found.not_checked}
    assert missed | {} == {"AGENTS.md": "link", "sample_9.json": "special", str(tmp_path / "linked"): "link"}


def test_what_is_not_looked_into_is_said(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST", 2)
    assert ("<work>/", "too_many") in work_folders(profile).missed
    monkeypatch.setattr("hermesweb.hermes.outside.MOST_IN_WORK", 0)
    assert NotChecked(f"{tmp_path}/garden/.worktrees", "too_many") in traced(profile).not_checked
    (profile.folder / "state.db").write_bytes(b"SQLite format 3\0" + b"x" * 5_000)
    assert work_folders(profile) == WorkFolders(missed=(("<work>/", "no_list"),))
    (profile.folder / "state.db").unlink()
    assert work_folders(profile) == WorkFolders()


def test_another_machine_is_not_asked(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = tmp_path / "mounts"
    listed.write_text(
        f"1 0 0:1 / / rw - ext4 disk rw\n2 1 0:2 / {tmp_path}/garden rw - nfs4 server:/ rw\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(module, "mount_named", lambda folder: mount_named(folder, listed))
    found = work_folders(profile)
    assert (str(tmp_path / "garden"), "remote") in found.missed
    assert tmp_path / "garden" not in found.folders


def test_its_text_can_be_shown_and_no_other_of_the_disk(profile: Profile, tmp_path: Path) -> None:
    reach = Reach(work={"default": work_folders(profile)})
    hit = next(each for each in traced(profile).found if each.file.endswith("garden/AGENTS.md"))
    folder = reach.folder_of(hit.file)
    assert folder
    assert excerpt_of(folder, hit.hit(), WORD, characters=20).match == WORD
    assert reach.folder_of(str(tmp_path / "other/AGENTS.md")) is None


def test_the_root_of_the_disk_is_looked_into_as_well(profile: Profile, tmp_path: Path) -> None:
    """As where a service or a container began there."""
    add_session(profile.folder, "root", cwd="/")
    assert Path("/") in work_folders(profile).folders
    bases = Bases(None, None, None, (Path("/"),), profile.home.root, frozenset(), frozenset({os.geteuid()}))
    (seen,) = find_outside(f"<work>{tmp_path}/other/AGENTS.md", bases)
    assert seen.path == f"{tmp_path}/other/AGENTS.md", "with one slash at its beginning"
    assert Reach(work={"default": WorkFolders((Path("/"),))}).folder_of(seen.path)
