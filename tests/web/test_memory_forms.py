"""Forms that were not made by our pages, a home open for reading only, and people who may not see the profile."""

from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from hermesweb.accounts.models import Person
from hermesweb.hermes.ids import encode_id
from memory.form_data import seen_text
from tests.addresses import path_of
from tests.home_builders import BuiltHome
from tests.memory_builders import SEPARATOR
from tests.memory_write_builders import see, state
from tests.web.memory_pages import MemorySite
from tests.web.people import HOME, PASSWORD

pytestmark = pytest.mark.django_db

ACTS = ["save_entry", "save_several", "count_entry", "remove_entries", "undo_removal", "move_entry"]
FILE_ACTS = ["clear_memory", "tidy_memory", "delete_side_file"]
PAGES = ["memory", "memory_history", "memory_settings", "download_memory"]
BACKUP = "MEMORY.md.bak.1750000000"
SHA = "0" * 64


@pytest.fixture(autouse=True)
def _files(site: MemorySite) -> None:
    site.home.memory(SEPARATOR.join(["Likes tea", "Lives in Bath"]))
    site.home.user("Works at night")
    site.home.memory("old", BACKUP)


def good(site: MemorySite, act: str) -> dict[str, object]:
    """What each act takes."""
    seen = seen_text(see(site.home, 1))
    return {
        "save_entry": {
            "target": "memory",
            "seen": seen,
            "content": "Lives in York",
            "opened": "Lives in Bath",
        },
        "save_several": {"target": "memory", "content": ["a", "b"]},
        "count_entry": {"target": "memory", "seen": seen, "content": "a"},
        "remove_entries": {"target": "memory", "seen": [seen]},
        "undo_removal": {"target": "memory", "text": ["a"], "position": ["0"]},
        "move_entry": {"target": "memory", "seen": seen},
        "clear_memory": {"fingerprint": SHA},
        "tidy_memory": {"fingerprint": SHA, "apply": "1"},
        "delete_side_file": {"fingerprint": SHA},
    }[act]


BAD_SEEN = [
    "x",
    "1",
    "1.abc.0",
    f"-1.{SHA}.0",
    f"1.{SHA}.2",
    f"1.{SHA}.0\n",
    f"1234567.{SHA}.0",
    f"1.{SHA.replace('0', 'A')}.0",
]
BAD: list[tuple[str, dict[str, object]]] = [
    *[(act, {"target": target}) for act in ACTS for target in ("", "config", "Memory", "\0", "memory\n")],
    *[
        (act, {"seen": bad})
        for act in ("save_entry", "count_entry", "remove_entries", "move_entry")
        for bad in BAD_SEEN
    ],
    ("move_entry", {"seen": ""}),
    ("save_entry", {"known": "xyz"}),
    ("save_entry", {"known": "0" * 11}),
    ("save_entry", {"known": "0" * 12 * 2_001}),
    ("undo_removal", {"position": ["1", "2"]}),
    ("undo_removal", {"position": ["-1"]}),
    ("undo_removal", {"position": ["1e3"]}),
    ("undo_removal", {"position": ["1234567"]}),
    *[
        (act, {"fingerprint": bad})
        for act in FILE_ACTS
        for bad in ("", "x", "0" * 63, SHA + "\n", "0" * 5000)
    ],
]


def target_of(act: str) -> dict[str, object]:
    return {"name": encode_id(BACKUP)} if act == "delete_side_file" else {"target": "memory"}


@pytest.mark.parametrize(("act", "changes"), BAD)
def test_what_no_page_of_ours_sends(act: str, changes: dict[str, object], site: MemorySite) -> None:
    site.confirm(PASSWORD)
    before = state(site.home.folder)
    assert site.post(act, good(site, act) | changes, **target_of(act)).status_code == 400
    assert "This request was not understood" in site.text
    assert state(site.home.folder) == before
    assert site.lines() == []


@pytest.mark.parametrize("act", [*ACTS, *FILE_ACTS])
@pytest.mark.parametrize(
    "body",
    [
        b"target=memory&content=" + b"x" * (5 * 1024 * 1024),
        b"target=memory&" + b"seen=1&" * 2_000,
        b"target=memory&content=%00%ED%A0%80%ff&text=%ED%B0%80&position=%C2%B2&seen=%F0%90",
        b"\xff\xfe\x00",
        b"&" * 100,
        b"",
    ],
    ids=["huge", "many", "half characters", "no text", "nothing", "empty"],
)
def test_bodies_of_any_kind_end_in_an_answer(act: str, body: bytes, site: MemorySite) -> None:
    site.confirm(PASSWORD)
    before = state(site.home.folder)
    response = site.client.post(
        site.path(act, **target_of(act)), body, content_type="application/x-www-form-urlencoded"
    )
    assert response.status_code in (200, 400, 422)
    assert state(site.home.folder) == before


