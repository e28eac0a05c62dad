"""Finding the calls of the memory tool, and which of them an entry comes from."""

import json
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sessions.database import read_state
from sessions.memory_calls import CallSearch, MemoryCall, background_reviews, memory_calls, origins
from sessions.memory_operations import answer_of, operations_of
from sessions.tool_calls import ToolCall, tool_calls_of
from tests.home_builders import BuiltHome
from tests.state_builders import SCHEMA_OF, add, add_message, add_session, connect, old_state

NOW = 1_700_000_000.0
SAVED = {"success": True, "done": True, "message": "Entry added."}
FULL = {
    "success": False,
    "error": "Memory at 30/40 chars. Adding this entry (50 chars) would exceed the limit.",
}
_ids = count()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = old_state(tmp_path)
    add_session(folder, "s1", title="Garden")
    return folder


def remember(
    folder: Path,
    answer: object = None,
    *,
    session: str = "s1",
    call_id: str | None = None,
    flat: bool = False,
    undone: bool = False,
    **arguments: Any,
) -> None:
    """The message with one call, and its answer: a mapping as JSON, a text as it is, False for none."""
    call_id = f"call_{next(_ids)}" if call_id is None else call_id
    call: dict[str, Any] = {"name": "memory", "arguments": json.dumps({"target": "memory", **arguments})}
    call = {"id": call_id, **(call if flat else {"type": "function", "function": call})}
    gone = {"active": 0} if undone else {}
    add_message(folder, session, "", role="assistant", tool_calls=json.dumps([call]), **gone)
    if answer is not False:
        content = answer if isinstance(answer, str) else json.dumps(answer or SAVED)
        fields = {"role": "tool", "tool_name": "memory", "tool_call_id": call_id or None}
        add_message(folder, session, content, **fields, **gone)


def search(folder: Path, **options: Any) -> CallSearch:
    return read_state(folder, lambda db: memory_calls(db, **options))


def only(folder: Path) -> MemoryCall:
    (call,) = search(folder).calls
    return call


def steps(folder: Path, entry: str, target: str = "memory") -> list[tuple[str, int]]:
    origin = origins(search(folder).calls).of(target, entry)
    return [(step.operation.action, step.call.message) for step in origin.steps] if origin else []


@pytest.mark.parametrize("flat", [False, True], ids=["openai", "flat"])
def test_a_call(state: Path, flat: bool) -> None:
    add_message(state, "s1", "I like maps")
    remember(state, flat=flat, action="add", content=" Likes maps ", target="user")
    call = only(state)
    assert (call.session, call.title, call.source, call.message) == ("s1", "Garden", "cli", 2)
    assert (call.at, call.target, call.outcome) == (NOW + 100, "user", "saved")
    assert (call.background, call.undone, call.error) == (False, False, "")
    (operation,) = call.operations
    assert (operation.action, operation.content, operation.after) == ("add", " Likes maps ", "Likes maps")


def test_newest_first_and_complete(state: Path) -> None:
    for content in ("one", "two", "three"):
        remember(state, action="add", content=content)
    found = search(state)
    assert [call.operations[0].content for call in found.calls] == ["three", "two", "one"]
    assert (found.complete, found.since) == (True, NOW + 100)


def test_bounds_are_said(state: Path) -> None:
    for number in range(5):
        remember(state, action="add", content=str(number))
    assert search(state, limit=2).stopped == "size"
    assert search(state, seconds=-1).stopped == "time"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (FULL, "full"),
        ({"success": True, "message": "Entry already exists (no duplicate added)."}, "no_change"),
        ({"success": True, "staged": True, "pending_id": "ab12cd34"}, "waiting"),
        ("Tool 'memory' does not exist. Available tools: terminal", "not_available"),
        ({"error": "Memory write denied by user. The change was not saved.", "success": False}, "denied"),
        ({"error": "No entry matched 'Blocked: content '"}, "no_match"),
        (
            {"success": False, "error": "Built-in USER.md writes are disabled in memory config."},
            "not_available",
        ),
        ({"success": False, "error": "Patch would put memory at 70/40 chars. Shorten it"}, "full"),
        ({"success": False, "error": "'tea' appears 2 times in the matched entry, and patch"}, "ambiguous"),
        ({"success": False, "error": "Refusing to empty MEMORY.md: this batch"}, "guarded"),
        ({"success": False, "error": "'replace' is not available; use 'patch'."}, "malformed"),
        ({"error": "Something new"}, "other"),
        ({"error": 5}, "unclear"),
        ("[memory] add (1 line)", "unclear"),
        ('{"success": tr', "unclear"),
        ("[1]", "unclear"),
        ("", "unclear"),
        (json.dumps(SAVED) + "\n[a note behind it]", "saved"),
        (False, "no_answer"),
    ],
)
def test_outcomes(state: Path, answer: object, outcome: str) -> None:
    remember(state, answer, action="add", content="x")
    assert only(state).outcome == outcome


