"""Cases C16 and C20 and the probes about the wizard, from its first page to the report that a person reads."""

import re
import sqlite3
import zipfile
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from hermesweb.jobs import work
from hermesweb.jobs.models import Job
from hermesweb.privacy import job_kinds
from hermesweb.privacy.models import Report
from tests.addresses import path_of
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, connect, old_state
from tests.web.clearing_pages import NOT_RUNNING, RUNNING, Wizard, hermes
from tests.web.people import HOME, confirm
from tests.wiping_builders import words_left

pytestmark = pytest.mark.django_db(transaction=True)
assert job_kinds  # registers what the worker finds by itself
CANARY = "vellichor"
SNAPSHOT = "state-snapshots/20260101-000000-pre-update"
COPIES = {
    "state-snapshots": SNAPSHOT,
    "backups": "backups/x.zip",
    "state-backups": "state.db.20260101-000000.bak",
}


@pytest.fixture
def folder(small_home: MemoryHome) -> Path:
    """A memory and a conversation with the canary, and nothing else."""
    small_home.memory(f"Old bookshops have a {CANARY} that no new one has.")
    folder = old_state(small_home.folder)
    add_session(folder, "s1", ended_at=1_700_000_200.0)
    add_message(folder, "s1", f"There is a word for the smell of old bookshops, and it is {CANARY}.")
    return folder


@pytest.fixture
def wizard(folder: Path, owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> Wizard:
    hermes(monkeypatch, NOT_RUNNING)
    return Wizard(owner_client)


def copy_into(folder: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    with closing(connect(folder)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def make_copies(folder: Path) -> None:
    copy_into(folder, folder / SNAPSHOT / "state.db")
    copy_into(folder, folder / COPIES["state-backups"])
    (folder / "backups").mkdir()
    with zipfile.ZipFile(folder / COPIES["backups"], "w", zipfile.ZIP_DEFLATED) as backup:
        backup.write(folder / COPIES["state-backups"], "state.db")


def cleared(wizard: Wizard, *stores: str) -> tuple[Report, str]:
    """Through the wizard with these ticks; the report, and its page."""
    wizard.to_confirm(*stores)
    confirm(wizard.client)
    wizard.post("clear_confirm", name="default")
    job = Job.objects.filter(kind="wipe").latest("created")
    work.run(str(job.pk))
    report = Report.objects.get(job=job)
    page = wizard.client.get(path_of("report", home=HOME, profile="default", report=report.pk))
    return report, re.sub(r"\s+", " ", unescape(page.content.decode())).replace("\xa0", " ")


def outcomes(report: Report) -> dict[str, tuple[str, str]]:
    return {each["id"]: (each["outcome"], each["why"]) for each in report.content["stores"]}


def test_copies_have_ticks_of_their_own_and_are_named_with_what_is_in_them(
    wizard: Wizard, folder: Path
) -> None:
    """C16."""
    make_copies(folder)
    assert not wizard.ticked() & set(COPIES)
    for preset in ("conversations", "most", "everything"):
        wizard.post("clear_choose", store=[], preset=preset)
        assert (wizard.ticked() >= set(COPIES)) == (preset != "conversations")
    report, page = cleared(wizard, "memory-md", "state-db", "memory-locks")
    assert report.content["outcome"] == "incomplete"
    assert "Everything that was chosen is gone, and something was kept" in page
    found = outcomes(report)
    assert (found["memory-md"], found["state-db"]) == (("wiped", ""), ("wiped", ""))
    assert {found[name] for name in COPIES} == {("kept", "choice")}
    for name, path in COPIES.items():
        size = r"[\d.]+ [KM]?B"
        line = rf"Sampled phrases stand at 2 places in it\.[^.]*<code>{re.escape(path)}</code>, {size}, \d+ \w+ 20\d\d"
        assert re.search(line, page), name
    assert CANARY not in page
    assert set(words_left(folder, [CANARY])) == {f"{SNAPSHOT}/state.db", COPIES["state-backups"]}
    assert (folder / COPIES["backups"]).is_file()
    report, _ = cleared(wizard, *COPIES)
    assert report.content["outcome"] == "clean"
    assert words_left(folder, [CANARY]) == {}
    assert not (folder / COPIES["backups"]).exists()


def test_an_open_chat_is_warned_of(wizard: Wizard, monkeypatch: pytest.MonkeyPatch) -> None:
    hermes(monkeypatch, RUNNING)
    shown = wizard.get("clear_hermes")
    assert "An open chat writes its conversation again." in shown
    assert "leave every open chat" in shown


def test_an_external_provider_is_named_and_never_counted(
    wizard: Wizard, folder: Path, small_home: MemoryHome
) -> None:
    small_home.config("memory:\n  provider: honcho\n")
    (folder / "honcho.json").write_text('{"apiKey": "x", "workspace": "home"}')
    assert "honcho" in wizard.get("clear_remote")
    report, page = cleared(wizard, "memory-md", "state-db", "provider-honcho")
    found = outcomes(report)
    assert found["provider-honcho"] == ("wiped", "")
    remote = {
        name: each for name, each in found.items() if name.endswith("-remote") or name == "memory-provider"
    }
    assert remote["provider-honcho-remote"] == ("out_of_reach", "remote")
    assert {result for result, _ in remote.values()} <= {"out_of_reach", "absent"}
    beyond = page[page.index('id="beyond"') :]
    assert "honcho" in beyond.lower()
    assert "Nothing was removed there. Only you can do it." in beyond


def spoil(folder: Path) -> bytes:
    """Overwrite the page that holds the canary's message; the bytes of the file afterwards."""
    for number in range(200):
        add_message(folder, "s1", f"number {number} " + "filler " * 90)
    with closing(connect(folder)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")
    content = bytearray((folder / "state.db").read_bytes())
    place = content.index(b"number 100 ") // 4096 * 4096
    content[place : place + 100] = b"\xff" * 100
    (folder / "state.db").write_bytes(content)
    return bytes(content)


def test_a_damaged_database_is_not_rewritten(
    wizard: Wizard, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C20: nothing in it is touched, whether Hermes runs or not, and it is said why and what can be done."""
    content = spoil(folder)
    for answer in (RUNNING, NOT_RUNNING):
        hermes(monkeypatch, answer)
        report, page = cleared(wizard, "memory-md", "state-db")
        assert outcomes(report)["state-db"] == ("not_wiped", "damaged")
        assert "The database is damaged, so it was left as it is" in page
        assert "Not everything is gone" in page
        assert (folder / "state.db").read_bytes() == content
