"""What Hermes keeps behind links, under other names, in folders nobody may look into, and outside the home."""

import os
import sys
from pathlib import Path

import pytest

from hermesweb.hermes.homes import DEFAULT, Home, Profile
from hermesweb.privacy.wiping import survey as surveying
from hermesweb.privacy.wiping.looking import look_for
from hermesweb.privacy.wiping.survey import Outside
from tests.wiping_builders import clear, words_left

WORD = "velelsewhere44"


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    root = tmp_path / "home"
    root.mkdir()
    (root / "config.yaml").write_text("{}\n")
    return Profile(Home("home", "Home", root), DEFAULT, root)


def write(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WORD)


@pytest.mark.parametrize("again", [False, True])
def test_a_folder_that_is_a_link(again: bool, profile: Profile, tmp_path: Path) -> None:
    write(tmp_path / "far/MEMORY.md")
    (profile.folder / "memories").symlink_to(tmp_path / "far")
    for _ in range(1 + again):  # the link stays, or a second run would find nothing to say
        cleared = clear(profile, temporary=tmp_path / "ours")
    assert cleared.outcome("memory-md") == ("not_wiped", "link")
    assert cleared.by_id["memory-md"].left == ("memories",)
    assert cleared.outcome("unknown") == cleared.outcome("session-json") == ("absent", "")
    assert words_left(tmp_path / "far", [WORD]) == {"MEMORY.md": [WORD]}


@pytest.mark.parametrize("alive", [False, True])
@pytest.mark.parametrize(
    ("path", "name"),
    [("state.db", "state-db"), ("memories/USER.md", "user-md"), ("logs/agent.log", "agent-log")],
)
def test_a_file_that_is_a_link(path: str, name: str, alive: bool, profile: Profile, tmp_path: Path) -> None:
    write(tmp_path / "far.txt")
    (profile.folder / path).parent.mkdir(exist_ok=True)
    (profile.folder / path).symlink_to(tmp_path / "far.txt")
    cleared = clear(profile, temporary=tmp_path / "ours", alive=alive)
    assert cleared.outcome(name) == ("not_wiped", "link")
    assert (tmp_path / "far.txt").read_text() == WORD


def test_a_link_in_the_place_of_the_other_profiles_stays(profile: Profile, tmp_path: Path) -> None:
    write(tmp_path / "far/office/memories/MEMORY.md")
    (profile.folder / "profiles").symlink_to(tmp_path / "far")
    cleared = clear(profile, temporary=tmp_path / "ours")
    assert (profile.folder / "profiles").is_symlink()
    assert cleared.outcome("unknown") == ("absent", "")


def test_a_link_among_others_goes(profile: Profile, tmp_path: Path) -> None:
    write(tmp_path / "far.txt")
    (profile.folder / "workspace").mkdir()
    (profile.folder / "workspace/link").symlink_to(tmp_path / "far.txt")
    assert clear(profile, temporary=tmp_path / "ours").outcome("workspace") == ("wiped", "")
    assert (tmp_path / "far.txt").exists()


def test_another_name_of_a_file_is_said(profile: Profile, tmp_path: Path) -> None:
    write(profile.folder / "memories/MEMORY.md", profile.folder / "logs/agent.log")
    os.link(profile.folder / "memories/MEMORY.md", tmp_path / "far.txt")
    os.link(profile.folder / "logs/agent.log", profile.folder / "logs/errors.log")
    cleared = clear(profile, temporary=tmp_path / "ours")
    assert cleared.outcome("memory-md") == ("partly", "other_names")
    assert cleared.outcome("agent-log") == ("wiped", "")  # all its names were chosen
    assert words_left(profile.folder, [WORD]) == {}


def test_nothing_is_emptied_under_another_name(profile: Profile, tmp_path: Path) -> None:
    write(profile.folder / "logs/agent.log")
    os.link(profile.folder / "logs/agent.log", tmp_path / "far.txt")
    cleared = clear(profile, temporary=tmp_path / "ours", alive=True)
    assert cleared.outcome("agent-log") == ("not_wiped", "other_names")
    assert (tmp_path / "far.txt").read_text() == WORD


@pytest.mark.parametrize(
    ("chosen", "expected"), [(("everything",), ("partly", "closed")), (("memory-md",), ("kept", "choice"))]
)
def test_a_folder_that_nobody_may_look_into(
    chosen: tuple[str, ...],
    expected: tuple[str, str],
    profile: Profile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(profile.folder / "skills/open/SKILL.md", profile.folder / "skills/shut/SKILL.md")
    real_open = os.open

    def refuse(path: object, *rest: object, **more: object) -> int:  # also for root, whom no mode stops
        if str(path).endswith("skills/shut"):
            raise PermissionError(13, "no")
        return real_open(path, *rest, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(os, "open", refuse)
    cleared = clear(profile, chosen, temporary=tmp_path / "ours")
    assert cleared.outcome("skills") == expected
    assert cleared.by_id["skills-archive"].outcome == "absent"  # not in a folder of that name


def test_what_lies_outside_is_kept_and_not_absent(profile: Profile, tmp_path: Path) -> None:
    login, temporary = tmp_path / "login", tmp_path / "temporary"
    write(login / "hermes-backup-1.zip", temporary / "hermes-results/a.txt")
    outside = Outside(login, temporary, frozenset({"user-backups", "tmp-results"}))
    cleared = clear(profile, temporary=tmp_path / "ours", outside=outside)
    assert cleared.outcome("user-backups") == cleared.outcome("tmp-results") == ("kept", "outside")
    assert cleared.outcome("trajectories") == ("out_of_reach", "not_looked")
    assert words_left(login, [WORD]) == {"hermes-backup-1.zip": [WORD]}
    assert surveying.survey(profile).of("user-backups") == ()


def test_a_last_look_that_cannot_be_begun_is_said(
    profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no such program"))
    looked = look_for(profile, ["unlikely words"], scratch=tmp_path, step=lambda *_: None)
    assert not looked["complete"]
    assert looked["not_checked"] == [{"file": ".", "why": "died"}]
