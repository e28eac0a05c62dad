import os
import time
from pathlib import Path

import pytest

from hermesweb.hermes.groups import GROUPS, group_of
from hermesweb.hermes.homes import find_profile, home_at
from hermesweb.hermes.measure import Size, measure
from tests.home_builders import recorded_home
from tests.kernel_builders import as_nobody, profile_in, write


@pytest.mark.parametrize(
    ("group", "paths"),
    [
        # Exactly what `hermes memory reset` removes: the page calls this group gone after one.
        ("memory", "memories/MEMORY.md memories/USER.md"),
        ("memory_copies", "pending/memory/0a1b2c3d.json"),
        ("logs_and_caches", "memories/MEMORY.md.lock"),
        ("memory_copies", "memories/MEMORY.md.bak.1796048956 memories/.mem_k3x9.tmp memories/ARCHIVE.jsonl"),
        ("memory_copies", "memories/USER.md~ memory_store.db memory_store.db-wal retaindb_queue.db"),
        ("conversations", "state.db state.db-wal state.db-shm state.db-journal"),
        (
            "conversation_copies",
            "state.db.malformed-backup-20261128_030000 state.db.retired-wal-1-2/state.db-wal",
        ),
        (
            "conversation_copies",
            "sessions/sessions.json sessions/saved/a.json .hermes_history cron/output/j/a.md",
        ),
        (
            "conversation_copies",
            "cache/delegation/live/deleg_1/task-0.log processes.json response_store.db-wal",
        ),
        ("logs_and_caches", "logs/agent.log.1 logs/curator/1/REPORT.md cache/images/a.png image_cache/a.png"),
        ("logs_and_caches", "gateway.lock gateway.pid runtime/active_sessions.json cron/.tick.lock"),
        (
            "snapshots_and_backups",
            "state-snapshots/1/state.db state-snapshots/1/.env backups/pre-update-1.zip",
        ),
        (
            "snapshots_and_backups",
            "config.yaml.bak.1764000000 skills/.archive/old/SKILL.md checkpoints/store/HEAD",
        ),
        (
            "skills_and_settings",
            "skills/a/b/SKILL.md config.yaml SOUL.md cron/jobs.json pending/skills/1.json",
        ),
        (
            "credentials",
            ".env auth.json mcp-tokens/files.json cache/bws_cache.json platforms/whatsapp/session/a",
        ),
        ("work", "workspace/draft.txt kanban.db plans/a.md home/.bash_history"),
        ("program", "hermes-agent/run_agent.py bin/uv"),
        (
            "unknown",
            "diary.txt memories/notes.txt memories/sub/MEMORY.md state.dbx xstate.db statexdb skills a\nb",
        ),
        ("unknown", "profiles/x/state.db cron/other.txt"),
    ],
)
def test_groups(group: str, paths: str) -> None:
    for path in paths.split(" "):
        assert group_of(path) == group, path


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_only_what_belongs_to_no_store_is_unknown(tmp_path: Path, release: str) -> None:
    home = recorded_home(release, tmp_path)
    assert (
        measure(profile_in(home.root)).groups["unknown"].files == 2
    )  # diary-of-another-tool.txt, scratch.db
    assert measure(profile_in(home.root, "office")).groups["unknown"] == Size()


def test_nothing_is_lost_and_nothing_changes(tmp_path: Path) -> None:
    root = recorded_home("0.22", tmp_path).root

    def states() -> dict[Path, tuple[int, int, int]]:
        found = {path: path.lstat() for path in sorted(root.rglob("*"))}
        # Listing a folder may note when that was; files are not even opened.
        return {
            path: (about.st_mtime_ns, 0 if path.is_dir() else about.st_atime_ns, about.st_size)
            for path, about in found.items()
        }

    before = states()
    counted = measure(profile_in(root))
    assert states() == before
    own = [
        size
        for path, (*_, size) in before.items()
        if not path.is_relative_to(root / "profiles") and (path.is_symlink() or not path.is_dir())
    ]
    assert counted.total == Size(len(own), sum(own))
    assert set(counted.groups) == set(GROUPS)
    assert counted.complete


def test_named_profiles_are_not_part_of_the_default_one(tmp_path: Path) -> None:
    write(tmp_path, {"SOUL.md": "abc", "profiles/office/SOUL.md": "abcd", "profiles/office/profiles/x": "a"})
    home = home_at(tmp_path)
    assert measure(find_profile(home, "default")).total == Size(1, 3)
    counted = measure(find_profile(home, "office"))
    assert counted.groups["skills_and_settings"] == Size(1, 4)
    assert counted.groups["unknown"] == Size(1, 1)


