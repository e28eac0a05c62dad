"""Every conversation of recorded and generated homes can be opened, whatever Hermes or an accident has put there."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from hermesweb.hermes.ids import encode_id
from hermesweb.homes import configured
from tests.addresses import path_of
from tests.home_builders import BuiltHome, fingerprints
from tests.web.pages import elements

pytestmark = pytest.mark.django_db
LAYOUTS = pytest.mark.parametrize("options", [(), ("--layout", "main")], ids=["native", "main"])
VARIANTS = [
    "no-fts",
    "no-trigram",
    "open-wal",
    "delete-journal",
    "fts-garbage",
    "fts-stale",
    "rebuild-pending",
]
DAMAGED = ["truncated", "zero-length", "not-a-db", "hot-journal"]


def ids_of(folder: Path) -> list[tuple[str, list[int]]]:
    """The sessions with the ids of their messages. Closed again before a page is asked for."""
    source = sqlite3.connect((folder / "state.db").as_uri() + "?mode=ro", uri=True)
    rows = source.execute(
        "SELECT session_id, group_concat(id) FROM messages GROUP BY 1"
        " UNION ALL SELECT id, '' FROM sessions WHERE id NOT IN (SELECT session_id FROM messages)"
    ).fetchall()
    source.close()
    return [(str(key), [int(each) for each in ids.split(",") if each]) for key, ids in rows]


def open_all(client: Client, profile: str, found: list[tuple[str, list[int]]]) -> None:
    """Each conversation in two ways, and one message and the prompt of some."""
    home = configured()[0].key
    for place, (key, messages) in enumerate(found):
        part = encode_id(key)
        middle = f"?at={messages[len(messages) // 2]}" if messages else "?links=1"
        queries = [middle, ["?undone=1&view=exact", "?before=end.0", ""][place % 3]]
        address = path_of("conversation", home=home, profile=profile, session=part)
        for query in queries:
            answer = client.get(address + query)
            assert answer.status_code == 200, (key, query)
            elements(answer)
        if messages and place % 4 == 0:
            path = path_of("message", home=home, profile=profile, session=part, message=messages[0])
            assert client.get(path).status_code == 200
        if place % 4 == 1:
            prompt = path_of("stored_prompt", home=home, profile=profile, session=part)
            assert client.get(prompt).status_code == 200


@pytest.mark.parametrize("release", ["019", "022"])
def test_every_conversation_of_a_recorded_home(
    release: str, request: pytest.FixtureRequest, owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    home: BuiltHome = request.getfixturevalue(f"home_{release}")
    monkeypatch.setenv("HERMES_HOME", str(home.root))
    found = {profile: ids_of(home.profile(profile)) for profile in ("default", "office")}
    before = fingerprints(home.outer)
    for profile, ids in found.items():
        open_all(owner_client, profile, ids)
    assert fingerprints(home.outer) == before


@pytest.mark.interop
@LAYOUTS
def test_every_conversation_of_a_generated_home(
    options: tuple[str, ...],
    make_home: Callable[..., BuiltHome],
    owner_client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = make_home(*options, "--keep-bad-json")
    monkeypatch.setenv("HERMES_HOME", str(home.root))
    found = {profile: ids_of(home.profile(profile)) for profile in ("default", "work")}
    before = fingerprints(home.outer)
    for profile, ids in found.items():
        assert len(ids) > 3
        open_all(owner_client, profile, ids)
    assert fingerprints(home.outer) == before


@pytest.mark.interop
@pytest.mark.parametrize("variant", [*VARIANTS, *DAMAGED])
def test_every_variant_answers(
    variant: str,
    make_home: Callable[..., BuiltHome],
    owner_client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = make_home("--variant", variant)
    monkeypatch.setenv("HERMES_HOME", str(home.root))
    sessions = home.facts()["sessions"]
    for name in ("odd_id", *list(sessions)[:5]):
        key = sessions[name] if isinstance(sessions[name], str) else sessions[name]["id"]
        answer = owner_client.get(
            path_of("conversation", home=configured()[0].key, profile="default", session=encode_id(key))
        )
        assert answer.status_code == 200, (name, answer.status_code)
        told = b"state.db" in answer.content
        assert told or variant in VARIANTS
        elements(answer)
