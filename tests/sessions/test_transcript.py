"""One conversation, a page at a time, in the order Hermes replays it."""

import json
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions.content import PREFIX
from sessions.database import read_state
from sessions.parts import Problem
from sessions.transcript import FIRST, LAST, Place, Window, call_before, read_message, window
from sessions.transcript_errors import NoSuchMessage, NoSuchSession
from sessions.transcript_message import Message
from tests.state_builders import SCHEMA_OF, add_message, add_session, connect, old_state


def show(folder: Path, sessions: Sequence[str] = ("s1",), **how: object) -> Window:
    return read_state(folder, lambda db: window(db, sessions, **how))  # type: ignore[arg-type]


def ids(found: Window) -> list[int]:
    return [message.id for message in found.messages]


def texts(found: Window) -> list[str]:
    return [message.text for message in found.messages]


def one(folder: Path, **values: object) -> Message:
    add_message(folder, "s1", **values)  # type: ignore[arg-type]
    return show(folder, undone=True).messages[-1]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    add_session(old_state(tmp_path), "s1")
    return tmp_path


def fill(folder: Path, *sessions: str, **values: object) -> None:
    """One message for each name, all ids after one another."""
    names = ["session_id", "role", "content", "timestamp", *values]
    marks = ", ".join("?" * len(names))
    with closing(connect(folder)) as connection:
        rows = [(name, "user", f"{name} {n}", 1e9, *values.values()) for n, name in enumerate(sessions, 1)]
        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO messages({', '.join(names)}) VALUES({marks})", rows)
        connection.execute("COMMIT")


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_it_works(tmp_path: Path, release: str) -> None:
    add_session(old_state(tmp_path, release), "s1")
    fill(tmp_path, "s1", "other", "s1")
    found = show(tmp_path)
    assert texts(found) == ["s1 1", "s1 3"]
    assert (found.has_before, found.has_after) == (False, False)
    assert [message.first for message in found.messages] == [True, False]


def test_the_order_is_that_of_the_ids_whatever_the_clock_says(folder: Path) -> None:
    for text, at in (("one", 900.0), ("two", 100.0), ("three", "soon"), ("four", -1), ("five", 5e246)):
        add_message(folder, "s1", text, timestamp=at)
    assert texts(show(folder)) == ["one", "two", "three", "four", "five"]
    assert [message.at for message in show(folder).messages] == [900.0, 100.0, None, None, None]


def test_pages_forward_and_back(folder: Path) -> None:
    fill(folder, *["s1"] * 10)
    first = show(folder, limit=4)
    assert (ids(first), first.has_before, first.has_after) == ([1, 2, 3, 4], False, True)
    second = show(folder, after=first.end, limit=4)
    assert (ids(second), second.has_before, second.has_after) == ([5, 6, 7, 8], True, True)
    third = show(folder, after=second.end, limit=4)
    assert (ids(third), third.has_before, third.has_after) == ([9, 10], True, False)
    back = show(folder, before=third.start, limit=4)
    assert (ids(back), back.has_before, back.has_after) == ([5, 6, 7, 8], True, True)
    assert ids(show(folder, before=Place("s1", LAST), limit=3)) == [8, 9, 10]
    assert ids(show(folder, after=Place("s1", FIRST), limit=3)) == [1, 2, 3]


def test_around_a_message(folder: Path) -> None:
    fill(folder, *["s1"] * 20)
    found = show(folder, around=10, limit=6)
    assert (ids(found), found.focus) == ([7, 8, 9, 10, 11, 12], 10)
    assert (found.has_before, found.has_after) == (True, True)
    start = show(folder, around=1, limit=6)
    assert (ids(start), start.has_before) == ([1, 2, 3], False)
    end = show(folder, around=20, limit=6)
    assert (ids(end), end.has_after) == ([17, 18, 19, 20], False)


@pytest.mark.parametrize("around", [2, 99, 2**63, -(2**63) - 1])
def test_around_a_message_of_another_session_or_none(folder: Path, around: int) -> None:
    fill(folder, "s1", "other")
    with pytest.raises(NoSuchMessage):
        show(folder, around=around)
    with pytest.raises(NoSuchMessage):
        read_state(folder, lambda db: read_message(db, ["s1"], around))


@pytest.mark.parametrize("index", [False, True])
def test_far_apart_messages_are_found(folder: Path, index: bool) -> None:
    fill(folder, "s1", *["other"] * 6000, "s1", *["other"] * 6000, "s1", "s1")
    if index:
        with closing(connect(folder)) as connection:
            connection.execute("CREATE INDEX idx_messages_session_id ON messages(session_id, id)")
    assert ids(show(folder)) == [1, 6002, 12003, 12004]
    assert ids(show(folder, around=6002, limit=2)) == [1, 6002]
    assert ids(show(folder, before=Place("s1", 12003))) == [1, 6002]


