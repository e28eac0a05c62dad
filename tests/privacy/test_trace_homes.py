"""A trace of the homes that real releases wrote: every planted word in every place inside, and nothing is changed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hermesweb.hermes.homes import home_at, list_profiles
from hermesweb.privacy.trace import Trace, trace_several
from tests.home_builders import BuiltHome, fingerprints, recorded_home

ABSENT = ("zqxnowhere", "velnowhere99 and more")
# How the manifest says that something was found, and how we say it. Bytes that two ways of looking call by different
# names (a freed page of an older writer) only have to be found in that file.
HOW = [
    (r"sql (\S+) \(.*\)", lambda found, match: found.how == "sql" and found.where == match[1]),
    (r"fts term in (\S+) \(live.*\)", lambda found, match: found.how == "index_live" and found.where == match[1]),
    (r"fts term in (\S+) \(left over.*\)", lambda found, match: found.how == "index_left_over"),
    (r"bytes .*", lambda found, match: found.how in ("bytes", "wal", "free_page", "slack", "normalised", "file_name")),
    (r".*name.*", lambda found, match: found.how in ("file_name", "bytes", "git")),
]  # fmt: skip


@pytest.fixture(scope="module", params=["0.19", "0.22"])
def traced(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The home and what a trace of all its words found, by word."""
    home = recorded_home(request.param, tmp_path_factory.mktemp("home"))
    words = [each["word"] for each in home.manifest["canaries"]]
    before = fingerprints(home.outer)
    found = trace_several(list_profiles(home_at(home.root)), (*words, *ABSENT))
    assert fingerprints(home.outer) == before, "the trace changed something"
    yield home, dict(zip((*words, *ABSENT), found, strict=True))  # noqa: PT022


def planted(home: BuiltHome) -> Iterator[tuple[str, str, list[str]]]:
    """Word, file and ways of every place inside the home."""
    for canary in home.manifest["canaries"]:
        for place in canary["found_in"]:
            if not place["path"].startswith(("../", "<")):
                yield canary["word"], place["path"].rstrip("/"), place["how"]


def test_every_word_is_found_in_every_place_in_the_way_the_manifest_says(traced: Any) -> None:
    home, found = traced
    missed = []
    for word, path, ways in planted(home):
        there = [each for each in found[word].found if each.file.rstrip("/") == path]
        for way in ways:
            fits = next(((fit, m) for pattern, fit in HOW if (m := re.fullmatch(pattern, way))), None)
            if not any(fits is None or fits[0](each, fits[1]) for each in there):
                missed.append((word, path, way))
    assert missed == []


def test_nothing_is_found_anywhere_else(traced: Any) -> None:
    home, found = traced
    places = {(word, path) for word, path, _ in planted(home)}
    more = {(word, each.file.rstrip("/")) for word, one in found.items() for each in one.found} - places
    assert {file for _word, file in more if "!" not in file} == set()
    assert all(found[word].found == () for word in ABSENT)


def test_what_could_not_be_looked_into_is_named(traced: Any) -> None:
    _, found = traced
    trace: Trace = found[ABSENT[0]]
    assert (trace.not_checked, trace.links) == ((), ("skills/linked",))
    assert trace.exit_code == 1


def test_each_file_is_of_a_profile_and_of_a_store(traced: Any) -> None:
    home, found = traced
    stores = {}
    for one in found.values():
        for each in one.found:
            assert (each.profile == "office") == each.file.startswith("profiles/office/")
            stores[Path(each.file.partition("!")[0])] = each.store
    unknown = {str(path) for path, store in stores.items() if store == "unknown"}
    assert unknown <= set(home.manifest["unknown_files"])
    assert stores[Path("state.db")] == stores[Path("profiles/office/state.db")] == "state-db"
