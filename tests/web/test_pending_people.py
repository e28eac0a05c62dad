"""Who sees and decides what waits, and where nothing can be decided."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from hermesweb.accounts.models import Person
from hermesweb.activity.models import Activity
from hermesweb.hermes.homes import Profile
from tests.addresses import path_of
from tests.approval_builders import wants
from tests.memory_builders import MemoryHome, write
from tests.web.memory_pages import MemorySite, without_rights
from tests.web.pages import elements
from tests.web.pending_pages import QueueSite, anchor
from tests.web.people import HOME

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(small_home: MemoryHome) -> MemoryHome:
    """A second profile of the small home; in both a record of the same name waits."""
    folder = small_home.folder / "profiles/office"
    write(folder / "config.yaml", "{}\n")
    made = MemoryHome(Profile(small_home.profile.home, "office", folder))
    wants(small_home, action="add", content="For everybody velone")
    wants(made, action="add", content="For the office veltwo")
    return made


@pytest.fixture
def joan(
    office: MemoryHome, owner: Person, make_member: Callable[..., Person], signed_in: Callable[..., Client]
) -> QueueSite:
    """The queue of the profile "office" for somebody who may see nothing else."""
    return QueueSite(office, signed_in(make_member("joan", "office")), "office")


def test_a_member_decides_in_the_own_profile(joan: QueueSite) -> None:
    assert "For the office veltwo" in joan.show()
    assert joan.press_and_follow("Approve proposal 1") == "1 proposal was approved."
    assert joan.bytes() == b"For the office veltwo"
    line = Activity.objects.filter(action="approved").get()
    assert (line.name, line.profile, line.about) == ("joan", "office", "memory ab12cd34")


def test_a_member_reaches_no_other_queue(joan: QueueSite, small_home: MemoryHome) -> None:
    joan.show()
    (value,) = joan.decisions()
    other = path_of("decide", home=HOME, profile="default")
    nowhere = path_of("decide", home=HOME, profile="attic")
    assert joan.client.get(path_of("pending", home=HOME, profile="default")).status_code == 404
    for data in ({"approve": value}, {"reject": value}, {"settle": "now"}, {"approve": "nonsense"}, {}):
        answers = [joan.client.post(address, data) for address in (other, nowhere)]
        assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}
    assert (small_home.folder / "pending/memory/ab12cd34.json").exists()


def test_the_page_of_all_shows_what_one_may_see(joan: QueueSite) -> None:
    text = joan.get(name="all_pending")
    assert "veltwo" in text
    assert "velone" not in text
    assert "default" not in text
    assert joan.texts_in("badge") == ["1 proposals waiting"]


def test_the_page_of_all_leads_to_what_is_wrong_with_the_setting(
    queue: QueueSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMESWEB_HOMES", "relative=path")
    answer = queue.client.get(path_of("all_pending"), follow=True)
    assert answer.redirect_chain == [(path_of("homes"), 302)]
    assert "HERMESWEB_HOMES" in answer.content.decode()


def test_the_page_of_all_of_an_owner_tells_profiles_apart(queue: QueueSite, office: MemoryHome) -> None:
    queue.get(name="all_pending")
    assert "For everybody velone" in queue.text
    assert "For the office veltwo" in queue.text
    ids = [about["id"] for _, about in elements(queue.last).tags if "id" in about]
    assert len(ids) == len(set(ids))
    assert {f"hermes-default-{anchor()}", f"hermes-office-{anchor()}"} <= set(ids)
    assert {about for _, about in queue.lines()} == {""}
    assert Activity.objects.filter(action="viewed_pending").count() == 2


def test_the_page_of_all_leads_back_to_itself(queue: QueueSite, office: MemoryHome) -> None:
    wants(queue.home, "ab12cd35", action="add", content="Has a dog")
    queue.get(name="all_pending")
    queue.press("Approve proposal 1")
    assert queue.last.headers["Location"] == f"/pending/#hermes-default-{anchor('ab12cd35')}"
    queue.follow()
    assert queue.notices == ["1 proposal was approved."]
    assert queue.entries() == ["For everybody velone"]
    queue.press("Approve all shown here")
    assert queue.last.headers["Location"] == "/pending/"
    queue.follow()
    assert (office.folder / "memories").exists() is False
    queue.press_and_follow("Reject proposal 1")
    assert "Nothing is waiting." in queue.text


def test_from_the_page_of_all_editing_leads_to_the_own_page(queue: QueueSite, office: MemoryHome) -> None:
    queue.get(name="all_pending")
    assert f"{queue.path('pending')}?edit={anchor()}#edited-{anchor()}-0" in queue.links


def nothing_offered(queue: QueueSite) -> None:
    for query in ("", f"?edit={anchor()}"):
        queue.show(query)
        assert "This home is open for reading only, so nothing can be decided here." in queue.text
        assert "Likes maps" in queue.text
        assert queue.buttons == []
        assert "<textarea" not in queue.html
        assert 'type="checkbox"' not in queue.html
        assert not [link for link in queue.links if "edit=" in link]


def test_in_review_mode_nothing_is_offered_or_done(queue: QueueSite, settings: Settings) -> None:
    queue.wants()
    queue.show()
    (value,) = queue.decisions()
    settings.READ_ONLY = True
    nothing_offered(queue)
    for data in (
        {"approve": value},
        {"reject": value},
        {"approve": "shown", "shown": value},
        {"settle": "x"},
    ):
        assert queue.post("decide", data).status_code == 403
        assert "This home is open for reading only. Nothing was changed." in queue.text
    assert queue.waiting() == ["ab12cd34.json"]
    assert queue.noted() == []
    assert not (queue.home.folder / "memories").exists()


def test_without_the_right_to_write_nothing_is_offered_or_done(queue: QueueSite, settings: Settings) -> None:
    settings.WORK_FOLDER = queue.home.folder.parent / "work"  # where that other user may look
    queue.wants()
    queue.show()
    (value,) = queue.decisions()
    with without_rights(queue.home.folder):
        nothing_offered(queue)
        assert queue.post("decide", {"approve": value}).status_code == 403
    assert queue.waiting() == ["ab12cd34.json"]


def test_a_form_without_our_token_decides_nothing(
    queue: QueueSite, signed_in: Callable[..., Client], owner: Person
) -> None:
    queue.wants()
    queue.show()
    (value,) = queue.decisions()
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies = queue.client.cookies
    assert strict.post(queue.path("decide"), {"approve": value}).status_code == 403
    assert queue.waiting() == ["ab12cd34.json"]


def test_looking_changes_nothing(queue: QueueSite, office: MemoryHome) -> None:
    def seen() -> dict[str, tuple[int, int]]:
        paths = [path for path in queue.home.folder.rglob("*") if not path.is_dir()]
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_ino) for path in paths}

    before = seen()
    queue.show()
    queue.get(name="all_pending")
    assert seen() == before


def test_a_queue_in_the_way_is_said(queue: QueueSite, tmp_path: Path) -> None:
    queue.wants()
    folder = queue.home.folder / "pending/skills"
    folder.symlink_to(tmp_path)
    assert "A folder of the queue cannot be looked into, so there may be more." in queue.show()
    assert "Likes maps" in queue.records


def test_who_reads_the_memory_is_told_the_number(site: MemorySite) -> None:
    wants(site.home, action="add", content="Likes maps")
    site.get()
    assert site.texts_in("badge") == ["1 proposals waiting"]
