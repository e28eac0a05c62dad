"""What somebody looked for is nowhere: not in our database, not in an address, not in the log, not on the disk."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from hermesweb.logs import WithoutWords
from tests.home_builders import BuiltHome, fingerprints
from tests.memory_builders import MemoryHome
from tests.state_builders import add_message, add_session, old_state
from tests.web.memory_pages import MemorySite
from tests.web.server import Server, Visitor
from tests.web.test_memory_privacy import holding, kept

WORD = "velquincunx"
SEARCH, LIST = "/homes/hermes/office/search/", "/homes/hermes/office/sessions/"
FORM = {"in": "messages", "group": "on"}


@pytest.mark.django_db
def test_no_search_leaves_a_word_in_our_database_or_the_log(
    small_home: MemoryHome, site: MemorySite, capfd: pytest.CaptureFixture[str]
) -> None:
    state = old_state(small_home.folder)
    add_session(state, "s1", title=f"{WORD} title", cwd=f"/srv/{WORD}")
    add_message(state, "s1", f"about {WORD}")
    for name, form in (
        ("search", {**FORM, "words": WORD}),
        ("search", {**FORM, "words": "about", "title": WORD}),
        ("search", {**FORM, "words": WORD * 500}),
        ("sessions", {"title": WORD}),
        ("sessions", {"folder": f"/srv/{WORD}"}),
        ("sessions", {"title": WORD * 500}),
    ):
        site.last = site.client.post(site.path(name), form)
        if site.last.status_code != 422:
            assert WORD not in site.last.headers["Location"]
            assert WORD in site.follow()
        assert WORD not in kept()
    assert WORD not in "".join(capfd.readouterr())


@pytest.mark.django_db
def test_a_fault_while_searching_logs_no_word(
    small_home: MemoryHome,
    site: MemorySite,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old_state(small_home.folder)

    def fail(words: str) -> None:
        raise ValueError(f"cannot take {words}")

    monkeypatch.setattr("sessions.search_page.parse", fail)
    answer = site.client.post(site.path("search"), {**FORM, "words": WORD})
    site.last = site.client.get(answer.headers["Location"])
    assert site.last.status_code == 500
    assert WORD not in site.html
    lines = [WithoutWords().format(record) for record in caplog.records]
    assert "ValueError" in "".join(lines)
    assert WORD not in "".join(lines)


def test_no_search_leaves_a_word_in_the_files_of_a_real_server(
    home: BuiltHome, make_server: Callable[..., Server]
) -> None:
    server = make_server().start().ready()
    mara = Visitor(server.port).sign_in_first(server.link())
    before = fingerprints(home.outer)
    for path, form in ((SEARCH, {**FORM, "words": WORD}), (LIST, {"title": WORD, "folder": f"/{WORD}"})):
        mara.get(path)
        answer = mara.post(path, form)
        assert answer.status == 303
        assert WORD not in answer.location
        assert WORD in mara.get(answer.location).body
    assert fingerprints(home.outer) == before, "searching changed something in the home"
    mara.get("/sign-out/")
    mara.post("/sign-out/")
    assert mara.get(answer.location).status == 302
    server.stop()
    assert holding(server.data, "viewed_sessions"), "the activity is not where it was looked for"
    assert holding(server.data, WORD) == []
    assert WORD not in server.printed()


@pytest.mark.django_db
def test_the_words_of_the_recorded_home_are_not_in_our_database(
    home: BuiltHome, owner_client: Client, tmp_path: Path
) -> None:
    for each in home.manifest["canaries"]:
        answer = owner_client.post(
            "/homes/hermes/default/search/",
            {"in": ["messages", "tool_calls", "titles"], "words": each["word"]},
        )
        assert owner_client.get(answer.headers["Location"]).status_code == 200
    database = kept()
    assert [each["word"] for each in home.manifest["canaries"] if each["word"] in database] == []