@pytest.mark.parametrize("content", [b"a%ED%A0%80b", b"a%FFb", b"%F0%9F%91%8D"])
def test_what_is_no_utf8_becomes_what_browsers_show_for_it(content: bytes, site: MemorySite) -> None:
    """No half character gets as far as the file; the pure modules would refuse it."""
    body = b"target=user&content=" + content
    site.client.post(site.path("save_entry"), body, content_type="application/x-www-form-urlencoded")
    assert site.bytes("USER.md").decode().startswith("Works at night")


def test_a_form_of_another_file_finds_nothing(site: MemorySite) -> None:
    """The fingerprint is of the text: USER.md has no such entry."""
    for act in ("save_entry", "remove_entries", "move_entry"):
        assert site.post(act, {**good(site, act), "target": "user"}).status_code == 409
    assert site.bytes("USER.md") == b"Works at night"


@pytest.mark.parametrize(
    "query", ["?edit=memory.999999", "?edit=x", "?edit=memory.-1", "?add=config", "?edit=memory.1000000000"]
)
def test_an_address_that_opens_nothing(query: str, site: MemorySite) -> None:
    site.get(query)
    assert site.last.status_code == 200
    assert site.typed() == []


def test_one_editor_at_a_time(site: MemorySite) -> None:
    site.get("?edit=memory.0&add=memory")
    assert len(site.typed()) == 1


# -- reading only


@pytest.fixture
def _reading_only(settings: Settings) -> None:
    settings.READ_ONLY = True


@pytest.mark.usefixtures("_reading_only")
def test_in_review_mode_nothing_is_offered(site: MemorySite) -> None:
    site.home.memory("\ufeffa\r\n")
    for query in ("", "?edit=memory.0", "?add=memory"):
        site.get(query)
        assert site.last.status_code == 200
        assert [label for label in site.buttons if not label.startswith("Find every copy")] == []
        assert not [link for link in site.links if "?" in link or "/clear/" in link or "/tidy/" in link]
        assert not [link for link in site.links if "/beside/" in link]
        assert "This home is open for reading only, so nothing that writes is offered." in site.text
        assert site.path("download_memory", target="memory") in site.links


@pytest.mark.usefixtures("_reading_only")
@pytest.mark.parametrize("act", [*ACTS, *FILE_ACTS])
def test_in_review_mode_nothing_is_taken(act: str, site: MemorySite) -> None:
    site.confirm(PASSWORD)
    before = state(site.home.folder)
    assert site.post(act, good(site, act), **target_of(act)).status_code == 403
    assert "This home is open for reading only. Nothing was changed." in site.text
    if act in FILE_ACTS:
        assert site.client.get(site.path(act, **target_of(act))).status_code == 403
    assert state(site.home.folder) == before
    assert site.lines() == []


# -- people


@pytest.mark.parametrize("name", [*ACTS, *FILE_ACTS, *PAGES])
def test_a_profile_that_is_not_yours_is_not_there(
    name: str, home: BuiltHome, make_member: Callable[..., Person], signed_in: Callable[..., Client]
) -> None:
    client = signed_in(make_member("joan", "office"))
    before = state(home.root / "memories")
    for profile in ("default", "attic"):
        address = path_of(name, home=HOME, profile=profile, **target_of(name))
        # A method that is refused says nothing about the profile, so it may be refused first.
        assert client.get(address).status_code == (405 if name in ACTS else 404)
        response = client.post(address, {"target": "memory", "content": "velintruder", "fingerprint": SHA})
        assert response.status_code == (405 if name in PAGES else 404)
        assert "velintruder" not in response.content.decode()
    assert state(home.root / "memories") == before


def test_without_a_token_nothing_is_taken(site: MemorySite, signed_in: Callable[..., Client]) -> None:
    client = signed_in(Person.objects.get(), enforce_csrf_checks=False)
    client.handler.enforce_csrf_checks = True
    before = state(site.home.folder)
    for act in (*ACTS, *FILE_ACTS):
        response = client.post(site.path(act, **target_of(act)), good(site, act))
        assert response.status_code == 403
    assert state(site.home.folder) == before
