"""What is in each store, from names, sizes and modes alone."""

import os
import time
from pathlib import Path

import pytest

from hermesweb.hermes.homes import find_profile, home_at
from hermesweb.hermes.inventory import Holding, Inventory, files_of, may_hold, take_inventory
from hermesweb.hermes.outside import Bases, find_outside
from hermesweb.hermes.stores.catalogue import store, stores
from tests.home_builders import recorded_home
from tests.kernel_builders import as_nobody, profile_in, write
from tests.store_paths import OUTSIDE, PROFILE, ROOT


def held(inventory: Inventory, identity: str) -> Holding:
    return next(each for each in inventory.holdings if each.store.id == identity)


def ids(inventory: Inventory, state: str) -> set[str]:
    return {each.store.id for each in inventory.holdings if each.state == state}


def test_each_store_is_found_where_it_lies(tmp_path: Path) -> None:
    paths = {identity: listed.split() for identity, listed in {**PROFILE, **ROOT}.items()}
    write(tmp_path, {path: "four" for listed in paths.values() for path in listed})
    inventory = take_inventory(profile_in(tmp_path))
    assert ids(inventory, "present") == set(paths)
    assert inventory.unknown.files == 0
    for identity, listed in paths.items():
        amount = held(inventory, identity).amount
        assert (amount.files, amount.bytes) == (len(listed), 4 * len(listed)), identity
        assert sorted(amount.paths.first) == sorted(listed)
        assert amount.owners == (os.geteuid(),)


def test_an_empty_home_has_a_state_for_each_store(tmp_path: Path) -> None:
    inventory = take_inventory(profile_in(tmp_path))
    assert [each.store for each in inventory.holdings] == list(stores())
    assert ids(inventory, "absent") == {*PROFILE, *ROOT}
    assert ids(inventory, "not_looked_for") == set(OUTSIDE)
    assert ids(inventory, "remote") == {each.id for each in stores() if each.where == "remote"}
    assert ids(inventory, "inside") == {each.id for each in stores() if each.inside}
    assert {"os-level", "containers"} <= ids(inventory, "elsewhere")
    assert inventory.complete


def test_shared_stores_are_shown_once_with_the_root(tmp_path: Path) -> None:
    write(tmp_path, {"kanban.db": "", "profiles/office/kanban.db": "", "profiles/office/SOUL.md": ""})
    home = home_at(tmp_path)
    root, office = (take_inventory(find_profile(home, name)) for name in ("default", "office"))
    assert held(root, "kanban-db").shared
    assert held(root, "kanban-db").amount.files == 1
    assert not held(root, "soul").shared
    assert "kanban-db" not in {each.store.id for each in office.holdings}
    assert office.unknown.paths.first == ("kanban.db",)
    assert held(root, "soul").state == "absent"
    assert held(office, "soul").state == "present"


def test_times_modes_and_unknown_files(tmp_path: Path) -> None:
    root = write(tmp_path / "home", {"logs/agent.log": "a", "logs/agent.log.1": "abc", "new.txt": "abcd"})
    for name, when in (("agent.log", 2_000), ("agent.log.1", 1_000)):
        os.utime(root / "logs" / name, (when, when))
    for folder in (root / "logs", *(root / "logs").parents):
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    (root / "logs/agent.log").chmod(0o644)
    (root / "logs/agent.log.1").chmod(0o600)
    inventory = take_inventory(profile_in(root))
    log = held(inventory, "agent-log").amount
    assert (log.oldest, log.newest, log.bytes) == (1_000, 2_000, 4)
    assert (log.readable_by_others.count, log.readable_by_others.first) == (1, ("logs/agent.log",))
    assert (inventory.unknown.files, inventory.unknown.bytes) == (1, 4)
    absent = held(inventory, "soul").amount
    assert (absent.files, absent.oldest, absent.newest, absent.owners) == (0, None, None, ())


def test_only_the_first_names_are_kept(tmp_path: Path) -> None:
    write(tmp_path, {f"odd{number}": "" for number in range(60)})
    unknown = take_inventory(profile_in(tmp_path)).unknown
    assert (unknown.files, unknown.paths.count, len(unknown.paths.first)) == (60, 60, 50)


