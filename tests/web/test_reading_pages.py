"""One conversation as a browser without scripts reads it."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from hermesweb.activity.models import Activity
from hermesweb.hermes.ids import encode_id
from sessions.content import PREFIX
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.memory_pages import MemorySite

pytestmark = pytest.mark.django_db
BAIT = "<img src=//evil.example/x onerror=alert(1)><script>alert(2)</script>"
ZERO_WIDTH = "\u200b"


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    return old_state(small_home.folder)


def read(site: MemorySite, query: str = "", session: str = "s1") -> str:
    site.get(query, name="conversation", session=encode_id(session))
    assert site.last.status_code == 200
    return site.html


def call(name: str, arguments: object, key: str = "c1") -> str:
    return json.dumps([{"id": key, "function": {"name": name, "arguments": json.dumps(arguments)}}])


def test_it_works(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Garden plan", model="large", cwd="/srv/garden")
    add_message(state, "s1", "When do **beans** go out?")
    add_message(state, "s1", "In *May*.", role="assistant")
    read(site)
    assert "Garden plan" in site.text
    assert "<strong>beans</strong>" in site.html
    assert [
        text for text in ("User", "Hermes", "/srv/garden", "large", "2 messages") if text not in site.text
    ] == []
    assert Activity.objects.latest("id").action == "viewed_conversation"
    assert not Activity.objects.latest("id").about
    assert "Garden" not in re.search("<title>(.*?)</title>", site.html)[1]


def test_what_is_not_there_is_not_there(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    for part in (encode_id("s2"), "x" * 5_000, "*", encode_id("s1") + "=", encode_id("\ud800")):
        site.get(name="conversation", session=part)
        assert site.last.status_code == 404, part
    for number in ("7", "x", "9" * 40, "-1"):
        site.get(name="message", session=encode_id("s1"), message=number)
        assert site.last.status_code == 404


@pytest.mark.parametrize("session", ["odd id/../?q=1&<b>#frag%2f", "a\nb", '"', "ü" * 400, "%00", "0"])
def test_any_id_can_be_opened(session: str, state: Path, site: MemorySite) -> None:
    add_session(state, session, title="Odd")
    add_message(state, session, "here it is")
    read(site, session=session)
    assert "here it is" in site.text


def test_tools_stand_with_their_answer_and_are_folded(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    add_message(state, "s1", None, role="assistant", tool_calls=call("terminal", {"command": "uptime -p"}))
    add_message(state, "s1", "up 3 days\nand more", role="tool", tool_call_id="c1")
    read(site)
    (fold,) = site.texts_in("folded")
    assert "terminal: uptime -p" in fold
    assert "2 lines back" in fold
    assert "up 3 days" in fold
    assert '<details class="turn folded"' in site.html
    read(site, "?at=2")
    assert '<details class="turn folded found"' in site.html
    assert 'id="m2"' in site.html


def test_reasoning_is_folded_and_what_is_encrypted_is_said(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    details = json.dumps([{"type": "reasoning.encrypted", "data": "gAAAA" * 30}])
    add_message(state, "s1", "Yes.", role="assistant", reasoning="Let me think.", reasoning_details=details)
    read(site)
    assert "Let me think." in site.text
    assert "encrypted, not readable" in site.text
    assert "gAAAA" not in site.html


def test_pictures_are_words(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    parts = [
        {"type": "text", "text": "Look: ![cat](https://evil.example/cat.png)"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBOR" * 500}},
    ]
    add_message(state, "s1", PREFIX + json.dumps(parts))
    for query in ("", "?view=exact", "?links=1"):
        read(site, query)
        assert "Image, image/png, 1.8 KB, not shown" in site.text
        assert "iVBOR" not in site.html
        assert "<img" not in site.html


def test_what_was_taken_back_is_behind_a_switch_with_its_count(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    add_message(state, "s1", "stays")
    add_message(state, "s1", "secret wish", active=0)
    read(site)
    assert "secret wish" not in site.text
    assert "Show 1 turn taken back" in site.text
    site.last = site.client.get(next(link for link in site.links if "undone=1" in link))
    assert "secret wish" in site.texts_in("band")[0]
    assert "1 turn taken back by undo" in site.text
    read(site, "?at=2")  # whoever comes for it sees it
    assert "secret wish" in site.text


def test_compacted_turns_are_folded_and_said(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    add_message(state, "s1", "long ago", active=0, compacted=1)
    add_message(state, "s1", "today")
    read(site)
    assert "1 compacted turn, folded" in site.text
    assert '<details class="band">' in site.html
    read(site, "?at=1")
    assert '<details class="band" open>' in site.html


def test_pages_are_linked_and_htmx_gets_the_turns_alone(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    with connect(state) as connection:
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', ?, 1700000000)",
            [(f"number {n}.",) for n in range(1, 131)],
        )
    seen: list[str] = []
    read(site)
    while True:
        seen += re.findall(r"number \d+\.", site.html)
        later = re.search(r'rel="next" href="([^"]+)"', site.html)
        if not later:
            break
        address = later[1].replace("&amp;", "&")
        part = site.client.get(address, headers={"HX-Request": "true"}).content.decode()
        assert "<html" not in part
        back = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
        assert "<html" in site.client.get(address, headers=back).content.decode()
        site.last = site.client.get(address)
        assert re.findall(r"number \d+\.", part) == re.findall(r"number \d+\.", site.html)
    assert seen == [f"number {n}." for n in range(1, 131)]
    assert "From message 101 of 130" in site.text
    earlier = re.search(r'rel="prev" href="([^"]+)"', site.html)
    site.last = site.client.get(earlier[1].replace("&amp;", "&"))
    assert re.findall(r"number \d+\.", site.html) == seen[50:100]
    read(site, "?at=77")
    assert "number 77." in site.html
    assert Activity.objects.filter(action="viewed_conversation").count() == 2  # paging is no further visit


@pytest.mark.parametrize(
    "query", ["?at=x", "?at=999999", "?after=7", "?before=1.99", "?after=x.0", "?view=z", "?at=1.5"]
)
def test_an_address_that_makes_no_sense_shows_the_beginning(
    query: str, state: Path, site: MemorySite
) -> None:
    add_session(state, "s1")
    add_message(state, "s1", "first words")
    read(site, query)
    assert "first words" in site.text or "before" in query
    assert ("is not in this conversation any more" in site.text) == (query == "?at=999999")


def test_a_conversation_of_several_sessions_is_read_on(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Plan", end_reason="compression", ended_at=1_700_000_200.0)
    add_session(state, "s2", title="Plan #2", parent_session_id="s1")
    add_session(state, "s3", title="Side", parent_session_id="s2", model_config='{"_branched_from": "s2"}')
    add_message(state, "s1", "before")
    add_message(state, "s2", "afterwards")
    read(site)
    assert "before" in site.text
    assert "afterwards" in site.text
    assert "in 2 sessions" in site.text
    read(site, session="s2")
    assert "This is number 2" in site.text
    assert "Branch" in site.text
    assert any(link.startswith(site.path("conversation", session=encode_id("s3"))) for link in site.links)


def test_memory_is_marked_in_the_stored_prompt(state: Path, site: MemorySite) -> None:
    line = "═" * 46
    entry = "Likes beans."
    block = f"{line}\nMEMORY (your personal notes) [0% — {len(entry)}/2,200 chars]\n{line}\n{entry}"
    prompt = f"You are Hermes.\n\n{block}\n\nConversation started: today"
    add_session(state, "s1", system_prompt=prompt)
    add_message(state, "s1")
    read(site)
    marked = re.search(r'<mark class="memory">(.*?)</mark>', site.html, re.DOTALL)
    assert entry in marked[1]
    assert "Conversation started" not in marked[1]
    site.get(name="stored_prompt", session=encode_id("s1"))
    assert '<mark class="memory">' in site.html


def test_readable_says_where_exact_shows_more(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    add_message(state, "s1", f"pass{ZERO_WIDTH}word")
    add_message(state, "s1", "plain")
    read(site)
    assert site.text.count("Something in it is not to be seen here.") == 1
    exact = next(link for link in site.links if "view=exact" in link and "at=1" in link)
    site.last = site.client.get(exact)
    assert 'data-name="U+200B"' in site.html
    assert "Something in it" not in site.text


def test_links_lead_nowhere_until_asked(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    add_message(state, "s1", "[docs](https://docs.example/a) [bad](javascript:alert(1))")
    read(site)
    assert not [link for link in site.links if "docs.example" in link]
    assert "https://docs.example/a" in site.text
    site.last = site.client.get(next(link for link in site.links if "links=1" in link))
    assert "https://docs.example/a" in site.links
    assert not [link for link in site.links if link.startswith("javascript")]


def test_a_very_long_text_is_cut_and_can_be_had_whole(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    add_message(state, "s1", "row\n" * 20_000 + "the end")
    read(site)
    assert "the end" not in site.html
    assert "Show all, 80,007 characters" in site.text
    site.last = site.client.get(next(link for link in site.links if "/messages/1/" in link))
    assert "the end" in site.html
    assert len(site.html) > 80_000


def test_broken_pieces_are_said(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    add_message(state, "s1", PREFIX + '[{"type": "text", "te', timestamp="soon")
    add_message(state, "s1", None, role="assistant", tool_calls="{no json")
    add_message(state, "s1", b"\xff\xfe", role="")
    add_message(state, "s1", 17, role="robot", reasoning_details="[")
    read(site)
    for words in (
        "it is none",
        "cannot be a time",
        "no readable time",
        "no role",
        "robot",
        "bytes or a number",
    ):
        assert words in site.text


def test_damage_is_said(state: Path, site: MemorySite) -> None:
    (state / "state.db").write_bytes(b"no database at all" * 100)
    site.get(name="conversation", session=encode_id("s1"))
    assert site.last.status_code == 200
    assert "is no SQLite database" in site.text


def test_the_words_of_the_search_are_marked(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Boxes")
    add_message(state, "s1", "one **quin**cunx")
    add_message(state, "s1", "two", role="assistant", tool_calls=call("terminal", {"command": "quincunx"}))
    site.last = site.client.post(site.path("search"), {"words": "quincunx", "in": ["messages", "tool_calls"]})
    site.follow()
    links = [link for link in site.links if "found=" in link]
    assert links
    assert "quincunx" not in "".join(links)
    for link in links:
        site.last = site.client.get(link)
        assert site.html.count("<mark>") >= 2
        assert "Back to the results" in site.text
        assert re.search(r"<details[^>]* open>", site.html)  # a fold with a marked word
    site.client.post("/sign-out/")
    site.client.post("/sign-in/", {"login": "mara", "password": "a fine long password 7"})
    site.last = site.client.get(links[0])
    assert "belongs to a sign-in that has ended" in site.text
    assert "<mark>" not in site.html


def test_bait_in_every_field_is_text(state: Path, site: MemorySite) -> None:
    texts = dict.fromkeys(("title", "model", "cwd", "user_id", "system_prompt", "billing_provider"), BAIT)
    add_session(state, "s1", **texts, end_reason=BAIT, ended_at=1.0, source=BAIT)
    add_session(
        state, "s2", title=BAIT + "2", parent_session_id="s1", model_config='{"_branched_from": "s1"}'
    )
    calls = json.dumps([{"id": BAIT, "function": {"name": BAIT, "arguments": BAIT}}])
    fields = {"role": BAIT, "tool_name": BAIT, "tool_call_id": BAIT, "tool_calls": calls, "reasoning": BAIT}
    fields |= {"reasoning_details": BAIT, "finish_reason": BAIT, "platform_message_id": BAIT}
    add_message(state, "s1", BAIT, **fields)
    parts = [{"type": "image_url", "image_url": {"url": BAIT}, "name": BAIT}, {"type": BAIT}]
    add_message(state, "s1", PREFIX + json.dumps(parts), role="tool", tool_name=BAIT)
    for query in ("", "?view=exact", "?links=1", "?at=1"):
        read(site, query)
        assert "<script>alert" not in site.html
        assert "<img" not in site.html
        assert not re.search(r"<[^>]+\sonerror=", site.html.replace("&lt;", ""))
    for message in (1, 2):
        site.get(name="message", session=encode_id("s1"), message=message)
        assert "<img" not in site.html
        assert "<script>alert" not in site.html
    site.get(name="stored_prompt", session=encode_id("s1"))
    assert "<img" not in site.html


def test_another_profile_does_not_have_it(state: Path, site: MemorySite) -> None:
    other = site.home.folder / "profiles" / "work"
    old_state(other)
    add_session(other, "s9")
    add_message(other, "s9", "of the other")
    site.get(name="conversation", session=encode_id("s9"))
    assert site.last.status_code == 404
    assert "of the other" not in site.html


def test_the_old_releases_can_be_read(small_home: MemoryHome, owner_client: Client) -> None:
    state = old_state(small_home.folder, "0.13")
    add_session(state, "s1")
    add_message(state, "s1", "an old one")
    site = MemorySite(small_home, owner_client)
    read(site)
    assert "an old one" in site.text


@pytest.mark.parametrize("name", ["memory", "memory_history"])
def test_the_memory_pages_lead_to_the_message(name: str, state: Path, site: MemorySite) -> None:
    add_session(state, "s1", title="Beans")
    site.home.memory("Likes beans")
    add_message(
        state,
        "s1",
        None,
        role="assistant",
        tool_calls=call("memory", {"action": "add", "target": "memory", "content": "Likes beans"}),
    )
    add_message(state, "s1", '{"success": true}', role="tool", tool_call_id="c1", tool_name="memory")
    add_message(state, "s1", "Remember the tea.")
    add_message(state, "s1", "I will remember that you like tea.", role="assistant")
    site.get(name=name)
    path = site.path("conversation", session=encode_id("s1"))
    assert [link for link in site.links if link.startswith(path + "?at=")]


def test_the_stored_prompt_is_not_inside_a_fold_of_others(state: Path, site: MemorySite) -> None:
    add_session(state, "s1", system_prompt="You are Hermes.")
    add_message(state, "s1", "long ago", active=0, compacted=1)
    add_message(state, "s1", "today")
    read(site)
    before, _, after = site.html.partition("1 compacted turn, folded")
    assert "the stored prompt, 15 characters" in before
    assert "the stored prompt" not in after


def test_what_a_damaged_page_leaves_can_be_read(state: Path, site: MemorySite) -> None:
    """Case C20: bytes of one page of the messages are overwritten."""
    add_session(state, "s1")
    with connect(state) as connection:
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s1', 'user', ?, ?)",
            [(f"number {n}. " + "filler " * 90, 1_700_000_000 + n) for n in range(1, 401)],
        )
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    content = bytearray((state / "state.db").read_bytes())
    place = content.index(b"number 200.") // size * size
    content[place : place + size] = b"\xff" * size
    (state / "state.db").write_bytes(content)
    seen: set[str] = set()
    damaged = 0
    read(site)
    for _ in range(60):
        seen |= set(re.findall(r"number \d+\.", site.html))
        damaged += "state.db is damaged here" in site.text
        onwards = re.search(r'rel="next" href="([^"]+)"', site.html) or re.search(
            r'class="button" href="([^"]+)">Look further on', site.html
        )
        if not onwards:
            break
        site.last = site.client.get(onwards[1].replace("&amp;", "&"))
        assert site.last.status_code == 200
    assert damaged, site.text[:1500]
    assert {"number 1.", "number 150.", "number 400."} <= seen


def test_readable_and_exact_lead_to_the_same_place_without_scripts(state: Path, site: MemorySite) -> None:
    add_session(state, "s1")
    for number in range(60):
        add_message(state, "s1", f"message {number}")
    html = read(site, "?at=30")
    assert re.search(r'href="[^"]*view=exact[^"]*#m30"', html)
    assert re.search(r'href="[^"]*at=40[^"]*#m40"><time', html), "each turn has an address of its own"
    html = read(site, "?after=10.0")
    assert re.search(r'href="[^"]*view=exact[^"]*#m11"', html)
