import json
import os
from pathlib import Path

import pytest

from memory.pending import RECORD_LIMIT, RECORDS_READ, count_pending, find_pending, read_pending
from tests.memory_builders import MemoryHome, memory_home, pending_record


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    return memory_home(tmp_path / "home")


def ids(home: MemoryHome) -> list[str]:
    return [record.id for record in read_pending(home.profile).records]


def test_nothing_waits(home: MemoryHome) -> None:
    queue, count = read_pending(home.profile), count_pending(home.profile)
    assert (queue.records, queue.other_names, queue.problems) == ((), (), ())
    assert (count.memory, count.skills, count.unreadable, count.problem, count.total) == (0, 0, 0, None, 0)


def test_a_record(home: MemoryHome) -> None:
    path = home.pending(pending_record(origin="background_review"))
    (record,) = read_pending(home.profile).records
    assert (record.id, record.subsystem, record.path) == ("ab12cd34", "memory", path)
    assert (record.problem, record.notes) == (None, ())
    assert (record.action, record.origin, record.created_at) == ("add", "background_review", 1_750_000_000.5)
    assert record.summary == "add to memory: Likes maps"
    assert record.payload["content"] == "Likes maps"


def test_oldest_first_over_both_queues(home: MemoryHome) -> None:
    home.pending(pending_record("00000001", created_at=30), "00000001.json")
    home.pending(pending_record("00000002", created_at=20, subsystem="skills"), "00000002.json", "skills")
    home.pending(pending_record("00000003", created_at=10), "00000003.json")
    home.pending(pending_record("00000004", created_at=...), "00000004.json")
    queue = read_pending(home.profile)
    assert [record.id for record in queue.records] == ["00000004", "00000003", "00000002", "00000001"]
    assert [record.id for record in queue.skills] == ["00000002"]
    assert len(queue.memory) == 3


def test_the_badge_counts_what_cannot_be_applied_too(home: MemoryHome) -> None:
    home.pending(pending_record("00000001"), "00000001.json")
    home.pending(pending_record("00000002"), "00000002.json")
    home.pending(pending_record("00000003", subsystem="skills"), "00000003.json", "skills")
    home.pending(b"{", "00000004.json")
    home.pending(pending_record("00000005", payload=...), "00000005.json")
    count = count_pending(home.profile)
    assert (count.memory, count.skills, count.unreadable, count.total) == (4, 1, 0, 5)
    problems = {record.id: record.problem for record in read_pending(home.profile).records}
    assert problems["00000004"] == "not_json"
    assert problems["00000005"] == "missing_payload"


def test_every_name_ending_in_json_is_a_record(home: MemoryHome) -> None:
    for name in ["notes.json", "AB12CD34.json", ".hidden.json", "a b.json", ".json"]:
        home.pending(pending_record(name.removesuffix(".json")), name)
    for name in ["ab12cd34.json.tmp", "ab12cd34.JSON", "ab12cd34"]:
        home.pending(pending_record(), name)
    queue = read_pending(home.profile)
    assert sorted(record.id for record in queue.records) == ["", ".hidden", "AB12CD34", "a b", "notes"]
    assert all(record.notes == ("odd_name",) for record in queue.records)
    assert [path.name for path in queue.other_names] == ["ab12cd34", "ab12cd34.JSON", "ab12cd34.json.tmp"]
    assert count_pending(home.profile).total == 5


def test_what_is_no_file_counts_as_unreadable(home: MemoryHome, tmp_path: Path) -> None:
    target = home.pending(pending_record())
    folder = target.parent
    (folder / "00000001.json").mkdir()
    os.mkfifo(folder / "00000002.json")
    (folder / "00000003.json").symlink_to(target)
    (folder / "00000004.json").symlink_to(tmp_path / "nowhere")
    with (folder / "00000005.json").open("wb") as file:
        file.truncate(RECORD_LIMIT + 1)
    count = count_pending(home.profile)
    assert (count.memory, count.unreadable) == (6, 5)
    records = {record.id: record for record in read_pending(home.profile).records}
    whys = {key: record.unreadable.why for key, record in records.items() if record.unreadable}
    assert whys == {
        "00000001": "not_a_file",
        "00000002": "not_a_file",
        "00000003": "link",
        "00000004": "link",
        "00000005": "too_large",
    }
    assert {records[key].problem for key in whys} == {"unreadable"}


