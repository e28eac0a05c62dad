"""What holds a job together: one worker at a time, and each way in which the work can end."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from hermesweb import job_kinds  # noqa: F401  registers what the worker finds by itself
from hermesweb.accounts.models import Person
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.errors import NoSuchProfile
from hermesweb.hermes.homes import Profile
from hermesweb.jobs import queue, work
from hermesweb.jobs.models import Job
from hermesweb.jobs.sealing import seal, unseal
from hermesweb.logs import WithoutWords
from sessions.errors import NoSpace, StateDamaged
from tests.addresses import path_of
from tests.web.people import HOME
from tests.web.server import wait_for

pytestmark = pytest.mark.django_db
# The heart beats from a thread of its own, which must see what a test has written.
with_heart = pytest.mark.django_db(transaction=True)

Function = Callable[[work.Work], dict[str, Any]]


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(work, "KINDS", dict(work.KINDS))
    yield
    work.stopping.clear()


def job_of(function: Function, **values: Any) -> Job:
    work.kind("trial")(function)
    return Job.objects.create(kind="trial", home=HOME, profile="office", **values)


def done(job: Job) -> Job:
    work.run(str(job.pk))
    job.refresh_from_db()
    return job


def test_it_works() -> None:
    job = done(job_of(lambda work: {"counted": 7}))
    assert (job.state, job.outcome, job.attempt) == (Job.State.DONE, {"counted": 7}, 1)
    assert job.started
    assert job.ended
    assert job.heartbeat
    assert job.over


def test_a_step_is_written_down() -> None:
    seen: list[Job] = []

    def function(work: work.Work) -> dict[str, Any]:
        work.step("count", 3, 9)
        seen.append(Job.objects.get())
        work.save_checkpoint({"at": 3})
        return {}

    job = done(job_of(function))
    assert (seen[0].state, seen[0].step, seen[0].done, seen[0].total) == (Job.State.RUNNING, "count", 3, 9)
    assert job.checkpoint == {"at": 3}


def test_a_job_is_done_once() -> None:
    runs: list[int] = []
    job = job_of(lambda work: runs.append(1) or {})
    work.run(str(job.pk))
    work.run(str(job.pk))
    assert runs == [1]


@pytest.mark.parametrize("state", [Job.State.RUNNING, *Job.ENDED])
def test_only_a_waiting_job_is_begun(state: str) -> None:
    job = job_of(lambda work: {"ran": 1}, state=state)
    assert done(job).outcome == {}
    assert job.state == state


def test_a_job_that_is_gone_is_no_fault() -> None:
    job = job_of(lambda work: {})
    Job.objects.all().delete()
    work.run(str(job.pk))


def test_cancelling_surfaces_at_the_next_step() -> None:
    tidied: list[str] = []

    def function(work: work.Work) -> dict[str, Any]:
        queue.cancel(work.job)
        try:
            work.step("count", 1)
        finally:
            tidied.append("yes")
        return {"not": "reached"}

    job = done(job_of(function))
    assert (job.state, job.outcome, tidied) == (Job.State.CANCELLED, {}, ["yes"])
    assert job.ended


def test_a_waiting_job_is_cancelled_at_once() -> None:
    job = job_of(lambda work: {"ran": 1})
    queue.cancel(job)
    assert done(job).state == Job.State.CANCELLED
    assert job.outcome == {}
    assert job.ended


def test_a_job_that_is_over_is_not_cancelled() -> None:
    job = done(job_of(lambda work: {}))
    queue.cancel(job)
    job.refresh_from_db()
    assert (job.state, job.cancel_wanted) == (Job.State.DONE, False)


def test_an_orderly_stop_lets_it_go_on_from_its_checkpoint() -> None:
    begun: list[int] = []

    def function(work_: work.Work) -> dict[str, Any]:
        begun.append(work_.job.checkpoint.get("at", 0))
        work_.step("count", 5)
        work_.save_checkpoint({"at": 5})
        if len(begun) == 1:
            work.stopping.set()
            work_.step("count", 6)
        return {}

    job = done(job_of(function))
    assert (job.state, job.ended) == (Job.State.WAITING, None)
    work.stopping.clear()
    assert done(job).state == Job.State.DONE
    assert (begun, job.attempt) == ([0, 5], 2)


@with_heart
def test_a_job_that_another_worker_has_now_is_left_alone() -> None:
    def function(work: work.Work) -> dict[str, Any]:
        Job.objects.update(attempt=2)
        work.step("count", 1)
        return {"not": "reached"}

    job = done(job_of(function))
    assert (job.state, job.attempt, job.outcome, job.step) == (Job.State.RUNNING, 2, {}, "")


@with_heart
def test_a_late_end_does_not_overwrite_the_other_worker() -> None:
    def function(work: work.Work) -> dict[str, Any]:
        Job.objects.update(attempt=2)
        return {"mine": 1}

    job = done(job_of(function))
    assert (job.state, job.outcome) == (Job.State.RUNNING, {})


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (NoSpace(Path("/velpath"), needed=9, free=3), {"problem": "NoSpace", "needed": 9, "free": 3}),
        (StateDamaged(Path("/velpath"), message="velmessage", code="velcode"), {"problem": "StateDamaged"}),
        (NoSuchProfile("velname"), {"problem": "NoSuchProfile"}),
        (work.JobProblem("too_old", days=3), {"problem": "too_old", "days": 3}),
        (ValueError("velmessage"), {"problem": "fault"}),
        (KeyError("velmessage"), {"problem": "fault"}),
    ],
)
def test_what_goes_wrong_leaves_codes_and_numbers_and_no_words(
    error: Exception, outcome: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    def function(work: work.Work) -> dict[str, Any]:
        raise error

    job = done(job_of(function))
    assert (job.state, job.outcome) == (Job.State.FAILED, outcome)
    assert "vel" not in str(Job.objects.values().get())
    lines = [WithoutWords().format(record) for record in caplog.records]
    assert not [line for line in lines if "vel" in line]


def test_an_unknown_kind_is_a_fault_and_not_a_crash() -> None:
    job = Job.objects.create(kind="of a later version", home=HOME, profile="office")
    assert done(job).outcome == {"problem": "fault"}


@with_heart
def test_the_heart_beats_during_a_long_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work.Heart, "EVERY", 0.02)
    old = timezone.now() - timedelta(minutes=5)

    def function(work: work.Work) -> dict[str, Any]:
        Job.objects.update(heartbeat=old)
        wait_for(lambda: Job.objects.get().heartbeat != old)
        return {}

    assert done(job_of(function)).state == Job.State.DONE


def test_fifteen_silent_seconds_are_silence() -> None:
    now = timezone.now()
    assert not Job(state=Job.State.RUNNING, heartbeat=now - timedelta(seconds=14)).silent
    assert Job(state=Job.State.RUNNING, heartbeat=now - timedelta(seconds=16)).silent
    assert not Job(state=Job.State.WAITING, heartbeat=now - timedelta(hours=1)).silent
    assert not Job(state=Job.State.DONE, heartbeat=now - timedelta(hours=1)).silent


def test_only_a_silent_job_goes_on() -> None:
    job = job_of(lambda work: {}, state=Job.State.RUNNING, heartbeat=timezone.now())
    assert not queue.go_on(job)
    job.heartbeat = timezone.now() - timedelta(seconds=16)
    job.save()
    same = Job.objects.get()
    assert queue.go_on(job)
    assert not queue.go_on(same)  # a second click on the same page
    assert done(job).state == Job.State.DONE


def test_the_same_job_twice_is_one(profile: Profile, owner: Person) -> None:
    first = queue.start("measure", profile, owner)
    assert queue.start("measure", profile, None) == first
    assert queue.start("work_copy", profile, owner) != first
    Job.objects.filter(pk=first.pk).update(state=Job.State.DONE)
    assert queue.start("measure", profile, owner) != first


def test_the_queue_is_given_an_id_and_nothing_else(profile: Profile, owner: Person) -> None:
    from django_tasks_db.models import DBTaskResult

    job = queue.start("measure", profile, owner)
    (task,) = DBTaskResult.objects.all()
    assert task.args_kwargs == {"args": [str(job.pk)], "kwargs": {}}


def test_jobs_that_waited_are_queued_again_when_a_worker_starts() -> None:
    job_of(lambda work: {})
    job_of(lambda work: {}, state=Job.State.DONE)
    assert queue.requeue_waiting() == 1


# -- the pages


def test_counting_through_the_pages(owner_client: Client, profile: Profile) -> None:
    answer = owner_client.post(path_of("measure", home=HOME, profile="office"))
    page = answer.headers["Location"]
    assert b"Waiting for the worker" in owner_client.get(page).content
    job = done(Job.objects.get())
    assert job.state == Job.State.DONE
    assert b"Every file of the profile was counted." in owner_client.get(page).content
    assert [line.action for line in Activity.objects.filter(home=HOME)] == [Action.JOB_STARTED]


def test_a_part_for_htmx_is_the_part_alone(owner_client: Client, profile: Profile) -> None:
    job = Job.objects.create(kind="measure", home=HOME, profile="office")
    whole = owner_client.get(path_of("job", job=job.pk)).content
    part = owner_client.get(path_of("job", job=job.pk), headers={"HX-Request": "true"}).content
    assert b"<html" in whole
    assert b"<html" not in part
    assert part.strip().startswith(b'<div id="job"')


def test_back_in_the_browser_gets_the_whole_page(owner_client: Client, profile: Profile) -> None:
    job = Job.objects.create(kind="measure", home=HOME, profile="office")
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert b"<html" in owner_client.get(path_of("job", job=job.pk), headers=headers).content


def test_cancelling_through_the_page(owner_client: Client, profile: Profile) -> None:
    job = Job.objects.create(kind="measure", home=HOME, profile="office")
    assert owner_client.post(path_of("cancel_job", job=job.pk)).headers["Location"] == path_of(
        "job", job=job.pk
    )
    assert b"Stopped at your wish" in owner_client.get(path_of("job", job=job.pk)).content


def test_going_on_with_a_job_that_is_not_silent_changes_nothing(
    owner_client: Client, profile: Profile
) -> None:
    job = Job.objects.create(
        kind="measure", home=HOME, profile="office", state="running", heartbeat=timezone.now()
    )
    answer = owner_client.post(path_of("continue_job", job=job.pk), follow=True)
    assert b"This job is not waiting for anybody" in answer.content
    job.refresh_from_db()
    assert job.state == Job.State.RUNNING


def test_sealed_words_are_there_for_the_work_and_gone_after_it() -> None:
    seen: list[Any] = []

    def function(work: work.Work) -> dict[str, Any]:
        seen.append(work.words())
        work.seal({"phrase": "zqxother"})
        assert "zqxother" not in Job.objects.get(pk=work.job.pk).sealed
        return {}

    job = job_of(function, sealed=seal({"phrase": "zqxwords"}))
    assert "zqxwords" not in job.sealed
    assert done(job).sealed == ""
    assert seen == [{"phrase": "zqxwords"}]
    assert unseal("nothing of ours") == {}


def test_a_job_for_later_waits(profile: Profile) -> None:
    work.kind("trial")(lambda work: {})
    job = queue.start("trial", profile, None, words={"a": "b"}, after=timedelta(minutes=10))
    assert done(job).state == Job.State.WAITING
    Job.objects.update(not_before=timezone.now() - timedelta(seconds=1))
    assert done(job).state == Job.State.DONE
    queue.cancel(later := queue.start("trial", profile, None, words={"a": "b"}, after=timedelta(minutes=10)))
    later.refresh_from_db()
    assert (later.state, later.sealed) == (Job.State.CANCELLED, "")
