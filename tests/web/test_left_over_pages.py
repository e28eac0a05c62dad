"""Left-over words: from a trace that found some to the report that they are gone, and who may do that."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

import sessions.job_kinds  # noqa: F401  (registers the work)
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from hermesweb.jobs import work
from hermesweb.jobs.models import Job
from hermesweb.privacy import job_kinds
from sessions import deletion_run, deletion_work, left_over_run
from tests.addresses import path_of
from tests.home_builders import fingerprints
from tests.scrub_builders import add_message, add_session, delete
from tests.web.people import HOME, confirm
from tests.web.test_deletion_pages import our_files

assert job_kinds  # registers what the worker finds by itself
WORD = "velquincunx"


@pytest.fixture(autouse=True)
def one_phrase(few_phrases: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the traced one."""
    monkeypatch.setattr(deletion_work, "PHRASES", 1)


@pytest.fixture
def dirty(profile: Profile) -> Profile:
    """A conversation was deleted as another program does it."""
    with closing(sqlite3.connect(profile.folder / "state.db", isolation_level=None)) as db:
        db.execute("PRAGMA secure_delete=OFF")
        add_session(db, "goes")
        for number in range(60):
            add_message(db, "goes", f"{number} the {WORD} in a long message " + "of many words " * 80)
        delete(db, "goes")
    return profile


@pytest.fixture
def client(owner_client: Client) -> Client:
    return confirm(owner_client)


def left_over(query: str = "") -> str:
    return path_of("left_over", home=HOME, profile="office") + query


def done(client: Client, query: str = "") -> Job:
    answer = client.post(left_over(query))
    job = Job.objects.get(kind="left_over", state=Job.State.WAITING)
    assert answer["Location"] == path_of("job", job=job.pk)
    work.run(str(job.pk))
    job.refresh_from_db()
    return job


def test_from_a_trace_to_its_removal(client: Client, dirty: Profile) -> None:
    answer = client.post(
        path_of("trace", home=HOME, profile="office"), {"phrase": WORD, "profiles": "office"}
    )
    work.run(str(Job.objects.get(kind="trace").pk))
    traced = client.get(answer["Location"]).content.decode()
    assert "Left behind in" in traced
    query = "?" + answer["Location"].partition("?")[2]
    assert f'href="{left_over()}?q=' in traced
    page = client.get(left_over(query)).content.decode()
    for words in (WORD, "Free pages", "Is not running", "of free disk for a moment", "Remove and check"):
        assert words in page, words
    job = done(client, query)
    assert (job.state, job.outcome["result"], job.sealed) == ("done", "gone", ""), job.outcome
    assert job.outcome["proof"]["phrases"] == 2, "the traced one, and one that was left over"
    assert WORD.encode() not in (dirty.folder / "state.db").read_bytes()
    shown = client.get(path_of("job", job=job.pk)).content.decode()
    for words in ("Nothing is left over in state.db", "Where words were left over", "Step by step"):
        assert words in shown, words
    assert Activity.objects.filter(action=Action.LEFT_OVER_REMOVED, profile="office").count() == 1
    assert not [path for path in our_files() if WORD.encode() in path.read_bytes()]


def test_without_a_trace_and_with_nothing_to_say(client: Client, profile: Profile) -> None:
    for name, values in (("stores", {}), ("store", {"store": "state-db"}), ("plan_deletion", {})):
        page = client.get(path_of(name, home=HOME, profile="office", **values)).content.decode()
        assert f'href="{left_over()}"' in page, name
    assert client.get(left_over("?q=of-another-sign-in")).status_code == 200
    job = done(client)
    assert job.outcome["result"] == "gone"


def test_nothing_is_done_without_the_password(owner_client: Client, dirty: Profile) -> None:
    for ask in (owner_client.get, owner_client.post):
        assert ask(left_over())["Location"].startswith("/account/confirm/")
    assert not Job.objects.exists()


def test_a_reviewer_and_the_review_mode_do_nothing(
    reviewer: Any, signed_in: Callable[..., Client], dirty: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = confirm(signed_in(reviewer))
    before = fingerprints(dirty.folder)
    assert reading.get(left_over()).status_code == 403
    assert reading.post(left_over()).status_code == 403
    stores = reading.get(path_of("stores", home=HOME, profile="office")).content.decode()
    assert "left-over" not in stores
    assert fingerprints(dirty.folder) == before
    monkeypatch.setattr(settings, "READ_ONLY", True)
    assert reading.post(left_over()).status_code == 403
    assert not Job.objects.exists()


def test_too_little_room_is_said_before_and_after(
    client: Client, dirty: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions.space.SPARE", 1 << 62)
    page = client.get(left_over()).content.decode()
    assert "Removing the words needs" in page
    assert "Remove and check" not in page
    job = done(client)
    assert (job.state, job.outcome["problem"]) == (Job.State.FAILED, "too_little_space")
    assert "Removing the words needs" in client.get(path_of("job", job=job.pk)).content.decode()


def test_stopped_it_says_so_and_a_killed_one_goes_on(
    client: Client, dirty: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(error: type[Exception]) -> Callable[[deletion_run.Order], dict[str, Any]]:
        def end(order: deletion_run.Order) -> dict[str, Any]:
            raise error

        return end

    with monkeypatch.context() as during:
        during.setitem(left_over_run._DO, "words", ended(work.Stopped))
        job = done(client)
    assert (job.state, bool(job.sealed)) == (Job.State.WAITING, True)
    page = client.get(path_of("job", job=job.pk)).content.decode()
    assert "If you stop it, what is removed stays removed" in page
    phrases = work.Work(job, job.attempt).words()["phrases"]
    work.run(str(job.pk))
    job.refresh_from_db()
    assert (job.outcome["result"], job.outcome["proof"]["phrases"]) == ("gone", len(phrases))
    with monkeypatch.context() as during:
        during.setitem(left_over_run._DO, "proof", ended(work.Cancelled))
        job = done(client)
    assert (job.state, job.sealed) == (Job.State.CANCELLED, "")
    assert "no message was changed" in client.get(path_of("job", job=job.pk)).content.decode()


def test_what_waits_is_offered_again(client: Client, dirty: Profile) -> None:
    state: Path = dirty.folder / "state.db"
    with closing(sqlite3.connect(state, isolation_level=None)) as reader:
        if reader.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            reader.execute("PRAGMA journal_mode=WAL")
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM sessions").fetchone()
        job = done(client)
    assert (job.outcome["result"], "waiting" in job.outcome["issues"]) == ("partly", True)
    page = client.get(path_of("job", job=job.pk)).content.decode()
    assert "Stop Hermes, then do it again." in page
    assert f'href="{left_over()}"' in page
    assert done(client).outcome["result"] == "gone"
