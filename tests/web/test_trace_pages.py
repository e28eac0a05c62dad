"""Trace: asked for on a page or from an entry, done by the worker, seen by store; the phrase is kept nowhere."""

import re
import uuid
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from hermesweb.accounts.models import Person
from hermesweb.activity.models import Activity
from hermesweb.hermes.ids import encode_id
from hermesweb.hermes.scan.needles import needles_of
from hermesweb.homes import find, place_of
from hermesweb.jobs import work
from hermesweb.jobs.models import Job
from hermesweb.privacy import job_kinds
from hermesweb.privacy.trace_result import result_of
from sessions.models import Finding
from tests.home_builders import BuiltHome
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.memory_pages import MemorySite
from tests.web.people import HOME
from tests.web.test_memory_privacy import kept

pytestmark = pytest.mark.django_db
assert job_kinds  # registers what the worker finds by itself
WORD = "velquincunx"
KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3A"
FORM = {"phrase": WORD, "profiles": "default"}


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(settings, "DATA_FOLDER", tmp_path / "data")
    monkeypatch.setattr(settings, "WORK_FOLDER", tmp_path / "data/scratch")
    return tmp_path / "data"


@pytest.fixture
def filled(small_home: MemoryHome) -> MemoryHome:
    """The word in an entry, in a message beside a key, in a name of a file; and something nobody can look into."""
    small_home.memory(f"Allergic to {WORD}.\n§\nLikes tea.")
    state = old_state(small_home.folder)
    add_session(state, "s1", title="Cakes")
    add_message(state, "s1", f"no {WORD} please, {KEY}")
    (small_home.folder / "documents").mkdir()
    (small_home.folder / f"documents/{WORD.upper()}.txt").write_text("nothing in it")
    (small_home.folder / "documents/offsite.gpg").write_bytes(b"Salted__ and then something")
    return small_home


def run(site: MemorySite, form: dict[str, str] | None = None) -> Job:
    """Ask, let the worker look, and go to the result."""
    answer = site.client.post(site.path("trace"), form or FORM)
    assert answer.status_code == 303
    job = Job.objects.filter(kind="trace").latest("created")
    work.run(str(job.pk))
    job.refresh_from_db()
    assert job.state == "done"
    site.last = site.client.get(answer.headers["Location"])
    assert site.last.status_code == 200
    site.address = answer.headers["Location"]  # type: ignore[attr-defined]
    return job


def show(site: MemorySite, job: Job, file: str, **more: str) -> str:
    """Press "Show" at the first place in this file, and follow."""
    result = result_of(job)
    assert result
    places = [n for n, each in enumerate(result.found) if each.file == file and each.offset is not None]
    token = parse_qs(urlsplit(site.address).query).get("q", [""])[0]  # type: ignore[attr-defined]
    form = {"hit": str(places[0]), "q": token, **more}
    answer = site.client.post(site.path("show_hit", trace=job.pk), form)
    assert answer.status_code == 303
    site.address = answer.headers["Location"]  # type: ignore[attr-defined]
    assert WORD not in site.address  # type: ignore[attr-defined]
    return site.client.get(answer.headers["Location"]).content.decode()


def test_it_works(filled: MemoryHome, site: MemorySite) -> None:
    site.get(name="trace")
    assert "kept nowhere" in site.text
    job = run(site)
    for words in ("memories/MEMORY.md", "state.db", "in the name", "messages.content", "Cakes"):
        assert words in site.text
    assert "documents/offsite.gpg" in site.text
    assert "Encrypted" in site.text
    assert "Out of reach" in site.text
    assert "went to: ." not in site.text
    assert job.outcome["places"] > 3
    lines = [each.action for each in Activity.objects.order_by("number")]
    assert lines.count("traced") == 1
    assert "viewed_hit" not in lines


def test_a_text_is_read_again_when_somebody_wants_to_see_it_and_that_is_noted(
    filled: MemoryHome, site: MemorySite
) -> None:
    job = run(site)
    assert "Allergic to" not in site.html
    assert f"Allergic to <mark>{WORD}</mark>" in show(site, job, "memories/MEMORY.md")
    assert [each.about for each in Activity.objects.filter(action="viewed_hit")] == [str(job.pk)]
    shown = show(site, job, "state.db")
    assert f"Allergic to <mark>{WORD}</mark>" in shown, "the first stays open"
    assert "sk-proj-••••••••" in shown
    assert KEY not in shown
    filled.memory("Something else stands here now.")
    assert "Something else stands there now" in show(site, job, "memories/MEMORY.md")


