"""Keys and passwords in a conversation: masked wherever it is read, shown to whoever gave their password."""

import json
import re
from pathlib import Path

import pytest

from hermesweb.activity.models import Activity
from hermesweb.hermes.ids import encode_id
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, old_state
from tests.web.memory_pages import MemorySite
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db
KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3A"
CARD = "4111 1111 1111 1111"
MAIL = "velvet.person@quincunx.example"
SESSION = encode_id("s1")


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    """A key in every place a conversation has for one."""
    state = old_state(small_home.folder)
    add_session(state, "s1", title="Keys", system_prompt=f"You know {KEY} by heart.")
    add_message(state, "s1", f"use **{KEY}** and {CARD}, or write to {MAIL}")
    calls = [{"id": "c", "function": {"name": "terminal", "arguments": json.dumps({"key": f"run {KEY}"})}}]
    add_message(
        state, "s1", None, role="assistant", tool_calls=json.dumps(calls), reasoning=f"They gave {KEY}."
    )
    add_message(state, "s1", f"stored {KEY}", role="tool", tool_call_id="c")
    return state


def read(site: MemorySite, query: str = "", name: str = "conversation", **more: object) -> str:
    site.get(query, name=name, session=SESSION, **more)
    return site.html


def confirm(site: MemorySite) -> None:
    assert site.last.status_code == 302
    asked = site.last["Location"]
    assert "/account/confirm/" in asked
    site.last = site.client.post(asked, {"password": PASSWORD})
    site.last = site.client.get(site.last["Location"])


@pytest.mark.parametrize("view", ["", "?view=exact"])
def test_every_place_is_masked_and_says_so(state: Path, site: MemorySite, view: str) -> None:
    html = read(site, view)
    assert site.last.status_code == 200
    assert KEY not in html
    assert "Ab1Cd2" not in html
    assert CARD not in html
    assert html.count("sk-proj-••••••••") >= 5
    assert "2 keys, passwords or account numbers are masked." in site.text
    assert MAIL in site.text, "who reads what is known about them came for this"


def test_one_message_and_the_prompt_are_masked_too(state: Path, site: MemorySite) -> None:
    for name, more in (("message", {"message": "1"}), ("stored_prompt", {})):
        html = read(site, name=name, **more)
        assert "Ab1Cd2" not in html
        assert "sk-proj-••••••••" in html


def test_shown_after_the_password_and_noted_without_the_value(state: Path, site: MemorySite) -> None:
    html = read(site)
    address = re.search(r'href="([^"]+at=1[^"]*)">Show what is masked', html)
    assert address
    site.last = site.client.get(address[1].replace("&amp;", "&"))
    confirm(site)
    assert site.html.count(KEY) >= 4
    assert CARD in site.text
    assert "That you looked is noted" in site.text
    noted = Activity.objects.filter(action="unmasked").latest("id")
    assert noted.about == "conversation"
    assert not [each for each in Activity.objects.values_list("about", flat=True) if "Ab1Cd2" in each]
    again = re.search(r'href="([^"]+)">Mask them again', site.html)
    assert again
    site.last = site.client.get(again[1].replace("&amp;", "&"))
    assert "Ab1Cd2" not in site.html


@pytest.mark.parametrize(("name", "more"), [("message", {"message": "1"}), ("stored_prompt", {})])
def test_nothing_is_shown_without_the_password(state: Path, site: MemorySite, name: str, more: dict) -> None:
    read(site, "?unmasked=1", name, **more)
    assert site.last.status_code == 302
    confirm(site)
    assert KEY in site.html
    assert Activity.objects.latest("id").action == "unmasked"


def test_who_scrolls_without_the_password_gets_it_masked(state: Path, site: MemorySite) -> None:
    site.last = site.client.get(
        site.path("conversation", session=SESSION) + "?unmasked=1&after=start.0",
        headers={"HX-Request": "true"},
    )
    assert site.last.status_code == 200
    assert "Ab1Cd2" not in site.html
    assert not Activity.objects.filter(action="unmasked").exists()


def test_neither_the_list_nor_a_search_shows_one(state: Path, site: MemorySite) -> None:
    site.get(name="sessions")
    assert "sk-proj-••••••••" in site.text
    assert "Ab1Cd2" not in site.html
    for words in ("write", "stored", "sk", "gave"):
        form = {"in": ["messages", "tool_calls", "reasoning", "prompts"], "words": words}
        site.last = site.client.post(site.path("search"), form)
        html = site.follow()
        main = html[html.index("</form>") :]
        assert "Ab1Cd2" not in main, words


def test_a_key_that_the_page_cuts_off_is_masked(small_home: MemoryHome, site: MemorySite) -> None:
    state = old_state(small_home.folder)
    add_session(state, "s1")
    add_message(state, "s1", "a" + " word" * 1_195 + " " + KEY + " and the end " * 10)
    html = read(site)
    assert "sk-proj-Ab1" not in html
    assert "Show all" in html
