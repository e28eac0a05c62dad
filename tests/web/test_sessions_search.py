"""The search as a browser without scripts uses it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from hermesweb.accounts.models import Person
from hermesweb.activity.models import Activity
from hermesweb.hermes.ids import encode_id
from sessions import search_page
from sessions.query_text import parse
from sessions.search_results import SearchPage
from sessions.words import total_sentence
from tests.home_builders import BuiltHome
from tests.memory_builders import MemoryHome
from tests.search_builders import add_index, run
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.memory_pages import MemorySite
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db
NOW = 1_700_000_000.0
USUAL = {"in": ["messages", "tool_calls", "titles"], "group": "on"}
ALONE = {"titles": "1 title", "prompts": "1 stored prompt"}
FLAT = {"in": ["messages", "tool_calls", "titles"]}


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    folder = old_state(small_home.folder)
    add_session(folder, "s1", title="Garden plan")
    return folder


def look_for(site: MemorySite, words: str, **typed: object) -> str:
    """The page that a search leads to, as HTML."""
    site.last = site.client.post(site.path("search"), {**USUAL, "words": words, **typed})
    return site.follow()


def marked(html: str) -> list[str]:
    return re.findall(r"<mark>([^<]*)</mark>", html)


def heading(site: MemorySite) -> str:
    found = re.search(r'<h2 id="results">([^<]*)</h2>', site.html)
    return found[1] if found else ""


def press_link(site: MemorySite, label: str) -> str:
    found = re.search(rf'<a[^>]* href="([^"]+)"[^>]*>{re.escape(label)}</a>', site.html)
    assert found, f"no link {label!r}"
    site.last = site.client.get(found[1].replace("&amp;", "&"))
    return site.html


def open_links(site: MemorySite) -> list[str]:
    return [link for link in site.links if "found=" in link]


def test_it_works(state: Path, site: MemorySite) -> None:
    add_message(state, "s1", "What do I need first?")
    add_message(state, "s1", "Beans go out in May.", role="assistant")
    add_message(state, "s1", "Thank you")
    add_index(state)
    site.get(name="search")
    assert site.last.status_code == 200
    assert heading(site) == ""
    html = look_for(site, "beans MAY")
    assert heading(site) == "1 message"
    assert marked(html) == ["Beans", "May"]
    assert site.records == ["What do I need first?\nBeans go out in May.\nThank you"]
    assert "With all of: beans , MAY ." in site.text
    assert "Hermes, 14 November 2023" in site.text
    assert "Hermes finds this with the same words" in site.text
    assert 'value="beans MAY"' in html
    (link, *_) = open_links(site)
    assert urlsplit(link).path == f"/homes/hermes/default/sessions/{encode_id('s1')}/"
    assert parse_qs(urlsplit(link).query)["at"] == ["2"]
    assert urlsplit(link).fragment == "m2"


def test_the_words_stand_in_no_address_no_title_and_no_activity(state: Path, site: MemorySite) -> None:
    add_message(state, "s1", "quincunx " * 30)
    add_session(state, "s2", title="quincunx")
    add_index(state)
    html = look_for(site, "quincunx", title="garden", folder="")
    address = site.last.wsgi_request.get_full_path()
    assert "quincunx" not in address
    assert "garden" not in address.casefold()
    assert "quincunx" not in re.search(r"<title>(.*?)</title>", html, re.S)[1]  # type: ignore[index]
    assert [link for link in site.links if "quincunx" in link] == []
    line = Activity.objects.latest("id")
    assert (line.action, line.about) == ("searched", "")


def test_a_visit_without_words_is_no_search(state: Path, site: MemorySite) -> None:
    site.get(name="search")
    assert Activity.objects.latest("id").action != "searched"
    look_for(site, "  ")
    assert heading(site) == "Nothing was searched"
    assert "There were no words" in site.text


def test_the_address_dies_with_the_sign_in(
    state: Path, site: MemorySite, signed_in: Callable[..., Client], owner: Person
) -> None:
    add_message(state, "s1", "quincunx")
    look_for(site, "quincunx")
    address = site.last.wsgi_request.get_full_path()
    assert site.client.get(address).status_code == 200
    elsewhere = signed_in(owner).get(address)
    site.client.post("/sign-out/")
    assert site.client.get(address).status_code == 302
    site.client.post("/sign-in/", {"login": "mara", "password": PASSWORD})
    for answer in (elsewhere, site.client.get(address)):
        site.last = answer
        assert site.last.status_code == 410
        assert "belongs to a sign-in that has ended" in site.text
        assert "quincunx" not in site.html
        assert 'name="words" type="search" autocomplete="off" value=""' in site.html


def test_the_address_is_of_one_profile(home: BuiltHome, owner_client: Client) -> None:
    answer = owner_client.post("/homes/hermes/office/search/", {**USUAL, "words": "quincunx"})
    own = owner_client.get(answer.headers["Location"])
    other = owner_client.get(answer.headers["Location"].replace("/office/", "/default/"))
    assert (own.status_code, other.status_code) == (200, 410)


@pytest.mark.parametrize("token", ["x", "%00", "gAAAAA", "a" * 3_000, "%FF", "ä"])
def test_what_is_no_token_is_refused_in_words(state: Path, site: MemorySite, token: str) -> None:
    site.get(f"?q={token}", name="search")
    assert site.last.status_code == 410


@pytest.mark.parametrize("words", ["x" * 5_000, "大" * 1_000, "a" * 1_990 + "🦊" * 200])
def test_words_that_fit_into_no_address_are_refused_and_kept(
    state: Path, site: MemorySite, words: str
) -> None:
    site.last = site.client.post(site.path("search"), {**USUAL, "words": words})
    assert site.last.status_code == 422
    assert "about 2,000 letters fit" in site.text
    assert words in site.html


def test_two_thousand_letters_fit(state: Path, site: MemorySite) -> None:
    look_for(site, "x" * 2_000, title="", folder="")
    assert heading(site) == "0 messages"
    assert len(site.last.wsgi_request.get_full_path()) < 4_000


def test_turns_taken_back_and_compacted_are_counted_and_one_link_away(state: Path, site: MemorySite) -> None:
    add_message(state, "s1", "lemur stays")
    add_message(state, "s1", "lemur back", active=0)
    add_message(state, "s1", "lemur small", active=0, compacted=1)
    add_index(state)
    look_for(site, "lemur")
    assert heading(site) == "1 message"
    assert "1 match is in a turn that was taken back." in site.text
    assert "1 match is in a compacted turn." in site.text
    press_link(site, "Show taken-back turns too")
    assert heading(site) == "2 messages"
    assert "Taken back" in site.text
    assert "Hermes would not find it: the turn was taken back" in site.text
    press_link(site, "Show compacted turns too")
    assert heading(site) == "3 messages"
    assert "Compacted" in site.text


def test_each_field_is_searched_when_asked(state: Path, site: MemorySite) -> None:
    call = json.dumps([{"id": "1", "function": {"name": "terminal", "arguments": '{"command": "lemur"}'}}])
    add_message(state, "s1", "", role="assistant", tool_calls=call)
    add_message(state, "s1", "x", role="assistant", reasoning="lemur thought")
    add_session(state, "s2", title="A lemur", system_prompt="You know the lemur")
    add_index(state)
    for field, words in {
        "tool_calls": "tool call",
        "reasoning": "reasoning",
        "titles": "title, ",
        "prompts": "stored system prompt",
    }.items():
        look_for(site, "lemur", **{"in": [field]})
        assert marked(site.html) == ["lemur"], field
        assert words in site.text
        assert heading(site) == ALONE.get(field, "1 message")
        assert "it does not look there" in site.text or field == "tool_calls"


def test_best_match_first_is_not_by_conversation(state: Path, site: MemorySite) -> None:
    add_message(state, "s1", "lemur " + "filler " * 50)
    add_message(state, "s1", "lemur lemur")
    add_message(state, "s1", "lemur " + "other " * 40)
    add_index(state)
    look_for(site, "lemur", order="relevance")
    assert "Best match first" in site.texts_in("section-head")[0]
    assert parse_qs(urlsplit(open_links(site)[0]).query)["at"] == ["2"]


def test_filters_limit_the_search_and_are_kept(state: Path, site: MemorySite) -> None:
    add_session(state, "s2", title="Trip", source="telegram", model="large")
    for session, at in (("s1", NOW), ("s2", NOW + 40 * 86_400)):
        add_message(state, session, "lemur", timestamp=at)
    add_index(state)
    look_for(site, "lemur", source="telegram")
    assert heading(site) == "1 message"
    assert "<details open>" in site.html
    look_for(site, "lemur", title="trip")
    assert heading(site) == "1 message"
    assert 'value="trip"' in site.html
    look_for(site, "lemur", **{"from": "2023-12-01"})
    assert heading(site) == "1 message"
    look_for(site, "lemur", **{"to": "2023-11-14"})
    assert heading(site) == "1 message"
    look_for(site, "lemur", source="nowhere")
    assert heading(site) == "0 messages"
    assert "without the filters" in site.text


def test_without_an_index_it_goes_on_where_it_stopped(
    state: Path, site: MemorySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(state) as connection:
        rows = [("lemur" if n == 0 else "filler", NOW + n) for n in range(3_000)]
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', ?, ?)", rows
        )
    monkeypatch.setattr(search_page, "SECONDS", 0)
    monkeypatch.setattr("sessions.search_walk.SCAN_RANGE", 500)
    look_for(site, "lemur")
    steps = 0
    while not marked(site.html):
        assert "Nothing was found so far." in site.text
        assert "Looked back to 14 November 2023" in site.text
        press_link(site, "Look further back")
        steps += 1
        assert steps < 100
    assert steps
    assert "has no full-text index" in site.text
    assert marked(site.html) == ["lemur"]


def test_a_damaged_index_is_named_and_gone_around(state: Path, site: MemorySite) -> None:
    for n in range(40):
        add_message(state, "s1", f"lemur {n}" if n == 20 else f"filler {n}")
    add_index(state)
    run(state, "UPDATE messages_fts_data SET block = randomblob(30) WHERE id > 10")
    look_for(site, "lemur")
    assert marked(site.html) == ["lemur"]
    assert "The full-text index of state.db" in site.text


def test_nothing_is_run_that_stands_in_a_hit(state: Path, site: MemorySite) -> None:
    bait = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202elemur"
    add_session(state, "s2", title=bait, source=bait)
    add_message(state, "s2", bait)
    add_message(state, "s2", "lemur " + bait, role=bait)
    add_message(state, "s2", bait, role="tool", tool_name=bait)
    add_index(state)
    for words in ("lemur", bait, "script"):
        html = look_for(site, words)
        assert marked(html)
        assert "<script>alert" not in html
        assert "<img" not in html


def test_a_message_of_no_session_is_found_and_leads_nowhere(state: Path, site: MemorySite) -> None:
    add_message(state, "", "lemur")
    add_index(state)
    for options in (USUAL, FLAT):
        site.last = site.client.post(site.path("search"), {**options, "words": "lemur"})
        site.follow()
        assert marked(site.html) == ["lemur"]
        assert open_links(site) == []


@pytest.mark.parametrize(
    "query", ["after=x", "in=x", "order=x", "after=" + encode_id("[1,2,3]"), "after=" + "A" * 3_000]
)
def test_odd_addresses_are_answered(state: Path, site: MemorySite, query: str) -> None:
    add_message(state, "s1", "lemur")
    look_for(site, "lemur")
    q = parse_qs(urlsplit(site.last.wsgi_request.get_full_path()).query)["q"][0]
    site.get(f"?q={q}&{query}", name="search")
    assert heading(site) == "1 message"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (SearchPage(parse("a"), total=1), "1 message"),
        (SearchPage(parse("a"), total=1_200), "1,200 messages"),
        (SearchPage(parse("a"), total=10_001, total_exact=False), "More than 10,000 messages"),
        (SearchPage(parse("a"), total=20, total_exact=False), "At least 20 messages"),
        (SearchPage(parse("a"), total=0, total_exact=False), "Not counted"),
    ],
)
def test_the_total_is_true(page: SearchPage, said: str) -> None:
    assert total_sentence(page) == said