def test_a_folder_that_is_a_link(home: MemoryHome, tmp_path: Path) -> None:
    elsewhere = memory_home(tmp_path / "elsewhere")
    elsewhere.pending(pending_record())
    (home.folder / "pending").symlink_to(elsewhere.folder / "pending")
    queue, count = read_pending(home.profile), count_pending(home.profile)
    assert queue.records == ()
    assert [problem.why for problem in queue.problems] == ["link", "link"]
    assert count.problem is not None
    assert (count.total, count.problem.why) == (0, "link")


def test_a_record_is_found_among_the_names_only(home: MemoryHome) -> None:
    home.memory("secret", "x.json")
    home.pending(pending_record())
    found = find_pending(home.profile, "memory", "ab12cd34")
    assert found is not None
    assert found.summary == "add to memory: Likes maps"
    for wanted in [
        "../../memories/x",
        "/etc/passwd",
        "AB12CD34",
        "",
        "a\0b",
        "a" * 5000,
        "\ud800",
        "ab12cd34.json",
    ]:
        assert find_pending(home.profile, "memory", wanted) is None
    assert find_pending(home.profile, "skills", "ab12cd34") is None


def test_a_name_that_is_no_utf_8_can_be_shown_and_found(home: MemoryHome) -> None:
    home.pending(pending_record(), os.fsdecode(b"caf\xe9.json"))
    (identity,) = ids(home)
    assert identity == "caf\\xe9"
    assert find_pending(home.profile, "memory", identity) is not None


def test_more_records_than_are_read(home: MemoryHome) -> None:
    for number in range(RECORDS_READ + 2):
        home.pending(pending_record(f"{number:08x}"), f"{number:08x}.json")
    records = read_pending(home.profile).records
    assert len(records) == count_pending(home.profile).memory == RECORDS_READ + 2
    assert sum(record.problem == "not_read" for record in records) == 2


def test_reading_changes_nothing(home: MemoryHome) -> None:
    path = home.pending(b"{")
    before = (path.stat().st_mtime_ns, sorted(home.folder.rglob("*")))
    read_pending(home.profile)
    count_pending(home.profile)
    assert (path.stat().st_mtime_ns, sorted(home.folder.rglob("*"))) == before


@pytest.mark.parametrize(
    ("content", "works"),
    [
        (pending_record("00000002"), {"0.19": True, "0.22": True}),
        ([1], {"0.19": False, "0.22": True}),
        (pending_record("00000002", created_at="5"), {"0.19": False, "0.22": False}),
        (pending_record("00000002", created_at=None), {"0.19": False, "0.22": False}),
        (pending_record("00000002", created_at=...), {"0.19": True, "0.22": True}),
        (b"{", {"0.19": True, "0.22": True}),
        (
            b"\xef\xbb\xbf" + json.dumps(pending_record(created_at="5")).encode(),
            {"0.19": True, "0.22": False},
        ),
    ],
)
def test_what_breaks_the_list_of_hermes(home: MemoryHome, content: object, works: dict[str, bool]) -> None:
    home.pending(pending_record("00000001"), "00000001.json")
    home.pending(content, "00000002.json")
    queue = read_pending(home.profile)
    assert queue.hermes_can_list("memory", "0.19") is works["0.19"]
    assert queue.hermes_can_list("memory", "0.22") is works["0.22"]
    assert queue.hermes_can_list("skills", "0.19")
