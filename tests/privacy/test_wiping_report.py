"""The report of a run: what it claims, what it leaves out, and what a second look adds."""

import json
import re
import uuid
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

from hermesweb.hermes.homes import Profile, find_profile, home_at
from hermesweb.jobs import queue, work
from hermesweb.jobs.models import Job
from hermesweb.privacy import clearing, job_kinds
from hermesweb.privacy.clearing import Wish
from hermesweb.privacy.models import Report, checksum_of
from hermesweb.privacy.own_rows import KEPT, noted_models
from hermesweb.privacy.wiping.choice import choose
from sessions.models import Finding
from tests.home_builders import BuiltHome, recorded_home
from tests.wiping_builders import planted

pytestmark = pytest.mark.django_db(transaction=True)
assert job_kinds  # registers what the worker finds by itself


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuiltHome:
    built = recorded_home("0.19", tmp_path / "made")
    monkeypatch.setenv("HERMESWEB_HOMES", f"Made={built.root}")
    monkeypatch.setattr(settings, "WORK_FOLDER", tmp_path / "work")
    return built


@pytest.fixture
def profile(built: BuiltHome) -> Profile:
    (home,) = [home_at(built.root, "Made")]
    return find_profile(home, "default")


def run(profile: Profile, *names: str) -> Job:
    wish = Wish(choose(names or ["everything"], shared=True), while_running=True)
    job = queue.start("wipe", profile, None, **wish.plain())
    work.run(str(job.pk))
    job.refresh_from_db()
    return job


def test_it_works(profile: Profile, built: BuiltHome) -> None:
    job = run(profile)
    assert (job.state, job.sealed) == (Job.State.DONE, "")
    report = Report.objects.get(pk=job.outcome["report"])
    content = report.content
    assert content["complete"]
    assert content["looked_for"]["phrases"] > 20
    assert report.checksum == checksum_of(json.loads(json.dumps(content)))
    # Words left in what is kept are named by their file, and nowhere else is one.
    kept = {each["id"] for each in content["stores"] if each["outcome"] == "kept"}
    assert {each["store"] for each in content["looked_for"]["found"]} <= kept
    assert content["remote"]
    assert {each["id"] for each in content["stores"]} >= {"state-messages", "model-provider", "os-level"}


def test_no_removed_word_is_in_what_we_keep(profile: Profile, built: BuiltHome) -> None:
    job = run(profile)
    kept = json.dumps([Report.objects.get().content, job.checkpoint, job.outcome]).lower()
    assert [word for word in planted(built.manifest) if word.lower() in kept] == []
    assert re.findall(r"velgeguvo53", kept) == []


def test_the_second_look_is_due_in_ten_minutes(profile: Profile) -> None:
    report = run(profile).outcome["report"]
    later = Job.objects.get(kind="look_again")
    assert later.checkpoint == {"report": report}
    assert later.not_before is not None
    assert (later.not_before - later.created).total_seconds() == pytest.approx(600, abs=5)


def test_two_runs_are_both_looked_at_later(profile: Profile) -> None:
    first, second = (run(profile, "default").outcome["report"] for _ in range(2))
    (later,) = Job.objects.filter(kind="look_again", state=Job.State.WAITING)
    assert later.checkpoint == {"report": second, "earlier": [first]}
    Job.objects.filter(pk=later.pk).update(not_before=None)
    work.run(str(later.pk))
    assert [len(each.content["looks"]) for each in Report.objects.all()] == [1, 1]


def test_what_came_back(profile: Profile) -> None:
    report = Report.objects.get(pk=run(profile).outcome["report"])
    assert clearing.look_again(report, profile) == []
    (profile.folder / "sessions").mkdir(exist_ok=True)
    (profile.folder / "sessions/sessions.json").write_text('{"a": 1}')
    (back,) = clearing.look_again(report, profile)
    assert (back["id"], back["files"], back["names"]) == ("sessions-index", 1, ["sessions/sessions.json"])
    report.refresh_from_db()
    assert [len(look["came_back"]) for look in report.content["looks"]] == [0, 1]
    assert report.checksum == checksum_of(report.content)


