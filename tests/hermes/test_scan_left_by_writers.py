"""Databases that a writer left as they are: nothing beside them may change, and every word is found."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb.hermes.scan import copy_process
from hermesweb.hermes.scan.asked import ScanFolder
from hermesweb.hermes.scan.events import Hit, NotChecked
from hermesweb.hermes.scan.scan import scan
from tests.home_builders import BuiltHome, fingerprints

Make = Callable[..., BuiltHome]


def scanned(
    folder: Path, scratch: Path, *phrases: str
) -> tuple[set[tuple[str, str, str, int]], set[NotChecked]]:
    scratch.mkdir()
    events = list(scan([ScanFolder(str(folder), "h/")], phrases, scratch=scratch))
    assert list(scratch.iterdir()) == []
    hits = {(hit.file, hit.where, hit.how, hit.phrase) for hit in events if isinstance(hit, Hit)}
    return hits, {event for event in events if isinstance(event, NotChecked)}


def test_rows_of_a_wal_without_an_index(make_home: Make, tmp_path: Path) -> None:
    home = make_home("--variant", "open-wal")
    (home.root / "state.db-shm").unlink()
    before = fingerprints(home.root)
    hits, missed = scanned(home.root, tmp_path / "scratch", "onlyinthewal", "kernel")
    assert {("h/state.db", "messages.content", "sql", 0), ("h/state.db-wal", "", "wal", 0)} <= hits
    assert ("h/state.db", "messages.content", "sql", 1) in hits
    assert {each.file for each in missed} & {"h/state.db", "h/state.db-wal"} == set()
    assert fingerprints(home.root) == before


def test_a_writer_that_died_in_the_middle(make_home: Make, tmp_path: Path) -> None:
    home = make_home("--variant", "hot-journal")
    before = fingerprints(home.root)
    hits, missed = scanned(home.root, tmp_path / "scratch", "kernel")
    assert ("h/state.db", "messages.content", "sql", 0) in hits
    assert "h/state.db" not in {each.file for each in missed}
    assert fingerprints(home.root) == before


def test_a_copy_needs_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "state.db").write_bytes(b"x")
    (tmp_path / "to").mkdir()
    monkeypatch.setattr(copy_process, "SPARE", 1 << 62)
    with pytest.raises(OSError, match="space") as full:
        copy_process.copy(tmp_path / "state.db", tmp_path / "to")
    assert full.value.errno == errno.ENOSPC


def test_a_link_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"x")
    (tmp_path / "state.db").symlink_to("other")
    (tmp_path / "to").mkdir()
    with pytest.raises(OSError):  # noqa: PT011 - the number differs by system
        copy_process.copy(tmp_path / "state.db", tmp_path / "to")


def test_a_database_that_is_not_named_like_one_is_asked_as_well(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("strange", "usual.db"):
        with closing(sqlite3.connect(home / name)) as connection:
            connection.execute("CREATE TABLE notes (words)")
            connection.execute("INSERT INTO notes VALUES ('velgeguvo53')")
            connection.commit()
    hits, missed = scanned(home, tmp_path / "scratch", "velgeguvo53")
    asked = {(file, where) for file, where, how, _ in hits if how == "sql"}
    assert asked == {("h/strange", "notes.words"), ("h/usual.db", "notes.words")}
    assert missed == set()