def test_several_calls_in_one_message(state: Path) -> None:
    calls = [
        {"id": "a", "function": {"name": "memory", "arguments": '{"action": "add", "content": "one"}'}},
        {"id": "b", "function": {"name": "terminal", "arguments": "{}"}},
        {"id": "c", "function": {"name": "memory", "arguments": {"action": "add", "content": "two"}}},
    ]
    add_message(state, "s1", None, role="assistant", tool_calls=json.dumps(calls))
    for call_id, answer in (("c", FULL), ("b", {"success": True}), ("a", SAVED)):
        add_message(state, "s1", json.dumps(answer), role="tool", tool_call_id=call_id)
    found = {call.operations[0].content: call.outcome for call in search(state).calls}
    assert found == {"one": "saved", "two": "full"}


def test_answers_without_ids_go_by_order(state: Path) -> None:
    calls = [{"name": "memory", "arguments": f'{{"action": "add", "content": "{n}"}}'} for n in ("a", "b")]
    add_message(state, "s1", None, role="assistant", tool_calls=json.dumps(calls))
    for answer in (SAVED, FULL):
        add_message(state, "s1", json.dumps(answer), role="tool", tool_name="memory")
    found = {call.operations[0].content: call.outcome for call in search(state).calls}
    assert found == {"a": "saved", "b": "full"}


def test_the_answer_of_another_turn_is_not_taken(state: Path) -> None:
    remember(state, False, call_id="same", action="add", content="x")
    add_message(state, "s1", "go on")
    add_message(state, "s1", json.dumps(SAVED), role="tool", tool_call_id="same")
    assert only(state).outcome == "no_answer"


def test_messages_of_other_sessions_in_between(state: Path) -> None:
    add_session(state, "s2")
    arguments = '{"action": "add", "content": "x"}'
    calls = json.dumps([{"id": "c", "function": {"name": "memory", "arguments": arguments}}])
    add_message(state, "s1", None, role="assistant", tool_calls=calls)
    add_message(state, "s2", "hello")
    add_message(state, "s1", json.dumps(FULL), role="tool", tool_call_id="c")
    assert only(state).outcome == "full"


def test_copies_count_once_and_the_first_is_the_original(state: Path) -> None:
    remember(state, call_id="c", action="add", content="x")
    add_session(state, "s2", title="Garden #2")
    remember(state, "[memory] add", session="s2", call_id="c", action="add", content="x")
    assert (only(state).session, only(state).outcome) == ("s1", "saved")


def test_undone_calls_are_marked(state: Path) -> None:
    remember(state, undone=True, action="add", content="x")
    assert only(state).undone
    assert steps(state, "x") == [("add", 1)], "taking a turn back does not take back what was saved"


def test_summarised_calls_are_not_undone(state: Path) -> None:
    remember(state, undone=True, action="add", content="x")
    with closing(connect(state)) as connection:
        connection.execute("UPDATE messages SET compacted = 1")
    assert not only(state).undone


@pytest.mark.parametrize("rest", ["consider saving to memory if", "update two things:\n"])
def test_the_background_review_of_old_builds(state: Path, rest: str) -> None:
    add_message(state, "s1", f"Review the conversation above and {rest}")
    remember(state, action="add", content="x")
    add_message(state, "s1", "And now?")
    remember(state, action="add", content="y")
    assert [call.background for call in search(state).calls] == [False, True]