def test_an_index_of_that_name_over_something_else(folder: Path) -> None:
    fill(folder, *["s1"] * 5)
    with closing(connect(folder)) as connection:
        connection.execute("CREATE INDEX idx_messages_session_id ON messages(role)")
    assert ids(show(folder)) == [1, 2, 3, 4, 5]


def test_sessions_after_one_another_are_one_conversation(folder: Path) -> None:
    fill(folder, "s2", "s1", "s2", "s1", "s3", "s2")
    chain = ("s1", "empty", "s2", "s3")
    found = show(folder, chain)
    assert ids(found) == [2, 4, 1, 3, 6, 5]
    assert [message.first for message in found.messages] == [True, False, True, False, False, True]
    assert ids(show(folder, chain, after=Place("s1", 4), limit=2)) == [1, 3]
    assert ids(show(folder, chain, before=Place("s3", 5), limit=2)) == [3, 6]
    middle = show(folder, chain, around=1, limit=4)
    assert (ids(middle), middle.has_before, middle.has_after) == ([2, 4, 1, 3], False, True)
    assert [message.first for message in middle.messages] == [True, False, True, False]
    late = show(folder, chain, after=Place("s2", 1))
    assert [message.first for message in late.messages] == [False, False, True]


def states(folder: Path) -> None:
    """live, undone, compacted, live of no known state."""
    add_message(folder, "s1", "live")
    add_message(folder, "s1", "undone", active=0)
    add_message(folder, "s1", "compacted", active=0, compacted=1)
    add_message(folder, "s1", "old", active=None)


@pytest.mark.parametrize(
    ("undone", "compacted", "expected"),
    [
        (True, True, ["live", "undone", "compacted", "old"]),
        (False, True, ["live", "compacted", "old"]),
        (True, False, ["live", "undone", "old"]),
        (False, False, ["live", "old"]),
    ],
)
def test_taken_back_and_summed_up_messages(
    folder: Path, undone: bool, compacted: bool, expected: list[str]
) -> None:
    states(folder)
    found = show(folder, undone=undone, compacted=compacted)
    assert texts(found) == expected
    assert [message.state for message in found.messages] == [
        "live" if text == "old" else text for text in expected
    ]


def test_a_focus_is_always_to_be_seen(folder: Path) -> None:
    states(folder)
    assert show(folder, around=1).undone is False
    assert show(folder, around=2).undone is True
    assert 2 in ids(show(folder, around=2))
    found = show(folder, around=3, compacted=False)
    assert (found.undone, found.compacted, 3 in ids(found)) == (False, True, True)


def test_an_edge_named_after_a_hidden_message(folder: Path) -> None:
    states(folder)
    found = show(folder, after=Place("s1", 2))
    assert (texts(found), found.has_before) == (["compacted", "old"], True)


@pytest.mark.parametrize("release", ["0.13", "0.17"])
def test_without_the_columns_everything_is_live(tmp_path: Path, release: str) -> None:
    add_session(old_state(tmp_path, release), "s1")
    add_message(tmp_path, "s1")
    assert show(tmp_path, compacted=False).messages[0].state == "live"


def test_calls_and_their_answers(folder: Path) -> None:
    calls = [{"id": f"c{n}", "function": {"name": f"tool{n}", "arguments": "{}"}} for n in (1, 2)]
    for _ in range(2):  # the same ids come again
        add_message(folder, "s1", None, role="assistant", tool_calls=json.dumps(calls))
        add_message(folder, "s1", "b", role="tool", tool_call_id="c2", tool_name="tool2")
        add_message(folder, "s1", "a", role="tool", tool_call_id="c1")
        add_message(folder, "s1", "?", role="tool", tool_call_id="c9")
    found = show(folder)
    assert found.calls is not None
    assert {key: call.name for key, call in found.calls.items()} == {
        2: "tool2",
        3: "tool1",
        6: "tool2",
        7: "tool1",
    }
    cut = show(folder, after=Place("s1", 5))
    assert not cut.calls
    call = read_state(folder, lambda db: call_before(db, cut.messages[0]))
    assert call is not None
    assert call.name == "tool2"
    assert read_state(folder, lambda db: call_before(db, found.messages[3])) is None


