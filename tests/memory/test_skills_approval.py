"""Deciding about changes of skills that wait."""

from pathlib import Path

import pytest

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.locks import Busy
from memory.approval_answers import Changed, Decision, NoSuchProposal, NotApplicable
from memory.skill_approval import approve_skill, approve_skills, hermes_lock, reject_skill
from tests.approval_builders import decision, shown_skill, skill, waiting, wants_skill
from tests.memory_builders import MemoryHome, memory_home, write
from tests.memory_write_builders import lock_held_elsewhere, state


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    home = memory_home(tmp_path / "home")
    write(home.folder / "skills/brew/SKILL.md", skill())
    write(home.folder / "skills/brew/references/a.md", "alpha\nbeta\n")
    write(home.folder / "skills/cat/deep/SKILL.md", skill("deep"))
    return home


def approved(home: MemoryHome) -> None:
    assert approve_skill(home.profile, decision(shown_skill(home))).wrote
    assert waiting(home, "skills") == []


def refusal(home: MemoryHome, what: Decision) -> HermesError:
    before = state(home.folder)
    with pytest.raises(HermesError) as caught:
        approve_skill(home.profile, what)
    assert state(home.folder) == before
    return caught.value


def test_create(home: MemoryHome) -> None:
    wants_skill(home, action="create", name="new", category="more", content=skill("new"))
    approved(home)
    path = home.folder / "skills/more/new/SKILL.md"
    assert path.read_text() == skill("new")
    assert path.stat().st_mode & 0o777 == 0o600


def test_patch(home: MemoryHome) -> None:
    wants_skill(home, action="patch", name="brew", old_string="a", new_string="x", replace_all=True)
    refused = refusal(home, decision(shown_skill(home)))
    assert isinstance(refused, NotApplicable)  # it would break the word `name`
    wants_skill(
        home,
        action="patch",
        name="brew",
        file_path="references/a.md",
        old_string="a",
        new_string="x",
        replace_all=True,
    )
    approved(home)
    assert (home.folder / "skills/brew/references/a.md").read_text() == "xlphx\nbetx\n"


def test_write_and_remove_a_file(home: MemoryHome) -> None:
    wants_skill(home, action="write_file", name="brew", file_path="scripts/x/y.sh", file_content="echo\r\n")
    approved(home)
    assert (home.folder / "skills/brew/scripts/x/y.sh").read_bytes() == b"echo\r\n"
    wants_skill(home, action="remove_file", name="brew", file_path="scripts/x/y.sh")
    approved(home)
    assert (home.folder / "skills/brew/scripts").is_dir()
    assert not (home.folder / "skills/brew/scripts/x").exists()


def test_delete(home: MemoryHome, tmp_path: Path) -> None:
    write(tmp_path / "out/keep", "k")
    (home.folder / "skills/brew/references/l").symlink_to(tmp_path / "out")
    wants_skill(home, action="delete", name="brew")
    approved(home)
    assert not (home.folder / "skills/brew").exists()
    assert (tmp_path / "out/keep").read_text() == "k"
    wants_skill(home, action="delete", name="deep")
    approved(home)
    assert (home.folder / "skills").is_dir()
    assert not (home.folder / "skills/cat").exists()


def test_as_it_is_already(home: MemoryHome) -> None:
    wants_skill(home, action="edit", name="brew", content=skill())
    assert not approve_skill(home.profile, decision(shown_skill(home))).wrote
    assert waiting(home, "skills") == []


def test_a_second_click(home: MemoryHome) -> None:
    wants_skill(home, action="delete", name="brew")
    click = decision(shown_skill(home))
    approve_skill(home.profile, click)
    write(home.folder / "skills/brew/SKILL.md", skill())
    assert isinstance(refusal(home, click), NoSuchProposal)


def test_the_file_has_changed(home: MemoryHome) -> None:
    """What it is about is read again just before."""
    wants_skill(home, action="edit", name="brew", content=skill(description="e"))
    click = decision(shown_skill(home))
    write(home.folder / "skills/brew/SKILL.md", skill(description="other"))
    refused = refusal(home, click)
    assert isinstance(refused, Changed)
    assert refused.what == "target"


def test_the_record_has_changed(home: MemoryHome) -> None:
    wants_skill(home, action="delete", name="brew")
    click = decision(shown_skill(home))
    wants_skill(home, action="delete", name="deep")
    assert isinstance(refusal(home, click), Changed)
    with pytest.raises(Changed):
        reject_skill(home.profile, click)


def test_reject(home: MemoryHome) -> None:
    wants_skill(home, action="batch", operations=[])
    click = decision(shown_skill(home, rules="0.22"))
    assert isinstance(refusal(home, click), NotApplicable)
    reject_skill(home.profile, click)
    assert waiting(home, "skills") == []


def test_all_on_the_screen(home: MemoryHome) -> None:
    wants_skill(home, "00000001", action="delete", name="brew")
    wants_skill(home, "00000002", action="edit", name="nope", content=skill())
    clicks = [decision(shown_skill(home, each)) for each in ("00000001", "00000002", "00000001")]
    answers = approve_skills(home.profile, clicks)
    assert [type(each.refused) for each in answers] == [type(None), NotApplicable, NoSuchProposal]


def test_a_file_that_cannot_be_written(home: MemoryHome) -> None:
    wants_skill(home, action="edit", name="brew", content=skill(description="e"))
    click = decision(shown_skill(home))

    def full(step: str) -> None:
        raise OSError(28, "no space left")

    before = state(home.folder)
    with pytest.raises(HermesError):
        approve_skill(home.profile, click, watch=full)
    assert state(home.folder) == before


def test_the_lock_of_0_22(home: MemoryHome) -> None:
    """Its name was written down by the real Hermes 0.22, for the skill `brew-notes`."""
    name = "5d23aa45565b31b26a3ab0da85f11ce975697ebdfab79a3355859bd9fa81a4c4"
    locks = home.folder / "skills/.locks"
    with hermes_lock(home.profile, "brew-notes"):
        assert not locks.exists()
    locks.mkdir()
    with (
        lock_held_elsewhere(locks / name, 60),
        pytest.raises(Busy),
        hermes_lock(home.profile, "brew-notes", 0),
    ):
        pass