def test_background_reviews_on_record(state: Path) -> None:
    assert read_state(state, background_reviews) == ()
    with closing(connect(state)) as connection:
        connection.execute(
            "CREATE TABLE session_model_usage(session_id TEXT, task TEXT, first_seen REAL, last_seen REAL)"
        )
    add(state, "session_model_usage", session_id="s1", task="", first_seen=NOW, last_seen=NOW)
    usage = {"session_id": "s1", "task": "background_review", "first_seen": NOW + 5, "last_seen": "late"}
    add(state, "session_model_usage", **usage)
    (review,) = read_state(state, background_reviews)
    assert (review.session, review.title, review.first, review.last) == ("s1", "Garden", NOW + 5, None)


def test_an_entry_that_was_replaced(state: Path) -> None:
    remember(state, action="add", content="Works as a baker")
    remember(state, action="add", content="Likes maps")
    remember(state, action="replace", old_text="baker", content="Works as a teacher")
    remember(state, action="replace", old_text="teacher", content="Works as a pilot")
    assert steps(state, "Works as a pilot") == [("replace", 7), ("replace", 5), ("add", 1)]
    assert steps(state, "Works as a baker") == [], "it is no longer in the file by a call"
    assert steps(state, "Works as a pilot", "user") == []


def test_an_entry_that_was_patched(state: Path) -> None:
    remember(state, action="add", content="Works as a baker in Bonn")
    told = {
        "patched_entry_before": "Works as a baker in Bonn",
        "patched_entry_after": "Works as a cook in Bonn",
    }
    remember(state, {**SAVED, **told}, action="patch", old_text="baker", new_text="cook")
    remember(state, action="patch", old_text=" in Bonn", content=" in Kiel")
    assert steps(state, "Works as a cook in Kiel") == [("patch", 5), ("patch", 3), ("add", 1)]


def test_the_operations_of_a_batch(state: Path) -> None:
    remember(state, action="add", content="Works as a baker")
    operations = [
        {"action": "add", "content": "Likes maps"},
        {"action": "patch", "old_text": "baker", "content": "cook"},
        {"action": "remove", "old_text": "Likes tea"},
        "broken",
    ]
    told = {"patched_entries": {"2": "Works as a baker"}, "patched_entries_after": {"2": "Works as a cook"}}
    remember(state, {**SAVED, **told, "removed_entries": {"3": "Likes tea"}}, operations=operations)
    call = search(state).calls[0]
    assert [each.before for each in call.operations] == [None, "Works as a baker", "Likes tea", None]
    assert [each.after for each in call.operations] == ["Likes maps", "Works as a cook", None, None]
    assert steps(state, "Works as a cook") == [("patch", 3), ("add", 1)]


def test_removed_and_added_again(state: Path) -> None:
    remember(state, action="add", content="Likes maps")
    remember(state, action="remove", old_text="maps")
    assert steps(state, "Likes maps") == []
    remember(state, action="add", content="Likes maps")
    remember(state, action="add", content="Likes maps")
    assert steps(state, "Likes maps") == [("add", 5)], "the second changed nothing"


def test_when_an_old_hermes_could_mean_several(state: Path) -> None:
    for content in ("tea cup", "tea pot"):
        remember(state, action="add", content=content)
    remember(state, action="replace", old_text="tea", content="coffee")
    assert steps(state, "coffee") == [("replace", 5)]
    assert steps(state, "tea cup") == [("add", 1)]


def test_refused_calls_make_nothing(state: Path) -> None:
    remember(state, FULL, action="add", content="Likes maps")
    assert steps(state, "Likes maps") == []


def test_what_was_proposed_for_approval(state: Path) -> None:
    remember(state, {"success": True, "staged": True, "pending_id": "ab12cd34"}, action="add", content="tea")
    found = origins(search(state).calls)
    assert found.of("memory", "tea") is None
    proposed = found.proposed("memory", "tea")
    assert proposed is not None
    assert proposed.pending_id == "ab12cd34"
    assert found.proposed("user", "tea") is None


def test_an_entry_with_the_separator_is_several(state: Path) -> None:
    remember(state, action="add", content="one\n§\ntwo")
    assert steps(state, "one") == steps(state, "two") == [("add", 1)]


