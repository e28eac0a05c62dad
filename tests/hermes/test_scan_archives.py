import bz2
import errno
import gzip
import io
import lzma
import os
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from hermesweb.hermes.scan.asked import Limits, ScanFolder
from hermesweb.hermes.scan.children import PROJECT
from hermesweb.hermes.scan.events import Hit, NotChecked
from hermesweb.hermes.scan.excerpts import Excerpt, NoExcerpt, excerpt_of
from hermesweb.hermes.scan.needles import BadPhrase
from hermesweb.hermes.scan.scan import scan
from tests.scan_builders import look_at

WORD = "velgeguvo53"
TEXT = f"there was {WORD} once".encode()


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def tarred(**members: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


ARCHIVES = {
    "a.gz": (gzip.compress(TEXT), "a.gz!a"),
    "a.bz2": (bz2.compress(TEXT), "a.bz2!a"),
    "a.xz": (lzma.compress(TEXT), "a.xz!a"),
    "a.zip": (zipped(one=TEXT), "a.zip!one"),
    "b.zip": (zipped(inner=zipped(one=TEXT)), "b.zip!inner!one"),
    "a.tar": (tarred(one=TEXT), "a.tar!one"),
    "a.tar.gz": (gzip.compress(tarred(one=TEXT)), "a.tar.gz!one"),
    "a.tar.bz2": (bz2.compress(tarred(one=TEXT)), "a.tar.bz2!one"),
    "a.tar.xz": (lzma.compress(tarred(one=gzip.compress(TEXT))), "a.tar.xz!one!one"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_member_is_found(tmp_path: Path, name: str) -> None:
    content, member = ARCHIVES[name]
    (tmp_path / name).write_bytes(content)
    looked = look_at(tmp_path, WORD)
    assert (looked.found, looked.missed) == ({member: {"bytes": 1}}, [])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (gzip.compress(os.urandom(9_000))[:5_000], "damaged"),
        (tarred(one=bytes(9_000))[:4_000], "damaged"),
        (zipped(one=bytes(9_000))[:60], "damaged"),
        (b"7z\xbc\xaf\x27\x1c and more", "unknown_format"),
        (b"\x28\xb5\x2f\xfd and more", "unknown_format"),
        (gzip.compress(gzip.compress(gzip.compress(gzip.compress(TEXT)))), "too_deep"),
        (gzip.compress(bytes(30 << 20)), "too_large"),
    ],
    # Of the content they would be others in each process: a zip has a time in it.
    ids=["gzip", "tar", "zip", "7z", "zstd", "gzip in gzip", "much"],
)
def test_what_cannot_be_unpacked_is_said(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "odd").write_bytes(content)
    looked = look_at(tmp_path, WORD, limits=Limits(depth=3, member=20 << 20))
    assert set(looked.why.values()) == {why}


def test_an_encrypted_member_is_said(tmp_path: Path) -> None:
    content = bytearray(zipped(one=TEXT, two=b"something else"))
    content[content.find(b"PK\x01\x02") + 8] |= 1
    (tmp_path / "a.zip").write_bytes(content)
    assert look_at(tmp_path, WORD).why == {"a.zip!one": "encrypted"}


def test_no_link_is_followed_and_nothing_waited_for(tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(TEXT)
    home = tmp_path / "home"
    home.mkdir()
    (home / "link").symlink_to(tmp_path / "outside")
    (home / "loop").symlink_to(home)
    os.mkfifo(home / "pipe")
    looked = look_at(home, WORD)
    assert (looked.hits, looked.why) == ([], {"link": "link", "loop": "link", "pipe": "special"})


def test_an_object_that_nothing_leads_to_is_found_in_a_pack(tmp_path: Path) -> None:
    def git(*words: str, content: bytes = b"") -> str:
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words]
        return (
            subprocess.run(command, cwd=tmp_path, input=content, capture_output=True, check=True)
            .stdout.decode()
            .strip()
        )

    git("init", "-q")
    lone = git("hash-object", "-w", "--stdin", content=TEXT)
    packed = git("hash-object", "-w", "--stdin", content=b"packed " + TEXT)
    name = git("pack-objects", "-q", ".git/objects/pack/pack", content=packed.encode())
    (tmp_path / f".git/objects/{packed[:2]}/{packed[2:]}").unlink()
    hits = look_at(tmp_path, WORD).hits
    assert {(hit.file, hit.where, hit.how) for hit in hits} == {
        (f".git/objects/{lone[:2]}/{lone[2:]}", lone, "git"),
        (f".git/objects/pack/pack-{name}.pack", packed, "git"),
    }


def packed(folder: Path) -> tuple[str, bytes]:
    """The id of an object with WORD, and a pack with it."""

    def git(*words: str, content: bytes) -> bytes:
        return subprocess.run(
            ["git", *words], cwd=folder, input=content, capture_output=True, check=True
        ).stdout

    git("init", "-q", content=b"")
    identity = git("hash-object", "-w", "--stdin", content=TEXT * 9)
    return identity.decode().strip(), git("pack-objects", "-q", "--stdout", content=identity)


@pytest.mark.parametrize(
    ("name", "wrapped"),
    [
        ("p.pack", lambda pack: pack),
        ("home/objects/pack/tmp_pack_x", lambda pack: pack),
        ("p.bundle", lambda pack: b"# v2 git bundle\n" + b"0" * 40 + b" refs/heads/x\n\n" + pack),
        ("a.zip", lambda pack: zipped(**{".git/objects/pack/pack-1.pack": pack})),
        ("a.tgz", lambda pack: gzip.compress(tarred(one=pack))),
    ],
)
def test_a_pack_outside_a_store_is_looked_into(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str, wrapped: Callable[[bytes], bytes]
) -> None:
    identity, pack = packed(tmp_path_factory.mktemp("git"))
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_bytes(wrapped(pack))
    looked = look_at(tmp_path, WORD)
    assert [(hit.where, hit.how, hit.count) for hit in looked.hits] == [(identity, "git", 9)]
    assert looked.missed == []
    (tmp_path / name).write_bytes(wrapped(pack[:40] + b"x" + pack[41:]))
    assert set(look_at(tmp_path, WORD).why.values()) == {"damaged"}


def test_without_git_stores_and_packs_are_not_checked(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, pack = packed(tmp_path)
    (tmp_path / "p.pack").write_bytes(pack)
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("nothing")))
    assert look_at(tmp_path, WORD).why == {".git/objects": "no_git", "p.pack": "no_git"}


