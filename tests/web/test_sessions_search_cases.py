"""Cases C10, C11 and C12 through the page of the search."""

from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.memory_builders import MemoryHome
from tests.search_builders import add_index
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.memory_pages import MemorySite
from tests.web.test_sessions_search import FLAT, NOW, USUAL, heading, look_for, marked, open_links, press_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    folder = old_state(small_home.folder)
    add_session(folder, "s1", title="Garden plan")
    return folder


PUNCTUATED = "it's gateway/run.py user@host a,b 50% #123 e=mc2 [x] C++ my-app.conf TODO: fix C:\\dir"


@pytest.mark.parametrize("word", PUNCTUATED.split())
def test_c11_words_with_punctuation_are_found(state: Path, site: MemorySite, word: str) -> None:
    add_message(state, "s1", PUNCTUATED)
    add_index(state)
    look_for(site, word)
    assert heading(site) == "1 message"
    assert marked(site.html)


ODD = {
    '"open': "quotation mark without its pair",
    "(": "with its punctuation",
    "*": "with its punctuation",
    "AND": "were taken as words",
    "NOT fix": "Words to leave out find nothing alone",
    "a NEAR b": "NEAR is an ordinary word",
    "a\0b": "Control characters were taken as spaces",
    "OR": "were taken as words",
    "x AND y": "AND changes nothing",
    "velg*": "and words that begin so",
    "50%_": "with its punctuation",
    '"side by side"': "as a phrase",
    "one OR two -three": "Or with all of:",
}


@pytest.mark.parametrize("words", ODD)
def test_c11_odd_words_are_answered_with_how_they_were_taken(
    state: Path, site: MemorySite, words: str
) -> None:
    add_message(state, "s1", "fix this")
    add_index(state)
    look_for(site, words)
    assert site.last.status_code == 200
    assert ODD[words] in site.text
    assert heading(site) in ("0 messages", "Nothing was searched")
    assert not marked(site.html)


CHINESE = "明天讨论大别山项目启动"


@pytest.mark.parametrize("layout", ["none", "inline", "external"])
@pytest.mark.parametrize("words", ["大别山", "大别", "山", "大别山 OR 桂林", "旅行の計画", "프로젝트"])
def test_c10_scripts_without_spaces_are_found_and_marked(
    state: Path, site: MemorySite, words: str, layout: str
) -> None:
    add_message(state, "s1", CHINESE if "山" in words or "大" in words else "旅行の計画は프로젝트を")
    add_index(state, layout)  # type: ignore[arg-type]
    html = look_for(site, words)
    assert marked(html) == [words.split()[0]]


def test_c12_the_search_is_not_limited_to_a_page(state: Path, site: MemorySite) -> None:
    sources = ["cli", "cron", "subagent", "tool", "telegram"]
    for n in range(45):
        add_session(state, f"t{n}", source=sources[n % 5], archived=n % 7 == 0, started_at=NOW + n)
    with connect(state) as connection:
        rows = [("t0", f"filler {n}" if n != 300 else "quincunx", NOW + n) for n in range(1, 400)]
        rows += [(f"t{n}", "a lemur again", NOW + 1_000 + n) for n in range(30)]
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)", rows
        )
    add_index(state)
    look_for(site, "quincunx")
    assert heading(site) == "1 message"
    assert parse_qs(urlsplit(open_links(site)[0]).query)["at"] == ["300"]
    for options in (USUAL, {**FLAT, "group": ""}):
        form = {key: value for key, value in options.items() if value}
        site.last = site.client.post(site.path("search"), {**form, "words": "lemur"})
        site.follow()
        assert heading(site) == "30 messages"
        seen = set(open_links(site))
        while "Further hits" in site.text:
            press_link(site, "Further hits")
            assert 'value="lemur"' in site.html
            assert heading(site) == "30 messages"
            seen |= set(open_links(site))
        found = {parse_qs(urlsplit(link).query)["at"][0] for link in seen}
        assert len(found) == 30
        press_link(site, "To the first")
    look_for(site, "lemur", listed="on")
    assert heading(site) == "18 messages"


def test_how_far_an_index_is_that_is_being_built(state: Path, site: MemorySite) -> None:
    for number in range(4):
        add_message(state, "s1", f"velvet {number}")
    add_index(state)
    with closing(connect(state)) as connection:
        connection.execute("INSERT INTO state_meta VALUES('fts_rebuild_progress', '3')")
        connection.execute("INSERT INTO state_meta VALUES('fts_rebuild_high_water', '4')")
    look_for(site, "velvet")
    assert "75 % is done" in site.text
    assert len(marked(site.html)) >= 3
