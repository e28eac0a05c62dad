"""Refused memory calls, and replies that promise to remember without saving anything."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sessions.database import read_state
from sessions.memory_calls import memory_calls
from sessions.promise_words import promise_in, saves
from sessions.promises import Promise, PromiseSearch, Refusal, broken_promises, refusals
from tests.home_builders import BuiltHome
from tests.state_builders import SCHEMA_OF, add_message, add_session, connect, old_state

NOW = 1_700_000_000.0
SAVED = {"success": True, "message": "Entry added."}
FULL = {
    "success": False,
    "error": "Memory at 30/40 chars. Adding this entry (50 chars) would exceed the limit.",
}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = old_state(tmp_path)
    add_session(folder, "s1", title="Garden")
    return folder


def ask(folder: Path, question: str, session: str = "s1") -> None:
    add_message(folder, session, question)


def reply(folder: Path, words: object, tool: str = "", session: str = "s1", **values: object) -> None:
    calls = json.dumps([{"id": "c1", "function": {"name": tool, "arguments": "{}"}}]) if tool else None
    add_message(folder, session, words, role="assistant", tool_calls=calls, **values)


def call(folder: Path, call_id: str, answer: dict[str, Any], **arguments: Any) -> None:
    function = {"name": "memory", "arguments": json.dumps({"target": "memory", **arguments})}
    calls = json.dumps([{"id": call_id, "function": function}])
    add_message(folder, "s1", None, role="assistant", tool_calls=calls)
    add_message(folder, "s1", json.dumps(answer), role="tool", tool_call_id=call_id)


def search(folder: Path, **options: Any) -> PromiseSearch:
    return read_state(folder, lambda db: broken_promises(db, **options))


def found(folder: Path) -> list[Promise]:
    return list(search(folder).promises)


def refused(folder: Path) -> list[Refusal]:
    return refusals(read_state(folder, memory_calls).calls)


def test_a_refused_call(state: Path) -> None:
    call(state, "a", FULL, action="add", content="Likes maps")
    (refusal,) = refused(state)
    assert (refusal.call.outcome, refusal.call.session, refusal.call.message) == ("full", "s1", 1)
    assert refusal.call.at == NOW + 100
    assert (refusal.texts, refusal.arrived) == (("Likes maps",), False)
    assert refusal.call.error.startswith("Memory at 30/40 chars.")


def test_accepted_calls_are_no_refusals(state: Path) -> None:
    call(state, "a", SAVED, action="add", content="one")
    call(state, "b", {"success": True, "message": "Entry already exists"}, action="add", content="one")
    call(state, "c", {"success": True, "staged": True}, action="add", content="two")
    call(state, "d", {"summary": "shortened"}, action="add", content="three")
    assert refused(state) == []


def test_a_refused_text_that_arrived_by_another_call(state: Path) -> None:
    call(state, "a", FULL, action="add", content=" Likes maps")
    call(state, "b", FULL, action="add", content="Likes tea")
    call(state, "c", FULL, operations=[{"action": "add", "content": t} for t in ("Likes maps", "Likes tea")])
    call(state, "d", SAVED, action="add", content="Likes maps")
    newest, tea, maps = refused(state)
    assert newest.texts == ("Likes maps", "Likes tea")
    assert [each.arrived for each in (newest, tea, maps)] == [False, False, True]


def test_what_was_saved_before_counts_while_it_is_there(state: Path) -> None:
    call(state, "a", SAVED, action="add", content="Likes maps")
    call(state, "b", FULL, action="add", content="Likes maps")
    call(state, "c", SAVED, action="remove", old_text="maps")
    call(state, "d", FULL, action="add", content="Likes maps")
    call(state, "e", {"success": True, "staged": True}, action="add", content="Likes maps")
    assert [each.arrived for each in refused(state)] == [False, True]


def test_a_refused_removal_has_no_text(state: Path) -> None:
    call(state, "a", {"error": "No entry matched 'x'."}, action="remove", old_text="x")
    (refusal,) = refused(state)
    assert (refusal.call.outcome, refusal.texts, refusal.arrived) == ("no_match", (), False)


def test_a_broken_promise(state: Path) -> None:
    ask(state, "I am allergic to nuts")
    reply(state, "Thanks for telling me. I'll remember that.")
    (promise,) = found(state)
    assert (promise.session, promise.title, promise.source) == ("s1", "Garden", "cli")
    assert (promise.question, promise.message, promise.at) == (1, 2, NOW + 100)
    assert (promise.sentence, promise.said) == ("I'll remember that.", "I am allergic to nuts")
    assert (promise.tools, promise.undone) == ((), False)


@pytest.mark.parametrize("tool", ["memory", "honcho_conclude", "mem0_add", "skill_manage", "cronjob"])
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_a_promise_kept_in_the_turn(state: Path, tool: str, before: bool) -> None:
    ask(state, "I am allergic to nuts")
    words = ["", "I'll remember that."] if before else ["I'll remember that.", ""]
    reply(state, words[0], tool if before else "")
    add_message(state, "s1", "{}", role="tool", tool_call_id="c1")
    reply(state, words[1], "" if before else tool)
    assert found(state) == []


def test_a_call_in_another_turn_or_session_does_not_count(state: Path) -> None:
    add_session(state, "s2")
    ask(state, "one")
    reply(state, "", "memory")
    ask(state, "two")
    reply(state, "Noted.")
    reply(state, "", "memory", session="s2")
    ask(state, "three")
    reply(state, "", "memory")
    assert [promise.said for promise in found(state)] == ["two"]


def test_other_tools_are_named(state: Path) -> None:
    ask(state, "nuts")
    reply(state, "", "write_file")
    reply(state, "I've noted that in your file.")
    assert [promise.tools for promise in found(state)] == [("write_file",)]


def test_copies_count_once(state: Path) -> None:
    add_session(state, "s2")
    for session in ("s1", "s2"):
        ask(state, "nuts", session)
        reply(state, "Noted.", session=session)
    assert [promise.session for promise in found(state)] == ["s1"]


def test_newest_first_and_bounded(state: Path) -> None:
    for number in range(5):
        ask(state, str(number))
        reply(state, "Noted.")
    assert [promise.said for promise in found(state)] == ["4", "3", "2", "1", "0"]
    assert search(state).complete
    few = search(state, limit=2)
    assert ([promise.said for promise in few.promises], few.stopped) == (["4", "3"], "size")
    assert search(state, seconds=-1).stopped == "time"


def test_odd_replies(state: Path) -> None:
    reply(state, '\0json:[{"type": "text", "text": "Noted."}]')
    reply(state, b"\xff Noted.\nNoted.", timestamp="soon")
    reply(state, 5)
    reply(state, None)
    reply(state, "Noted. " * 100_000, active=0)
    promises = found(state)
    assert [promise.message for promise in promises] == [5, 2, 1]
    assert [promise.undone for promise in promises] == [True, False, False]
    assert all(promise.sentence == "Noted." and promise.question is None for promise in promises)


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_every_release(tmp_path: Path, release: str) -> None:
    state = old_state(tmp_path, release)
    ask(state, "nuts")
    reply(state, "Noted.")
    assert [(promise.title, promise.said) for promise in found(state)] == [("", "nuts")]


def test_without_the_table(state: Path) -> None:
    with closing(connect(state)) as connection:
        connection.execute("DROP TABLE messages")
    assert search(state) == PromiseSearch((), None, None)


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_recorded_homes(request: pytest.FixtureRequest, release: str) -> None:
    home: BuiltHome = request.getfixturevalue(f"home_{release.replace('.', '')}")
    assert refused(home.root) == []
    assert search(home.root).complete


@pytest.mark.parametrize(
    "words",
    [
        "I'll remember that.",
        "Sure! I’ll remember that you don't like tea.",
        "I will make sure to remember your birthday.",
        "I'll keep that in mind.",
        "I've noted your preference.",
        "Got it. I won't forget!",
        "**Noted:** you prefer tea.",
        "I have saved that to memory.",
        "Das merke ich mir!",
        "Ich merke mir, dass du Tee magst.",
        "Alles klar, das habe ich mir gemerkt.",
        "Ist notiert.",
        "Ich habe es im Gedächtnis gespeichert.",
    ],
)
def test_promises(words: str) -> None:
    assert promise_in(f"Hello there.\n\n{words} Anything else?")


@pytest.mark.parametrize(
    "words",
    [
        "Do you want me to remember that?",
        "Shall I say I'll remember that?",
        "I can't promise I'll remember that.",
        "If you tell me, I'll remember it.",
        "I'll remember it once you confirm.",
        "As noted above, the file is here.",
        "The author noted that memory is cheap.",
        "It is saved to memory card two.",
        "Remember to save your work.",
        "`I'll remember that`",
        "> I'll remember that.",
        "```\nI'll remember that.\n```",
        "Soll ich mir das merken?",
        "Das kann ich mir nicht merken.",
        "Wenn du willst, merke ich mir das.",
        "Merkwürdig.",
        "",
    ],
)
def test_no_promises(words: str) -> None:
    assert promise_in(words) is None


def test_saving_tools() -> None:
    assert all(map(saves, ("memory", "mcp_notes_remember", "viking_remember", "fact_store")))
    assert not any(map(saves, ("write_file", "terminal", "session_search", "")))


@given(some.text(alphabet="I'll remember that. noted>`*\n", max_size=200))
def test_any_reply_is_read(words: str) -> None:
    sentence = promise_in(words)
    assert sentence is None or sentence in words.replace("’", "'")
