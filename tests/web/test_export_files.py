"""Conversations taken along as files, as a browser without scripts does it."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.http import StreamingHttpResponse

from hermesweb.activity.models import Activity
from hermesweb.hermes.ids import encode_id
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, old_state
from tests.web.memory_pages import MemorySite
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db
KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3A"
BAIT = "<img src=//evil.example/x onerror=alert(1)><script>alert(2)</script>"
FORMATS = ["jsonl", "md", "html"]


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    state = old_state(small_home.folder)
    add_session(state, "s1", title="Velvet plan")
    add_message(state, "s1", f"my key is {KEY}")
    add_message(state, "s1", "taken back", active=0)
    add_message(state, "s1", "summed up", active=0, compacted=1)
    add_session(state, "s2", source="telegram", title="Other one")
    add_message(state, "s2", "good morning")
    return state


def choose(site: MemorySite, query: str = f"?session={encode_id('s1')}") -> None:
    site.get(query, name="export")
    assert site.last.status_code == 200


def download(site: MemorySite, **chosen: str) -> str:
    """What the button of the page that was shown last gives, with these choices."""
    data = {"format": "jsonl", "texts": "masked", "compacted": "on"} | chosen
    site.last = site.client.post(site.form("Download the file").action, data)
    assert site.last.status_code == 200
    assert isinstance(site.last, StreamingHttpResponse)
    return b"".join(site.last.streaming_content).decode()


def test_it_works(state: Path, site: MemorySite) -> None:
    choose(site)
    assert "1 conversation in 1 session." in site.text
    lines = download(site).splitlines()
    (session,) = map(json.loads, lines)
    assert session["title"] == "Velvet plan"
    assert [message["content"][:9] for message in session["messages"]] == ["my key is"[:9], "summed up"]
    assert session["hermesweb"]["messages"] == 2
    disposition = site.last.headers["Content-Disposition"]
    assert re.fullmatch(r'attachment; filename="hermes-conversations-\d{4}-\d\d-\d\d\.jsonl"', disposition)
    line = Activity.objects.latest("id")
    assert (line.action, line.about) == ("exported", "jsonl 1 masked")


@pytest.mark.parametrize("format", FORMATS)
def test_keys_are_masked_unless_somebody_gave_their_password(
    format: str, state: Path, site: MemorySite
) -> None:
    choose(site)
    text = download(site, format=format)
    assert KEY not in text
    assert "sk-proj-••••••••" in text
    choose(site)
    action = site.form("Download the file").action
    refused = site.client.post(action, {"format": format, "texts": "exact"})
    assert refused.status_code == 302
    site.last = site.client.get(refused.headers["Location"])
    assert site.last.headers["Location"].startswith("/account/confirm/?next=")
    site.follow()
    site.last = site.client.post(
        site.last.wsgi_request.get_full_path(), {**fields(site), "password": PASSWORD}
    )
    site.follow()
    assert "You gave your password just now" in site.text
    assert re.search(rf'value="{format}"[^>]* checked', site.html)
    assert KEY in download(site, format=format, texts="exact")
    assert Activity.objects.latest("id").about == f"{format} 1 exact"
    assert not [session for session in Session.objects.all() if "exact" in str(session.get_decoded())]


def fields(site: MemorySite) -> dict[str, str]:
    return dict(site.form("Confirm").fields)


@pytest.mark.parametrize("format", FORMATS)
def test_turns_are_in_it_or_counted_as_left_out(format: str, state: Path, site: MemorySite) -> None:
    choose(site)
    text = download(site, format=format)
    assert "taken back" not in text.replace("Left out, taken back", "").replace("· taken back", "")
    assert "summed up" in text
    choose(site)
    assert "taken back" in download(site, format=format, undone="on")
    choose(site)
    few = site.client.post(site.form("Download the file").action, {"format": format, "texts": "masked"})
    body = b"".join(few.streaming_content).decode()
    assert "summed up" not in body.replace("Left out, summed up since", "")


def test_ticked_conversations_stand_in_no_address(state: Path, site: MemorySite) -> None:
    answer = site.post("export", {"ids": [encode_id("s1"), encode_id("s2")]})
    assert answer.status_code == 302
    assert encode_id("s1") not in answer.headers["Location"]
    site.follow()
    assert "2 conversations in 2 sessions." in site.text
    assert len(download(site).splitlines()) == 2
    address = answer.headers["Location"]
    site.client.post("/sign-out/")
    site.client.post("/sign-in/", {"login": "mara", "password": PASSWORD})
    site.last = site.client.get(address)
    assert site.last.status_code == 410
    assert "kept nowhere" in site.text


def test_ticks_and_filters_of_the_list_lead_here(state: Path, site: MemorySite) -> None:
    site.get("?source=telegram", name="sessions")
    everything = next(link for link in site.links if "/export/" in link)
    assert site.press("Export picked", ticks=1).status_code == 302
    site.follow()
    assert "1 conversation in 1 session." in site.text
    assert "good morning" in download(site)
    site.last = site.client.get(everything)
    assert "1 conversation in 1 session." in site.text


@pytest.mark.parametrize("ids", [[], ["*"], [encode_id("s9")]])
def test_nothing_ticked_or_nothing_there(ids: list[str], state: Path, site: MemorySite) -> None:
    answer = site.post("export", {"ids": ids})
    if answer.status_code == 302:
        site.follow()
        assert site.last.status_code == 404
    else:
        assert answer.status_code == 400
        assert "Choose again" in site.text


def test_too_many_ticked(state: Path, site: MemorySite) -> None:
    answer = site.post("export", {"ids": [encode_id(f"{n:050}") for n in range(200)]})
    assert answer.status_code == 422
    assert "Tick fewer" in site.text


def test_a_filter_is_exported_as_it_is_listed(state: Path, site: MemorySite) -> None:
    choose(site, "?source=telegram")
    assert "1 conversation in 1 session." in site.text
    assert "good morning" in download(site)
    choose(site, "")
    assert "2 conversations in 2 sessions." in site.text
    choose(site, "?source=nowhere")
    assert "there is nothing to export" in site.text
    site.last = site.client.post(site.path("sessions"), {"title": "velvet"})
    token = site.last.headers["Location"].partition("?")[2]
    choose(site, f"?{token}")
    assert "1 conversation in 1 session." in site.text
    assert "Velvet plan" in download(site)


def test_a_conversation_takes_its_branches_along(state: Path, site: MemorySite) -> None:
    add_session(state, "s3", parent_session_id="s1", model_config='{"_branched_from": "s1"}')
    add_message(state, "s3", "on the branch")
    for session in ("s1", "s3"):
        choose(site, f"?session={encode_id(session)}")
        assert "1 conversation in 2 sessions." in site.text
        assert "on the branch" in download(site)


@pytest.mark.parametrize(
    "query", ["?session=*", f"?session={encode_id('s9')}", f"?session={encode_id(chr(0xD800))}"]
)
def test_what_is_not_there_is_not_exported(query: str, state: Path, site: MemorySite) -> None:
    site.get(query, name="export")
    assert site.last.status_code == 404
    site.last = site.client.post(site.path("export_file") + query, {"format": "md"})
    assert site.last.status_code == 404


def test_a_form_that_is_not_complete(state: Path, site: MemorySite) -> None:
    for data in ({}, {"format": "pdf"}):
        assert site.post("export_file", data).status_code == 400
    assert not Activity.objects.filter(action="exported")


def test_bait_in_an_exported_page_is_text(state: Path, site: MemorySite) -> None:
    add_session(state, "s4", title=BAIT, model=BAIT, source=BAIT)
    add_message(state, "s4", BAIT, role=BAIT, tool_name=BAIT, tool_calls=BAIT, reasoning=BAIT)
    choose(site, f"?session={encode_id('s4')}")
    html = download(site, format="html")
    assert "<img" not in html
    assert "<script" not in html
    assert "default-src &#x27;none&#x27;" in html or "default-src 'none'" in html
    assert not re.search(r"(?:src|href)=", html.replace("&lt;img src=", ""))


def test_a_damaged_home_is_said_before_anything_is_sent(state: Path, site: MemorySite) -> None:
    (state / "state.db").write_bytes(b"no database at all" * 100)
    site.get(name="export")
    assert site.last.status_code == 409
    assert "is no SQLite database" in site.text


def test_another_profile_has_nothing_to_export(state: Path, site: MemorySite) -> None:
    other = old_state(site.home.folder / "profiles" / "work")
    add_session(other, "s9")
    add_message(other, "s9", "of the other")
    site.get(f"?session={encode_id('s9')}", name="export")
    assert site.last.status_code == 404