def test_links_pipes_and_loops(tmp_path: Path) -> None:
    write(tmp_path, {"outside/big": "x" * 10_000, "home/logs/a": "ab"})
    logs = tmp_path / "home/logs"
    (logs / "out").symlink_to(tmp_path / "outside")
    (logs / "file").symlink_to(tmp_path / "outside/big")
    (logs / "loop").symlink_to("..")
    os.mkfifo(logs / "pipe")
    counted = measure(profile_in(tmp_path / "home"))
    assert counted.groups["logs_and_caches"].files == 5
    assert counted.groups["logs_and_caches"].bytes < 1_000
    assert counted.total.files == 5
    assert counted.unreadable == ()


def test_missing_home(tmp_path: Path) -> None:
    profile = profile_in(tmp_path / "home")
    profile.folder.rmdir()
    counted = measure(profile)
    assert (counted.total, counted.unreadable, counted.unreadable_count) == (Size(), (".",), 1)


def open_the_way(path: Path) -> None:
    for folder in path.parents:
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    root = write(tmp_path / "home", {"SOUL.md": "a", "logs/agent.log": "b", "logs/errors.log": "c"})
    open_the_way(root / "x")
    (root / "logs").chmod(0o755)
    for path in root.rglob("*.*"):
        path.chmod(0o644)
    (root / "logs/errors.log").chmod(0o640)
    return root


def readable(root: Path) -> tuple[str, ...]:
    counted = measure(profile_in(root))
    assert counted.readable_by_others_count == len(counted.readable_by_others)
    return counted.readable_by_others


def test_readable_by_others(shared: Path) -> None:
    assert sorted(readable(shared)) == ["SOUL.md", "logs/agent.log"]
    code = "print((Path(sys.argv[1]) / 'logs/agent.log').read_text())"
    assert as_nobody(code, shared) == "b"


@pytest.mark.parametrize("closed", ["logs", ".", ".."])
def test_a_closed_folder_above_protects(shared: Path, closed: str) -> None:
    (shared / closed).chmod(0o700)
    code = """
        try:
            open(sys.argv[1])
        except PermissionError:
            print("refused")
    """
    assert as_nobody(code, shared / "logs/agent.log") == "refused"
    assert readable(shared) == (("SOUL.md",) if closed == "logs" else ())


def test_a_folder_that_can_be_passed_but_not_listed_does_not_protect(shared: Path) -> None:
    shared.chmod(0o711)
    assert as_nobody("print((Path(sys.argv[1]) / 'SOUL.md').read_text())", shared) == "a"
    assert "SOUL.md" in readable(shared)


def test_only_the_first_names_are_kept(shared: Path) -> None:
    write(shared, {f"skills/s{number}/SKILL.md": "" for number in range(60)})
    for path in shared.rglob("*"):
        path.chmod(0o755)
    counted = measure(profile_in(shared))
    assert counted.readable_by_others_count == 63
    assert len(counted.readable_by_others) == 50


def test_unreadable_folders_are_named(shared: Path) -> None:
    (shared / "logs").chmod(0o700)
    code = """
        counted = measure.measure(homes.list_profiles(homes.home_at(Path(sys.argv[1])))[0])
        print(counted.unreadable, counted.unreadable_count, counted.total.files)
    """
    assert as_nobody(code, shared) == "('logs',) 1 1"


def test_names_that_are_not_utf8_can_be_shown(tmp_path: Path) -> None:
    root = write(tmp_path / "home", {"SOUL.md": ""})
    open_the_way(root / "x")
    name = os.fsdecode(b"caf\xe9")
    (root / name).write_text("")
    (root / name).chmod(0o644)
    assert "caf\\xe9" in readable(root)


def test_steps_and_cancelling(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path, {f"skills/s{number}/f{file}": "" for file in range(100)})
    steps: list[tuple[int, str]] = []
    measure(profile_in(tmp_path), on_step=lambda files, folder: steps.append((files, folder)))
    assert 3 <= len(steps) <= 6
    assert all(folder.startswith("skills/s") for _, folder in steps)

    class Cancelled(Exception):
        pass

    def cancel(files: int, folder: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        measure(profile_in(tmp_path), on_step=cancel)


def test_deadline(tmp_path: Path) -> None:
    write(tmp_path, {f"skills/s{number}/f": "" for number in range(30)})
    counted = measure(profile_in(tmp_path), deadline=time.monotonic() - 1)
    assert not counted.complete
    assert counted.total.files < 30
    assert measure(profile_in(tmp_path), deadline=time.monotonic() + 60).complete
