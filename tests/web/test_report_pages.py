"""The reports on clearing: listed, read, saved, looked at again, finished, deleted."""

import hashlib
import re
from html import unescape

import pytest
from django.test import Client

from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from hermesweb.homes import find
from hermesweb.jobs.models import Job
from hermesweb.privacy.clearing import Wish
from hermesweb.privacy.models import Report
from tests.addresses import path_of
from tests.home_builders import BuiltHome
from tests.web.clearing_pages import NOT_RUNNING, Wizard, hermes, make_report
from tests.web.people import HOME, confirm, private_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def wizard(home: BuiltHome, owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> Wizard:
    hermes(monkeypatch, NOT_RUNNING)
    return Wizard(owner_client)


@pytest.fixture
def report(wizard: Wizard) -> Report:
    profile = find(HOME, "office")
    (profile.folder / "processes.json").write_text("[]")  # of a running Hermes
    return make_report(profile, "everything", alive=True)


def report_page(client: Client, report: Report, name: str = "report", **more: str) -> str:
    answer = client.get(path_of(name, home=HOME, profile=report.profile, report=report.pk, **more))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_report_says_what_is_left_and_why(wizard: Wizard, report: Report, home: BuiltHome) -> None:
    shown = report_page(wizard.client, report)
    for words in (
        "Not everything is gone",
        "Finish them now",
        "Hermes has it open, or may.",
        "wiped",
        "mara, from",
    ):
        assert words in shown
    assert [word for word in private_words(home) if word in shown] == []
    assert Activity.objects.latest("number").action == Action.VIEWED_REPORT
    listed = wizard.client.get(path_of("reports", home=HOME, profile="office")).content.decode()
    assert str(report.pk) in listed


def test_it_counts_stores_as_the_wizard_does(wizard: Wizard, profile: Profile) -> None:
    """A table of state.db is a part of that store, in both."""
    in_wizard = Wizard(confirm(wizard.client), profile.name)
    in_wizard.to_confirm("state-db", "memory-md", "user-md")
    assert "<h2>3 stores of" in in_wizard.get("clear_confirm")
    report = make_report(profile, "state-db", "memory-md", "user-md")
    shown = report_page(wizard.client, report)
    assert report.content["sums"]["wiped"] == 3
    assert "<b>3</b> wiped" in shown
    assert "Parts of it:" in shown
    assert "rows are gone from state.db." in shown
    rows = re.findall(r'<th scope="row">([^<]*)</th><td><span class="state removed">', shown)
    assert sorted(rows) == ["Conversations", "Memory file", "User profile"]


def test_copies_that_are_kept_are_named(wizard: Wizard, profile: Profile) -> None:
    """C16: each with size and date, and whether words stand in it."""
    snapshot = profile.folder / "state-snapshots/20261101-000000-manual"
    snapshot.mkdir(parents=True)
    (snapshot / "state.db").write_bytes(b"x" * 2048)
    report = make_report(profile)
    found = {"file": "state-snapshots/x/state.db", "store": "state-snapshots", "count": 4, "phrases": 2}
    report.content["looked_for"] |= {"phrases": 3, "found": [found]}
    report.save()
    shown = report_page(wizard.client, report)
    assert re.search(r"<code>state-snapshots/20261101-000000-manual</code>, 2.0\s+KB, \d", shown)
    assert "Sampled phrases stand at 4 places in it." in shown


def test_saved_as_a_file(wizard: Wizard, report: Report) -> None:
    saved = report_page(wizard.client, report, "report_file", form="json")
    assert hashlib.sha256(saved.encode()).hexdigest() == report.checksum
    page = report_page(wizard.client, report, "report_file", form="html")
    assert "default-src 'none'" in unescape(page)
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?!#)', page)
    unknown = path_of("report_file", home=HOME, profile="office", report=report.pk, form="exe")
    assert wizard.client.get(unknown).status_code == 404


def test_checked_again(wizard: Wizard, report: Report) -> None:
    where = {"home": HOME, "profile": "office", "report": report.pk}
    wizard.client.post(path_of("check_again", **where))
    job = Job.objects.get(kind="check_again")
    assert job.checkpoint == {"report": str(report.pk)}


def test_finishing_puts_what_is_left_into_the_wizard(wizard: Wizard, report: Report) -> None:
    left = {each["id"] for each in report.content["stores"] if each["outcome"] in ("partly", "not_wiped")}
    answer = wizard.client.post(path_of("finish_clearing", home=HOME, profile="office", report=report.pk))
    office = Wizard(wizard.client, "office")
    assert answer.headers["Location"] == office.path("clear_confirm")
    confirm(wizard.client)
    office.post("clear_confirm", name="office")
    assert Wish.of(Job.objects.get(kind="wipe").checkpoint).choice.stores == left


def test_a_report_is_deleted_after_the_password(wizard: Wizard, report: Report) -> None:
    address = path_of("delete_report", home=HOME, profile="office", report=report.pk)
    assert wizard.client.post(address).headers["Location"].startswith("/account/confirm/")
    confirm(wizard.client)
    assert "The home is not touched." in wizard.client.get(address).content.decode()
    assert wizard.client.post(address).headers["Location"] == path_of("reports", home=HOME, profile="office")
    assert not Report.objects.exists()
    assert Activity.objects.latest("number").action == Action.REPORT_DELETED


def test_a_report_of_another_profile_is_not_shown_here(wizard: Wizard, report: Report) -> None:
    answer = wizard.client.get(path_of("report", home=HOME, profile="default", report=report.pk))
    assert answer.headers["Location"] == path_of("reports", home=HOME, profile="default")
