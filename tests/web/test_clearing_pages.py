"""The wizard step by step, who is offered it, what it starts; the reports it leaves."""

import json
import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from hermesweb.accounts.models import Person
from hermesweb.activity.models import Action, Activity
from hermesweb.homes import find
from hermesweb.jobs.models import Job
from hermesweb.privacy.clearing import Wish
from hermesweb.privacy.models import Report
from hermesweb.privacy.wiping.choice import choose
from tests.addresses import path_of
from tests.home_builders import BuiltHome, fingerprints
from tests.web.clearing_pages import NOT_RUNNING, RUNNING, Wizard, hermes, make_job, make_report
from tests.web.people import HOME, confirm, private_words

pytestmark = pytest.mark.django_db
WIZARD = ["clear", "clear_choose", "clear_remote", "clear_hermes", "clear_export"]


@pytest.fixture
def wizard(home: BuiltHome, owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> Wizard:
    hermes(monkeypatch, NOT_RUNNING)
    return Wizard(owner_client)


@pytest.mark.parametrize("name", WIZARD)
def test_a_step_reads_and_changes_nothing(name: str, wizard: Wizard, home: BuiltHome) -> None:
    before = fingerprints(home.outer)
    shown = wizard.get(name)
    assert fingerprints(home.outer) == before
    assert "Clear everything" in shown
    assert [word for word in private_words(home) if word in shown] == []
    line = Activity.objects.latest("number")
    assert (line.action, line.about) == (Action.VIEWED_STORES, name)


def test_the_start_lists_what_may_be_cleared(
    wizard: Wizard, signed_in: Callable[..., Client], member: Person, reviewer: Person
) -> None:
    addresses = {path_of("clear", home=HOME, profile=name) for name in ("default", "office")}
    ours = wizard.client.get(path_of("clear_start")).content.decode()
    assert "There is no profile that you may clear" not in ours
    joan, ruth = (signed_in(one).get(path_of("clear_start")).content.decode() for one in (member, reviewer))
    assert {each for each in addresses if f'"{each}"' in joan} == {
        path_of("clear", home=HOME, profile="office")
    }
    assert "There is no profile that you may clear" in ruth


def test_it_is_offered_to_nobody_in_review_mode(wizard: Wizard, settings: Settings) -> None:
    settings.READ_ONLY = True
    for name in [*WIZARD, "clear_confirm"]:
        assert wizard.client.get(wizard.path(name)).status_code == 403
    assert wizard.path("clear") not in wizard.client.get(wizard.path("reports")).content.decode()


def test_at_first_only_what_hermes_wrote_is_ticked(wizard: Wizard) -> None:
    ticked = wizard.ticked()
    assert {"memory-md", "state-db", "agent-log", "session-json"} & ticked >= {
        "memory-md",
        "state-db",
        "agent-log",
    }
    assert not ticked & {
        "soul",
        "env",
        "backups",
        "state-snapshots",
        "pairing",
        "kanban-db",
        "skills",
        "unknown",
    }
    shown = wizard.get("clear_choose")
    assert "Used by office too." in shown
    assert "diary-of-another-tool.txt" in shown


def test_presets_work_as_buttons_and_leave_what_has_a_tick_of_its_own(wizard: Wizard) -> None:
    wizard.post("clear_choose", store=["kanban-db"], preset="everything")
    everything = wizard.ticked()
    assert everything >= {
        "soul",
        "env",
        "backups",
        "pairing",
        "skills",
        "unknown",
        "kanban-db",
        "personality-config",
    }
    wizard.post("clear_choose", store=[], preset="conversations")
    few = wizard.ticked()
    assert "state-db" in few
    assert not few & {"memory-md", "kanban-db", "soul", "unknown"}
    wizard.post("clear_choose", store=[], preset="most")
    assert "soul" not in wizard.ticked()


def test_back_and_forth_loses_nothing(wizard: Wizard) -> None:
    wizard.post("clear_choose", store=["memory-md", "soul"], go="clear")
    assert wizard.ticked() == {"memory-md", "soul"}
    answer = wizard.post("clear_choose", store=["memory-md", "soul", "env"], go="next")
    assert answer.headers["Location"] == wizard.path("clear_remote")
    wizard.post("clear_remote", seen="1")
    wizard.get("clear_hermes")
    assert wizard.ticked() == {"memory-md", "soul", "env"}
    assert 'name="seen" value="1" checked' in wizard.get("clear_remote")


def test_nothing_ticked_is_nothing_to_clear(wizard: Wizard) -> None:
    answer = wizard.post("clear_choose", store=[], go="next")
    assert answer.headers["Location"] == wizard.path("clear_choose")
    assert "Nothing is ticked that is there" in wizard.get("clear_choose")


def test_what_is_out_of_reach_is_seen_first(wizard: Wizard, home: BuiltHome) -> None:
    uploads = home.root / "pastes/pending.json"
    uploads.write_text('[{"url": "https://paste.example/abc", "expire_at": 1900000000}]')
    shown = wizard.get("clear_remote")
    assert "hermes debug delete https://paste.example/abc" in shown
    assert "The only list of them is about to be cleared." in shown
    assert "honcho" in shown
    refused = wizard.post("clear_remote")
    assert refused.status_code == 422
    assert "Tick this to go on." in refused.content.decode()
    assert wizard.post("clear_remote", seen="1").headers["Location"] == wizard.path("clear_hermes")


def test_how_hermes_is_stopped(wizard: Wizard, monkeypatch: pytest.MonkeyPatch) -> None:
    hermes(monkeypatch, RUNNING)
    shown = wizard.get("clear_hermes")
    for words in (
        "gateway.lock is held by process 2141",
        "hermes gateway stop",
        "kill 30977",
        "Go on while it runs",
    ):
        assert words in shown
    assert wizard.post("clear_hermes").headers["Location"] == wizard.path("clear_hermes")
    answer = wizard.post("clear_hermes", **{"while": "running"})
    assert answer.headers["Location"] == wizard.path("clear_export")


def test_the_last_step_leads_to_what_was_left_out(wizard: Wizard, monkeypatch: pytest.MonkeyPatch) -> None:
    hermes(monkeypatch, RUNNING)

    def led_to() -> str:
        return str(wizard.client.get(wizard.path("clear_confirm")).headers["Location"])

    assert led_to() == wizard.path("clear_choose")
    wizard.post("clear_choose", store=["memory-md"], go="next")
    assert led_to() == wizard.path("clear_remote")
    wizard.post("clear_remote", seen="1")
    assert led_to() == wizard.path("clear_hermes")
    wizard.post("clear_hermes", **{"while": "running"})
    assert led_to().startswith(path_of("account_reauthenticate"))
    assert not Job.objects.exists()


def test_an_export_on_the_way_is_remembered(wizard: Wizard) -> None:
    assert "Nothing was saved since you began." in wizard.get("clear_export")
    wizard.client.get(path_of("download_memory", target="memory", **wizard.where))
    assert "Downloaded a memory file" in wizard.get("clear_export")


def test_the_export_leads_back_to_the_step_it_was_left_for(wizard: Wizard) -> None:
    export = path_of("export", **wizard.where)
    assert f'href="{export}?clearing=1"' in wizard.get("clear_export")
    page = wizard.client.get(f"{export}?clearing=1").content.decode()
    assert page.count(f'href="{wizard.path("clear_export")}"') == 2
    assert wizard.path("clear_export") not in wizard.client.get(export).content.decode()


def test_the_name_is_typed_and_a_job_is_started(wizard: Wizard, home: BuiltHome) -> None:
    wizard.to_confirm("memory-md", "state-db", "unknown")
    assert wizard.post("clear_confirm", name="default").headers["Location"].startswith("/account/confirm/")
    confirm(wizard.client)
    shown = wizard.get("clear_confirm")
    for words in ("5 memory entries,", "The files of office are not touched.", "Clear 3 stores", "No ("):
        assert words in shown
    wrong = wizard.post("clear_confirm", name="defualt")
    assert wrong.status_code == 422
    assert "That is not the name. It is: default" in wrong.content.decode()
    assert not Job.objects.exists()
    answer = wizard.post("clear_confirm", name=" default ")
    job = Job.objects.get()
    assert answer.headers["Location"] == path_of("job", job=job.pk)
    wish = Wish.of(job.checkpoint)
    assert {"memory-md", "state-db"} <= wish.choice.stores
    assert not wish.choice.stores & {"soul", "agent-log", "kanban-db"}  # was there, and its tick taken away
    assert wish.choice.unknown
    assert wish.while_running
    assert Activity.objects.latest("number").action == Action.WIPED
    # Nothing private is in what is kept of it, and the wizard begins anew.
    kept = json.dumps([job.checkpoint, dict(wizard.client.session)], default=str)
    assert [word for word in private_words(home) if word in kept] == []
    assert "agent-log" in wizard.ticked()


def test_the_wizard_of_one_profile_is_not_that_of_another(wizard: Wizard) -> None:
    wizard.post("clear_choose", store=["memory-md"], go="next")
    office = Wizard(wizard.client, "office")
    assert "agent-log" in office.ticked()
    assert "kanban" not in office.get("clear_choose")


def test_a_second_run_of_the_same_profile_waits(wizard: Wizard) -> None:
    running = make_job(find(HOME, "default"), "running")
    wizard.to_confirm("memory-md")
    confirm(wizard.client)
    answer = wizard.post("clear_confirm", name="default")
    assert answer.headers["Location"] == path_of("job", job=running.pk)
    assert Job.objects.count() == 1
    assert wizard.ticked() == {"memory-md"}


# -- while it works


def test_how_far_it_is(wizard: Wizard) -> None:
    job = make_job(find(HOME, "default"), "running", step="agent-log", done=3, total=9)
    shown = wizard.client.get(path_of("job", job=job.pk)).content.decode()
    for words in (
        "1 of 2 stores done",
        "Not all removed",
        "It belongs to another user.",
        "Working",
        "Second look",
        "Stop after this step",
        "what is gone stays gone, and what was not reached is not touched",
    ):
        assert words in shown
    assert 'http-equiv="refresh"' in shown
    stopped = make_job(find(HOME, "default"), "cancelled")
    shown = wizard.client.get(path_of("job", job=stopped.pk)).content.decode()
    assert "Stopped at your wish, before anything was removed." in shown
    Report.objects.filter(pk=make_report(find(HOME, "default")).pk).update(job=stopped)
    shown = wizard.client.get(path_of("job", job=stopped.pk)).content.decode()
    assert "What was removed stays removed; the rest was not touched." in shown
    assert "Read the report" in shown


def test_why_nothing_was_done(wizard: Wizard) -> None:
    job = make_job(find(HOME, "default"), "failed", outcome={"problem": "NotHere", "why": "under_way"})
    assert (
        "This profile is being cleared already."
        in wizard.client.get(path_of("job", job=job.pk)).content.decode()
    )


def test_every_preset_of_the_page_is_one_of_the_kernel(wizard: Wizard) -> None:
    names = set(re.findall(r'name="preset" value="(\w+)"', wizard.get("clear_choose")))
    for name in names - {"nothing"}:
        choose([name], shared=True)


def test_untick_all(wizard: Wizard) -> None:
    wizard.post("clear_choose", store=["kanban-db"], preset="nothing")
    assert " checked" not in wizard.get("clear_choose")
