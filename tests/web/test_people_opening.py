"""An owner's look into a profile of others, and what a reviewer is shown."""

import time
from collections.abc import Callable

import pytest
from django.test import Client

from hermesweb.accounts.models import Notice, Person, ProfileAccess
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from hermesweb.jobs.models import Job
from hermesweb.masking import masked_html
from tests.addresses import path_of
from tests.memory_builders import MemoryHome
from tests.web.pages import Elements
from tests.web.people import HOME, PASSWORD, confirm, open_closed

pytestmark = pytest.mark.django_db

MEMORY = f"/homes/{HOME}/office/memory/"
OPEN = f"/homes/{HOME}/office/open/"
KEY = "sk-proj-" + "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF" * 2


def test_from_the_closed_door_to_the_notice(
    owner_client: Client, member: Person, profile: Profile, signed_in: Callable[..., Client]
) -> None:
    answer = owner_client.get(MEMORY)
    assert answer.headers["Location"] == f"{OPEN}?next=%2Fhomes%2F{HOME}%2Foffice%2Fmemory%2F"
    confirm(owner_client)
    page = owner_client.get(answer.headers["Location"]).content.decode()
    assert "joan" in page
    assert not Notice.objects.exists()
    assert owner_client.get(MEMORY).status_code == 302  # the page alone opens nothing
    answer = owner_client.post(OPEN, {"next": MEMORY})
    assert answer.headers["Location"] == MEMORY
    assert owner_client.get(MEMORY).status_code == 200
    line = Activity.objects.filter(action=Action.OPENED_WITH_NOTICE).get()
    assert (line.name, line.home, line.profile) == ("mara", HOME, "office")
    joan = signed_in(member)
    told = joan.get(path_of("homes")).content.decode()
    assert "mara opened your profile <strong>office</strong>" in told
    assert "Opened a profile of others" in joan.get("/activity/").content.decode()
    notice = Notice.objects.get()
    assert (
        joan.post(path_of("dismiss_notice", notice=notice.pk), {"next": "/homes/"}).headers["Location"]
        == "/homes/"
    )
    assert "opened your profile" not in joan.get(path_of("homes")).content.decode()
    assert "Opened a profile of others" in joan.get("/activity/").content.decode()


def test_it_is_open_for_an_hour(
    owner_client: Client, member: Person, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_closed(owner_client)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 59 * 60)
    assert owner_client.get(MEMORY).status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + 61 * 60)
    assert owner_client.get(MEMORY).status_code == 302


def test_it_ends_with_the_sign_in(
    owner_client: Client, owner: Person, member: Person, profile: Profile, signed_in: Callable[..., Client]
) -> None:
    open_closed(owner_client)
    assert signed_in(owner).get(MEMORY).status_code == 302  # another browser
    owner_client.post("/sign-out/")
    owner_client.post("/sign-in/", {"login": "mara", "password": PASSWORD})
    assert owner_client.get(MEMORY).status_code == 302


def test_opening_one_opens_no_other(
    owner_client: Client, make_member: Callable[..., Person], profile: Profile
) -> None:
    make_member("joan", "office", "default")
    open_closed(owner_client)
    assert owner_client.get(MEMORY).status_code == 200
    assert owner_client.get(f"/homes/{HOME}/default/memory/").status_code == 302


def test_a_closed_profile_may_be_named_and_nothing_more(
    owner_client: Client, make_member: Callable[..., Person], profile: Profile
) -> None:
    make_member("joan", "default")  # where something waits
    page = owner_client.get(path_of("homes")).content.decode()
    assert "default" in page
    assert "opened only with notice" in page
    assert "proposals waiting" not in page
    assert "default" not in owner_client.get("/pending/").content.decode().partition("<main")[2]
    open_closed(owner_client, "default")
    assert "proposals waiting" in owner_client.get(path_of("homes")).content.decode()


def test_an_owner_who_is_a_member_needs_no_notice(
    owner_client: Client, owner: Person, member: Person, profile: Profile
) -> None:
    ProfileAccess.objects.create(person=owner, home=HOME, profile="office")
    assert owner_client.get(MEMORY).status_code == 200


def test_a_profile_with_reviewers_alone_is_not_closed(
    owner_client: Client, reviewer: Person, profile: Profile
) -> None:
    assert owner_client.get(MEMORY).status_code == 200


