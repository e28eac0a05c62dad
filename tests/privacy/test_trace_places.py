"""Where a trace looks, whose a file is, and what of others is left out."""

import tarfile
import zipfile
from pathlib import Path

import pytest

from hermesweb.hermes.homes import Profile, home_at, list_profiles
from hermesweb.hermes.scan.needles import BadPhrase
from hermesweb.privacy.trace import trace
from hermesweb.privacy.trace_places import Reach

WORD = "velquincunx"


def write(path: Path, text: str = WORD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def profiles(tmp_path: Path) -> dict[str, Profile]:
    """A home with two named profiles, one of them behind a link, and a backup of the whole."""
    root = tmp_path / "home"
    write(root / "memories/USER.md")
    write(root / "profiles/office/memories/USER.md")
    write(root / "profiles/stray.txt")
    write(root / "elsewhere/memories/USER.md")
    (root / "profiles/moved").symlink_to("../elsewhere")
    (root / "backups").mkdir()
    with zipfile.ZipFile(root / "backups/whole.zip", "w", zipfile.ZIP_DEFLATED) as whole:
        for name in ("memories/USER.md", "profiles/office/memories/USER.md"):
            whole.writestr(name, WORD)
    return {each.name: each for each in list_profiles(home_at(root))}


def found(profiles: list[Profile], **more: bool) -> dict[str, tuple[str, str]]:
    return {each.file: (each.profile, each.store) for each in trace(profiles, WORD, **more).found}


BACKUP = {
    "backups/whole.zip!memories/USER.md": ("default", "backups"),
    "backups/whole.zip!profiles/office/memories/USER.md": ("default", "backups"),
}


def test_all_profiles(profiles: dict[str, Profile]) -> None:
    assert found(list(profiles.values())) == {
        "memories/USER.md": ("default", "user-md"),
        "profiles/office/memories/USER.md": ("office", "user-md"),
        "elsewhere/memories/USER.md": ("moved", "user-md"),
        "profiles/stray.txt": ("default", "unknown"),
        **BACKUP,
    }


def test_only_some_of_them(profiles: dict[str, Profile]) -> None:
    default, office, moved = profiles["default"], profiles["office"], profiles["moved"]
    assert found([office]) == {"profiles/office/memories/USER.md": ("office", "user-md")}
    assert found([moved]) == {"elsewhere/memories/USER.md": ("moved", "user-md")}
    assert found([default]) == {"memories/USER.md": ("default", "user-md"), **BACKUP}
    assert set(found([default, office])) == {
        "memories/USER.md", "profiles/office/memories/USER.md", *BACKUP,
    }  # fmt: skip


def test_what_a_backup_has_of_others_can_be_left_out(profiles: dict[str, Profile]) -> None:
    default, office = profiles["default"], profiles["office"]
    assert list(found([default], hide_others=True)) == [
        "backups/whole.zip!memories/USER.md",
        "memories/USER.md",
    ]
    assert set(BACKUP) <= set(found([default, office], hide_others=True))


def test_the_folder_of_others_in_a_backup_is_left_out_as_well(profiles: dict[str, Profile]) -> None:
    """Its entry may have no slash at its end, and its name says that the profile exists."""
    root = profiles["default"].folder
    folder = root / "profiles" / "office"
    (root / "backups").mkdir(exist_ok=True)
    with tarfile.open(root / "backups/folders.tar.gz", "w:gz") as backup:
        backup.add(folder, "profiles/office", recursive=False)
    traced = trace([profiles["default"]], "office", hide_others=True)
    assert [each.file for each in traced.found if "!" in each.file] == []


def test_the_name_of_a_member_is_in_its_archive_too(profiles: dict[str, Profile]) -> None:
    root = profiles["default"].folder
    with zipfile.ZipFile(root / "backups/names.zip", "w") as names:
        names.writestr(f"{WORD}.txt", "nothing")
    places = {(each.file, each.where, each.how) for each in trace([profiles["default"]], WORD).found}
    assert ("backups/names.zip", "member", "file_name") in places
    assert (f"backups/names.zip!{WORD}.txt", "name", "file_name") in places


def test_outside_of_the_home(profiles: dict[str, Profile], tmp_path: Path) -> None:
    login, temporary, data = tmp_path / "login", tmp_path / "tmp", tmp_path / "data"
    write(login / ".openclaw/notes.md")
    write(login / "office.tar.gz")
    write(temporary / "hermes-results/one.txt")
    write(temporary / "something else.txt")
    write(data / "hermesweb.sqlite3")
    write(data / "scratch/home/office/state-copy-1/state.db")
    write(data / "scratch/home/default/state-copy-1/state.db")

    def outside(name: str, own: bool = True) -> dict[str, tuple[str, str]]:
        reach = Reach(login, temporary, data, own_database=own)
        every = trace([profiles[name]], WORD, reach=reach).found
        return {each.file: (each.profile, each.store) for each in every if each.file[0] in "~<"}

    copies = "hermesweb-work-copies"
    assert outside("office") == {
        "~/office.tar.gz": ("office", "user-backups"),
        "<data>/scratch/home/office/state-copy-1/state.db": ("office", copies),
    }
    shared = {
        "~/.openclaw/notes.md": ("default", "openclaw-leftover"),
        "<tmp>/hermes-results/one.txt": ("default", "tmp-results"),
        "<data>/scratch/home/default/state-copy-1/state.db": ("default", copies),
    }
    assert outside("default", own=False) == shared
    ours = {"<data>/hermesweb.sqlite3": ("default", "hermesweb-database")}
    assert outside("default") == shared | ours


def test_it_ends_when_it_is_told_to(profiles: dict[str, Profile]) -> None:
    class Enough(Exception):
        pass

    def step(files: int, read: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        trace([profiles["default"]], WORD, step=step)
    with pytest.raises(BadPhrase):
        trace([profiles["default"]], "x")


def test_the_exit_code(profiles: dict[str, Profile]) -> None:
    assert trace([profiles["office"]], WORD).exit_code == 0
    assert trace([profiles["office"]], "zqxnowhere").exit_code == 1
    (profiles["office"].folder / "link").symlink_to("/elsewhere")
    away = trace([profiles["office"]], "zqxnowhere")
    assert (away.exit_code, away.links) == (1, ("profiles/office/link",))
    (profiles["office"].folder / "logs").symlink_to("/elsewhere")
    assert trace([profiles["office"]], "zqxnowhere").exit_code == 2
