import os
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import list_names, look_at, read_file
from tests.kernel_builders import NOBODY, as_nobody, write


def why(path: Path, root: Path, limit: int = 1_000) -> str:
    with pytest.raises(Unreadable) as caught:
        read_file(path, root=root, limit=limit)
    assert caught.value.path == path or caught.value.why == "link"
    return caught.value.why


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "home", {"memories/MEMORY.md": "tea", "config.yaml": "a: 1"})


def test_it_works(root: Path) -> None:
    assert read_file(root / "memories/MEMORY.md", root=root, limit=3) == b"tea"
    assert read_file(root / "memories/MEMORY.md", root=root / "memories", limit=3) == b"tea"


def test_nothing_changes(root: Path) -> None:
    path = root / "memories/MEMORY.md"
    before = path.stat().st_mtime_ns, path.parent.stat().st_mtime_ns, path.stat().st_mode
    read_file(path, root=root, limit=3)
    list_names(path.parent, root=root)
    assert (path.stat().st_mtime_ns, path.parent.stat().st_mtime_ns, path.stat().st_mode) == before
    assert path.read_bytes() == b"tea"


def test_spaces_umlauts_newline(tmp_path: Path) -> None:
    root = write(tmp_path / "Mein Büro\nzwei", {"memories/MEMORY.md": "tea"})
    assert read_file(root / "memories/MEMORY.md", root=root, limit=9) == b"tea"


def test_root_behind_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    linked = tmp_path / "link"
    assert read_file(linked / "config.yaml", root=linked, limit=9) == b"a: 1"


@pytest.mark.parametrize(
    "name", ["nothing", "memories/nothing", "nothing/at/all", "x" * 5_000, "a\0b", "\ud800"]
)
def test_missing(root: Path, name: str) -> None:
    assert why(root / name, root) == "missing"


def test_missing_root(tmp_path: Path) -> None:
    assert why(tmp_path / "gone/config.yaml", tmp_path / "gone") == "missing"


def test_folder_is_no_file(root: Path) -> None:
    assert why(root / "memories", root) == "not_a_file"
    assert why(root, root) == "not_a_file"
    assert why(root / "config.yaml/x", root) == "not_a_folder"


def test_pipe_does_not_block(root: Path) -> None:
    os.mkfifo(root / "memories/USER.md")
    assert why(root / "memories/USER.md", root) == "not_a_file"


def test_socket(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("USER.md")
        assert why(root / "USER.md", root) == "not_a_file"


def test_device(root: Path) -> None:
    os.mknod(root / "USER.md", 0o600 | 0o020000, os.makedev(1, 5))  # /dev/zero
    assert why(root / "USER.md", root) == "not_a_file"


def test_links(root: Path, tmp_path: Path) -> None:
    write(tmp_path, {"outside/secret": "s"})
    (root / "out").symlink_to(tmp_path / "outside/secret")
    (root / "folder").symlink_to(tmp_path / "outside")
    (root / "inside").symlink_to(root / "config.yaml")
    (root / "loop").symlink_to("loop")
    (root / "dangling").symlink_to("nothing")
    for name in ("out", "folder/secret", "inside", "loop", "loop/x", "dangling"):
        assert why(root / name, root) == "link", name
    with pytest.raises(Unreadable, match="link"):
        list_names(root / "folder", root=root)


def test_the_link_is_named(root: Path, tmp_path: Path) -> None:
    (root / "sessions").symlink_to(tmp_path)
    with pytest.raises(Unreadable) as caught:
        read_file(root / "sessions/a/b", root=root, limit=9)
    assert caught.value.path == root / "sessions"


@pytest.mark.parametrize("name", ["../outside", "memories/../../outside", "memories/.."])
def test_outside(root: Path, name: str) -> None:
    assert why(root / name, root) == "outside"
    assert why(Path("/etc/passwd"), root) == "outside"


@pytest.mark.parametrize("name", ["state.db", "state.db-wal", "state.db-shm", "state.db-journal"])
def test_database_is_never_opened(root: Path, name: str) -> None:
    (root / name).write_bytes(b"x")
    assert why(root / name, root) == "database"
    assert look_at(root / name, root=root).st_size == 1


def test_too_large(root: Path) -> None:
    with (root / "big").open("wb") as file:
        file.truncate(10_000_000_000)
    with pytest.raises(Unreadable) as caught:
        read_file(root / "big", root=root, limit=1_000)
    assert (caught.value.why, caught.value.size) == ("too_large", 10_000_000_000)


def test_file_without_a_size_is_still_bounded() -> None:
    assert Path("/proc/self/status").stat().st_size == 0
    assert why(Path("/proc/self/status"), Path("/proc/self"), limit=10) == "too_large"


def test_permission(root: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for folder in tmp_path.parents:
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    (root / "memories").chmod(0o700)
    (root / "config.yaml").chmod(0o600)
    assert os.geteuid() != NOBODY
    code = """
        root = Path(sys.argv[1])
        for name in ("memories/MEMORY.md", "config.yaml"):
            try:
                open(root / name)
            except PermissionError:
                print("really")
            try:
                files.read_file(root / name, root=root, limit=99)
            except errors.Unreadable as error:
                print(error.why)
    """
    assert as_nobody(code, root).split() == ["really", "permission"] * 2


def test_error_of_the_disk(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "open", fails)
    assert why(root / "config.yaml", root) == "io"


def test_names(root: Path) -> None:
    assert list_names(root, root=root) == ["config.yaml", "memories"]
    with pytest.raises(Unreadable, match="too_large"):
        list_names(root, root=root, limit=1)
    with pytest.raises(Unreadable, match="not_a_folder"):
        list_names(root / "config.yaml", root=root)
    with pytest.raises(Unreadable, match="missing"):
        list_names(root / "nothing", root=root)


def test_no_handle_is_left_open(root: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for name in ("config.yaml", "memories/MEMORY.md", "nothing/x", "memories"):
        with suppress(Unreadable):
            read_file(root / name, root=root, limit=1_000)
    list_names(root, root=root)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=20), max_size=6))
def test_no_path_is_an_accident(root: Path, parts: list[str]) -> None:
    """Whatever the path: the bytes of a file below the root, or Unreadable."""
    path = root.joinpath(*parts)
    try:
        read_file(path, root=root, limit=1_000)
    except Unreadable:
        return
    assert path.resolve().is_relative_to(root.resolve())