def test_a_message_has_everything(folder: Path) -> None:
    with closing(connect(folder)) as connection:
        for column in ("api_content TEXT", "display_kind TEXT", "_compressed_summary INTEGER"):
            connection.execute(f"ALTER TABLE messages ADD COLUMN {column}")
    message = one(
        folder,
        content="hi",
        role="assistant",
        reasoning="thinking",
        api_content="hi and memory",
        display_kind="hidden",
        _compressed_summary=1,
        platform_message_id="tg-1",
        observed=1,
        finish_reason="stop",
        token_count=7,
        timestamp=1e9,
    )
    assert (message.role, message.text, message.at, message.first) == ("assistant", "hi", 1e9, True)
    assert message.reasoning[0].text is not None
    assert message.reasoning[0].text.text == "thinking"
    assert message.sent is not None
    assert message.sent.text == "hi and memory"
    assert (message.display, message.summary, message.observed) == ("hidden", True, True)
    assert (message.platform_id, message.finish_reason, message.tokens) == ("tg-1", "stop", 7)
    assert message.problems == ()
    assert one(folder, content="same", api_content="same").sent is None


@pytest.mark.parametrize("start", ["[CONTEXT COMPACTION — REFERENCE ONLY]", "[CONTEXT SUMMARY]: x"])
def test_a_summary_of_older_releases(folder: Path, start: str) -> None:
    assert one(folder, content=f"{start}\nEarlier: minerals.").summary


@pytest.mark.parametrize(
    ("values", "code", "column"),
    [
        ({"content": b"\xff\xfe"}, "not_text", "content"),
        ({"content": PREFIX + "[{"}, "bad_json", "content"),
        ({"tool_calls": "{not json"}, "bad_json", "tool_calls"),
        ({"reasoning_details": "{not json"}, "bad_json", "reasoning_details"),
        ({"timestamp": "2026-09-01T10:00:00"}, "bad_time", "timestamp"),
    ],
)
def test_what_is_broken_is_named(folder: Path, values: dict[str, object], code: str, column: str) -> None:
    assert one(folder, **values).problems == (Problem(code, column),)  # type: ignore[arg-type]


def test_a_long_text_is_cut_and_shown_whole_on_request(folder: Path) -> None:
    text = "é\0" * 15_000
    message = one(folder, content=text)
    assert (message.cut, message.parts[0].text and message.parts[0].text.characters) == (True, 30_000)
    whole = read_state(folder, lambda db: read_message(db, ["s1"], message.id))
    assert (whole.text, whole.cut) == (text, False)


def test_a_very_long_text_is_not_read_to_its_end(folder: Path) -> None:
    message = one(folder, content="日" * 1_500_000)
    assert message.parts[0].text is not None
    assert (message.parts[0].text.characters, len(message.parts[0].text.text)) == (None, 20_000)


def test_a_photograph_is_read_whole_and_only_measured(folder: Path) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64," + "A" * 5_000_000}}
    message = one(folder, content=PREFIX + json.dumps([{"type": "text", "text": "look"}, picture]))
    assert (message.text, message.parts[1].size, message.problems) == ("look", 3_750_000, ())


@pytest.mark.parametrize("session", ["", "\ud800", "a\0b", "../../x", "odd id/../?q=1&<b>#frag%2f"])
def test_sessions_of_any_name(folder: Path, session: str) -> None:
    assert show(folder, [session]).messages == ()
    with pytest.raises(NoSuchSession):
        show(folder, [session], after=Place("other", 1))


def test_no_sessions_at_all(folder: Path) -> None:
    assert show(folder, []).messages == ()


def test_a_state_without_messages(tmp_path: Path) -> None:
    with closing(connect(old_state(tmp_path))) as connection:
        connection.execute("DROP TABLE messages")
    assert show(tmp_path).messages == ()


ROWS = st.lists(
    st.tuples(st.sampled_from(["s1", "s2", "other"]), st.sampled_from([(1, 0), (0, 0), (0, 1), (None, 0)])),
    max_size=40,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(ROWS, st.integers(1, 7), st.booleans(), st.booleans())
def test_pages_show_every_message_once(
    tmp_path: Path, rows: list[tuple[str, tuple[int | None, int]]], limit: int, undone: bool, compacted: bool
) -> None:
    (tmp_path / "state.db").unlink(missing_ok=True)
    with closing(connect(old_state(tmp_path))) as connection:
        connection.executemany(
            "INSERT INTO messages(session_id, role, content, timestamp, active, compacted)"
            " VALUES(?, 'user', 'x', 1, ?, ?)",
            [(session, *state) for session, state in rows],
        )
    expected = [
        number
        for wanted in ("s1", "s2")
        for number, (session, (active, summed)) in enumerate(rows, 1)
        if session == wanted and (active != 0 or (compacted if summed else undone))
    ]
    page = partial(show, tmp_path, ("s1", "s2"), limit=limit, undone=undone, compacted=compacted)
    found, seen = page(), []
    while found.messages:
        seen += ids(found)
        assert found.has_after == (seen != expected)
        found = page(after=found.end)
    assert seen == expected
    found, seen = page(before=Place("s2", LAST)), []
    while found.messages:
        seen = ids(found) + seen
        assert found.has_before == (seen != expected)
        found = page(before=found.start)
    assert seen == expected
