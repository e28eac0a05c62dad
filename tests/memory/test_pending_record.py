import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.pending_record import PendingRecord, parse_record
from tests.memory_builders import pending_record

PATH = Path("pending/memory/ab12cd34.json")


def parsed(content: bytes | object) -> PendingRecord:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    return parse_record(PATH, "memory", raw)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b"[" * 200_000, "not_json"),
        (b'{"created_at": ' + b"9" * 5_000 + b"}", "not_json"),
        (b"[]", "not_an_object"),
        (b'"text"', "not_an_object"),
        (b"null", "not_an_object"),
        (pending_record(payload=...), "missing_payload"),
        (pending_record(payload=None), "missing_payload"),
        (pending_record(payload="text"), "missing_payload"),
        (pending_record(payload=[]), "missing_payload"),
        (pending_record(payload={}), None),
    ],
)
def test_a_problem(content: bytes | object, problem: str | None) -> None:
    record = parsed(content)
    assert (record.id, record.problem, dict(record.payload)) == ("ab12cd34", problem, {})


def test_undecodable_bytes() -> None:
    for content, offset in [(b'{"id": "\xff"}', 8), (b"\xef\xbb\xbf{\xff", 4)]:
        record = parsed(content)
        assert (record.problem, record.unreadable and record.unreadable.offset) == ("unreadable", offset)


def test_a_byte_order_mark() -> None:
    record = parsed(b"\xef\xbb\xbf" + json.dumps(pending_record()).encode())
    assert (record.problem, record.notes) == (None, ("byte_order_mark",))


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"id": "../../memories/MEMORY"}, "inner_id_differs"),
        ({"id": 5}, "inner_id_differs"),
        ({"subsystem": "skills"}, "other_subsystem"),
        ({"created_at": "yesterday"}, "bad_time"),
        ({"created_at": None}, "bad_time"),
    ],
)
def test_a_note_hinders_nothing(changes: dict[str, object], note: str) -> None:
    record = parsed(pending_record() | changes)
    assert (record.id, record.subsystem, record.problem, record.notes) == (
        "ab12cd34",
        "memory",
        None,
        (note,),
    )


def test_the_inner_id_is_shown_only() -> None:
    assert parsed(pending_record("../../memories/MEMORY")).inner_id == "../../memories/MEMORY"


@pytest.mark.parametrize("created_at", [float("nan"), float("inf"), 10**400, True, "5", [], None, ...])
def test_a_time_that_is_no_time(created_at: object) -> None:
    assert parsed(pending_record(created_at=created_at)).created_at is None


def test_fields_of_another_kind_are_left_empty() -> None:
    record = parsed(pending_record(action=5, summary=["a"], origin=None))
    assert (record.action, record.summary, record.origin, record.problem) == ("", "", "", None)


def test_half_a_character_cannot_be_applied_but_shown() -> None:
    record = parsed(
        pending_record(summary="a\ud800", payload={"content": "b\udc00", "deep": [{"\ud801": 1}]})
    )
    assert record.problem == "unpaired_surrogates"
    assert record.summary == "a\ufffd"
    assert dict(record.payload) == {"content": "b\ufffd", "deep": [{"\ufffd": 1}]}


def test_a_whole_character_in_escapes_is_ordinary() -> None:
    record = parsed(pending_record(summary="\U0001f44d"))
    assert (record.summary, record.problem) == ("\U0001f44d", None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["id", "subsystem", "action", "summary", "origin", "created_at", "payload"])


@given(st.binary(max_size=60) | st.dictionaries(KEYS, JSON) | JSON)
def test_anything_becomes_a_record_that_can_be_shown(content: object) -> None:
    record = parsed(content)
    assert record.id == "ab12cd34"
    shown = json.dumps([record.inner_id, record.action, record.summary, record.origin, dict(record.payload)])
    json.dumps(json.loads(shown), ensure_ascii=False).encode()
