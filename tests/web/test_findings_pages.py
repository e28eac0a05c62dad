"""Keys and personal numbers: found by the worker, masked on the page, shown one at a time."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from hermesweb.activity.models import Activity
from hermesweb.hermes.ids import encode_id
from hermesweb.jobs import work
from hermesweb.jobs.models import Job
from hermesweb.privacy.trace import trace
from sessions import job_kinds
from sessions.database import read_state
from sessions.deletion_plan import plan_deletion
from sessions.deletion_run import Order, run
from sessions.models import Finding
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.memory_pages import MemorySite
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db
KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3A"
MAIL = "velvet.person@quincunx.example"


@pytest.fixture
def state(small_home: MemoryHome) -> Path:
    """The three places of the case C15, and an address in a title."""
    state = old_state(small_home.folder)
    add_session(state, "s1", title="Keys")
    add_message(state, "s1", f"use {KEY} please, or write to {MAIL}")
    arguments = json.dumps(
        [{"id": "c", "function": {"name": "terminal", "arguments": json.dumps({"key": KEY})}}]
    )
    add_message(state, "s1", None, role="assistant", tool_calls=arguments, reasoning=f"They gave {KEY}.")
    add_session(state, "s2", title=f"Mail to {MAIL}")
    return state


def test_a_conversation_without_a_title_is_known_by_its_time(state: Path, site: MemorySite) -> None:
    add_session(state, "s3", started_at=1_700_000_000.0)
    add_message(state, "s3", f"and {MAIL}")
    look(site)
    site.get(name="findings")
    assert "Conversation of 14 November 2023, 22:13" in site.text


def look(site: MemorySite) -> Job:
    """Press the button and let the worker do it."""
    site.get(name="findings")
    label = next(label for label in site.buttons if label.startswith("Look"))
    answer = site.press(label)
    assert answer.status_code == 302
    job = Job.objects.latest("created")
    work.run(str(job.pk))
    job.refresh_from_db()
    return job


def of(site: MemorySite, session: str = "s1", more: str = "") -> None:
    site.get(f"?session={encode_id(session)}{more}", name="findings")
    assert site.last.status_code == 200


def test_it_works(state: Path, site: MemorySite) -> None:
    site.get(name="findings")
    assert "Nobody has looked yet" in site.text
    job = look(site)
    assert (job.state, job.outcome["messages"], job.outcome["kinds"]) == ("done", 2, {"token": 3, "email": 2})
    site.get(name="job", job=job.pk)
    assert "2 messages and 2 sessions were looked at" in site.text
    site.get(name="findings")
    assert "5 findings" in site.text
    assert "Keys and tokens" in site.text
    of(site)
    assert site.text.count("Key or token") == 3
    assert "sk-proj-••••••••" in site.text
    assert "••••@•••.example" in site.text
    for place in ("text", "tool calls", "reasoning"):
        assert place in site.text
    of(site, "s2")
    assert "title" in site.text


def test_no_value_is_anywhere_but_behind_the_password(state: Path, site: MemorySite) -> None:
    job = look(site)
    pages = [site.html]
    for path in ("", f"?session={encode_id('s1')}", "?kind=token", "?dismissed=1"):
        pages.append(site.get(path, name="findings"))
    pages.append(site.get(name="job", job=job.pk))
    assert not [
        page
        for page in pages
        if KEY in page or KEY[8:] in page or MAIL in page.replace("Mail to " + MAIL, "")
    ]
    with connection.cursor() as cursor:
        tables = list(connection.introspection.table_names(cursor))
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = str(cursor.fetchall())
            assert KEY[8:] not in rows, table
            assert "quincunx" not in rows, table
    for path in Path(settings.DATA_FOLDER).rglob("*"):
        if path.is_file():
            assert KEY[8:].encode() not in path.read_bytes()


def test_one_is_shown_after_the_password_and_noted_without_the_value(state: Path, site: MemorySite) -> None:
    look(site)
    of(site)
    shows = [link for link in site.links if re.search(r"/findings/\d+/$", link)]
    assert len(shows) == 4
    site.last = site.client.get(shows[0])
    assert site.last.status_code == 302
    assert site.last.headers["Location"].startswith("/account/confirm/")
    assert not Activity.objects.filter(action="unmasked")
    site.confirm(PASSWORD)
    site.last = site.client.get(shows[0])
    assert KEY in site.text
    assert MAIL not in site.text  # beside it, and still masked
    line = Activity.objects.latest("id")
    assert (line.action, line.about) == ("unmasked", "token")


def test_a_false_alarm_is_put_aside_and_taken_back_and_stays_so(state: Path, site: MemorySite) -> None:
    look(site)
    of(site, "s2")
    assert site.press("False alarm 1").status_code == 302
    site.follow()
    assert "Put aside as a false alarm." in site.text
    assert "Nothing is left here." in site.text
    assert look(site).outcome["kinds"] == {"token": 3, "email": 1}
    of(site, "s2", "&dismissed=1")
    assert site.press("Back into the list 1").status_code == 302
    assert not Finding.objects.filter(dismissed=True)
    actions = list(Activity.objects.filter(action__startswith="finding_").values_list("action", flat=True))
    assert sorted(actions) == ["finding_dismissed", "finding_restored"]


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM messages WHERE id = 1",
        "UPDATE messages SET content = 'nothing left to see here' WHERE id = 1",
        "UPDATE messages SET content = 'x' || content WHERE id = 1",
    ],
)
def test_what_is_not_there_any_more_is_dropped(change: str, state: Path, site: MemorySite) -> None:
    look(site)
    of(site)
    shown = [link for link in site.links if re.search(r"/findings/\d+/$", link)]
    with closing(connect(state)) as database:
        database.execute(change)
    site.confirm(PASSWORD)
    site.last = site.client.get(shown[-1])
    assert site.last.status_code == 302
    site.follow()
    assert "so the finding was dropped" in site.text
    assert "1 finding is not there any more" in site.text
    assert Finding.objects.count() == 3
    of(site)
    assert "not there any more" not in site.text


def test_a_new_look_forgets_what_is_gone_and_finds_what_is_new(state: Path, site: MemorySite) -> None:
    look(site)
    with closing(connect(state)) as database:
        database.execute("UPDATE messages SET content = 'nothing left' WHERE id = 1")
    add_message(state, "s1", f"again {KEY}")
    site.get(name="findings")
    assert "1 message came since and was not looked at." in site.text
    assert look(site).outcome["kinds"] == {"token": 3, "email": 1}
    site.get(name="findings")
    assert "came since" not in site.text


def test_after_the_removal_a_new_look_finds_nothing_and_a_trace_names_the_snapshot(
    state: Path, site: MemorySite, tmp_path: Path
) -> None:
    """C15, to its end."""
    snapshot = state / "state-snapshots/20260101-000000-pre-update"
    snapshot.mkdir(parents=True)
    with closing(connect(state)) as source, closing(sqlite3.connect(snapshot / "state.db")) as copy:
        source.backup(copy)
    assert look(site).outcome["kinds"]["token"] == 3
    plan = read_state(state, lambda db: plan_deletion(db, ["s1", "s2"]))
    run(Order(site.home.profile, plan, tmp_path / "ours"))
    assert look(site).outcome["kinds"] == {}
    site.get(name="findings")
    assert "5 findings" not in site.text
    assert not Finding.objects.exists()
    traced = trace([site.home.profile], KEY)
    assert {each.file for each in traced.found} == {"state-snapshots/20260101-000000-pre-update/state.db"}
    assert {each.store for each in traced.found} == {"state-snapshots"}


def test_a_stopped_look_goes_on_where_it_was(
    state: Path, site: MemorySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_kinds, "MESSAGES", 1)
    monkeypatch.setattr(job_kinds, "SESSIONS", 1)
    steps: list[int] = []
    page = job_kinds._page

    def interrupted(*given: object) -> object:
        steps.append(1)
        if len(steps) == 2:
            raise work.Stopped
        return page(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(job_kinds, "_page", interrupted)
    job = look(site)
    assert (job.state, job.checkpoint["messages"]) == ("waiting", 1)
    work.run(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.outcome["messages"], job.outcome["kinds"]) == ("done", 2, {"token": 3, "email": 2})


def test_a_damaged_place_is_passed_over_and_said(
    state: Path, site: MemorySite, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(30):
        add_message(state, "s1", f"number {n}")
    add_message(state, "s1", f"the last {KEY}")
    page = job_kinds._page

    def damaged(profile: object, at: dict[str, int]) -> object:
        step = 1 if at["skip"] else job_kinds.MESSAGES
        if not at["sessions"] and at["after"] < 10 <= at["after"] + step:
            raise job_kinds.StateDamaged(state / "state.db", "malformed", "SQLITE_CORRUPT")
        return page(profile, at)  # type: ignore[arg-type]

    monkeypatch.setattr(job_kinds, "FIRST", 0)
    monkeypatch.setitem(job_kinds.BEGINNING, "after", 0)
    monkeypatch.setattr(job_kinds, "_page", damaged)
    job = look(site)
    assert job.state == "done"
    assert job.outcome["unreadable"] >= 1
    assert job.outcome["kinds"]["token"] == 4
    site.get(name="findings")
    assert "not every row could be looked at" in site.text


def test_what_a_home_lacks_is_said(small_home: MemoryHome, site: MemorySite) -> None:
    site.get(name="findings")
    assert site.last.status_code == 200
    assert look(site).state == "failed"


def test_the_conversation_says_what_was_found_in_it(state: Path, site: MemorySite) -> None:
    look(site)
    site.get(name="conversation", session=encode_id("s1"))
    assert "Keys and tokens: 3" in site.text
    assert any("findings/?session=" in link for link in site.links)


def test_kinds_and_pages(state: Path, site: MemorySite) -> None:
    text = " ".join(f"person{n}@velvet.example" for n in range(120))
    add_message(state, "s2", text)
    for n in range(60):
        add_session(state, f"t{n}")
        add_message(state, f"t{n}", MAIL)
    look(site)
    site.get("?kind=token", name="findings")
    assert site.texts_in("number")[-1] == "3"
    site.get(name="findings")
    rows = 0
    while True:
        rows += len([link for link in site.links if "findings/?session=" in link])
        further = re.search(r'rel="next" href="([^"]+)"', site.html)
        if not further:
            break
        site.last = site.client.get(further[1].replace("&amp;", "&"))
    assert rows == 62
    of(site, "s2")
    seen = 0
    while True:
        seen += site.text.count("••••@•••.example") and len(re.findall(r'name="finding"', site.html))
        further = re.search(r'rel="next" href="([^"]+)"', site.html)
        if not further:
            break
        site.last = site.client.get(further[1].replace("&amp;", "&"))
    assert seen == 121


@pytest.mark.parametrize("query", ["?session=*", "?session=" + "x" * 5000])
def test_what_cannot_be_a_session(query: str, state: Path, site: MemorySite) -> None:
    site.get(query, name="findings")
    assert site.last.status_code == 404


@pytest.mark.parametrize("query", ["?after=x", "?kind=x", "?after=1", f"?session={encode_id(chr(0xD800))}"])
def test_an_address_that_makes_no_sense(query: str, state: Path, site: MemorySite) -> None:
    look(site)
    site.get(query, name="findings")
    assert site.last.status_code == 200


def test_the_findings_of_another_profile_are_not_reached(state: Path, site: MemorySite) -> None:
    look(site)
    old_state(site.home.folder / "profiles" / "work")
    site.confirm(PASSWORD)
    found = Finding.objects.first()
    other = MemorySite(site.home, site.client, profile="work")
    other.get(name="findings")
    assert "5 findings" not in other.text
    other.get(name="unmask", finding=found.pk)
    assert other.last.status_code == 404
    assert other.post("dismiss_finding", {"finding": found.pk}).status_code == 404
    assert other.post("dismiss_finding", {"finding": "x"}).status_code == 400
    assert not Finding.objects.filter(dismissed=True)


def test_the_newest_come_first_on_every_page(small_home: MemoryHome, site: MemorySite) -> None:
    state = old_state(small_home.folder)
    add_session(state, "s1")
    for number in range(70):
        add_message(state, "s1", f"person{number}@quincunx.example wrote")
    look(site)
    of(site)
    places = [int(found) for found in re.findall(r"#m(\d+)", site.html)]
    assert places == sorted(places, reverse=True)
    assert (places[0], places[-1]) == (70, 21)
    older = re.search(r'rel="next" href="([^"]+)"', site.html)
    assert older
    site.last = site.client.get(older[1].replace("&amp;", "&"))
    places = [int(found) for found in re.findall(r"#m(\d+)", site.html)]
    assert (places[0], places[-1]) == (20, 1)