def test_what_could_not_be_looked_into_is_not_called_absent(tmp_path: Path) -> None:
    root = write(
        tmp_path / "home",
        {"SOUL.md": "", "cache/images/a.png": "", "cache/web/a.md": "", "logs/agent.log": ""},
    )
    for folder in (root, *root.parents):
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    (root / "cache/images").chmod(0o700)
    (root / "logs").chmod(0o711)
    code = """
        from hermesweb.hermes import inventory
        taken = inventory.take_inventory(homes.list_profiles(homes.home_at(Path(sys.argv[1])))[0])
        states = {each.store.id: (each.state, each.complete) for each in taken.holdings}
        print(states["cache-images"], states["cache-documents"], states["web-cache"], states["agent-log"])
        print(sorted(taken.unreadable.first), taken.complete)
    """
    first, second = as_nobody(code, root).splitlines()
    assert first == "('unreadable', False) ('absent', True) ('present', True) ('unreadable', False)"
    assert second == "['cache/images', 'logs'] True"


@pytest.mark.parametrize(
    ("identity", "folder", "may"),
    [
        ("cache-images", "cache", True),
        ("cache-images", "cache/images", True),
        ("cache-images", "cache/images/a", True),
        ("cache-images", "image_cache", True),
        ("cache-images", "cache/web", False),
        ("session-json", "sessions", True),
        ("session-json", "sessions/saved", False),
        ("kanban-db", "kanban/boards/home", True),
        ("memory-md", "", True),
        ("hermesweb-leftovers", "skills/a", True),
        ("model-provider", "", False),
    ],
)
def test_where_a_store_may_lie(identity: str, folder: str, may: bool) -> None:
    assert may_hold(store(identity), folder) is may


@pytest.fixture
def outer(tmp_path: Path) -> Path:
    """A login's folder, with a Hermes home that has a profile called office, and a temporary folder."""
    write(
        tmp_path,
        {"sam/hermes-home/SOUL.md": "", "sam/hermes-home/profiles/office/SOUL.md": "", "tmp/other": ""},
    )
    return tmp_path


def everywhere(outer: Path) -> Inventory:
    return take_inventory(
        profile_in(outer / "sam/hermes-home"),
        os_home=outer / "sam",
        temporary=outer / "tmp",
        data=outer / "data",
        work_folders=[outer / "garden"],
    )


def test_places_outside_the_home(outer: Path) -> None:
    bases = {"~": "sam", "<tmp>": "tmp", "<work>": "garden", "<data>": "data"}
    paths = [path.partition("/") for listed in OUTSIDE.values() for path in listed.split()]
    write(outer, {f"{bases[start]}/{rest}": "four" for start, _, rest in paths})
    inventory = everywhere(outer)
    found = {each.store.id: each.amount for each in inventory.holdings if each.store.id in OUTSIDE}
    for identity, listed in OUTSIDE.items():
        shown = [path.replace("<work>", str(outer / "garden")) for path in listed.split()]
        assert sorted(found[identity].paths.first) == sorted(shown)
    assert held(inventory, "tmp-results").shared
    assert held(inventory, "soul").amount.files == 1


def test_outside_nothing_is_there(outer: Path) -> None:
    inventory = everywhere(outer)
    assert ids(inventory, "absent") >= set(OUTSIDE)
    assert not ids(inventory, "not_looked_for")


def test_outside_no_link_is_followed_and_the_home_is_not_counted_twice(outer: Path) -> None:
    write(
        outer,
        {"elsewhere/a.txt": "", "elsewhere/results/b.txt": "", "sam/hermes-home/workspace/AGENTS.md": ""},
    )
    (outer / "tmp/hermes-results").symlink_to(outer / "elsewhere")
    (outer / "sam/.openclaw").mkdir()
    (outer / "sam/.openclaw/linked").symlink_to(outer / "elsewhere")
    inventory = take_inventory(
        profile_in(outer / "sam/hermes-home"),
        os_home=outer / "sam",
        temporary=outer / "tmp",
        work_folders=[outer / "sam/hermes-home/workspace"],
    )
    assert held(inventory, "tmp-results").amount.paths.first == ("<tmp>/hermes-results",)
    assert held(inventory, "openclaw-leftover").amount.paths.first == ("~/.openclaw/linked",)
    assert held(inventory, "context-files").state == "absent"
    assert held(inventory, "workspace").amount.files == 1


def test_outside_files_of_others_do_not_count(outer: Path) -> None:
    write(outer, {"tmp/hermes-snap-1.sh": "", "tmp/hermes-results/a.txt": ""})
    us = os.geteuid()
    for owner, found in ((us, ["<tmp>/hermes-snap-1.sh"]), (us + 1, [])):
        bases = Bases(None, outer / "tmp", None, (), outer / "home", frozenset(), frozenset({owner}))
        assert [seen.path for seen in find_outside("<tmp>/hermes-snap-*.sh", bases) if seen] == found


