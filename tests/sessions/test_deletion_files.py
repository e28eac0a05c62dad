"""The files of a session: all of exactly this one, nothing of another, nothing outside."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermesweb.hermes.homes import Home, Profile
from hermesweb.hermes.writing import remove_file
from sessions.deletion_chat_index import chats_of, forget_chats
from sessions.deletion_file_names import dump_id, dump_owners, transcript_names
from sessions.deletion_files import LeftFile, RemovedFiles, files_of, remove_files
from sessions.deletion_values import PlannedConversation, PlannedSession

OWN = (
    "sessions/s1.json",
    "sessions/s1.jsonl",
    "sessions/session_s1.json",
    "sessions/request_dump_s1_1.json",
    "sessions/request_dump_s1_20260921_101112_000001.json",
    "hook_outputs/s1/one.txt",
    "spawn-trees/s1/_index.jsonl",
    "spawn-trees/s1/1.json",
    "moa-traces/s1.jsonl",
    "cache/delegation/live/deleg_aaaa1111/task-0.log",
    "cache/delegation/live/deleg_aaaa1111/manifest.json",
    "cache/delegation/subagent-summary-0-20260921_101600_000001.txt",
)
OTHERS = (
    "sessions/s10.json",
    "sessions/s1_2.json",
    "sessions/session_s10.json",
    "sessions/session_s1_2.json",
    "sessions/request_dump_s10_1.json",
    "sessions/request_dump_s1_2_20260921_101112_000001.json",
    "sessions/request_dump_s1_x.json",
    "sessions/saved/s1.json",
    "sessions/sessions.json",
    "hook_outputs/s10/one.txt",
    "spawn-trees/s1_2/1.json",
    "moa-traces/s10.jsonl",
    "cache/delegation/live/deleg_bbbb2222/manifest.json",
    "cache/delegation/subagent-summary-0-20260921_101600_000002.txt",
    "memories/MEMORY.md",
)


def planned(
    *ids: str, delegations: tuple[str, ...] = (), summaries: tuple[str, ...] = ()
) -> list[PlannedConversation]:
    sessions = tuple(PlannedSession(id, "root", 0, 0) for id in ids)
    return [PlannedConversation(sessions, delegations, summaries)]


S1 = planned(
    "s1", delegations=("deleg_aaaa1111",), summaries=("subagent-summary-0-20260921_101600_000001.txt",)
)


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    root = tmp_path / "home"
    for name in OWN + OTHERS:
        write(root, name, "{}")
    for name, session in (("tty-1", "s1"), ("tty-2", "s10")):
        write(root, f"terminal-sessions/{name}", json.dumps({"session_id": session}))
    for name, session in (("pending-1.json", "s1"), ("pending-2.json.bad", "s1"), ("pending-3.json", "s10")):
        write(root, f"pending_messages/{name}", json.dumps({"data": {"session_id": session, "message": {}}}))
    return Profile(Home("h", "h", root), "default", root)


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text)


def there(profile: Profile) -> set[str]:
    root = profile.folder
    return {
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if not path.is_dir() or path.is_symlink()
    }


TOLD = {"terminal-sessions/tty-1", "pending_messages/pending-1.json", "pending_messages/pending-2.json.bad"}


def test_exactly_its_own_files_go(profile: Profile) -> None:
    before = there(profile)
    done = remove_files(profile, S1)
    assert done.left == ()
    assert before - there(profile) == {*OWN, *TOLD}
    assert {"sessions/s1.json", "hook_outputs/s1", "cache/delegation/live/deleg_aaaa1111"} < set(done.removed)
    assert remove_files(profile, S1).removed == ()


def test_finding_changes_nothing(profile: Profile) -> None:
    before = there(profile)
    assert len(files_of(profile, S1)) == 13
    assert there(profile) == before


def test_manifest_that_names_the_session(profile: Profile) -> None:
    write(profile.folder, "cache/delegation/live/deleg_cccc3333/manifest.json", '{"parent_session_id": "s1"}')
    assert "cache/delegation/live/deleg_cccc3333" in files_of(profile, planned("s1")).folders


def test_nothing_there_at_all(tmp_path: Path) -> None:
    profile = Profile(Home("h", "h", tmp_path), "default", tmp_path)
    assert remove_files(profile, S1) == RemovedFiles((), ())


@pytest.mark.parametrize(
    "id",
    [
        "../../victim",
        "/etc/passwd",
        "a%2f..%2fb",
        "x" * 5000,
        "two\nlines",
        "*",
        "s?",
        "[s]1",
        "",
        ".",
        "..",
        "a\0b",
        "\ud800",
    ],
)
def test_hostile_ids_touch_nothing(profile: Profile, id: str) -> None:
    write(profile.folder.parent, "victim.json", "{}")
    before = there(profile)
    assert remove_files(profile, planned(id)).removed == ()
    assert there(profile) == before
    assert (profile.folder.parent / "victim.json").exists()


def test_index_of_all_chats_is_nobodys_file(profile: Profile) -> None:
    assert remove_files(profile, planned("sessions")).removed == ()


def test_name_that_another_session_may_have_is_left_and_named(profile: Profile) -> None:
    done = remove_files(profile, planned("session_s10"))
    assert done.left == (LeftFile("sessions/session_s10.json", "ambiguous"),)
    write(profile.folder, "spawn-trees/a_b/1.json", "{}")
    assert remove_files(profile, planned("a:b")).left == (LeftFile("spawn-trees/a_b", "ambiguous"),)


@pytest.mark.parametrize("link", ["sessions", "hook_outputs", "hook_outputs/s1", "sessions/s1.json"])
def test_links_are_not_followed(profile: Profile, link: str) -> None:
    place = profile.folder / link
    target = profile.folder.parent / "elsewhere"
    place.rename(target)
    place.symlink_to(target)
    kept = {path.name for path in target.rglob("*")} if target.is_dir() else target.read_text()
    done = remove_files(profile, S1)
    assert LeftFile(link, "link") in done.left
    assert kept == ({path.name for path in target.rglob("*")} if target.is_dir() else target.read_text())


def test_what_is_no_file_is_left_and_named(profile: Profile) -> None:
    (profile.folder / "sessions/s1.json").unlink()
    os.mkfifo(profile.folder / "sessions/s1.json")
    done = remove_files(profile, S1)
    assert done.left == (LeftFile("sessions/s1.json", "not_a_file"),)
    assert "sessions/s1.jsonl" in done.removed


def test_file_that_comes_back_is_named(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    def remove_beside_a_chat(path: Path, *, root: Path) -> None:
        remove_file(path, root=root)
        if path.name == "session_s1.json":
            path.write_text("again")
            path.with_name("request_dump_s1_2.json").write_text("more")

    monkeypatch.setattr("sessions.deletion_files.remove_file", remove_beside_a_chat)
    done = remove_files(profile, S1)
    assert set(done.left) == {
        LeftFile("sessions/session_s1.json", "still_there"),
        LeftFile("sessions/request_dump_s1_2.json", "came_back"),
    }
    assert "sessions/session_s1.json" not in done.removed


def test_chats_of_these_sessions_are_taken_out_of_the_index(profile: Profile) -> None:
    rest = {"chat2": {"session_id": "s10", "name": "Ädä"}, "chat3": {"session_id": ["s1"]}, "odd": 3}
    index = {"chat1": {"session_id": "s1", "name": "Ada"}, **rest}
    write(profile.folder, "sessions/sessions.json", json.dumps(index))
    assert chats_of(profile, ["s1"]) == 1
    assert forget_chats(profile, ["s1"]) == 1
    assert json.loads((profile.folder / "sessions/sessions.json").read_text()) == rest
    assert forget_chats(profile, ["s1"]) == 0


@pytest.mark.parametrize("content", [None, "", "[]", "{", '"s1"'])
def test_index_that_is_none(profile: Profile, content: str | None) -> None:
    (profile.folder / "sessions/sessions.json").unlink()
    if content is not None:
        write(profile.folder, "sessions/sessions.json", content)
    before = there(profile)
    assert chats_of(profile, ["s1"]) == forget_chats(profile, ["s1"]) == 0
    assert there(profile) == before


@pytest.mark.parametrize(
    ("name", "owners"),
    [
        ("request_dump_s1_1.json", ["s1"]),
        ("request_dump_s1_2_1.json", ["s1_2"]),
        ("request_dump_cron_x_20260921_101112_20260922_080000_000001.json", ["cron_x_20260921_101112"]),
        ("request_dump_x_20260921_101112_000001.json", ["x"]),
        ("request_dump_20260921_101112_ab12cd_20260921_101200_000001.json", ["20260921_101112_ab12cd"]),
        ("request_dump_s1_.json", []),
        ("request_dump__1.json", []),
        ("request_dump_s1_20260921_101112_000001.json.bak", []),
    ],
)
def test_whose_a_request_dump_is(name: str, owners: list[str]) -> None:
    assert dump_owners(name) == owners


@given(st.text(), st.text())
def test_no_two_ids_share_a_name(one: str, other: str) -> None:
    if one != other:
        assert not set(transcript_names(one)) & set(transcript_names(other))
        assert one.strip() == other.strip() or dump_id(one) != dump_id(other)


@given(st.text())
def test_names_are_single_parts(id: str) -> None:
    for name in transcript_names(id):
        assert Path(name).name == name
        assert "\0" not in name
