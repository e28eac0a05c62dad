"""Which files the real Hermes 0.19 takes for pending writes, and when its list fails."""

import json
from pathlib import Path
from typing import Any

import pytest

from memory.pending import count_pending, read_pending
from memory.pending_record import PendingRecord
from tests.memory_builders import ask_hermes, memory_home, pending_record

MARK = "\ufeff"
OTHERS: dict[str, Any] = {
    "odd names": {
        name: pending_record(name) for name in ("notes.json", "AB12CD34.json", ".h.json", ".json", "a b.json")
    },
    "no records": {"x.json.tmp": pending_record(), "x.JSON": pending_record(), "x": pending_record()},
    "broken": {
        "bad.json": "{",
        "latin.json": '{"id": "\udcff"}',
        "deep.json": "[" * 100_000,
        "empty.json": "",
    },
    "mark": {"mark.json": MARK + json.dumps(pending_record())},
    "inner id": {"00000002.json": pending_record("../../memories/MEMORY")},
    "no payload": {"00000002.json": pending_record("00000002", payload=...)},
    "list": {"00000002.json": "[1]"},
    "text": {"00000002.json": '"x"'},
    "null": {"00000002.json": "null"},
    "no time": {"00000002.json": pending_record("00000002", created_at=...)},
    "earlier": {"00000002.json": pending_record("00000002", created_at=5)},
    "text as time": {"00000002.json": pending_record("00000002", created_at="5")},
    "alone with text as time": {"00000001.json": pending_record("00000001", created_at="5")},
    "null as time": {"00000002.json": pending_record("00000002", created_at=None)},
    "true as time": {"00000002.json": pending_record("00000002", created_at=True)},
    "not a number": {"00000002.json": pending_record("00000002", created_at=float("nan"))},
    "half a character": {"00000002.json": pending_record("00000002", summary="\ud800")},
}


@pytest.mark.interop
def test_hermes_lists_what_we_list(tmp_path: Path) -> None:
    cases = []
    for others in OTHERS.values():
        contents = {"00000001.json": pending_record("00000001"), **others}
        texts = {name: text if isinstance(text, str) else json.dumps(text) for name, text in contents.items()}
        cases.append({"files": {f"pending/memory/{name}": text for name, text in texts.items()}})
    answers = ask_hermes("pending", cases, tmp_path / "hermes")
    for name, case, answer in zip(OTHERS, cases, answers, strict=True):
        home = memory_home(tmp_path / "ours" / name)
        for path, text in case["files"].items():
            home.pending(text.encode("utf-8", "surrogateescape"), Path(path).name)
        queue = read_pending(home.profile)
        assert count_pending(home.profile).memory == answer["count"], name
        assert queue.hermes_can_list("memory", "0.19") is isinstance(answer["listed"], list), name
        listed = [record for record in queue.memory if _is_listed_by_0_19(record)]
        if isinstance(answer["listed"], list):
            assert sorted(record.inner_id for record in listed) == sorted(answer["listed"]), name
        readable = {record.path.name for record in queue.memory if _is_listed_by_0_19(record)}
        assert readable | _no_objects(queue.memory) == {
            n for n, opened in answer["opened"].items() if opened
        } - {path.name for path in queue.other_names}, name


def _is_listed_by_0_19(record: PendingRecord) -> bool:
    broken = record.problem in ("unreadable", "not_json", "not_an_object")
    return not broken and "byte_order_mark" not in record.notes


def _no_objects(records: tuple[PendingRecord, ...]) -> set[str]:
    """0.19 opens them one by one, although they break its list; `null` it takes for no record."""
    found = (record for record in records if record.problem == "not_an_object")
    return {record.path.name for record in found if record.path.read_text() != "null"}
