"""Whether Hermes' own session_search would find a hit: its rules, and the same answers as the real one gave."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sessions.database import read_state
from sessions.listing import members
from sessions.search_hermes import Way, cleaned_as_hermes, way_of
from sessions.search_results import EVERYWHERE, Hit
from tests.home_builders import BuiltHome
from tests.search_builders import add_index, page, run
from tests.state_builders import add_message, add_session, old_state

SHOWN = 5  # sessions that the generator let Hermes answer with


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = old_state(tmp_path)
    run(folder, "UPDATE schema_version SET version = 22")
    return folder


def answer(folder: Path, words: str, **options: Any) -> tuple[str, str]:
    found = page(folder, words, where=EVERYWHERE, include_undone=True, include_compacted=True, **options)
    (hit,) = (*found.hits, *found.sessions)
    return hit.hermes, hit.reason


@pytest.mark.parametrize(
    ("source", "values", "expected"),
    [
        ("cli", {}, ("finds", "")),
        ("cron", {}, ("ranks_lower", "source")),
        ("tool", {}, ("hides", "source")),
        ("subagent", {}, ("hides", "source")),
        ("kanban", {}, ("finds", "")),
        ("cli", {"role": "tool"}, ("hides", "role")),
        ("cli", {"active": 0}, ("hides", "undone")),
        ("cli", {"active": 0, "compacted": 1}, ("finds", "")),
        ("cli", {"content": "", "reasoning": "needle"}, ("hides", "field")),
    ],
)
def test_rules_of_release_019(
    state: Path, source: str, values: dict[str, Any], expected: tuple[str, str]
) -> None:
    add_session(state, "s1", source=source)
    add_message(state, "s1", **{"content": "a needle", **values})
    add_index(state)
    assert answer(state, "needle") == expected


def test_kanban_is_hidden_by_newer_releases(state: Path) -> None:
    run(state, "UPDATE schema_version SET version = 31")
    add_session(state, "s1", source="kanban")
    add_message(state, "s1", "needle")
    assert answer(add_index(state), "needle") == ("hides", "source")


def test_words_that_hermes_takes_otherwise(state: Path) -> None:
    add_session(state, "s1")
    add_message(state, "s1", "see <b>this</b> C++")
    add_message(state, "s1", "other")
    add_index(state)
    assert answer(state, "<b>") == ("hides", "query")  # a syntax error to its index
    assert answer(state, "C++") == ("finds", "")
    assert answer(state, "this -missing") == ("hides", "query")


def test_without_an_index_hermes_finds_nothing(state: Path) -> None:
    add_session(state, "s1")
    add_message(state, "s1", "needle")
    assert answer(state, "needle") == ("hides", "query")


def test_a_title_is_found_when_it_is_the_whole_title(state: Path) -> None:
    add_session(state, "s1", title="Plan the garden", system_prompt="prompted")
    add_index(state)
    assert answer(state, "plan the garden") == ("finds", "")
    assert answer(state, "garden") == ("hides", "field")
    assert answer(state, "prompted") == ("hides", "field")


@pytest.mark.parametrize(
    ("words", "cleaned"),
    [
        ("TODO: fix", "TODO  fix"),
        ("chat-send my_app.conf", '"chat-send" "my_app.conf"'),
        ('"a phrase" (b) +c', '"a phrase"  b   c'),
        ('open " quote', "open   quote"),
        ("AND a OR", "a"),
        ("*** a*", "a*"),
        ("<script>", "<script>"),
    ],
)
def test_words_are_cleaned_as_hermes_does(words: str, cleaned: str) -> None:
    assert cleaned_as_hermes(words, 22) == cleaned.strip()


def test_newer_releases_drop_more() -> None:
    assert cleaned_as_hermes("<script> a@b", 30) == "script  a b"
    assert cleaned_as_hermes("a:b", 13) == "a:b"


def test_chinese_goes_another_way() -> None:
    assert way_of("大别山", 22) == Way("messages_fts_trigram", '"大别山"')
    assert way_of("大别山 OR 项目组", 22) == Way("messages_fts_trigram", '"大别山" OR "项目组"')
    assert way_of("大别", 22) == Way("", "", ("大别",))
    assert way_of("大别山", 22, trigrams=False) == Way("", "", ("大别山",))
    assert way_of("大别山 OR 桂林", 22) == Way("", "", ("大别山", "桂林"))
    assert way_of("()", 22) is None


def test_the_same_answers_as_the_real_release(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home()
    for name in ("default", "work"):
        says = home.facts(name)["hermes_says"]
        assert len(says["queries"]) == 18
        for words, results in says["queries"].items():
            _compare(home.profile(name), words, results)


def _compare(folder: Path, words: str, results: list[dict[str, Any]]) -> None:
    found = page(folder, words, limit=500, include_undone=True, include_compacted=True)
    seen = [hit for hit in (*found.hits, *found.sessions) if hit.hermes != "hides"]
    for result in results:
        assert any(_same(hit, result) for hit in seen), (words, result)
    if len(results) < SHOWN:  # that was everything: one hit of each conversation
        roots = {_root(folder, result["session"]) for result in results}
        assert {hit.root for hit in seen} == roots, words


def _same(hit: Hit, result: dict[str, Any]) -> bool:
    return hit.session == result["session"] and hit.message in (result["message"], None)


def _root(folder: Path, session: str) -> str:
    return read_state(folder, lambda db: members(db, session))[0].id