def test_the_phrase_is_asked_for_again_where_the_address_does_not_have_it(
    filled: MemoryHome, site: MemorySite
) -> None:
    job = run(site)
    site.address = site.path("trace_result", trace=job.pk)  # type: ignore[attr-defined]
    site.last = site.client.get(site.address)  # type: ignore[attr-defined]
    assert "this page does not know it" in site.text
    show(site, job, "memories/MEMORY.md")
    assert not Activity.objects.filter(action="viewed_hit")
    answer = site.client.post(site.path("name_phrase", trace=job.pk), {"phrase": WORD})
    site.address = answer.headers["Location"]  # type: ignore[attr-defined]
    assert "<mark>" in show(site, job, "memories/MEMORY.md")


def test_no_trace_leaves_the_phrase_in_our_data(
    filled: MemoryHome, site: MemorySite, capfd: pytest.CaptureFixture[str], data: Path
) -> None:
    phrase = "Köstliche velquincunx"
    (filled.folder / "documents" / f"{phrase}.txt").write_text(phrase)
    answer = site.client.post(site.path("trace"), {"phrase": phrase, "profiles": "default"})
    job = Job.objects.filter(kind="trace").latest("created")
    needles = [each.lower() for each in needles_of(phrase).variants] + [WORD.encode()]

    def nowhere() -> bool:
        files = [each.read_bytes().lower() for each in data.rglob("*") if each.is_file()]
        held = [kept().encode().lower(), *files, "".join(capfd.readouterr()).encode().lower()]
        return not any(needle in content for needle in needles for content in held)

    assert nowhere(), "while it waits"
    assert job.sealed
    work.run(str(job.pk))
    job.refresh_from_db()
    result = result_of(job)
    assert result
    assert any(each.how == "file_name" for each in result.found)
    assert job.sealed == ""
    assert site.client.get(answer.headers["Location"]).status_code == 200
    assert nowhere(), "when it is done"


def test_one_click_from_an_entry_a_message_and_a_finding(filled: MemoryHome, site: MemorySite) -> None:
    site.get()
    answer = site.press("Find every copy of entry 1 of MEMORY.md")
    assert answer.status_code == 303
    job = Job.objects.filter(kind="trace").latest("created")
    work.run(str(job.pk))
    site.last = site.client.get(answer.headers["Location"])
    assert f"Allergic to {WORD}." in site.html
    job = run(site, {"message": "1"})
    assert KEY not in site.html
    result = result_of(job)
    assert result
    assert {"state.db"} == {each.file for each in result.found}
    gone = site.client.post(site.path("trace"), {"message": "77"})
    assert gone.status_code == 409
    assert "not there any more" in gone.content.decode()


def test_a_service_is_named(filled: MemoryHome, site: MemorySite) -> None:
    with connect(filled.folder) as state:
        state.execute("UPDATE sessions SET source = 'telegram'")
    run(site)
    assert "Something of this profile went to: telegram" in site.text


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"phrase": "x", "profiles": "default"}, "too short"),
        ({"phrase": "", "profiles": "default"}, "too short"),
        ({"phrase": "x" * 1001, "profiles": "default"}, "longer than 1,000"),
        ({"phrase": WORD}, "Tick at least one"),
        ({"phrase": WORD, "profiles": "attic"}, "Tick at least one"),
    ],
)
def test_what_cannot_be_looked_for_is_said(
    form: dict[str, str], says: str, filled: MemoryHome, site: MemorySite
) -> None:
    answer = site.client.post(site.path("trace"), form)
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not Job.objects.exists()


def test_one_trace_at_a_time(filled: MemoryHome, site: MemorySite) -> None:
    site.client.post(site.path("trace"), FORM)
    answer = site.client.post(site.path("trace"), FORM)
    assert answer.status_code == 409
    assert Job.objects.count() == 1