def test_outside_a_closed_folder_does_not_hide_the_others(outer: Path) -> None:
    names = [f"sam/.openclaw.pre-migration{number}" for number in range(3)]
    write(outer, {f"{name}/a.txt": "" for name in names} | {"sam/.moltbot/a.txt": ""})
    for folder in (outer / "sam/hermes-home", *(outer / "sam/hermes-home").parents):
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    (outer / names[0]).chmod(0o700)
    (outer / "sam/.config").mkdir(mode=0o700)
    code = """
        from hermesweb.hermes import inventory
        home = homes.home_at(Path(sys.argv[1]) / "sam/hermes-home")
        taken = inventory.take_inventory(homes.list_profiles(home)[0], os_home=Path(sys.argv[1]) / "sam")
        for each in taken.holdings:
            if each.store.id in ("openclaw-leftover", "desktop-app", "user-backups"):
                print(each.store.id, each.state, each.complete, each.amount.files)
    """
    assert as_nobody(code, outer).splitlines() == [
        "user-backups absent True 0",
        "openclaw-leftover present False 3",
        "desktop-app unreadable False 0",
    ]


def test_time_over(tmp_path: Path) -> None:
    write(tmp_path, {f"skills/s{number}/f": "" for number in range(30)})
    inventory = take_inventory(profile_in(tmp_path), os_home=tmp_path, deadline=time.monotonic() - 1)
    assert not inventory.complete
    assert held(inventory, "soul").state == "not_looked_for"
    assert held(inventory, "user-backups").state == "not_looked_for"
    assert not held(inventory, "skills").complete


def test_the_files_of_some_stores(tmp_path: Path) -> None:
    write(tmp_path, {"memories/MEMORY.md": "", "memories/MEMORY.md.bak.1": "", "kanban.db": "", "new": ""})
    write(tmp_path, {"profiles/office/memories/MEMORY.md": ""})
    found = files_of(profile_in(tmp_path), {"memory-md", "kanban-db", "soul"})
    assert sorted((store.id, seen.path) for store, seen in found) == [
        ("kanban-db", "kanban.db"),
        ("memory-md", "memories/MEMORY.md"),
    ]


def test_steps(tmp_path: Path) -> None:
    write(tmp_path, {f"skills/s{number}/f{file}": "" for number in range(15) for file in range(100)})
    steps: list[int] = []
    take_inventory(profile_in(tmp_path), on_step=lambda files, folder: steps.append(files))
    assert steps == sorted(steps)
    assert 2 <= len(steps) <= 3


def test_a_home_that_is_not_there(tmp_path: Path) -> None:
    profile = profile_in(tmp_path / "home")
    profile.folder.rmdir()
    inventory = take_inventory(profile)
    assert inventory.unreadable.first == (".",)
    assert ids(inventory, "unreadable") == {*PROFILE, *ROOT}


def test_special_files_are_counted_and_never_opened(tmp_path: Path) -> None:
    root = write(tmp_path / "home", {"logs/agent.log": "ab"})
    os.mkfifo(root / "logs/pipe")
    (root / "logs/loop").symlink_to("..")
    (root / os.fsdecode(b"caf\xe9\n")).write_text("")
    inventory = take_inventory(profile_in(root))
    assert held(inventory, "other-logs").amount.files == 2
    assert inventory.unknown.paths.first == ("caf\\xe9\n",)


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_recorded_homes(tmp_path: Path, release: str) -> None:
    built = recorded_home(release, tmp_path)
    before = {path: path.lstat() for path in tmp_path.rglob("*")}
    outside = {
        "os_home": built.outer,
        "temporary": tmp_path / "tmp",
        "work_folders": [built.outer / "projects/garden"],
    }
    taken = take_inventory(profile_in(built.root), **outside)
    after = {path: path.lstat() for path in tmp_path.rglob("*")}
    assert {path: (it.st_mtime_ns, it.st_size) for path, it in before.items()} == {
        path: (it.st_mtime_ns, it.st_size) for path, it in after.items()
    }
    assert set(taken.unknown.paths.first) == {"diary-of-another-tool.txt", "scratch.db"}
    # Not the one that bears another profile's name: that is theirs, also for a clearing.
    assert held(taken, "user-backups").amount.files == 1
    theirs = take_inventory(profile_in(built.root, "office"), **outside)
    assert held(theirs, "user-backups").amount.files == 2
    assert held(taken, "context-files").state == "present"
    assert held(theirs, "services").amount.paths.first == ("~/.local/bin/office",)
    counted = sum(each.amount.files for each in taken.holdings if each.store.where in ("profile", "root"))
    assert counted + 2 == sum(
        not path.is_dir() or path.is_symlink()
        for path in built.root.rglob("*")
        if not path.is_relative_to(built.root / "profiles")
    )
