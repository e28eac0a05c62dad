"""What state.db adds to the memory pages, on the recorded home and on made ones; how Hermes is set to remember."""

import json
import re
import typing

import pytest
from django.test import Client

from memory.outcome_words import OUTCOMES
from sessions.memory_calls import Outcome
from tests.home_builders import BuiltHome, fingerprints
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, old_state
from tests.web.memory_pages import OLD, MemorySite

pytestmark = pytest.mark.django_db

KEPT, REMOVED, REPLACED = "velmidemu21", "velzasira43", "velkubema51"


@pytest.fixture
def recorded(home: BuiltHome, owner_client: Client) -> MemorySite:
    """The default profile of the recorded home of 0.19."""
    return MemorySite(MemoryHome(typing.cast(typing.Any, None)), owner_client)


def test_where_an_entry_already_is_and_where_it_came_from(recorded: MemorySite) -> None:
    recorded.get()
    assert f"The printer in the hall is called {KEPT}" in recorded.records
    assert "Where entry 1 already is: the stored prompts of 26 sessions" in recorded.text
    assert "21 of them are open: it stays there until /new, compression or /undo." in recorded.text
    assert (
        "Added by Hermes in a conversation without a title, 30 November 2026, 14:20. Read it there"
        in recorded.text
    )
    assert "Conversation of 30 November 2026, 14:" in recorded.text
    assert not re.search(r"\d{8}_\d{6}_", recorded.text), "no conversation is called by its id alone"
    assert "stub-model at custom" in recorded.text
    assert "The newest 20 of 26 are named." in recorded.text
    assert "The placeholder stands there, not the text." in recorded.text
    assert "Not found in history: edited by hand, approved later" in recorded.text
    assert REMOVED not in "".join(recorded.texts_in("entries"))


def test_what_is_deleted_and_still_in_prompts(recorded: MemorySite, home: BuiltHome) -> None:
    before = fingerprints(home.root)
    recorded.get(name="memory_history")
    gone = [text for text in recorded.records if "vel" in text]
    assert [word for word in (REMOVED, REPLACED) if not any(word in text for text in gone)] == []
    assert not any(KEPT in text for text in gone)
    assert fingerprints(home.root) == before


def test_an_entry_that_is_deleted_now_is_listed_at_once(recorded: MemorySite) -> None:
    recorded.get()
    recorded.press("Delete entry 1 of MEMORY.md")
    recorded.get(name="memory_history")
    assert any(KEPT in text for text in recorded.records)
    assert "In the stored prompts of 26 sessions. 21 of them are open." in recorded.text


# -- made ones


def refused_call(site: MemorySite, error: str) -> None:
    """A conversation in which Hermes wanted to keep a fact, and its tool answered with `error`."""
    folder = old_state(site.home.folder)
    add_session(folder, "s1", title="About <b>maps</b>")
    call = {"action": "add", "target": "memory", "content": "Collects <i>maps</i>"}
    calls = [{"id": "c1", "type": "function", "function": {"name": "memory", "arguments": json.dumps(call)}}]
    add_message(folder, "s1", "I collect maps", timestamp=1_700_000_000.0)
    add_message(folder, "s1", "", role="assistant", tool_calls=json.dumps(calls), timestamp=1_700_000_001.0)
    answer = json.dumps({"success": False, "error": error})
    add_message(
        folder, "s1", answer, role="tool", tool_name="memory", tool_call_id="c1", timestamp=1_700_000_002.0
    )


def test_a_save_that_was_refused(site: MemorySite) -> None:
    refused_call(
        site,
        "Memory at 2,190/2,200 chars. Adding this entry (20 chars) would exceed the limit. Replace or remove.",
    )
    page = site.get(name="memory_history")
    assert "Collects <i>maps</i>" in site.records
    assert "<i>maps" not in page
    assert "The file was full" in site.text
    assert "In “About <b>maps</b>”, 14 November 2023" in site.text
    assert site.last.status_code == 200


def test_a_promise_that_was_not_kept(site: MemorySite) -> None:
    folder = old_state(site.home.folder)
    add_session(folder, "s1", title="Maps")
    add_message(folder, "s1", "Please remember that I collect maps.", timestamp=1_700_000_000.0)
    add_message(
        folder, "s1", "I'll remember that you collect maps.", role="assistant", timestamp=1_700_000_001.0
    )
    site.get(name="memory_history")
    assert "Please remember that I collect maps." in site.records
    assert "I'll remember that you collect maps." in site.records
    assert "In “Maps”" in site.text


def test_without_conversations_it_says_so(site: MemorySite) -> None:
    site.home.memory("Likes tea")
    site.get(name="memory_history")
    assert "There is no state.db: this profile has no conversations yet." in site.text
    site.get()
    assert "Not found in history" not in site.text


def test_every_outcome_has_words() -> None:
    assert set(typing.get_args(Outcome)) <= set(OUTCOMES)


# -- settings


def test_each_setting_with_its_value_and_how_to_change_it(site: MemorySite) -> None:
    site.home.config(OLD + "memory: {memory_char_limit: 3200, write_approval: true, provider: <b>honcho}\n")
    page = site.get(name="memory_settings")
    for words in (
        "memory.memory_char_limit",
        "3,200",
        "Hermes uses the number that is set.",
        "What Hermes wants to keep waits until somebody approves it.",
        "Conversations go to this provider too. Hand edits and approved writes do not.",
        "This release of Hermes has no such setting.",
        "hermes config set memory.memory_char_limit",
        "<b>honcho",
    ):
        assert words in site.text
    assert "<b>honcho" not in page
    site.get()
    assert (
        "<b>honcho is set as memory provider: it keeps a copy of its own, out of reach from here."
        in site.text
    )
    assert "write_approval is on: what Hermes wants to save outside the interactive command line" in site.text


def test_a_value_with_which_nothing_loads(site: MemorySite) -> None:
    site.home.config("memory: {memory_char_limit: '3200', nudge_interval: ten}\n")
    site.home.memory("Likes tea")
    site.get(name="memory_settings")
    assert "Hermes cannot use this value and loads no memory at all, without saying so." in site.text
    assert "'3200'" in site.text
    site.get()
    assert "The next session gets nothing from MEMORY.md." in site.text
    assert "Nothing loads" in site.text
