import errno
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from hermesweb.hermes import writing
from hermesweb.hermes.writing import (
    NotWritten,
    Step,
    make_folder,
    remove_file,
    remove_leftovers,
    replace_file,
)
from tests.kernel_builders import NOBODY, write
from tests.memory_write_builders import in_python, state


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "home", {"memories/MEMORY.md": "old"})


@pytest.fixture
def path(root: Path) -> Path:
    return root / "memories/MEMORY.md"


def why(work: Callable[[], None]) -> str:
    with pytest.raises(NotWritten) as caught:
        work()
    return caught.value.why


def test_it_works(path: Path, root: Path) -> None:
    replace_file(path, b"new", root=root)
    assert path.read_bytes() == b"new"
    assert [each.name for each in path.parent.iterdir()] == ["MEMORY.md"]


def test_every_step_is_told_in_order(path: Path, root: Path) -> None:
    steps: list[Step] = []
    replace_file(path, b"new", root=root, watch=steps.append)
    assert tuple(steps) == get_args(Step)


def test_the_disk_has_it_before_it_is_the_file(
    path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is synced, in which order: the content under its temporary name, then the name in the folder."""
    real, synced = os.fsync, []

    def fsync(handle: int) -> None:
        about = Path(os.readlink(f"/proc/self/fd/{handle}"))  # noqa: PTH115
        synced.append((about.suffix, path.read_bytes()))
        real(handle)

    monkeypatch.setattr(writing.os, "fsync", fsync)
    replace_file(path, b"new", root=root)
    assert synced == [(".tmp", b"old"), ("", b"new")]


def test_a_new_file_is_private_and_belongs_to_who_owns_the_folder(root: Path) -> None:
    os.chown(root / "memories", NOBODY, NOBODY)
    replace_file(root / "memories/USER.md", b"new", root=root)
    status = (root / "memories/USER.md").stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (NOBODY, NOBODY, 0o600)


def test_mode_owner_and_attributes_stay(path: Path, root: Path) -> None:
    path.chmod(0o640)
    os.chown(path, NOBODY, 12)
    os.setxattr(path, "user.label", b"private")
    replace_file(path, b"new", root=root)
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (NOBODY, 12, 0o640)
    assert os.getxattr(path, "user.label") == b"private"


@pytest.mark.parametrize("step", get_args(Step)[:-2])
def test_an_error_on_the_way_leaves_nothing(path: Path, root: Path, step: Step) -> None:
    def fail(reached: Step) -> None:
        if reached == step:
            raise OSError(28, "no space left")

    before = state(root)
    assert why(lambda: replace_file(path, b"new", root=root, watch=fail)) == "full"
    assert state(root) == before


def test_a_full_disk(path: Path, root: Path) -> None:
    """The first part of the content still fits."""
    before = state(root)
    done = in_python(
        "import resource, sys; from pathlib import Path\n"
        "from hermesweb.hermes.writing import NotWritten, replace_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try: replace_file(Path(sys.argv[1]), b'x' * 200, root=Path(sys.argv[2]))\n"
        "except NotWritten as error: print(error.why)",
        path,
        root,
    )
    assert done.stdout == "full\n", done.stderr
    assert state(root) == before
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_read_only_folder(path: Path, root: Path) -> None:
    """Tried as its owner: root may write everywhere."""
    for each in (path.parent, path):
        os.chown(each, NOBODY, NOBODY)
    path.parent.chmod(0o555)
    before = state(root)
    done = in_python(
        "import os, sys; from pathlib import Path\n"
        "from hermesweb.hermes.writing import NotWritten, make_folder, remove_file, replace_file\n"
        "os.chdir(sys.argv[1]); os.setgid(65534); os.setuid(65534); root = Path('.')\n"
        "path = root / 'memories/MEMORY.md'\n"
        "try: path.unlink(); print('removed')\n"
        "except PermissionError: pass\n"
        "for work in (lambda: replace_file(path, b'new', root=root), lambda: remove_file(path, root=root),\n"
        "             lambda: make_folder(root / 'memories/more', root=root)):\n"
        "    try: work()\n"
        "    except NotWritten as error: print(error.why)",
        root,
    )
    assert done.stdout == "permission\n" * 3, done.stderr
    assert state(root) == before


def test_somebody_else_writes_nothing_that_hermes_could_not_read(path: Path, root: Path) -> None:
    path.parent.chmod(0o777)
    path.chmod(0o666)
    done = in_python(
        "import os, sys; from pathlib import Path\n"
        "from hermesweb.hermes.writing import NotWritten, make_folder, replace_file\n"
        "os.chdir(sys.argv[1]); os.setgid(65534); os.setuid(65534); root = Path('.')\n"
        "for work in (lambda: replace_file(root / 'memories/MEMORY.md', b'new', root=root),\n"
        "             lambda: replace_file(root / 'memories/USER.md', b'new', root=root),\n"
        "             lambda: make_folder(root / 'memories/more', root=root)):\n"
        "    try: work()\n"
        "    except NotWritten as error: print(error.why)",
        root,
    )
    assert done.stdout == "foreign_owner\n" * 3, done.stderr
    assert [each.name for each in path.parent.iterdir()] == ["MEMORY.md"]
    assert path.read_bytes() == b"old"


def test_links_are_not_followed(path: Path, root: Path, tmp_path: Path) -> None:
    victim = write(tmp_path, {"outside/MEMORY.md": "precious"}) / "outside/MEMORY.md"
    (root / "linked").symlink_to(victim.parent)
    path.unlink()
    path.symlink_to(victim)
    assert why(lambda: replace_file(path, b"new", root=root)) == "link"
    assert why(lambda: remove_file(path, root=root)) == "link"
    assert why(lambda: replace_file(root / "linked/MEMORY.md", b"new", root=root)) == "link"
    assert why(lambda: make_folder(root / "linked/more", root=root)) == "link"
    assert victim.read_text() == "precious"
    assert path.is_symlink()
    assert [each.name for each in victim.parent.iterdir()] == ["MEMORY.md"]


def test_places_that_are_not_for_us(root: Path, tmp_path: Path) -> None:
    assert why(lambda: replace_file(tmp_path / "x", b"", root=root)) == "outside"
    assert why(lambda: replace_file(root / "../x", b"", root=root)) == "outside"
    assert why(lambda: replace_file(root / "none/x", b"", root=root)) == "missing"
    assert why(lambda: replace_file(root / "a\0b", b"", root=root)) == "missing"
    assert why(lambda: replace_file(root / "memories", b"", root=root)) == "not_a_file"
    assert why(lambda: replace_file(root / "memories/MEMORY.md/x", b"", root=root)) == "not_a_folder"
    for name in ("state.db", "state.db-wal"):
        write(root, {name: "SQLite"})
        assert why(lambda name=name: replace_file(root / name, b"", root=root)) == "database"  # type: ignore[misc]
        assert why(lambda name=name: remove_file(root / name, root=root)) == "database"  # type: ignore[misc]


def test_a_pipe(path: Path, root: Path) -> None:
    path.unlink()
    os.mkfifo(path)
    assert why(lambda: replace_file(path, b"new", root=root)) == "not_a_file"
    assert why(lambda: remove_file(path, root=root)) == "not_a_file"


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.EBUSY, "mounted"),
        (errno.EROFS, "read_only"),
        (errno.EPERM, "permission"),
        (errno.EDQUOT, "full"),
    ],
)
def test_what_the_system_says(
    path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, number: int, expected: str
) -> None:
    """Containers mount single files: those are busy. Hermes writes into them in place, which is never atomic."""

    def rename(*_: object, **__: object) -> None:
        raise OSError(number, "no")

    before = state(root)
    monkeypatch.setattr(writing.os, "rename", rename)
    assert why(lambda: replace_file(path, b"new", root=root)) == expected
    assert state(root) == before


def test_remove(path: Path, root: Path) -> None:
    remove_file(path, root=root)
    assert list(path.parent.iterdir()) == []
    assert why(lambda: remove_file(path, root=root)) == "missing"


def test_remove_asks_first(path: Path, root: Path) -> None:
    assert why(lambda: remove_file(path, root=root, unless=lambda status: status.st_size == 3)) == "changed"
    assert path.read_bytes() == b"old"
    remove_file(path, root=root, unless=lambda status: status.st_size != 3)


def test_make_folder(root: Path) -> None:
    os.chown(root, NOBODY, NOBODY)
    make_folder(root / "new", root=root)
    make_folder(root / "new", root=root)
    status = (root / "new").stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (NOBODY, NOBODY, 0o700)


def test_only_our_leftovers_of_that_file_go(path: Path, root: Path) -> None:
    ours = ".mem_hermesweb_MEMORY.md_0011.tmp"
    others = [".mem_abc123.tmp", ".mem_hermesweb_USER.md_0011.tmp", "MEMORY.md.bak.1"]
    write(path.parent, dict.fromkeys([ours, *others], "text"))
    remove_leftovers(path, root=root)
    assert {each.name for each in path.parent.iterdir()} == {"MEMORY.md", *others}


def test_network_file_systems(path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some cannot sync a folder."""
    real = os.fsync

    def fsync(handle: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{handle}"):  # noqa: PTH112
            raise OSError(22, "invalid argument")
        real(handle)

    monkeypatch.setattr(writing.os, "fsync", fsync)
    replace_file(path, b"new", root=root)
    assert path.read_bytes() == b"new"
