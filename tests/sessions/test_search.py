"""What a search finds, with an index of either layout and with none. Cases C10, C11, C12."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as some

from sessions.database import read_state
from sessions.listing_filters import Filters
from sessions.query_text import parse
from sessions.search import search
from sessions.search_results import EVERYWHERE, Hit
from tests.search_builders import Layout, add_index, ids, page, run
from tests.state_builders import add, add_message, add_session, old_state

NOW = 1_700_000_000.0
PUNCTUATION = (
    "it's gateway/run.py user@host a,b 50% #123 e=mc2 [x] C++ my-app.conf TODO: fix"
    " C:\\dir 👩🏽‍🚀 ｆｕｌｌ sure_thing"
)
PRINTED = some.characters(exclude_categories=["Cc", "Cs"], exclude_characters='"“”„‟＂')
EXAMPLES = 60
CHINESE = "明天讨论大别山项目启动"


@pytest.fixture(params=["none", "inline", "external"])
def layout(request: pytest.FixtureRequest) -> Layout:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = old_state(tmp_path)
    add_session(folder, "s1", title="Garden", source="cli", model="small")
    return folder


def only(folder: Path, words: str, **options: object) -> Hit:
    found = page(folder, words, **options)
    (hit,) = (*found.hits, *found.sessions)
    return hit


def marked(hit: Hit) -> list[str]:
    return [piece.text[begin:end] for piece in hit.fragments for begin, end in piece.marks]


@pytest.mark.parametrize("word", PUNCTUATION.split())
def test_every_word_with_punctuation_is_found(state: Path, layout: Layout, word: str) -> None:
    add_message(state, "s1", "nothing here it s gateway run py user host a b 50 123 e mc2 x C my app conf")
    add_message(state, "s1", PUNCTUATION)
    add_index(state, layout)
    assert 2 in ids(state, word)
    if parse(word).terms[0].exact:
        assert ids(state, word) == [2]


@pytest.mark.parametrize(
    "words", ['"open', "(", "*", "AND", "NOT fix", "a NEAR b", "x" * 5000, "a\0b", "''", "%"]
)
def test_odd_words_are_answered_with_a_note(state: Path, layout: Layout, words: str) -> None:
    add_message(state, "s1", "fix the open a and b NEAR ( * % '' " + "x" * 5000)
    add_index(state, layout)
    found = page(state, words)
    assert found.query.explanation
    assert (len(found.hits) == 1) == (words != "NOT fix")


@pytest.mark.parametrize(
    "words", ["大别山", "大别", "山", "大别山 OR 桂林", "大别山 启动", "项目 明天", "讨论大别山项目启动"]
)
def test_chinese_is_found_and_marked(state: Path, layout: Layout, words: str) -> None:
    add_message(state, "s1", "旅行の計画は 프로젝트 です")
    add_message(state, "s1", CHINESE)
    add_index(state, layout)
    hit = only(state, words)
    assert hit.message == 2
    assert all(mark in CHINESE for mark in marked(hit))
    assert set(marked(hit)) <= {term.text for term in parse(words).terms}


@pytest.mark.parametrize("words", ["旅行の計画", "프로젝트", "計画 프로젝트", "です", "旅"])
def test_japanese_and_korean_are_found(state: Path, layout: Layout, words: str) -> None:
    add_message(state, "s1", CHINESE)
    add_message(state, "s1", "旅行の計画は 프로젝트 です")
    add_index(state, layout)
    assert ids(state, words) == [2]


@pytest.mark.parametrize("words", ["ภาษา", "ไทย", "👩🏽‍🚀", "🚀 ไทย", "**", "ကို", "A\uf900"])
def test_other_scripts_without_spaces_and_symbols_are_found(state: Path, layout: Layout, words: str) -> None:
    add_message(state, "s1", "nothing")
    add_message(state, "s1", "ผมพูดภาษาไทยได้ 👩🏽‍🚀 **bold** မြန်မာစကားကို A\uf900")
    add_message(
        state, "s1", "\0json:" + json.dumps([{"text": "ผมพูดภาษาไทยได้ 👩🏽‍🚀 **bold** မြန်မာစကားကို A\uf900"}])
    )
    add_index(state, layout)
    assert ids(state, words) == [3, 2]


@pytest.mark.parametrize("words", ["大%山", "大_山", "%", "_", "大别% OR 大_"])
def test_wildcards_of_like_are_literal(state: Path, layout: Layout, words: str) -> None:
    add_message(state, "s1", CHINESE)
    add_index(state, layout)
    assert ids(state, words) == []


def test_words_of_two_scripts(state: Path, layout: Layout) -> None:
    add_message(state, "s1", "the project 大别山")
    add_message(state, "s1", "the project")
    add_message(state, "s1", "大别山项目 SQLite数据库")
    add_index(state, layout)
    assert ids(state, "project 大别山") == [1]
    assert ids(state, "project 大") == [1]
    assert ids(state, "project OR 大别") == [3, 2, 1]
    assert ids(state, "project -大别山") == [2]
    assert ids(state, "大别山 -project") == [3]
    assert ids(state, "sqlite数据") == [3]


def test_words_are_words_in_every_layout(state: Path, layout: Layout) -> None:
    for text in ("lemur", "lemurs", "LEMUR climbs", "climbs", "café", "ÉCOLE"):
        add_message(state, "s1", text)
    add_index(state, layout)
    assert ids(state, "lemur") == [3, 1]
    assert ids(state, "lemur*") == [3, 2, 1]
    assert ids(state, "le*") == ids(state, "l*") == [3, 2, 1]
    assert ids(state, "lemur climbs") == [3]
    assert ids(state, "lemur -climbs") == [1]
    assert ids(state, "lemur OR climbs") == [4, 3, 1]
    assert ids(state, '"lemur climbs"') == [3]
    assert ids(state, '"climbs lemur"') == []
    assert ids(state, "café") == [5]
    assert ids(state, "école") == [6]


def test_a_hit_says_where_and_what_is_around_it(state: Path, layout: Layout) -> None:
    add_message(state, "s1", "before", timestamp=NOW)
    add_message(state, "s1", "a needle in hay", timestamp=NOW + 1, role="assistant")
    add_message(state, "s1", "after\nit", timestamp=NOW + 2, role="tool", tool_name="ls")
    add_index(state, layout)
    hit = only(state, "needle")
    assert (hit.message, hit.session, hit.root, hit.title, hit.source) == (2, "s1", "s1", "Garden", "cli")
    assert (hit.role, hit.at, hit.field, hit.undone, hit.compacted) == (
        "assistant",
        NOW + 1,
        "messages",
        False,
        False,
    )
    assert marked(hit) == ["needle"]
    assert hit.before is not None
    assert hit.after is not None
    assert (hit.before.id, hit.before.text, hit.before.role) == (1, "before", "user")
    assert (hit.after.id, hit.after.text, hit.after.tool) == (3, "after it", "ls")


def test_json_content_is_found_as_it_is_read(state: Path, layout: Layout) -> None:
    parts = [
        {"type": "text", "text": "a périwinkle 大别山"},
        {"type": "image_url", "image_url": {"url": "data:"}},
    ]
    add_message(state, "s1", "\0json:" + json.dumps(parts))
    add_message(state, "s1", "before\0behind it")
    add_index(state, layout)
    for words in ("périwinkle", "大别山", "大别", "山"):
        assert ids(state, words) == ids(state, words, where={"messages"}) == [1]
    assert ids(state, "behind") == [2]
    assert marked(page(state, "périwinkle").hits[0]) == ["périwinkle"]


def test_tool_calls_are_found_with_letters_that_json_escapes(state: Path, layout: Layout) -> None:
    arguments = json.dumps({"path": "C:\\dir", "text": "大别山 école"})
    calls = json.dumps([{"id": "c", "function": {"name": "write_file", "arguments": arguments}}])
    add_message(state, "s1", None, role="assistant", tool_calls=calls)
    add_index(state, layout)
    for words in ("大别山", "大别", "écol*", "école", "write_file", "C:\\dir"):
        hit = only(state, words)
        assert (hit.message, hit.field) == (1, "tool_calls")
        assert marked(hit)
    assert ids(state, "大别山", where={"messages"}) == []


def test_excluded_words_count_also_where_json_escapes_them(state: Path, layout: Layout) -> None:
    calls = json.dumps([{"function": {"name": "write", "arguments": json.dumps({"text": "water 大别"})}}])
    add_message(state, "s1", None, role="assistant", tool_calls=calls)
    add_message(state, "s1", "water", tool_name="ladder")
    add_index(state, layout)
    assert ids(state, "water -大别") == [2]
    assert ids(state, "water -ladder") == [1]
    assert ids(state, "water ladder") == [2]


def test_fields_are_searched_only_when_asked(state: Path, layout: Layout) -> None:
    with_columns = "ALTER TABLE messages ADD COLUMN api_content TEXT"
    run(state, with_columns)
    add_message(state, "s1", "spoken", role="assistant", reasoning="thought", api_content="sent")
    add_session(state, "s2", title="entitled", system_prompt="You are prompted")
    add_index(state, layout)
    for words, field in (
        ("spoken", "messages"),
        ("thought", "reasoning"),
        ("sent", "api_content"),
        ("entitled", "titles"),
        ("prompted", "prompts"),
    ):
        hit = only(state, words, where=EVERYWHERE)
        assert hit.field == field
        assert marked(hit) == [words]
        others = page(state, words, where=EVERYWHERE - {field})
        assert (others.hits, others.sessions) == ((), ())
        assert only(state, words, where={field}).field == field


def test_shared_prompts_are_searched(state: Path) -> None:
    run(
        state,
        "ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT",
        "CREATE TABLE system_prompts(hash TEXT PRIMARY KEY, prompt TEXT)",
    )
    add(state, "system_prompts", hash="h", prompt="be very kind")
    add_session(state, "s2", system_prompt_hash="h")
    assert only(state, "kind", where={"prompts"}).session == "s2"


def test_undone_and_compacted_turns_are_left_out_and_counted(state: Path, layout: Layout) -> None:
    add_message(state, "s1", "word live")
    add_message(state, "s1", "word undone", active=0)
    add_message(state, "s1", "word summed", active=0, compacted=1)
    add_message(state, "s1", "word old", active=None)
    add_index(state, layout)
    found = page(state, "word")
    assert [hit.message for hit in found.hits] == [4, 1]
    assert (found.total, found.total_exact, found.left_out) == (2, True, {"undone": 1, "compacted": 1})
    assert ids(state, "word", include_undone=True) == [4, 2, 1]
    assert ids(state, "word", include_compacted=True) == [4, 3, 1]
    everything = page(state, "word", include_undone=True, include_compacted=True)
    assert (everything.total, everything.left_out) == (4, {})


def test_found_from_the_first_page_whatever_the_source(tmp_path: Path, layout: Layout) -> None:
    folder = old_state(tmp_path)
    for number in range(45):
        source = ("cli", "cron", "subagent")[number % 3]
        add_session(folder, f"s{number}", source=source, archived=number % 2)
        add_message(folder, f"s{number}", "lemur" if number < 30 else "other")
    add_message(folder, "s0", "quincunx")
    add_index(folder, layout)
    assert only(folder, "quincunx").session == "s0"
    found = page(folder, "lemur")
    assert (found.total, found.total_exact) == (30, True)
    people = page(folder, "lemur", filters=Filters(sources=("cli",)))
    assert (people.total, people.total_exact) == (10, True)


def test_filters_limit_a_search(state: Path, layout: Layout) -> None:
    add_session(state, "s2", title="Kitchen plan", source="cron", model="large", ended_at=NOW)
    for session in ("s1", "s2"):
        for day in range(3):
            add_message(state, session, "word", timestamp=NOW + day * 86400)
    add_index(state, layout)
    everything = [6, 5, 4, 3, 2, 1]
    for filters, expected in (
        (Filters(hidden=True), everything),
        (Filters(sources=("cron",)), [6, 5, 4]),
        (Filters(model="small"), [3, 2, 1]),
        (Filters(title="kitchen"), [6, 5, 4]),
        (Filters(title="nobody has this"), []),
        (Filters(open=True), [3, 2, 1]),
        (Filters(since=NOW + 86400, until=NOW + 2 * 86400), [5, 2]),
        (Filters(minimum_messages=4), []),
    ):
        found = page(state, "word", filters=filters)
        assert [hit.message for hit in found.hits] == expected
        assert (found.total, found.total_exact) == (len(expected), True)


def test_messages_without_a_session_are_found(state: Path, layout: Layout) -> None:
    add_message(state, "ghost", "lonely")
    add_index(state, layout)
    hit = only(state, "lonely")
    assert (hit.session, hit.root, hit.source, hit.title) == ("ghost", "ghost", "", "")


def test_odd_values_hinder_nothing(state: Path, layout: Layout) -> None:
    for content in (None, b"\x00\xff word", 42, "", "\0json:[{", "word"):
        add_message(state, "s1", content, timestamp="2026-01-01")
    add_message(state, "s1", "word", role="narrator", timestamp=5e246, tool_calls="{not json")
    add_index(state, layout)
    assert {6, 7} <= set(ids(state, "word"))
    assert 3 in ids(state, "42")


def test_hits_know_the_beginning_of_their_conversation(state: Path) -> None:
    add_session(state, "s2", parent_session_id="s1")
    add_session(state, "a", parent_session_id="b")
    add_session(state, "b", parent_session_id="a")
    for session in ("s2", "a", "b"):
        add_message(state, session, "word")
    add_index(state)
    assert [hit.root for hit in page(state, "word").hits] == ["a", "a", "s1"]


@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=some.text())
def test_no_words_raise(shared: Path, words: str) -> None:
    found = read_state(shared, lambda db: search(db, parse(words), where=EVERYWHERE, seconds=5))
    assert found.query.explanation
    assert found.total >= len(found.hits)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = old_state(tmp_path_factory.mktemp("state"))
    add_session(folder, "s1", title="Garden")
    for text in (PUNCTUATION, CHINESE, "0", "a b c", "\0json:{}"):
        add_message(folder, "s1", text)
    return add_index(folder)


@settings(deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=some.text(
        some.characters(exclude_categories=["Cc", "Cs"], exclude_characters='"“”„‟＂'),
        min_size=1,
        max_size=20,
    )
)
def test_a_text_is_found_by_its_own_words_with_or_without_an_index(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    query = parse(f'"{text}"')
    assume(query.alternatives)
    folder = old_state(tmp_path_factory.mktemp("state"))
    add_session(folder, "s1")
    add_message(folder, "s1", text)
    plain = read_state(folder, lambda db: search(db, query, seconds=5))
    add_index(folder)
    indexed = read_state(folder, lambda db: search(db, query, seconds=5))
    assert [hit.message for hit in plain.hits] == [hit.message for hit in indexed.hits] == [1]