def test_a_job_of_a_closed_profile_is_closed_too(
    owner_client: Client, member: Person, profile: Profile
) -> None:
    job = Job.objects.create(kind="measure", home=HOME, profile="office")
    assert owner_client.get(path_of("job", job=job.pk)).headers["Location"].startswith(OPEN)
    assert owner_client.post(path_of("cancel_job", job=job.pk)).status_code == 403


@pytest.mark.parametrize(
    "onward", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:1"]
)
def test_opening_leads_to_no_other_site(
    onward: str, owner_client: Client, member: Person, profile: Profile
) -> None:
    answer = confirm(owner_client).post(OPEN, {"next": onward})
    assert answer.headers["Location"] == f"/homes/{HOME}/office/"


def test_onward_cannot_write_a_header(owner_client: Client, member: Person, profile: Profile) -> None:
    answer = confirm(owner_client).post(OPEN, {"next": "/homes/\r\nSet-Cookie: planted=1"})
    assert "planted" not in answer.cookies
    assert "\n" not in answer.headers["Location"]


# -- a reviewer


@pytest.fixture
def held(small_home: MemoryHome) -> MemoryHome:
    small_home.memory(f"The key is {KEY} and the mail is ann.other@example.org\n")
    return small_home


@pytest.fixture
def ruth(held: MemoryHome, make_member: Callable[..., Person], signed_in: Callable[..., Client]) -> Client:
    return signed_in(make_member("ruth", "default", level="reviewer"))


def test_what_is_found_is_masked(ruth: Client) -> None:
    page = ruth.get(f"/homes/{HOME}/default/memory/").content.decode()
    assert "The key is" in page
    assert KEY not in page
    assert "ann.other" not in page
    assert "••••••••" in page
    assert "You review it: reading only" in page


def test_a_file_is_masked_too(ruth: Client) -> None:
    answer = ruth.get(path_of("download_memory", home=HOME, profile="default", target="memory"))
    text = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert KEY.encode() not in text
    assert answer.status_code in (200, 403)


def test_a_member_sees_what_stands_there(
    held: MemoryHome, make_member: Callable[..., Person], signed_in: Callable[..., Client]
) -> None:
    client = signed_in(make_member("joan", "default"))
    assert KEY in client.get(f"/homes/{HOME}/default/memory/").content.decode()


def test_nothing_to_change_is_offered(ruth: Client) -> None:
    for query in ("", "?add=memory", "?edit=memory-1"):
        page = ruth.get(f"/homes/{HOME}/default/memory/{query}").content.decode()
        assert "<textarea" not in page
    assert "Add an entry" not in page
    assert 'name="pick"' not in page
    assert ">Edit<" not in page


def test_what_waits_is_shown_without_buttons(
    profile: Profile, make_member: Callable[..., Person], signed_in: Callable[..., Client]
) -> None:
    client = signed_in(make_member("ruth", "default", level="reviewer"))
    for address in (f"/homes/{HOME}/default/pending/", "/pending/"):
        page = client.get(address).content.decode()
        assert 'name="approve"' not in page
        assert 'name="reject"' not in page


def test_a_reviewer_exports_only_what_is_masked(
    profile: Profile, reviewer: Person, signed_in: Callable[..., Client]
) -> None:
    client = confirm(signed_in(reviewer))
    address = path_of("export_file", home=HOME, profile="office")
    answer = client.post(address, {"format": "jsonl", "texts": "exact"})
    assert answer.status_code == 403
    assert b"You review this profile" in answer.content
    answer = client.post(address, {"format": "md", "texts": "masked"})
    assert answer.status_code == 200
    assert b"that were found are masked." in answer.getvalue()
    assert b'value="exact"' not in client.get(path_of("export", home=HOME, profile="office")).content


def test_a_finding_that_spans_elements_is_masked() -> None:
    html = f'<p title="{KEY}">is <mark>{KEY[:20]}</mark>{KEY[20:]}, <b>R&amp;D</b> &lt;x&gt;</p><input value="{KEY}">'
    masked = masked_html(html)
    assert KEY not in masked.partition("<input")[0]
    assert KEY[20:] not in masked.partition("<input")[0]
    assert masked.startswith(
        '<p title="sk-proj-••••••••">is <mark>sk-proj-••••••••</mark>, <b>R&amp;D</b> &lt;x&gt;'
    )


def test_a_page_without_findings_stays_as_it_is(owner_client: Client, profile: Profile) -> None:
    for address in (path_of("account"), path_of("overview", home=HOME, profile="office")):
        page = owner_client.get(address).content.decode()
        before, after = Elements(page), Elements(masked_html(page))
        assert after.tags == before.tags
        assert after.texts == before.texts