def test_a_zip_may_begin_with_something_else(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_bytes(b"#!/bin/sh\n" + zipped(one=TEXT * 9))
    assert look_at(tmp_path, WORD).found == {"a.run!one": {"bytes": 9}}


@pytest.mark.parametrize("order", [(".db", ".db-wal"), (".db-wal", ".db")])
def test_rows_in_the_wal_of_a_database_in_an_archive(tmp_path: Path, order: tuple[str, ...]) -> None:
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE said (text)")
        connection.execute("INSERT INTO said VALUES (?)", (WORD,))
        members = {f"a{end}": (tmp_path / f"a{end}").read_bytes() for end in order}
    (home / "a.tar").write_bytes(tarred(**members))
    hits = [each for each in scan([ScanFolder(str(home))], [WORD], scratch=scratch) if isinstance(each, Hit)]
    assert {(hit.file, hit.how) for hit in hits} == {("a.tar!a.db-wal", "wal"), ("a.tar!a.db", "sql")}


def test_a_journal_beside_a_database_in_an_archive_is_rolled_back(tmp_path: Path) -> None:
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE said (text)")
        connection.executemany("INSERT INTO said VALUES (?)", [(WORD,)] * 900)
        connection.execute("PRAGMA cache_size=1")
        connection.execute("PRAGMA cache_spill=1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE said SET text = 'nothing'")
        members = {f"a{end}": (tmp_path / f"a{end}").read_bytes() for end in (".db", ".db-journal")}
        connection.execute("ROLLBACK")
    (home / "a.zip").write_bytes(zipped(**members))
    events = list(scan([ScanFolder(str(home))], [WORD], scratch=scratch))
    counts = {event.file: event.count for event in events if isinstance(event, Hit) and event.how == "sql"}
    assert counts == {"a.zip!a.db": 900}
    assert not [event for event in events if isinstance(event, NotChecked)]


def test_the_frame_reports_and_leaves_nothing(tmp_path: Path) -> None:
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    (home / "a.zip").write_bytes(zipped(one=TEXT))
    events = list(scan([ScanFolder(str(home), "x/")], [WORD], scratch=scratch))
    hits = [event for event in events if isinstance(event, Hit)]
    assert [(hit.file, hit.how) for hit in hits] == [("x/a.zip!one", "bytes")]
    assert not [event for event in events if isinstance(event, NotChecked)]
    assert list(scratch.iterdir()) == []
    excerpt = excerpt_of(ScanFolder(str(home), "x/"), hits[0], WORD, characters=4, scratch=scratch)
    assert excerpt == Excerpt("was ", WORD, " onc")
    (home / "a.zip").unlink()
    with pytest.raises(NoExcerpt) as gone:
        excerpt_of(ScanFolder(str(home), "x/"), hits[0], WORD)
    assert gone.value.why == "gone"


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.zip").write_bytes(zipped(inner=zipped(one=TEXT), two=TEXT))

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("hermesweb.hermes.scan.archives.tempfile.SpooledTemporaryFile", full)
    looked = look_at(tmp_path, WORD)
    assert (looked.found, looked.why) == ({"a.zip!two": {"bytes": 1}}, {"a.zip!inner": "no_space"})


def test_the_processes_end_with_who_started_them(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(8 << 30)
    code = (
        "from hermesweb.hermes.scan.scan import scan, ScanFolder\n"
        f"for event in scan([ScanFolder({str(tmp_path)!r})], ['{WORD}']): print('begun', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        parent.stdout.readline()
        children = psutil.Process(parent.pid).children()
        parent.kill()
    assert children
    assert not psutil.wait_procs(children, timeout=20)[1]


def test_a_scan_can_be_stopped(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(TEXT)
    assert list(scan([ScanFolder(str(tmp_path))], [WORD], stop=lambda: True)) == []


def test_a_phrase_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(BadPhrase):
        scan([ScanFolder(str(tmp_path))], ["x"])
