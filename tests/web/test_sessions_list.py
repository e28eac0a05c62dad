"""The list of conversations as a browser without scripts uses it."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from hermesweb.activity.models import Activity
from hermesweb.hermes.ids import encode_id
from tests.home_builders import BuiltHome
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.memory_pages import MemorySite
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db
DAY = 86_400.0
NOVEMBER = 1_700_000_000.0  # the 14th, 2023


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    return old_state(small_home.folder)


def titles(site: MemorySite) -> list[str]:
    return [text.strip() for text in site.texts_in("title")]


def filtered(site: MemorySite, **typed: str) -> list[str]:
    """What the form finds with these fields."""
    site.last = site.client.post(site.path("sessions"), typed)
    assert site.last.status_code == 303
    site.follow()
    return titles(site)


def conversation(site: MemorySite, session: str) -> str:
    return f"/homes/hermes/default/sessions/{encode_id(session)}/"


def test_it_works(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Garden plan", model="large", cwd="/srv/garden", archived=1)
    add_session(state, "s2", source="telegram", ended_at=NOVEMBER + 9)
    add_message(state, "s1", "When do beans go out?")
    add_message(state, "s2", "Good morning", timestamp=NOVEMBER + DAY)
    site.get(name="sessions")
    assert site.last.status_code == 200
    assert titles(site) == ["Good morning", "Garden plan"]
    for words in ("Telegram", "Command line", "large", "When do beans go out?", "Good morning", "Archived"):
        assert words in site.text
    assert "/srv/garden" in site.text
    assert "2 conversations" in site.text
    assert site.text.count("Open") == 2  # one conversation, and the choice in the form
    assert any(link.startswith(conversation(site, "s1")) for link in site.links)
    assert Activity.objects.latest("id").action == "viewed_sessions"


def test_a_title_or_a_folder_stands_in_no_address(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Quincunx", cwd="/srv/velvet")
    add_session(state, "s2", title="Other", cwd="/srv/velvet/below")
    add_session(state, "s3", title="Third", cwd="/srv/velvets")
    assert filtered(site, title="quinc") == ["Quincunx"]
    assert sorted(filtered(site, folder="/srv/velvet/")) == ["Other", "Quincunx"]
    address = site.last.wsgi_request.get_full_path()
    assert "velvet" not in address
    assert set(parse_qs(urlsplit(address).query)) == {"q"}
    for link in site.links:
        assert "velvet" not in link
    assert 'value="/srv/velvet/"' in site.html


def test_filters_fit_together_and_are_kept_by_every_link(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="One", source="telegram", model="large")
    add_session(state, "s2", title="Two", source="telegram", model="small", ended_at=NOVEMBER)
    add_session(state, "s3", title="Three", source="cli", model="large", archived=1)
    for _ in range(3):
        add_message(state, "s1")
    assert filtered(site, source="telegram") == ["One", "Two"]
    assert [link for link in site.links if "?" in link and "source=telegram" not in link] == []
    assert filtered(site, source="telegram", model="large") == ["One"]
    assert filtered(site, state="ended") == ["Two"]
    assert filtered(site, state="archived") == ["Three"]
    assert filtered(site, state="kept", model="large") == ["One"]
    assert filtered(site, least="3") == ["One"]
    assert filtered(site, **{"from": "2023-11-14", "to": "2023-11-14"}) == ["One", "Three", "Two"]
    assert filtered(site, **{"from": "2023-11-16"}) == []
    assert "No conversation fits these filters." in site.text


def test_what_hermes_hides_is_behind_one_switch_with_its_count(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Seen")
    add_session(state, "s2", title="Hidden", source="tool")
    site.get(name="sessions")
    assert titles(site) == ["Seen"]
    assert "and 1 that Hermes hides" in site.text
    site.last = site.client.get(next(link for link in site.links if "hidden=1" in link))
    assert sorted(titles(site)) == ["Hidden", "Seen"]
    assert "1 of them hidden by Hermes" in site.text
    assert "Hidden by Hermes" in site.text
    assert filtered(site, title="Hidden") == []
    assert "Only 1 conversation fits, and Hermes hides it." in site.text


def test_pages_show_each_conversation_once_there_and_back(state: Path, site: MemorySite) -> None:
    with connect(state) as connection:
        connection.executemany(
            "INSERT INTO sessions (id, source, title, started_at) VALUES (?, 'cli', ?, ?)",
            [(f"s{n}", f"Number {n}", NOVEMBER + n // 3) for n in range(120)],
        )
    site.get(name="sessions")
    assert "1 to 50 of 120" in site.text
    seen = titles(site)
    further = re.compile(r'rel="next" href="([^"]+)"')
    while found := further.search(site.html):
        site.last = site.client.get(found[1].replace("&amp;", "&"))
        seen += titles(site)
    assert sorted(seen) == sorted(f"Number {n}" for n in range(120))
    assert "101 to 120 of 120" in site.text
    back = re.search(r'rel="prev" href="([^"]+)"', site.html)
    assert back
    site.last = site.client.get(back[1].replace("&amp;", "&"))
    assert "51 to 100 of 120" in site.text
    assert titles(site) == seen[50:100]
    site.get(name="sessions")
    site.last = site.client.get([link for link in site.links if "after=" in link][-1])
    assert titles(site) == seen[100:]


@pytest.mark.parametrize("sort", ["", "started", "messages", "title"])
def test_every_order_has_pages(state: Path, site: MemorySite, sort: str) -> None:
    for n in range(60):
        add_session(state, f"s{n}", title=f"Number {n:02}", started_at=NOVEMBER + n)
    site.get(f"?sort={sort}", name="sessions")
    first = titles(site)
    site.last = site.client.get(next(link for link in site.links if "after=" in link))
    assert len(first) == 50
    assert sorted(first + titles(site)) == [f"Number {n:02}" for n in range(60)]
    assert (first[0] == "Number 00") == (sort == "title")


def test_the_months_are_counted_and_filter(state: Path, site: MemorySite) -> None:
    for n, title in enumerate(["September", "November", "November too"]):
        add_session(state, f"s{n}", title=title, started_at=NOVEMBER - (n or 60 * DAY))
    add_session(state, "old", title="Long ago", started_at=NOVEMBER - 600 * DAY)
    site.get(name="sessions")
    bars = site.texts_in("months")[0]
    assert "2 conversations, Nov 2023" in bars
    assert "0 conversations, Oct 2023" in bars
    assert "1 conversation, Sep 2023" in bars
    november = next(link for link in site.links if "from=2023-11-01" in link)
    site.last = site.client.get(november)
    assert titles(site) == ["November", "November too"]
    assert 'aria-current="true"' in site.html
    before = next(link for link in site.links if "years=1" in link)
    site.last = site.client.get(before)
    assert "Nov 2022" in site.texts_in("months")[0]
    assert titles(site) == ["November", "November too"]  # looking elsewhere filters nothing


def test_one_conversation_with_what_is_inside(state: Path, site: MemorySite) -> None:
    add_session(state, "a", title="House", ended_at=NOVEMBER + 5, end_reason="compression")
    add_session(state, "b", title="House #2", parent_session_id="a", started_at=NOVEMBER + 6)
    add_session(state, "c", source="subagent", parent_session_id="b", started_at=NOVEMBER + 7)
    add_message(state, "a")
    add_message(state, "b")
    site.get(name="sessions")
    assert titles(site) == ["House #2"]
    (tree,) = site.texts_in("tree")
    assert "One conversation in 3 sessions" in tree
    assert "ended when it was compressed" in tree
    assert "Continued" in tree
    assert "Subagent" in tree
    assert {conversation(site, each) for each in "abc"} <= set(site.links)


def test_nothing_is_run_that_stands_in_a_field(state: Path, site: MemorySite) -> None:
    bait = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e"
    add_session(state, bait, title=bait, source=bait, model=bait, cwd=bait)
    add_session(state, "c", title=bait, source=bait, parent_session_id=bait, end_reason=bait)
    add_message(state, bait, bait)
    site.get("?hidden=1", name="sessions")
    assert site.last.status_code == 200
    assert "<script>alert" not in site.html
    assert "<img" not in site.html
    assert "\u202e" not in site.text
    assert filtered(site, source=bait, model=bait, title=bait, folder=bait)
    assert "<script>alert" not in site.html


def test_odd_ids_and_times_make_no_fault(state: Path, site: MemorySite) -> None:
    for id in ("", "a/b?c#d", "\n", "x" * 3_000, b"\xff\xfe", 7):
        add_session(state, id, title=f"Odd {str(id)[:5]!r}", started_at=5e246)
        add_message(state, id, timestamp=-1)
    site.get("?hidden=1", name="sessions")
    assert site.last.status_code == 200
    assert len(titles(site)) >= 5


@pytest.mark.parametrize(
    "query",
    [
        "?after=x", "?after=" + encode_id("[]"), "?after=" + encode_id('[[1e999],"a",false,false]'),
        "?sort=x&least=-1&least=x", "?from=0001-01-01&to=9999-12-31", "?from=x&to=2023-13-45",
        "?years=99999999999", "?state=x&source=%00&model=%ff", "?hidden&hidden",
        "?after=" + encode_id("[" * 1000),
    ],
)  # fmt: skip
def test_odd_addresses_are_answered(state: Path, site: MemorySite, query: str) -> None:
    add_session(state, "s1", title="Garden plan")
    site.get(query, name="sessions")
    assert site.last.status_code == 200


def test_a_token_of_another_sign_in_is_refused_in_words(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Quincunx")
    add_session(state, "s2", title="Other")
    assert filtered(site, title="quinc") == ["Quincunx"]
    address = site.last.wsgi_request.get_full_path()
    site.client.post("/sign-out/")
    site.client.post("/sign-in/", {"login": "mara", "password": PASSWORD})
    site.last = site.client.get(address)
    assert site.last.status_code == 410
    assert "belongs to a sign-in that has ended" in site.text
    assert "quinc" not in site.text.replace("Quincunx", "")


def test_too_long_a_filter_is_refused_in_words_and_kept(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    site.last = site.client.post(site.path("sessions"), {"title": "velvet" * 500})
    assert site.last.status_code == 422
    assert "too long" in site.text
    assert "velvet" * 500 in site.html


@pytest.mark.parametrize("name", ["sessions", "search"])
def test_without_conversations_it_says_so(site: MemorySite, name: str) -> None:
    site.get(name=name)
    assert site.last.status_code == 200
    assert "There is no state.db" in site.text
    assert list(site.home.folder.glob("state.db*")) == []


def test_an_empty_state_has_one_sentence(state: Path, site: MemorySite) -> None:
    site.get(name="sessions")
    assert "There are no conversations yet." in site.text
    assert "Filter" not in site.buttons


@pytest.mark.parametrize("name", ["sessions", "search"])
@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "empty file"), (b"x" * 5_000, "no SQLite database"), (None, "not a regular file")],
)
def test_a_state_that_cannot_be_read_is_explained(
    site: MemorySite, name: str, content: bytes | None, said: str
) -> None:
    path = site.home.folder / "state.db"
    path.mkdir() if content is None else path.write_bytes(content)
    site.get(name=name)
    assert site.last.status_code == 200
    assert said in site.text


@pytest.mark.parametrize("name", ["sessions", "search"])
def test_a_state_that_needs_a_copy_offers_one(state: Path, site: MemorySite, name: str) -> None:
    connection = connect(state)
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1)")
    left = (state / "state.db-wal").read_bytes()
    connection.close()
    (state / "state.db-wal").write_bytes(left)
    (state / "state.db-shm").unlink(missing_ok=True)
    site.get(name=name)
    assert "Make a private work copy" in site.buttons


def test_the_recorded_home_is_listed_whole(home: BuiltHome, owner_client: Client) -> None:
    response = owner_client.get("/homes/hermes/default/sessions/?hidden=1")
    text = response.content.decode()
    assert response.status_code == 200
    for session in home.facts("default").get("sessions", []):
        if session.get("title"):
            assert session["title"] in text
