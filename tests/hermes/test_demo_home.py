"""The demo: a home in the real formats that shows each thing hermesweb is for."""

import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb.demo.home import MARK, NotADemo, build_home, is_demo
from hermesweb.demo.remembered import HOUSEHOLD, Note, forgotten, remembered
from hermesweb.hermes.config import read_config
from hermesweb.hermes.groups import group_of
from hermesweb.hermes.homes import Profile, home_at, is_home, list_profiles
from memory.entries import Store, read_store
from memory.limits import Target
from memory.pending import read_pending
from memory.switches import provider, write_approval

NOW = 1_790_000_000.0
DAY = 86_400


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "home"
    build_home(folder, now=NOW)
    return folder


@pytest.fixture
def profiles(root: Path) -> dict[str, Profile]:
    return {profile.name: profile for profile in list_profiles(home_at(root, "Demo"))}


def store(profile: Profile, target: Target) -> Store:
    return read_store(profile, target, read_config(profile.folder, root=profile.home.root), "0.19")


def rows(database: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"{database.as_uri()}?immutable=1", uri=True)) as connection:
        return connection.execute(query, values).fetchall()


def contents(folder: Path) -> dict[str, tuple[int, float, str]]:
    """Mode, time and content of every file: databases by what they hold."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        if path.name == "state.db":
            with closing(sqlite3.connect(path)) as connection:
                content = hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()
        status = path.stat()
        found[str(path.relative_to(folder))] = (
            status.st_mode,
            0 if path.name == "state.db" else status.st_mtime,
            content,
        )
    return found


def _interrupt() -> None:
    raise KeyboardInterrupt


class TestMark:
    def test_the_demo_says_what_it_is(self, root: Path) -> None:
        assert is_demo(root)
        assert is_home(root)
        assert "made up" in (root / MARK).read_text()
        assert "demo" in (root / "SOUL.md").read_text().splitlines()[0]

    def test_an_older_demo_is_replaced(self, tmp_path: Path) -> None:
        home = tmp_path / "home"
        build_home(home, now=NOW)
        (home / "memories" / "MEMORY.md").write_text("edited")
        build_home(home, now=NOW)
        assert "teapot" in (home / "memories" / "MEMORY.md").read_text()

    def test_a_build_that_was_interrupted_is_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "home.new").mkdir()
        (tmp_path / "home.new" / MARK).touch()
        build_home(tmp_path / "home", now=NOW)
        assert not (tmp_path / "home.new").exists()

    def test_the_mark_outlives_a_removal_that_is_interrupted(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home = tmp_path / "home"
        build_home(home, now=NOW)
        with monkeypatch.context() as patched:
            patched.setattr(shutil, "rmtree", lambda path: _interrupt())
            with pytest.raises(KeyboardInterrupt):
                build_home(home, now=NOW)
        assert is_demo(home)
        build_home(home, now=NOW)
        assert "teapot" in (home / "memories" / "MEMORY.md").read_text()

    @pytest.mark.parametrize(
        "occupy",
        [
            lambda path: path.mkdir(),
            lambda path: path.write_text("mine"),
            lambda path: path.symlink_to("nowhere"),
            lambda path: (path.mkdir(), (path / MARK).symlink_to("/etc/hostname")),
        ],
        ids=["folder", "file", "broken link", "mark is a link"],
    )
    @pytest.mark.parametrize("name", ["home", "home.new"])
    def test_nothing_without_the_mark_is_touched(
        self, tmp_path: Path, name: str, occupy: Callable[[Path], object]
    ) -> None:
        occupy(tmp_path / name)
        before = os.lstat(tmp_path / name)
        with pytest.raises(NotADemo) as refused:
            build_home(tmp_path / "home", now=NOW)
        assert refused.value.path == tmp_path / name
        assert os.lstat(tmp_path / name) == before
        assert [path.name for path in tmp_path.iterdir()] == [name]

    def test_a_link_to_a_demo_is_not_followed(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "home").symlink_to(root)
        with pytest.raises(NotADemo):
            build_home(tmp_path / "home", now=NOW)
        assert is_demo(root)


class TestRepeats:
    def test_the_same_now_and_seed_give_the_same_home(self, root: Path, tmp_path: Path) -> None:
        random.seed()
        build_home(tmp_path / "home", now=NOW)
        assert contents(tmp_path / "home") == contents(root)

    def test_another_seed_gives_another_key_and_other_sessions(self, root: Path, tmp_path: Path) -> None:
        build_home(tmp_path / "home", now=NOW, seed=2)
        assert (tmp_path / "home" / ".env").read_text() != (root / ".env").read_text()

    def test_all_of_it_happened_in_the_14_months_before_now(self, root: Path) -> None:
        [(oldest, newest)] = rows(root / "state.db", "SELECT min(timestamp), max(timestamp) FROM messages")
        assert NOW - 430 * DAY < oldest < NOW - 400 * DAY  # type: ignore[operator]
        assert NOW - DAY < newest < NOW  # type: ignore[operator]


class TestFiles:
    @pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
    def test_modes_are_those_of_hermes_whatever_the_umask(self, tmp_path: Path, umask: int) -> None:
        before = os.umask(umask)
        try:
            build_home(tmp_path / "home", now=NOW)
        finally:
            os.umask(before)
        expected = {
            ".": 0o700, "memories": 0o700, "sessions": 0o700, "logs": 0o700, "skills": 0o700, "cron": 0o700,
            "pending": 0o755, "profiles": 0o755, "profiles/workshop": 0o700, "state-snapshots": 0o755,
            "memories/MEMORY.md": 0o600, "memories/MEMORY.md.lock": 0o644, "cron/jobs.json": 0o600,
            "state.db": 0o644, "config.yaml": 0o644, ".env": 0o600, "pending/memory/3f9a1c04.json": 0o644,
            "profiles/workshop/memories": 0o700, "profiles/workshop/honcho.json": 0o600,
        }  # fmt: skip
        assert {
            name: stat.S_IMODE((tmp_path / "home" / name).stat().st_mode) for name in expected
        } == expected

    def test_every_file_but_the_mark_belongs_to_a_known_store(self, profiles: dict[str, Profile]) -> None:
        names = [
            str(path.relative_to(profile.folder))
            for profile in profiles.values()
            for path in profile.folder.rglob("*")
            if path.is_file() and "profiles" not in path.relative_to(profile.folder).parts
        ]
        assert [name for name in names if group_of(name) == "unknown"] == [MARK]

    def test_one_fact_is_in_every_kind_of_place(self, root: Path) -> None:
        holding = {
            path.relative_to(root).as_posix()
            for path in root.rglob("*")
            if path.is_file() and b"azelnut" in path.read_bytes()
        }
        kinds = {re.sub(r"[0-9]{8}.*|[0-9]{10}$", "", name) for name in holding}
        assert kinds >= {
            "memories/MEMORY.md", "memories/USER.md", "memories/MEMORY.md.bak.", "state.db", "logs/agent.log",
            "sessions/session_", "sessions/request_dump_", "state-snapshots/", ".hermes_history",
            "profiles/workshop/memories/MEMORY.md", "profiles/workshop/state.db",
        }  # fmt: skip
        assert any(name.startswith("cron/output/") for name in holding)

    def test_a_deleted_session_is_gone_from_the_rows_only(self, root: Path) -> None:
        assert rows(root / "state.db", "SELECT 1 FROM messages WHERE content LIKE '%quillwort%'") == []
        assert b"quillwort" in (root / "state.db").read_bytes()
        assert [path for path in root.glob("sessions/session_*.json") if "quillwort" in path.read_text()]
        assert rows(root / "state.db", "SELECT 1 FROM state_meta WHERE value LIKE '%quillwort%'")

    def test_json_files_are_json(self, root: Path) -> None:
        broken = []
        for path in root.rglob("*.json"):
            try:
                json.loads(path.read_text())
            except ValueError:
                broken.append(path.name)
        assert broken == ["77c2a930.json"]

    def test_nothing_in_the_source_looks_like_a_key(self) -> None:
        source = Path(__file__).parents[2] / "hermesweb" / "demo"
        assert [
            path for path in source.glob("*.py") if re.search(r"sk-[a-z0-9-]{8,}", path.read_text())
        ] == []

    def test_only_reserved_addresses_are_named(self, root: Path) -> None:
        text = "".join(
            path.read_text() for path in root.rglob("*") if path.is_file() and path.name != "state.db"
        )
        stored = "SELECT s.system_prompt || s.billing_base_url || m.content || m.tool_calls FROM sessions s, messages m"
        text += str(rows(root / "state.db", stored + " WHERE m.session_id = s.id"))
        hosts = {host.rstrip(".") for host in re.findall(r"https?://([\w.-]+)", text)}
        assert hosts
        assert [
            host for host in hosts if not re.search(r"(^|\.)example(\.com|\.net)?$|^127\.0\.0\.1$", host)
        ] == []


class TestMemory:
    def test_each_kind_of_entry_is_there(self, profiles: dict[str, Profile]) -> None:
        entries = store(profiles["default"], "memory").entries
        assert 9 <= len(entries) <= 12
        assert max(len(entry.blocked) for entry in entries) >= 3
        hidden = [entry for entry in entries if not entry.scanned]
        assert len(hidden) == 1
        assert len(hidden[0].would_find) >= 2
        assert [entry.duplicate_of for entry in entries if entry.duplicate_of is not None] == [1]
        found = [rule for entry in entries for rule in entry.blocked]
        assert {"invisible_unicode_U+200D", "invisible_unicode_U+200B"} <= set(found)

    def test_the_user_profile_is_over_its_limit(self, profiles: dict[str, Profile]) -> None:
        user = store(profiles["default"], "user")
        assert user.limit.value is not None
        assert 150 <= user.used - user.limit.value <= 250

    def test_the_second_profile_has_a_provider(self, profiles: dict[str, Profile]) -> None:
        assert list(profiles) == ["default", "workshop"]
        config = read_config(profiles["workshop"].folder, root=profiles["workshop"].home.root)
        assert provider(config) == "honcho"
        assert not store(profiles["workshop"], "user").over_limit

    def test_the_files_are_as_hermes_writes_them(self, profiles: dict[str, Profile]) -> None:
        for profile in profiles.values():
            for target in ("memory", "user"):
                assert store(profile, target).round_trips

    def test_an_entry_is_remembered_from_one_day_to_another(self) -> None:
        notes = [Note("memory", "now", since=5), Note("memory", "gone", since=9, until=3), Note("user", "me")]
        assert remembered(notes, "memory", 6) == ["gone"]
        assert remembered(notes, "memory", 4) == ["gone", "now"]
        assert remembered(notes, "memory", 0) == ["now"]
        assert [note.text for note in forgotten(notes)] == ["gone"]

    def test_what_was_forgotten_is_in_the_archive_and_in_old_prompts_only(self, root: Path) -> None:
        secret = forgotten(HOUSEHOLD)[-1].text
        assert secret not in (root / "memories" / "MEMORY.md").read_text()
        assert secret in (root / "memories" / "ARCHIVE.jsonl").read_text()
        holding = "SELECT started_at FROM sessions WHERE system_prompt LIKE '%' || ? || '%'"
        days = [(NOW - started) / DAY for (started,) in rows(root / "state.db", holding, secret)]  # type: ignore[operator]
        assert days
        assert min(days) >= 48


class TestPending:
    def test_proposals_fit_and_do_not_fit(self, profiles: dict[str, Profile]) -> None:
        queue = read_pending(profiles["default"])
        assert sorted(record.action for record in queue.memory) == ["", "add", "batch", "remove", "replace"]
        assert sorted(record.action for record in queue.skills) == ["create", "patch"]
        assert [record.problem for record in queue.memory if record.problem] == ["not_json"]
        entries = [entry.text for entry in store(profiles["default"], "memory").kept]
        old = {record.action: str(record.payload.get("old_text")) for record in queue.memory}
        assert [text for text in entries if old["replace"] in text] == []
        assert len([text for text in entries if old["remove"] in text]) == 2

    def test_a_batch_and_a_patch_can_be_applied(self, profiles: dict[str, Profile]) -> None:
        queue = read_pending(profiles["default"])
        batch = next(record.payload for record in queue.memory if record.action == "batch")
        old = batch["operations"][0]["old_text"]  # type: ignore[index]
        assert [entry for entry in store(profiles["default"], "user").kept if old in entry.text]
        patch = next(record.payload for record in queue.skills if record.action == "patch")
        skill = profiles["default"].folder / "skills" / "garden" / str(patch["name"]) / "SKILL.md"
        assert skill.read_text().count(str(patch["old_string"])) == 1

    def test_approval_is_switched_on_where_something_waits(self, profiles: dict[str, Profile]) -> None:
        config = read_config(profiles["default"].folder, root=profiles["default"].home.root)
        assert write_approval(config, "memory")
        assert write_approval(config, "skills")
