"""Every planted word of the recorded homes, in every place where its manifest says that bytes show it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.home_builders import BuiltHome, fingerprints, recorded_home
from tests.scan_builders import Looked, look_at

KINDS = {
    "bytes of the WAL": "wal",
    "bytes": "bytes",
    "json": "json_escaped",
    "free": "free_page",
    "slack": "slack",
    "git": "git",
    "file name": "file_name",
    "folder name": "file_name",
}
ABSENT = ("zqxwvkword99", "nobody wrote this sentence")


def kind_of(how: str) -> str | None:
    return next((kind for start, kind in KINDS.items() if how.startswith(start)), None)


def expected(home: BuiltHome) -> dict[tuple[str, str], Counter[str]]:
    places: dict[tuple[str, str], Counter[str]] = {}
    for canary in home.manifest["canaries"]:
        for place in canary["found_in"]:
            if place["path"].startswith(("../", "<tmp>")):
                continue
            for how in place["how"]:
                if kind := kind_of(how):
                    count = re.search(r"\((\d+)x\)", how)
                    key = canary["word"], place["path"].rstrip("/")
                    places.setdefault(key, Counter())[kind] += int(count[1]) if count else 1
    return places


@pytest.fixture(scope="module", params=["0.19", "0.22"])
def scanned(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[BuiltHome, Looked]:
    home = recorded_home(request.param, tmp_path_factory.mktemp("home"))
    before = fingerprints(home.root)
    words = [canary["word"] for canary in home.manifest["canaries"]]
    looked = look_at(home.root, *words, *ABSENT)
    assert fingerprints(home.root) == before
    return home, looked


def found_of(home: BuiltHome, looked: Looked) -> dict[tuple[str, str], Counter[str]]:
    words = [canary["word"] for canary in home.manifest["canaries"]]
    found: dict[tuple[str, str], Counter[str]] = {}
    for hit in looked.hits:
        assert hit.phrase < len(words), hit
        if hit.place.get("form") != "index":  # which no look at the bytes alone can see
            found.setdefault((words[hit.phrase], hit.file), Counter())[hit.how] += hit.count
    return found


def test_every_planted_word_is_found_in_every_place(scanned: tuple[BuiltHome, Looked]) -> None:
    home, looked = scanned
    found = found_of(home, looked)
    # An archive whose own bytes show the names of its members: those are what is reported.
    missing = [
        key
        for key in expected(home)
        if key not in found
        and not any(word == key[0] and name.startswith(f"{key[1]}!") for word, name in found)
    ]
    assert missing == []


def test_it_is_found_as_the_manifest_says(scanned: tuple[BuiltHome, Looked]) -> None:
    home, looked = scanned
    found = found_of(home, looked)
    for key, places in expected(home).items():
        if key in found and "json_escaped" not in places:
            assert sum(found[key].values()) == max(
                places["bytes"], places["free_page"] + places["slack"]
            ) + sum(places[kind] for kind in ("wal", "git", "file_name"))
            for kind in ("free_page", "slack", "wal", "git", "file_name"):
                assert found[key][kind] == places[kind], (key, kind)


def test_nothing_else_is_reported(scanned: tuple[BuiltHome, Looked]) -> None:
    home, looked = scanned
    assert set(found_of(home, looked)) <= set(expected(home))


def test_what_was_not_looked_into_is_said(scanned: tuple[BuiltHome, Looked]) -> None:
    _, looked = scanned
    assert looked.why == {"skills/linked": "link"}


def test_the_folder_may_be_named_by_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "about-velgeguvo53").mkdir()
    assert look_at(tmp_path, "velgeguvo53").found == {"about-velgeguvo53": {"file_name": 1}}