def test_it_can_be_watched_stopped_and_forgotten(filled: MemoryHome, site: MemorySite) -> None:
    answer = site.client.post(site.path("trace"), FORM)
    page = site.client.get(answer.headers["Location"]).content.decode()
    assert "Waiting for the worker" in page
    assert 'http-equiv="refresh"' in page
    part = site.client.get(answer.headers["Location"], headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    job = Job.objects.get()
    site.client.post(site.path("cancel_job", job=job.pk))
    assert "is not kept" in site.client.get(answer.headers["Location"]).content.decode()
    job = run(site)
    assert site.client.get(site.address, headers={"HX-Request": "true"}).headers["HX-Refresh"]  # type: ignore[attr-defined]
    assert site.client.get(site.path("job", job=job.pk)).status_code == 200
    site.client.post(site.path("forget_trace", trace=job.pk))
    job.refresh_from_db()
    assert "sealed" not in job.outcome
    assert "is forgotten" in site.client.get(site.address).content.decode()  # type: ignore[attr-defined]


def test_what_was_found_is_forgotten_after_a_day(filled: MemoryHome, site: MemorySite) -> None:
    job = run(site)
    later = Job.objects.get(kind="forget_traces")
    assert later.not_before
    assert (later.not_before - later.created).days in (0, 1)
    Job.objects.filter(pk=later.pk).update(not_before=None)
    work.run(str(later.pk))
    job.refresh_from_db()
    assert "sealed" not in job.outcome
    assert job.outcome["places"]


def test_only_their_own_profiles_and_traces(
    home: BuiltHome, make_member: Callable[..., Person], signed_in: Callable[..., Client]
) -> None:
    word = next(
        each["word"]
        for each in home.manifest["canaries"]
        if any(place["path"].startswith("profiles/office/") for place in each["found_in"])
        and any(place["path"] == "state.db" for place in each["found_in"])
    )
    joan, ruth = make_member("joan", "office"), make_member("ruth", "office", level="reviewer")
    client, other = signed_in(joan), signed_in(ruth)
    page = client.get(f"/homes/{HOME}/office/trace/").content.decode()
    assert re.findall(r'name="profiles" value="(\w+)"', page) == ["office"]
    answer = client.post(f"/homes/{HOME}/office/trace/", {"phrase": word, "profiles": ["default", "office"]})
    job = Job.objects.get()
    assert job.checkpoint == {"profiles": ["office"], "own_database": False}
    work.run(str(job.pk))
    job.refresh_from_db()
    result = result_of(job)
    assert result
    assert {each.profile for each in result.found} == {"office"}
    assert client.get(answer.headers["Location"]).status_code == 200
    # A reviewer may look too, but not at what somebody else found.
    assert other.get(answer.headers["Location"]).status_code == 302
    assert (
        other.post(f"/homes/{HOME}/office/trace/", {"phrase": word, "profiles": "office"}).status_code == 303
    )


PASSWORD_OF_HERS = "quincTulip9x"


@pytest.mark.parametrize("level", ["reviewer", "member"])
def test_what_was_only_pointed_at_is_shown_nowhere(
    level: str, small_home: MemoryHome, make_member: Callable[..., Person], signed_in: Callable[..., Client]
) -> None:
    """A value alone does not look like a secret, and the field of a form is not looked through."""
    state = old_state(small_home.folder)
    add_session(state, "s1")
    add_message(state, "s1", f"my password: {PASSWORD_OF_HERS} thanks, and {KEY}")
    small_home.memory(f"Says {PASSWORD_OF_HERS} in her sleep, {PASSWORD_OF_HERS.upper()}.")
    client, at = signed_in(make_member("ruth", "default", level=level)), f"/homes/{HOME}/default/trace/"
    where = {"home": HOME, "profile": "default", "place": place_of(find(HOME, "default"))}
    span = {"start": 13, "end": 13 + len(PASSWORD_OF_HERS)}
    place = Finding.objects.create(
        **where,
        **span,
        session=encode_id("s1"),
        message=1,
        column="content",
        kind="password",
        job=uuid.uuid4(),
    )
    for form in ({"finding": place.pk}, {"message": "1"}):
        first = client.post(at, form)
        job = Job.objects.filter(kind="trace").latest("created")
        pages = [client.post(at, form)]  # one is under way
        work.run(str(job.pk))
        pages.append(client.get(first.headers["Location"]))
        token = parse_qs(urlsplit(first.headers["Location"]).query)["q"][0]
        found = result_of(Job.objects.get(pk=job.pk))
        assert found
        shown = [
            client.post(f"{at}{job.pk}/show/", {"hit": number, "q": token}, follow=True)
            for number, each in enumerate(found.found)
            if each.offset is not None
        ]
        assert shown or "message" in form
        for page in [*pages, *shown]:
            assert page.status_code in (200, 409)
            assert PASSWORD_OF_HERS.lower() not in page.content.decode().lower()
            assert KEY not in page.content.decode()
