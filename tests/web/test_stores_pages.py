"""The inventory of a profile, and one store of it."""

import os
from pathlib import Path

import pytest
from django.test import Client

from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.stores.catalogue import stores
from tests.addresses import path_of
from tests.home_builders import BuiltHome, fingerprints
from tests.web.people import HOME

pytestmark = pytest.mark.django_db


def page(client: Client, name: str = "stores", profile: str = "default", query: str = "", **more: str) -> str:
    answer = client.get(path_of(name, home=HOME, profile=profile, **more) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_works(owner_client: Client, home: BuiltHome) -> None:
    before = fingerprints(home.root)
    shown = page(owner_client)
    assert fingerprints(home.root) == before
    for words in ("Snapshots", "state-snapshots/", "Memory file", "diary-of-another-tool.txt", "scratch.db"):
        assert words in shown
    for words in ("telegram", "honcho", "In the app: delete the chat for both sides."):
        assert words in shown
    assert Activity.objects.latest("number").action == Action.VIEWED_STORES


def test_filters(owner_client: Client, home: BuiltHome) -> None:
    memory = page(owner_client, query="?kind=memory&all=1")
    assert "memories/USER.md" in memory
    assert "state-snapshots/" not in memory
    absent = page(owner_client, query="?here=all&all=1")
    assert absent.count("Absent") > 20
    survives = page(owner_client, query="?survives=delete&all=1")
    assert "sessions/session_" in survives
    assert "memories/MEMORY.md<" not in survives
    nothing = page(owner_client, query="?here=unreadable")
    assert "No store fits these filters." in nothing


def test_a_named_profile_has_nothing_of_the_root(owner_client: Client, home: BuiltHome) -> None:
    shown = page(owner_client, profile="office", query="?all=1&here=all")
    assert "kanban" not in shown
    answer = owner_client.get(path_of("store", home=HOME, profile="office", store="kanban-db"))
    assert answer.status_code == 404


def test_readable_by_others_is_a_warning(owner_client: Client, home: BuiltHome, tmp_path: Path) -> None:
    assert "Everybody with an account" not in page(owner_client)
    folder = tmp_path
    while folder != folder.parent and folder.owner() != "nobody":
        if os.access(folder, os.W_OK) and str(folder).startswith("/tmp/"):
            folder.chmod(folder.stat().st_mode | 0o055)
        folder = folder.parent
    for path in (home.root.parent, home.root):
        path.chmod(0o755)
    assert "Everybody with an account on this machine can read" in page(owner_client)


def test_each_store_has_a_page(owner_client: Client, home: BuiltHome) -> None:
    for each in stores():
        assert f"<code>{each.id}</code>" in page(owner_client, "store", store=each.id)


def test_hostile_names_stay_text(owner_client: Client, home: BuiltHome) -> None:
    bait = home.root / "<img src=x onerror=alert(1)>.txt"
    bait.write_text("x")
    (home.root / "caf\udce9").write_text("x")
    shown = page(owner_client)
    assert "<img" not in shown.partition("<main")[2]
    assert "&lt;img src=x onerror=alert(1)&gt;.txt" in shown


def test_no_such_store(owner_client: Client, home: BuiltHome) -> None:
    assert owner_client.get(path_of("store", home=HOME, profile="default", store="x")).status_code == 404
