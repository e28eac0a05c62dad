"""Deleting conversations through the pages: nothing without a preview, exactly what it showed, and an honest end."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

import sessions.job_kinds  # noqa: F401  (registers the work)
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.hermes.running import Running
from hermesweb.jobs import work
from hermesweb.jobs.models import Job
from sessions import deletion_run
from sessions.deletion_values import Unused
from sessions.models import DeletionDraft
from tests.addresses import path_of
from tests.home_builders import BuiltHome
from tests.web.pages import elements
from tests.web.people import HOME, confirm

pytestmark = pytest.mark.usefixtures("few_phrases")


@pytest.fixture
def owner_confirmed(owner_client: Client) -> Client:
    return confirm(owner_client)


def sql(profile: Profile, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(profile.folder / "state.db", isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


def sessions_of(profile: Profile) -> list[str]:
    return [id for (id,) in sql(profile, "SELECT id FROM sessions ORDER BY id")]


def plan(client: Client, query: str = "", **form: Any) -> HttpResponse:
    return client.post(path_of("plan_deletion", home=HOME, profile="office") + query, form)


def preview(client: Client, query: str = "", **form: Any) -> tuple[str, HttpResponse]:
    """Its address, and the page."""
    answer = plan(client, query, **form)
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"], client.get(answer["Location"])


def carried_out(client: Client, address: str) -> Job:
    assert client.post(address).status_code == 302
    job = Job.objects.get(kind="delete_sessions", state=Job.State.WAITING)
    work.run(str(job.pk))
    job.refresh_from_db()
    return job


def one(profile: Profile) -> str:
    return sessions_of(profile)[0]


def test_a_conversation_is_deleted_as_it_was_shown(owner_confirmed: Client, profile: Profile) -> None:
    id = one(profile)
    address, page = preview(owner_confirmed, f"?session={encode_id(id)}")
    assert page.status_code == 200
    assert "Delete 1 conversation?" in page.content.decode()
    assert id in sessions_of(profile), "looking deletes nothing"
    job = carried_out(owner_confirmed, address)
    assert job.state == Job.State.DONE, job.outcome
    assert job.outcome["conversations"] == 1
    assert id not in sessions_of(profile)
    assert not DeletionDraft.objects.exists()
    assert job.sealed == ""
    shown = owner_confirmed.get(path_of("job", job=job.pk)).content.decode()
    assert "Step by step" in shown
    assert Activity.objects.filter(action=Action.SESSIONS_DELETED, profile="office").count() == 1


def test_what_came_since_the_preview_is_left_and_said(owner_confirmed: Client, profile: Profile) -> None:
    id = one(profile)
    address, _ = preview(owner_confirmed, ids=[encode_id(id)])
    sql(
        profile,
        "INSERT INTO messages(session_id, role, content, timestamp) VALUES(?, 'user', 'just now', 1790000000)",
        id,
    )
    job = carried_out(owner_confirmed, address)
    assert (job.outcome["result"], job.outcome["issues"]) == ("nothing", ["left_out"])
    assert id in sessions_of(profile)
    assert "Nothing was deleted" in owner_confirmed.get(path_of("job", job=job.pk)).content.decode()


def test_all_that_fit_a_filter_and_all_with_a_hit(owner_confirmed: Client, profile: Profile) -> None:
    _, page = preview(owner_confirmed, "?source=cli", all="filter")
    listed = len(sql(profile, "SELECT 1 FROM sessions WHERE source = 'cli'"))
    assert page.status_code == 200
    assert 0 < page.context["preview"].counts.conversations <= listed
    search = owner_confirmed.post(
        path_of("search", home=HOME, profile="office"), {"words": "the", "in": "messages"}
    )
    query = "?" + search["Location"].partition("?")[2]
    found = plan(owner_confirmed, query, all="search")
    assert found.status_code in (302, 400)


def test_unused_for_some_days_leaves_out_what_is_not_chosen(
    owner_confirmed: Client, profile: Profile
) -> None:
    sql(profile, "UPDATE sessions SET started_at = 1600000000, ended_at = NULL")
    sql(profile, "UPDATE messages SET timestamp = 1600000000")
    _, page = preview(owner_confirmed, days="90")
    assert page.context["preview"].nothing
    assert "It has never ended." in page.content.decode()
    _, page = preview(owner_confirmed, days="90", open="on")
    assert page.context["preview"].counts.sessions == len(sessions_of(profile))
    assert page.context["preview"].again == Unused(90, include_open=True)


def test_nothing_ticked(owner_confirmed: Client, profile: Profile) -> None:
    for form in ({}, {"ids": "no id"}):
        assert plan(owner_confirmed, **form).status_code == 400
    assert not DeletionDraft.objects.exists()


@pytest.mark.parametrize("id", ["../../victim", "/etc/passwd", "x" * 1_400, "line\nbreak"])
def test_an_id_like_a_path_goes_nowhere(owner_confirmed: Client, profile: Profile, id: str) -> None:
    before = sessions_of(profile)
    _, page = preview(owner_confirmed, ids=[encode_id(id)])
    assert page.context["preview"].nothing
    assert sessions_of(profile) == before


def test_the_password_comes_before_the_preview(owner_client: Client, profile: Profile) -> None:
    answer = plan(owner_client, ids=[encode_id(one(profile))])
    asked = owner_client.get(answer["Location"])
    assert asked.status_code == 302
    assert asked["Location"].startswith("/account/confirm/")
    assert owner_client.post(answer["Location"]).status_code == 302
    assert not Job.objects.exists()


def test_a_reviewer_deletes_nothing(
    reviewer: Any, signed_in: Callable[..., Client], profile: Profile
) -> None:
    client = confirm(signed_in(reviewer))
    assert plan(client, ids=[encode_id(one(profile))]).status_code == 403
    page = client.get(path_of("plan_deletion", home=HOME, profile="office")).content.decode()
    assert "Show what would go" not in page
    listed = client.get(path_of("sessions", home=HOME, profile="office")).content.decode()
    assert "Delete picked" not in listed


def test_in_review_mode_nothing_is_offered(
    owner_confirmed: Client, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "READ_ONLY", True)
    assert plan(owner_confirmed, ids=[encode_id(one(profile))]).status_code == 403
    for name in ("sessions", "plan_deletion"):
        page = owner_confirmed.get(path_of(name, home=HOME, profile="office")).content.decode()
        assert 'method="post" action="/homes/hermes/office/deletion/' not in page
        assert "formaction" not in page


def test_a_preview_of_somebody_else_is_not_there(
    owner_confirmed: Client, member: Any, signed_in: Callable[..., Client], profile: Profile
) -> None:
    address, _ = preview(confirm(signed_in(member)), ids=[encode_id(one(profile))])
    assert owner_confirmed.get(address).status_code in (302, 403, 410)


def test_a_newer_schema_and_a_full_disk_are_refused_with_the_reason(
    owner_confirmed: Client, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _ = preview(owner_confirmed, ids=[encode_id(one(profile))])
    with monkeypatch.context() as small:
        small.setattr("sessions.space.SPARE", 1 << 62)
        page = owner_confirmed.get(address).content.decode()
        assert "Removing the words needs" in page
        assert "Delete and check" not in page
        job = carried_out(owner_confirmed, address)
    assert (job.state, job.outcome["problem"]) == (Job.State.FAILED, "too_little_space")
    assert "Removing the words needs" in owner_confirmed.get(path_of("job", job=job.pk)).content.decode()
    sql(profile, "UPDATE schema_version SET version = 99")
    _, page = preview(owner_confirmed, ids=[encode_id(one(profile))])
    assert "newer than what hermesweb knows" in page.content.decode()


def test_stopped_in_the_middle_it_says_what_is_gone_and_can_be_finished(
    owner_confirmed: Client, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = one(profile)
    address, _ = preview(owner_confirmed, ids=[encode_id(id)])
    assert owner_confirmed.post(address).status_code == 302
    job = Job.objects.get(kind="delete_sessions")
    with monkeypatch.context() as stopping:
        stopping.setitem(deletion_run._DO, "files", lambda order: raise_cancelled())
        work.run(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.sealed) == (Job.State.CANCELLED, "")
    page = owner_confirmed.get(path_of("job", job=job.pk)).content.decode()
    assert "What was deleted stays deleted" in page
    assert "Finish now" in page
    finish = Job.objects.get(kind="scrub")
    assert finish.sealed
    assert owner_confirmed.post(path_of("finish_deletion", job=finish.pk)).status_code == 302
    work.run(str(finish.pk))
    finish.refresh_from_db()
    assert (finish.state, finish.sealed) == (Job.State.DONE, "")
    job.refresh_from_db()
    assert "stopped" not in job.outcome["issues"]
    assert "Finish now" not in owner_confirmed.get(path_of("job", job=job.pk)).content.decode()


def raise_cancelled() -> dict[str, Any]:
    raise work.Cancelled


def test_no_word_of_it_is_kept_by_us(owner_confirmed: Client, profile: Profile, home: BuiltHome) -> None:
    """Neither in our database nor beside it, at the end; during the work they are encrypted."""
    id = one(profile)
    words = [
        text.split()[0]
        for (text,) in sql(profile, "SELECT content FROM messages WHERE session_id = ?", id)
        if text and len(text.split()[0]) > 11
    ]
    titles = [title for (title,) in sql(profile, "SELECT title FROM sessions WHERE id = ?", id) if title]
    seen: list[list[str]] = []
    address, _ = preview(owner_confirmed, ids=[encode_id(id)])
    original = deletion_run._DO["rows"]

    def looked(order: deletion_run.Order) -> dict[str, Any]:
        seen.append(order.phrases or [])
        assert not found_in_ours([*words, *titles, *seen[0]])
        return original(order)

    deletion_run._DO["rows"] = looked
    try:
        carried_out(owner_confirmed, address)
    finally:
        deletion_run._DO["rows"] = original
    assert seen[0], "no phrase was taken"
    assert not found_in_ours([*words, *titles, *seen[0]])


def found_in_ours(words: list[str]) -> list[str]:
    parts = [part.read_bytes() for part in our_files()]
    return [
        word
        for word in words
        if any(word.encode() in part or json.dumps(word).encode() in part for part in parts)
    ]


def our_files() -> Iterator[Path]:
    database = Path(settings.DATABASES["default"]["NAME"])
    yield from database.parent.glob(f"{database.name}*")
    yield from (path for path in settings.DATA_FOLDER.rglob("*") if path.is_file())


def test_the_pages_are_well_formed(owner_confirmed: Client, profile: Profile) -> None:
    _, page = preview(owner_confirmed, ids=[encode_id(id) for id in sessions_of(profile)])
    assert [tag for tag, _ in elements(page).tags].count("h1") == 1


def test_a_preview_names_them_by_title_or_first_words(owner_confirmed: Client, profile: Profile) -> None:
    first, second, *_ = sessions_of(profile)
    sql(profile, "UPDATE sessions SET title = NULL")
    sql(profile, "UPDATE sessions SET title = 'Cakes and candles' WHERE id = ?", first)
    (words,) = sql(
        profile,
        "SELECT content FROM messages WHERE session_id = ? AND role = 'user' ORDER BY id LIMIT 1",
        second,
    )[0]
    _, page = preview(owner_confirmed, ids=[encode_id(first), encode_id(second)])
    names = [each.called.name for each in page.context["preview"].goes]
    assert names == ["Cakes and candles", names[1]]
    assert names[1].rstrip("…")
    assert words.startswith(names[1].rstrip("…"))


def test_a_chat_that_was_open_brings_it_back_and_that_is_noticed_later(
    owner_confirmed: Client, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = one(profile)
    address, _ = preview(owner_confirmed, ids=[encode_id(id)])
    monkeypatch.setattr(deletion_run, "is_running", lambda profile: Running("yes", ()))
    job = carried_out(owner_confirmed, address)
    assert "came_back" not in job.outcome["issues"]
    sql(profile, "INSERT INTO sessions(id, source, started_at) VALUES(?, 'unknown', 1790000000)", id)
    later = Job.objects.get(kind="sessions_again")
    assert later.not_before > job.created
    Job.objects.filter(pk=later.pk).update(not_before=None)
    work.run(str(later.pk))
    job.refresh_from_db()
    assert job.outcome["came_back"] == [encode_id(id)]
    assert "It is there again" in owner_confirmed.get(path_of("job", job=job.pk)).content.decode()
    later.refresh_from_db()
    assert later.sealed == ""