@pytest.mark.parametrize(
    "stored",
    [
        '[{"name": "memory"',
        '{"memory": 1}',
        '["memory"]',
        '[{"name": "memory", "arguments": "{"}]',
        '"memory"',
        '[{"function": {"name": ["memory"]}}, {"name": null}]',
        b'\xff"memory"',
        "[" * 5000 + '"memory"',
    ],
)
def test_broken_calls(state: Path, stored: object) -> None:
    add_message(state, "s1", None, role="assistant", tool_calls=stored, timestamp="never")
    remember(state, action="add", content="x")
    assert search(state).calls[0].operations[0].content == "x"
    assert search(state).complete


def test_arguments_of_odd_types(state: Path) -> None:
    remember(state, action=5, content=None, target=None, old_text=["x"])
    remember(state, operations={"action": "add"}, new_text=7)
    for call in search(state).calls:
        assert call.target == "memory"
        assert call.operations[0].after is None


def test_values_of_odd_types(state: Path) -> None:
    calls = b'[{"id": 7, "name": "memory", "arguments": "{\\"action\\": \\"add\\", \\"content\\": \\"x\\"}"}]'
    add_message(state, b"\xff", 5, role="assistant", tool_calls=calls, timestamp=-1)
    add_message(state, b"\xff", b"{}", role="tool", tool_call_id=7)
    assert (only(state).at, only(state).title, only(state).outcome) == (None, "", "no_answer")


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_every_release(tmp_path: Path, release: str) -> None:
    state = old_state(tmp_path, release)
    add_session(state, "s1")
    remember(state, action="add", content="x")
    assert only(state).outcome == "saved"


def test_without_the_table(state: Path) -> None:
    with closing(connect(state)) as connection:
        connection.execute("DROP TABLE messages")
    assert search(state) == CallSearch((), None, None)


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_recorded_homes(request: pytest.FixtureRequest, release: str) -> None:
    """What the agent itself saved is found; what was edited by hand, or copied with a profile, is not."""
    home: BuiltHome = request.getfixturevalue(f"home_{release.replace('.', '')}")
    found = search(home.root)
    assert [call.outcome for call in found.calls] == ["saved"] * 7
    assert not any(call.background or call.undone for call in found.calls)
    origin = origins(found.calls)
    how = {}
    for target, name in (("memory", "MEMORY.md"), ("user", "USER.md")):
        for entry in home.facts()["memory"][name]["entries"]:
            made = origin.of(target, entry["text"])
            how[entry["text"].split(" vel")[0]] = (
                [step.operation.action for step in made.steps] if made else None
            )
    change = "replace" if release == "0.19" else "patch"
    assert how["The printer in the hall is called"] == ["add"]
    assert how["Works as a teacher at"] == [change, "add"]
    assert how["Prefers short answers"] == how["Prefers tea from"] == ["add"]
    assert how["The garden gate sticks in winter."] is None
    assert search(home.profile("office")).calls == ()


def test_a_generated_home(generated_home: BuiltHome) -> None:
    assert search(generated_home.root).complete


def test_both_shapes() -> None:
    openai = '[{"id": "a", "function": {"name": "memory", "arguments": "{\\"x\\": 1}"}}]'
    flat = '[{"call_id": "a", "name": "memory", "arguments": {"x": 1}}]'
    assert tool_calls_of(openai) == tool_calls_of(flat) == [ToolCall("a", "memory", {"x": 1})]


_json = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=20),
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.dictionaries(
            some.sampled_from(
                ["name", "function", "arguments", "id", "operations", "action", "content", "success"]
            )
            | some.text(max_size=5),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(_json, _json)
def test_any_json_is_read(stored: object, answer: object) -> None:
    for call in tool_calls_of(json.dumps(stored)):
        assert operations_of(call.arguments, answer_of(json.dumps(answer)))


@given(some.text() | some.binary() | some.none() | some.integers())
def test_anything_is_read(stored: object) -> None:
    assert isinstance(tool_calls_of(stored), list)
    if isinstance(stored, str):
        assert answer_of(stored).outcome
