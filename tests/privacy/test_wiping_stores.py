"""Every store that can be cleared: made, cleared, looked for; and once with a file that cannot be removed."""

from pathlib import Path

import pytest

from hermesweb.hermes.homes import DEFAULT, Home, Profile
from hermesweb.hermes.stores.catalogue import store
from hermesweb.privacy.wiping.choice import NoSuchStore, choose, clearable
from hermesweb.privacy.wiping.locking import LOCK_FILES
from hermesweb.privacy.wiping.survey import Outside, survey
from tests.store_paths import OUTSIDE, PROFILE, ROOT
from tests.wiping_builders import clear, undeletable, words_left

WORD = "velcleared77"
INSIDE = {**PROFILE, **ROOT}
LOCAL = [each.id for each in clearable() if each.id in INSIDE]
FIXED = [each.id for each in clearable() if each.where == "outside" and each.id in OUTSIDE]


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    root = tmp_path / "home"
    root.mkdir(parents=True)
    (root / "config.yaml").write_text("model:\n  api_key: velkeyword12\nquick_commands:\n  a: velcommand34\n")
    return Profile(Home("home", "Home", root), DEFAULT, root)


def make(folder: Path, paths: str) -> list[Path]:
    """Files of a store, each with the word in it."""
    made = []
    for path in paths.split():
        if path in LOCK_FILES:
            continue  # stay, whatever is cleared
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"something about {WORD}")
        made.append(file)
    return made


def test_what_can_be_cleared_is_what_can_be_made() -> None:
    inside_others = {each.id for each in clearable() if each.inside}
    assert inside_others == {"personality-config", "config-keys"}
    ours = {each.id for each in clearable() if each.where == "ours"}
    assert ours == {"hermesweb-work-copies"}
    rest = {each.id for each in clearable()} - inside_others - ours - set(LOCAL)
    assert rest == set(FIXED)


@pytest.mark.parametrize("name", LOCAL)
def test_a_store_is_cleared(name: str, profile: Profile, tmp_path: Path) -> None:
    made = make(profile.folder, INSIDE[name])
    make(profile.folder, "somebody/elses.txt")
    assert {survey(profile).of(name)} != {()}
    cleared = clear(profile, (name,), temporary=tmp_path / "ours")
    assert cleared.outcome(name) == ("wiped", "")
    assert cleared.by_id[name].verified
    assert cleared.by_id[name].files_before == len(made)
    assert words_left(profile.folder, [WORD]) == {"somebody/elses.txt": [WORD]}
    assert cleared.outcome("unknown") == ("kept", "choice")
    again = clear(profile, (name,), temporary=tmp_path / "ours")
    assert again.outcome(name) == ("absent", "")


@pytest.mark.parametrize("name", LOCAL)
def test_a_file_that_cannot_be_removed(name: str, profile: Profile, tmp_path: Path) -> None:
    made = make(profile.folder, INSIDE[name])
    shown = made[0].relative_to(profile.folder).as_posix()
    with undeletable(made[0]):
        cleared = clear(profile, (name,), temporary=tmp_path / "ours")
        assert cleared.by_id[name].outcome == ("not_wiped" if len(made) == 1 else "partly")
        assert cleared.by_id[name].why == "permission"
        assert shown in cleared.by_id[name].left
        assert shown in words_left(profile.folder, [WORD])


@pytest.mark.parametrize("name", FIXED)
def test_a_place_outside_the_home(name: str, profile: Profile, tmp_path: Path) -> None:
    os_home, temporary = tmp_path / "login", tmp_path / "temporary"
    path = OUTSIDE[name].split()[0].format(profile=DEFAULT)
    made = make(tmp_path, path.replace("~/", "login/").replace("<tmp>/", "temporary/"))
    make(os_home, "letters/mine.txt")
    outside = Outside(os_home, temporary, frozenset({name}))
    by_preset = clear(profile, temporary=tmp_path / "ours", outside=Outside(os_home, temporary, frozenset()))
    assert made[0].exists()
    assert by_preset.by_id[name].outcome != "wiped"
    cleared = clear(profile, (name,), temporary=tmp_path / "ours", outside=outside)
    assert cleared.outcome(name) == ("wiped", "")
    assert not made[0].exists()
    assert (os_home / "letters/mine.txt").exists()


def test_settings_inside_config(profile: Profile, tmp_path: Path) -> None:
    cleared = clear(profile, ("config-keys", "personality-config"), temporary=tmp_path / "ours")
    assert cleared.outcome("config-keys") == cleared.outcome("personality-config") == ("wiped", "")
    assert (profile.folder / "config.yaml").read_text() == 'model:\n  api_key: ""\n'
    assert cleared.outcome("config") == ("kept", "needed")


@pytest.mark.parametrize(
    ("text", "why"),
    [("{quick_commands: {a: b}, c: d}", "flow_style"), ("a: [", "broken"), ("\x00\x01", "broken")],
)
def test_a_config_that_cannot_be_edited(text: str, why: str, profile: Profile, tmp_path: Path) -> None:
    (profile.folder / "config.yaml").write_text(text)
    cleared = clear(profile, ("personality-config",), temporary=tmp_path / "ours")
    assert cleared.by_id["personality-config"].outcome == "not_wiped"
    assert (profile.folder / "config.yaml").read_text() == text


@pytest.mark.parametrize(
    "name", ["nonsense", "state-messages", "config", "model-provider", "../x", "memory-locks"]
)
def test_what_cannot_be_chosen(name: str) -> None:
    with pytest.raises(NoSuchStore):
        choose([name], shared=False)


def test_presets() -> None:
    default, everything = choose(["default"], shared=False), choose(["everything"], shared=False)
    assert default.stores < everything.stores
    assert not default.unknown
    assert everything.unknown
    assert {store(name).clearing for name in default.stores} == {"default"}
    assert {store(name).where for name in everything.stores} == {"profile", "root", "ours"}
    shared = choose(["everything"], shared=True)
    assert {store(name).where for name in shared.stores} == {"profile", "ours"}
    assert choose(["default", "soul"], shared=False).stores == default.stores | {"soul"}
    talk = choose(["conversations"], shared=False)
    assert "state-db" in talk.stores
    assert not talk.stores & {"memory-md", "user-md", "skills", "env", "state-snapshots"}
    most = choose(["most"], shared=False)
    assert "state-snapshots" in most.stores
    assert not most.stores & {"skills", "env", "soul"}


def test_what_is_mounted_in_the_home_stays(profile: Profile, tmp_path: Path) -> None:
    make(profile.folder, "workspace/projects/a.txt workspace/notes.txt workspace-2/a.txt")
    cleared = clear(profile, temporary=tmp_path / "ours", mounts=("workspace/projects",))
    assert cleared.outcome("workspace") == ("partly", "mounted")
    assert cleared.by_id["workspace"].left == ("workspace/projects/a.txt",)
    assert words_left(profile.folder, [WORD]) == {"workspace/projects/a.txt": [WORD]}


def test_empty_folders_of_what_was_not_chosen_stay(profile: Profile, tmp_path: Path) -> None:
    (profile.folder / "workspace/empty").mkdir(parents=True)
    (profile.folder / "logs/curator/empty").mkdir(parents=True)
    clear(profile, ("default",), temporary=tmp_path / "ours")
    assert (profile.folder / "workspace/empty").is_dir()
    assert not (profile.folder / "logs").exists()
