import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermesweb.hermes.errors import BadHomesSetting, NoSuchHome, NoSuchProfile
from hermesweb.hermes.homes import (
    Home,
    condition,
    configured_homes,
    find_profile,
    home_at,
    is_home,
    is_profile_name,
    leads_to,
    list_profiles,
    places_looked_at,
    profiles_problem,
)
from tests.kernel_builders import NOBODY, as_nobody, profile_in, write

OS_HOME = Path("/home/sam")


def homes_of(setting: str) -> list[Home]:
    return configured_homes({"HERMESWEB_HOMES": setting, "HERMES_HOME": "/ignored"}, OS_HOME)


# The setting


def test_it_works() -> None:
    assert homes_of("Home server=/srv/hermes,/mnt/laptop") == [
        Home("home-server", "Home server", Path("/srv/hermes")),
        Home("laptop", "laptop", Path("/mnt/laptop")),
    ]


def test_defaults() -> None:
    assert [home.root for home in configured_homes({}, OS_HOME)] == [OS_HOME / ".hermes"]
    assert [home.key for home in configured_homes({}, OS_HOME)] == ["hermes"]
    environ = {"HERMES_HOME": "/opt/data", "HERMESWEB_HOMES": "  "}
    assert [home.root for home in configured_homes(environ, OS_HOME)] == [Path("/opt/data")]


@pytest.mark.parametrize(
    ("hermes_home", "root"),
    [
        ("/opt/data/profiles/office", "/opt/data"),
        ("/home/sam/.hermes/profiles/office", "/home/sam/.hermes"),
        ("/home/sam/.hermes/deeper/than/that", "/home/sam/.hermes"),
        ("/opt/data", "/opt/data"),
        ("~/elsewhere", "/home/sam/elsewhere"),
        ("/opt/data/profiles", "/opt/data/profiles"),
    ],
)
def test_root_rule(hermes_home: str, root: str) -> None:
    assert [home.root for home in configured_homes({"HERMES_HOME": hermes_home}, OS_HOME)] == [Path(root)]


def test_quoting_spaces_newlines_equals() -> None:
    [home] = homes_of('"Büro, alt = neu=/srv/mein Büro,\nzwei"')
    assert home == Home("buro-alt-neu", "Büro, alt = neu", Path("/srv/mein Büro,\nzwei"))
    assert [home.root for home in homes_of(" ~/.hermes ,\n /srv/a=b ,")] == [
        OS_HOME / ".hermes",
        Path("/srv/a=b"),
    ]


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("hermes", "not_absolute"),
        ("Home=srv/hermes", "not_absolute"),
        ("~sam/.hermes", "not_absolute"),
        ("Home=", "no_path"),
        ('Home="/srv/a,b"', "quoting"),
        ('"/srv/a', "quoting"),
        ("/", "too_wide"),
        ("//", "too_wide"),
        ("/srv/..", "too_wide"),
        ("~/.hermes/..", "too_wide"),
        ("A=/srv/h,B=/srv//x/../h/", "twice"),
        ("/profiles/office", "too_wide"),
        ("~", "too_wide"),
        ("A=/srv/h,B=/srv/h", "twice"),
        ("A=/srv/h,B=/srv/h/profiles/office", "twice"),
    ],
)
def test_bad_setting(setting: str, why: str) -> None:
    with pytest.raises(BadHomesSetting) as caught:
        homes_of(setting)
    assert caught.value.why == why
    assert caught.value.part


@pytest.mark.parametrize(("leads", "why"), [("/", "too_wide"), ("login", "too_wide"), ("home", "twice")])
def test_a_link_counts_as_what_it_leads_to(leads: str, why: str, tmp_path: Path) -> None:
    write(tmp_path, {"login/a": "", "home/SOUL.md": ""})
    (tmp_path / "link").symlink_to(tmp_path / leads)
    setting = {"HERMESWEB_HOMES": f"One={tmp_path}/home,Other={tmp_path}/link"}
    with pytest.raises(BadHomesSetting) as caught:
        configured_homes(setting, tmp_path / "login")
    assert caught.value.why == why
    assert str(tmp_path / "link") in caught.value.part


def test_a_link_to_a_home_is_one(tmp_path: Path) -> None:
    write(tmp_path, {"home/SOUL.md": ""})
    (tmp_path / "link").symlink_to(tmp_path / "home")
    [named] = homes_of(f"{tmp_path}/link")
    assert (named.root, leads_to(named)) == (tmp_path / "link", tmp_path / "home")
    [itself] = homes_of(f"{tmp_path}/home")
    assert leads_to(itself) is None
    assert leads_to(homes_of("/srv/gone")[0]) is None


