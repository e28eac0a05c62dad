"""Every store and code has words for people, and docs/stores.md is what they make."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import pytest
from django.core.management import call_command

from hermesweb.hermes import inventory, remote_place
from hermesweb.hermes.stores import store
from hermesweb.hermes.stores.catalogue import stores
from hermesweb.privacy import remote_words, store_words

CODES: list[tuple[Mapping[str, Any], Any]] = [
    (store_words.CLEARED, store.Clearing),
    (store_words.CLEARED_BECAUSE, store.Clearing),
    (store_words.KINDS, store.Kind),
    (store_words.WHERE, store.Where),
    (store_words.STATES, inventory.State),
    (store_words.METHODS, store.How),
    (store_words.HAZARDS, store.Hazard),
    (store_words.CHECKS, store.Check),
    (remote_words.WHAT_WENT, remote_place.What),
    (remote_words.WHERE_TO_DELETE, remote_place.DeleteAt),
    (remote_words.HOW_KNOWN, remote_place.Known),
]
JARGON = ("sqlite", "fts", "json", "wal", "schema", "byte", "inode", "flock", "pid")


def test_every_store_has_words_and_no_other() -> None:
    assert set(store_words.WORDS) == {each.id for each in stores()}


def test_a_name_and_one_plain_sentence() -> None:
    for identity, words in store_words.WORDS.items():
        name, holds = str(words.name), str(words.holds)
        assert 3 <= len(name) <= 45, identity
        assert not name.endswith("."), identity
        assert holds.endswith("."), identity
        assert len(holds) <= 120, identity
        spoken = f"{name} {holds}".lower().replace(".", " ").split()
        assert not set(JARGON) & set(spoken), identity


def test_names_tell_stores_apart() -> None:
    names = [(str(words.name), str(words.holds)) for words in store_words.WORDS.values()]
    assert len(set(names)) >= len(names) - 4  # locks are locks


def test_a_store_of_a_later_version_is_called_by_its_id() -> None:
    assert store_words.words_of("new-store").name == "new-store"


@pytest.mark.parametrize(("words", "codes"), CODES)
def test_every_code_has_words_and_no_other(words: Mapping[str, Any], codes: Any) -> None:
    assert set(words) == set(get_args(codes))
    assert all(str(each) for each in words.values())


def test_every_remote_store_says_what_went_there() -> None:
    remote = {each.id for each in stores() if each.where == "remote" and each.clearing == "out_of_reach"}
    kinds = {"memory-provider" if identity.startswith("provider-") else identity for identity in remote}
    assert kinds == set(remote_place.WHAT)


def test_the_page_is_what_the_catalogue_makes() -> None:
    written = StringIO()
    call_command("stores_doc", stdout=written)
    page = Path(__file__).parents[2] / "docs" / "stores.md"
    assert page.read_text() == written.getvalue(), "run: manage.py stores_doc > docs/stores.md"
    assert all(f"| `{each.id}` |" in written.getvalue() for each in stores())
