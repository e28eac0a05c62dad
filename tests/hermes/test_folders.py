"""Folders of a home, names of files, and files that only one process of ours may have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hermesweb.hermes.folders import (
    discard,
    discard_names,
    make_folders,
    remove_if_empty,
    remove_tree,
    rename_file,
)
from hermesweb.hermes.locks import Busy
from hermesweb.hermes.own import held_folder, owned
from hermesweb.hermes.writing import NotWritten, empty_file

HOLDER = (
    "import fcntl, os, sys; handle = os.open(sys.argv[1], os.O_RDONLY); fcntl.flock(handle, fcntl.LOCK_EX);"
    "print('held', flush=True); sys.stdin.readline()"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "home/a").mkdir(parents=True)
    (tmp_path / "home/a/file").write_text("text")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/keep").write_text("k")
    (tmp_path / "home/link").symlink_to(tmp_path / "out")
    return tmp_path / "home"


def why(work: object, *arguments: object, **named: object) -> str:
    with pytest.raises(NotWritten) as caught:
        work(*arguments, **named)  # type: ignore[operator]
    return caught.value.why


def test_make_folders(root: Path) -> None:
    make_folders(root / "a/b/c", root=root)
    make_folders(root / "a/b/c", root=root)
    assert (root / "a/b/c").stat().st_mode & 0o777 == 0o700
    assert why(make_folders, root / "link/x", root=root) == "link"
    assert why(make_folders, root.parent / "x", root=root) == "outside"
    assert why(make_folders, root / "a/file/x", root=root) == "not_a_folder"


def test_rename(root: Path) -> None:
    before = (root / "a/file").stat().st_mtime_ns
    assert rename_file(root / "a/file", "new", root=root) == root / "a/new"
    assert (root / "a/new").stat().st_mtime_ns == before
    (root / "a/file").write_text("other")
    assert why(rename_file, root / "a/file", "new", root=root) == "changed"
    assert why(rename_file, root / "a/gone", "x", root=root) == "missing"
    assert why(rename_file, root / "link", "x", root=root) == "not_a_file"
    assert (root / "a/new").read_text() == "text"


def test_discard(root: Path) -> None:
    os.mkfifo(root / "pipe")
    for name in ("pipe", "link", "a/file"):
        discard(root / name, root=root)
    assert (root.parent / "out/keep").exists()
    assert why(discard, root / "a", root=root) == "not_a_file"
    assert why(discard, root / "a/file", root=root) == "missing"


def test_remove_if_empty(root: Path) -> None:
    assert not remove_if_empty(root / "a", root=root)
    assert not remove_if_empty(root / "gone", root=root)
    (root / "a/file").unlink()
    assert remove_if_empty(root / "a", root=root)


def test_remove_tree(root: Path) -> None:
    (root / "a/b/c").mkdir(parents=True)
    (root / "a/b/c/x").write_text("x")
    (root / "a/b/l").symlink_to(root.parent / "out")
    remove_tree(root / "a", "file", root=root)
    assert not (root / "a").exists()
    assert (root.parent / "out/keep").exists()
    assert why(remove_tree, root / "link", "keep", root=root) == "link"
    assert (root.parent / "out/keep").exists()


def test_a_tree_too_deep_for_python(root: Path) -> None:
    here = os.open(root / "a", os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert why(remove_tree, root / "a", "file", root=root) in ("io", "missing", "full")
    assert (root / "a/file").exists()
    subprocess.run(["rm", "-rf", root / "a"], check=True)


def test_owned(root: Path) -> None:
    path = root / "a/file"
    with owned(path, root=root):
        with pytest.raises(Busy), owned(path, root=root):
            pass
        rename_file(path, "new", root=root)
        with pytest.raises(Busy), owned(root / "a/new", root=root):
            pass
    with owned(root / "a/new", root=root):
        pass
    assert why(owned(path, root=root).__enter__) == "missing"
    assert why(owned(root / "link", root=root).__enter__) == "not_a_file"


@pytest.mark.parametrize("name", ["a", "a/file"])
def test_the_owner_dies(root: Path, name: str) -> None:
    command = [sys.executable, "-c", HOLDER, str(root / name)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        taking = (
            held_folder(root / name, root=root, seconds=0) if name == "a" else owned(root / name, root=root)
        )
        with pytest.raises(Busy), taking:
            pass
        holder.kill()
    again = held_folder(root / name, root=root, seconds=0) if name == "a" else owned(root / name, root=root)
    with again:
        pass


def test_discard_names(root: Path) -> None:
    (root / "a/state.db").write_text("rows")
    (root / "a/inner").symlink_to(root / "link")
    (root / "a/sub").mkdir()
    names = ["file", "inner", "gone", "sub", "state.db"]
    assert discard_names(root / "a", names, root=root) == {"sub": "not_a_file", "state.db": "database"}
    assert {each.name for each in (root / "a").iterdir()} == {"state.db", "sub"}
    assert discard_names(root / "a", ["state.db"], root=root, database=True) == {}
    assert discard_names(root / "link", ["keep"], root=root) == {"keep": "link"}
    assert discard_names(root / "nowhere", ["keep"], root=root) == {}
    assert (root.parent / "out/keep").read_text() == "k"


def test_empty_file(root: Path) -> None:
    with (root / "a/file").open("a") as writer:
        empty_file(root / "a/file", root=root)
        writer.write("next")
    assert (root / "a/file").read_text() == "next"
    (root / "a/through").symlink_to(root.parent / "out/keep")
    assert why(empty_file, root / "a/through", root=root) == "link"
    assert why(empty_file, root / "a/gone", root=root) == "missing"
    assert why(empty_file, root / "a", root=root) == "not_a_file"
    assert (root.parent / "out/keep").read_text() == "k"