def test_keys_do_not_depend_on_the_order() -> None:
    one, two = homes_of("Büro=/a/x,buro=/b/x")
    assert one.key != two.key
    assert {home.root: home.key for home in homes_of("buro=/b/x,Büro=/a/x")} == {
        home.root: home.key for home in (one, two)
    }


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters='\0",=\r\n/~')), max_size=6))
def test_every_label_gives_a_key(labels: list[str]) -> None:
    parts = [f'"x{label}=/srv/{number}"' for number, label in enumerate(labels)]
    homes = configured_homes({"HERMESWEB_HOMES": ",".join(parts) or "/srv/x"}, OS_HOME)
    keys = [home.key for home in homes]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[a-z0-9-]+", key) for key in keys)


@pytest.mark.parametrize("label", ["東京", "дом", "🏠", "---", "é" * 300])
def test_label_in_any_language(label: str) -> None:
    [home] = homes_of(f"{label}=/srv/h")
    assert home.label == label
    assert re.fullmatch(r"[a-z0-9-]{1,60}", home.key)


def test_places(tmp_path: Path) -> None:
    write(
        tmp_path, {"used/memories/MEMORY.md": "a", "used/profiles/x/SOUL.md": "s", "file": "", "empty/a": ""}
    )
    setting = f"{tmp_path}/used,{tmp_path}/empty,{tmp_path}/gone,{tmp_path}/file,{tmp_path}/used/profiles/x"
    environ = {"HERMESWEB_HOMES": setting}
    assert [(place.name, place.what) for place in places_looked_at(environ, tmp_path)] == [
        ("HERMESWEB_HOMES", "home"),
        ("HERMESWEB_HOMES", "not_a_home"),
        ("HERMESWEB_HOMES", "missing"),
        ("HERMESWEB_HOMES", "no_folder"),
        ("HERMESWEB_HOMES", "home"),
        ("HERMES_HOME", "not_set"),
        ("~/.hermes", "missing"),
    ]
    bad = places_looked_at({"HERMESWEB_HOMES": '"', "HERMES_HOME": "rel"}, tmp_path)
    assert [place.what for place in bad] == ["bad_setting", "bad_setting", "missing"]


def test_is_home(tmp_path: Path) -> None:
    assert not is_home(tmp_path)
    assert not is_home(tmp_path / "gone")
    write(tmp_path, {"profiles/office/state.db": ""})
    assert is_home(tmp_path)


# A home given by its path


def test_home_at(tmp_path: Path) -> None:
    write(tmp_path, {"copy/profiles/office/SOUL.md": ""})
    assert home_at(tmp_path / "copy").root == tmp_path / "copy"
    assert home_at(tmp_path / "copy/profiles/office").root == tmp_path / "copy"
    assert home_at(tmp_path / "copy", "Papa").label == "Papa"
    assert home_at(tmp_path / "copy/profiles/office/../..").root == tmp_path / "copy"


def test_home_at_refuses(tmp_path: Path) -> None:
    write(tmp_path, {"file": ""})
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "root").symlink_to("/")
    for path in (tmp_path / "gone", tmp_path / "file", tmp_path / "loop", tmp_path / "root", Path("/")):
        with pytest.raises(NoSuchHome):
            home_at(path)


# Profiles


@pytest.fixture
def home(tmp_path: Path) -> Home:
    root = write(
        tmp_path / "Mein Büro\nzwei", {"SOUL.md": "", "profiles/office/SOUL.md": "", "profiles/a-1_b/x": ""}
    )
    return home_at(root)


def names_of(home: Home) -> list[str]:
    return [profile.name for profile in list_profiles(home)]


def test_profiles(home: Home) -> None:
    assert names_of(home) == ["default", "a-1_b", "office"]
    assert find_profile(home, "default").folder == home.root
    assert find_profile(home, "office").folder == home.root / "profiles/office"
    assert profiles_problem(home) is None


def test_what_is_no_profile(home: Home) -> None:
    write(home.root / "profiles", {"default/x": "", "Upper/x": "", ".deleted/x": "", "-a/x": "", "afile": ""})
    os.mkfifo(home.root / "profiles/pipe")
    assert names_of(home) == ["default", "a-1_b", "office"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        ".",
        "../office",
        "office/../office",
        "office/",
        "WORK",
        "office\n",
        "gone",
        "afile",
        "a" * 64,
        "a" * 5_000,
        "a\0b",
        "\ud800",
        "/etc",
        "office%2f",
        "-a",
        "é",
    ],
)
def test_no_such_profile(home: Home, name: str) -> None:
    write(home.root / "profiles", {"afile": "", "-a/x": ""})
    with pytest.raises(NoSuchProfile) as caught:
        find_profile(home, name)
    assert caught.value.name == name


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_names_hermes_could_use(name: str) -> None:
    matches = re.match(r"^[a-z0-9][a-z0-9_-]{0,63}\Z", name) is not None
    assert is_profile_name(name) == (matches and name != "default")


