"""The half of the scan that asks SQLite finds every planted word of the recorded homes, and changes nothing."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.home_builders import BuiltHome, fingerprints, recorded_home

Found = dict[tuple[str, str], dict[tuple[str, str], dict[str, Any]]]  # (word, file) → (where, how) → hit


def scanned(root: Path, phrases: list[str], **more: Any) -> list[dict[str, Any]]:
    """What a child process reports of one folder."""
    asked = {"folders": [{"path": str(root), "label": "", "skip": []}], "phrases": phrases, **more}
    command = [sys.executable, "-m", "hermesweb.hermes.scan.sql_process"]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    assert not done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1] == {"type": "end"}
    return [line for line in lines[:-1] if line["type"] != "progress"]


@pytest.fixture(scope="module", params=["0.19", "0.22"])
def searched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    home = recorded_home(request.param, tmp_path_factory.mktemp("home"))
    before = fingerprints(home.outer)
    words = [canary["word"] for canary in home.manifest["canaries"]]
    lines = scanned(home.root, [*words, "zqxnowhere"])
    assert fingerprints(home.outer) == before
    yield home, lines  # noqa: PT022


def by_word(home: BuiltHome, lines: list[dict[str, Any]]) -> Found:
    words = [canary["word"] for canary in home.manifest["canaries"]]
    found: Found = {}
    for line in lines:
        if line["type"] == "hit" and line["phrase"] < len(words):
            places = found.setdefault((words[line["phrase"]], line["file"]), {})
            places[line["where"], line["how"]] = line
    return found


def planted(home: BuiltHome, pattern: str) -> Iterator[tuple[str, str, re.Match[str]]]:
    """(word, file, match) of what the manifest says of files outside archives."""
    for canary in home.manifest["canaries"]:
        for place in canary["found_in"]:
            if "!" not in place["path"]:
                matches = (re.fullmatch(pattern, how) for how in place["how"])
                yield from ((canary["word"], place["path"], match) for match in matches if match)


def test_every_row_of_every_table_is_found(searched: Any) -> None:
    home, lines = searched
    found = by_word(home, lines)
    expected = list(planted(home, r"sql (\S+) \((\d+) rows.*\)"))
    assert len(expected) > 100
    missed = [
        (word, file, match[0])
        for word, file, match in expected
        if found.get((word, file), {}).get((match[1], "sql"), {}).get("count", 0) < int(match[2])
    ]
    assert missed == []


def test_rows_taken_back_or_summarised_are_told_apart(searched: Any) -> None:
    home, lines = searched
    found = by_word(home, lines)
    inactive = list(planted(home, r"sql messages\.content \(\d+ rows, active=0\)"))
    assert inactive
    for word, file, _ in inactive:
        place = found[word, file]["messages.content", "sql"]["place"]
        assert place.get("undone", 0) + place.get("compacted", 0) > 0


def test_every_term_of_every_index_is_found_live_or_left_over(searched: Any) -> None:
    home, lines = searched
    found = by_word(home, lines)
    expected = list(planted(home, r"fts term in (\S+) \((live|left over after delete), \S+\)"))
    assert any(match[2] != "live" for *_, match in expected)
    missed = [
        (word, file, match[0])
        for word, file, match in expected
        if (match[1], "index_live" if match[2] == "live" else "index_left_over")
        not in found.get((word, file), {})
    ]
    assert missed == []


def test_everything_could_be_looked_into_and_nothing_is_found_that_is_not_there(searched: Any) -> None:
    home, lines = searched
    assert [line for line in lines if line["type"] == "not_checked"] == []
    assert [line for line in lines if line["phrase"] == len(home.manifest["canaries"])] == []
    for word, file in by_word(home, lines):
        assert file in {place["path"] for place in canary_of(home, word)["found_in"]}


def canary_of(home: BuiltHome, word: str) -> Any:
    return next(canary for canary in home.manifest["canaries"] if canary["word"] == word)


def test_a_given_file_is_looked_into_whatever_its_name_and_a_skipped_one_is_not(tmp_path: Path) -> None:
    home = recorded_home("0.22", tmp_path)
    (home.root / "scratch.db").rename(home.root / "odd name")
    (word,) = {word for word, file, match in planted(home, r"sql notes\.t.*") if file == "scratch.db"}
    assert scanned(home.root, [word], files=[]) == []
    assert [line["file"] for line in scanned(home.root, [word], files=["odd name"])] == ["odd name"]
    folder = {"path": str(home.root), "label": "", "skip": ["state.db", "kanban.db"]}
    assert all(line["file"] not in folder["skip"] for line in scanned(home.root, ["the"], folders=[folder]))
