"""A reviewer in the conversations: reads and searches them, everything masked, and has one value shown."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from hermesweb.accounts.models import Person
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.ids import encode_id
from hermesweb.jobs import work
from hermesweb.jobs.models import Job
from sessions import job_kinds
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, old_state
from tests.web.people import HOME, confirm

pytestmark = pytest.mark.django_db

KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3A"
MAIL = "velvet.person@quincunx.example"
AT = f"/homes/{HOME}/default/"


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    state = old_state(small_home.folder)
    add_session(state, "s1", title=f"Mail to {MAIL}")
    add_message(state, "s1", f"use {KEY} please, or write to {MAIL}")
    return state


@pytest.fixture
def ruth(state: Path, make_member: Callable[..., Person], signed_in: Callable[..., Client]) -> Client:
    return signed_in(make_member("ruth", "default", level="reviewer"))


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(
    "address",
    ["", "sessions/", f"sessions/{encode_id('s1')}/", f"sessions/{encode_id('s1')}/?view=exact",
     f"sessions/{encode_id('s1')}/messages/1/", "findings/", "memory/", "memory/history/"],
)  # fmt: skip
def test_every_page_is_masked(address: str, ruth: Client) -> None:
    page = text(ruth, AT + address)
    assert KEY not in page
    assert MAIL not in page


@pytest.mark.parametrize("address", ["sessions/", "search/"])
def test_what_can_be_filtered_by_is_masked(address: str, state: Path, ruth: Client) -> None:
    add_session(state, "s2", source=f"mail {MAIL}", model=KEY)
    add_message(state, "s2", "hello")
    page = text(ruth, AT + address)
    assert "<option" in page
    assert KEY not in page
    assert MAIL not in page


@pytest.mark.parametrize("kind", ["jsonl", "md", "html"])
def test_a_file_is_masked_in_what_is_about_a_conversation_too(kind: str, state: Path, ruth: Client) -> None:
    add_session(state, "s2", source=f"mail {MAIL}", model=KEY, user_id=MAIL, chat_id=MAIL)
    add_message(state, "s2", "hello", role="tool", tool_name=MAIL)
    add_message(state, "s2", "hello", role=f"role {MAIL}")
    calls = [{"id": "c1", "type": "function", "function": {"name": f"mail {MAIL}", "arguments": "{}"}}]
    add_message(state, "s2", "hello", role="assistant", tool_calls=json.dumps(calls))
    answer = ruth.post(f"{AT}export/file/?session={encode_id('s2')}", {"format": kind, "texts": "masked"})
    content = answer.getvalue().decode()
    assert "hello" in content
    assert KEY not in content
    assert MAIL not in content


def test_a_search_is_masked(ruth: Client) -> None:
    answer = ruth.post(AT + "search/", {"words": "please", "in": ["messages", "titles"]}, follow=True)
    page = answer.content.decode()
    assert "please" in page.partition("<main")[2]
    assert KEY not in page
    assert MAIL not in page


def test_one_value_is_shown_after_the_password_and_noted(ruth: Client) -> None:
    assert job_kinds.findings  # registers itself
    assert ruth.post(AT + "findings/look/").status_code == 302
    work.run(str(Job.objects.latest("created").pk))
    page = text(ruth, f"{AT}findings/?session={encode_id('s1')}")
    assert "False alarm" not in page
    shows = re.findall(r'href="(/homes/[^"]+/findings/\d+/)"', page)
    assert ruth.get(shows[0]).headers["Location"].startswith("/account/confirm/")
    confirm(ruth)
    shown = [text(ruth, address) for address in shows]
    assert any(KEY in each for each in shown)
    line = Activity.objects.filter(action=Action.UNMASKED).latest("number")
    assert (line.name, line.profile) == ("ruth", "default")
    assert KEY not in text(ruth, f"{AT}sessions/{encode_id('s1')}/")


def test_a_job_of_ones_own_is_stopped_and_that_of_others_not(ruth: Client) -> None:
    ruth.post(AT + "measure/")
    own = Job.objects.latest("created")
    assert ruth.post(f"/jobs/{own.pk}/cancel/").status_code == 302
    other = Job.objects.create(kind="measure", home=HOME, profile="default")
    assert ruth.post(f"/jobs/{other.pk}/cancel/").status_code == 403
    assert "Stop it" not in text(ruth, f"/jobs/{other.pk}/")


def test_a_change_begun_as_a_member_does_not_go_on_for_a_reviewer(ruth: Client) -> None:
    person, silent = Person.objects.get(username="ruth"), "2026-01-01T00:00:00Z"
    job = Job.objects.create(
        kind="scrub", home=HOME, profile="default", person=person, state="running", heartbeat=silent
    )
    assert "Go on" not in text(ruth, f"/jobs/{job.pk}/")
    assert ruth.post(f"/jobs/{job.pk}/continue/").status_code == 403
    job.refresh_from_db()
    assert job.state == "running"
    Job.objects.filter(pk=job.pk).update(kind="measure")  # only reads
    assert "Go on" in text(ruth, f"/jobs/{job.pk}/")
    assert ruth.post(f"/jobs/{job.pk}/continue/").status_code == 302