def test_links(home: Home, tmp_path: Path) -> None:
    write(tmp_path, {"outside/SOUL.md": ""})
    write(home.root, {"elsewhere/kept/SOUL.md": ""})
    profiles = home.root / "profiles"
    for name, target in {
        "out": tmp_path / "outside",
        "up": Path(".."),
        "here": Path(),
        "loop": Path("loop"),
        "dangling": Path("gone"),
        "file": home.root / "SOUL.md",
        "kept": Path("../elsewhere/kept"),
    }.items():
        (profiles / name).symlink_to(target)
    assert names_of(home) == ["default", "a-1_b", "kept", "office"]
    assert find_profile(home, "kept").folder == home.root / "elsewhere/kept"
    for name in ("out", "up", "here", "loop", "dangling", "file"):
        with pytest.raises(NoSuchProfile):
            find_profile(home, name)


def test_profiles_folder_that_leads_out(home: Home, tmp_path: Path) -> None:
    write(tmp_path, {"outside/office/SOUL.md": ""})
    (home.root / "profiles").rename(home.root / "old")
    (home.root / "profiles").symlink_to(tmp_path / "outside")
    assert names_of(home) == ["default"]
    problem = profiles_problem(home)
    assert problem
    assert problem.why == "link"
    with pytest.raises(NoSuchProfile):
        find_profile(home, "office")


def test_root_behind_a_link(home: Home, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home.root)
    linked = home_at(tmp_path / "link")
    (home.root / "profiles/kept").symlink_to("office")
    assert names_of(linked) == ["default", "a-1_b", "kept", "office"]
    assert find_profile(linked, "kept").folder == tmp_path / "link/profiles/office"


def test_two_hundred_profiles(home: Home) -> None:
    for number in range(200):
        profile_in(home.root, f"p{number:03}")
    assert len(list_profiles(home)) == 203


def test_home_that_vanishes(home: Home) -> None:
    profile = find_profile(home, "office")
    assert condition(profile).state == "ok"
    home.root.rename(home.root.with_name("moved"))
    assert condition(profile).state == "missing"
    assert names_of(home) == ["default"]
    assert condition(list_profiles(home)[0]).state == "missing"


# How a profile is


def test_condition(home: Home) -> None:
    found = condition(find_profile(home, "office"))
    assert (found.state, found.writable, found.owner, found.owned_by_us) == ("ok", True, os.geteuid(), True)


def test_file_in_place_of_the_folder(home: Home) -> None:
    profile = find_profile(home, "office")
    (profile.folder / "SOUL.md").unlink()
    profile.folder.rmdir()
    profile.folder.write_text("")
    assert condition(profile).state == "missing"


def open_the_way(path: Path) -> None:
    for folder in path.parents:
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)


CONDITION = """
    home = homes.home_at(Path(sys.argv[1]))
    try:
        os.listdir(home.root)
        print("listed")
    except PermissionError:
        print("really refused")
    found = homes.condition(homes.list_profiles(home)[0])
    print(found.state, found.writable, found.owner, found.owned_by_us)
"""


def test_home_of_somebody_else(home: Home) -> None:
    open_the_way(home.root)
    home.root.chmod(0o700)
    assert as_nobody(CONDITION, home.root).splitlines() == [
        "really refused",
        f"unreadable False {os.geteuid()} False",
    ]
    home.root.chmod(0o755)
    assert as_nobody(CONDITION, home.root).splitlines() == ["listed", f"ok False {os.geteuid()} False"]
    os.chown(home.root, NOBODY, NOBODY)
    assert as_nobody(CONDITION, home.root).splitlines() == ["listed", f"ok True {NOBODY} True"]


def test_home_in_a_closed_folder(home: Home) -> None:
    open_the_way(home.root)
    profile = find_profile(home, "office")
    os.chown(profile.folder, NOBODY, NOBODY)
    home.root.chmod(0o700)
    code = """
        home = homes.Home("k", "k", Path(sys.argv[1]))
        found = homes.condition(homes.Profile(home, "office", home.root / "profiles/office"))
        problem = homes.profiles_problem(home)
        print(found.state, found.owner, problem.why, len(homes.list_profiles(home)))
        print([place.what for place in homes.places_looked_at({"HERMES_HOME": sys.argv[1]}, home.root)])
    """
    assert as_nobody(code, home.root).splitlines() == [
        "unreadable None permission 1",
        "['not_set', 'unreadable', 'unreadable']",
    ]


def test_mounted_read_only(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real mount needs more rights than a test machine gives; this is what the system says of one."""
    profile = find_profile(home, "office")
    values = list(os.statvfs(profile.folder))
    values[8] |= os.ST_RDONLY
    monkeypatch.setattr(os, "statvfs", lambda path: os.statvfs_result(values))
    found = condition(profile)
    assert (found.state, found.writable) == ("ok", False)