def test_stopped_by_a_person(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    wish = Wish(choose(["everything"], shared=True), while_running=True)
    job = queue.start("wipe", profile, None, **wish.plain())
    usual = work.Work.step

    def step(self: work.Work, name: str, done: int = 0, total: int = 0) -> None:
        if name == "agent-log":
            raise work.Cancelled
        usual(self, name, done, total)

    monkeypatch.setattr(work.Work, "step", step)
    work.run(str(job.pk))
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    content = Report.objects.get(job=job).content
    by_id = {each["id"]: each for each in content["stores"]}
    assert content["interrupted"]
    assert content["outcome"] == "incomplete"
    assert by_id["memory-md"]["outcome"] == "wiped"
    assert (by_id["agent-log"]["outcome"], by_id["agent-log"]["why"]) == ("not_wiped", "interrupted")


def test_hermes_runs_and_nobody_agreed(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clearing, "is_running", lambda profile: type("Answer", (), {"answer": "unknown"}))
    wish = Wish(choose(["default"], shared=True), while_running=False)
    job = queue.start("wipe", profile, None, **wish.plain())
    work.run(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.outcome["problem"]) == (Job.State.FAILED, "hermes_runs")
    assert (profile.folder / "memories/MEMORY.md").exists()


def test_words_found_in_what_is_kept(profile: Profile) -> None:
    """C16: a snapshot and a backup that were not ticked are named, with what is in them."""
    content = Report.objects.get(pk=run(profile, "default").outcome["report"]).content
    by_id = {each["id"]: each for each in content["stores"]}
    assert content["outcome"] == "incomplete"
    for name in ("state-snapshots", "backups"):
        assert (by_id[name]["outcome"], by_id[name]["why"]) == ("kept", "choice")
    found = {each["store"] for each in content["looked_for"]["found"]}
    assert {"state-snapshots", "backups"} <= found


def test_stopped_by_its_worker_and_begun_again(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker ends in good order: another goes on, with the same sampled words."""
    wish = Wish(choose(["everything"], shared=True), while_running=True)
    job = queue.start("wipe", profile, None, **wish.plain())
    usual = work.Work.step

    def step(self: work.Work, name: str, done: int = 0, total: int = 0) -> None:
        if name == "agent-log":
            raise work.Stopped
        usual(self, name, done, total)

    with monkeypatch.context() as patch:
        patch.setattr(work.Work, "step", step)
        work.run(str(job.pk))
    job.refresh_from_db()
    assert (job.state, bool(job.sealed), Report.objects.exists()) == (Job.State.WAITING, True, False)
    work.run(str(job.pk))
    content = Report.objects.get(job=job).content
    assert (content["complete"], content["attempts"]) == (True, 2)
    assert content["looked_for"]["phrases"] > 20
    assert next(each for each in content["stores"] if each["id"] == "memory-md")["outcome"] == "wiped"


def test_a_fault_of_ours_leaves_a_report_too(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    wish = Wish(choose(["everything"], shared=True), while_running=True)
    job = queue.start("wipe", profile, None, **wish.plain())
    usual = work.Work.step

    def step(self: work.Work, name: str, done: int = 0, total: int = 0) -> None:
        if name == "agent-log":
            raise RuntimeError
        usual(self, name, done, total)

    monkeypatch.setattr(work.Work, "step", step)
    work.run(str(job.pk))
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    content = Report.objects.get(job=job).content
    assert (content["interrupted"], content["complete"]) == (True, False)


def test_what_our_own_database_noted_goes_with_the_conversations(profile: Profile) -> None:
    other = find_profile(profile.home, "office")
    for each in (profile, other):
        Finding.objects.create(
            home=each.home.key, profile=each.name, session="x", digest="", column="content", kind="key",
            start=0, end=9, job=uuid.uuid4(),
        )  # fmt: skip
        Job.objects.create(kind="measure", home=each.home.key, profile=each.name, state="done")
    content = Report.objects.get(pk=run(profile).outcome["report"]).content
    by_id = {each["id"]: each for each in content["stores"]}
    assert (by_id["hermesweb-database"]["outcome"], by_id["hermesweb-database"]["why"]) == (
        "kept",
        "ours_noted",
    )
    assert by_id["hermesweb-database"]["files_before"] == 2
    assert [each.profile for each in Finding.objects.all()] == ["office"]
    kinds = set(Job.objects.filter(profile="default").values_list("kind", flat=True))
    assert kinds == {"wipe", "look_again"}
    assert Job.objects.filter(profile="office", kind="measure").exists()


def test_every_model_about_a_profile_goes_or_stays_on_purpose() -> None:
    """A new one has to be named in hermesweb.privacy.own_rows.KEPT, or goes with what it is about."""
    assert {model._meta.label for model in noted_models()} >= {"jobs.Job", "hermes_sessions.Finding"}
    about = {
        model._meta.label
        for model in apps.get_models()
        if {"home", "profile"} <= {each.name for each in model._meta.fields}
    }
    assert about >= KEPT
