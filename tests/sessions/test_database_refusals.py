"""A state.db that cannot be read says why, at once, and is left as it was. Cases C19 (d, e), C20 (b, c)."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sessions.database import open_state, read_state
from sessions.errors import (
    StateDamaged,
    StateEmpty,
    StateError,
    StateMissing,
    StateNeedsCopy,
    StateNotDatabase,
    StateUnreadable,
)
from sessions.queries import count, latest
from tests.home_builders import BuiltHome, fingerprints, side_files
from tests.state_builders import (
    add_session,
    connect,
    held_by_another,
    old_state,
    run_unprivileged,
)


def refusal(folder: Path) -> StateError:
    """The error of reading, after a look that nothing in the folder changed."""
    before = fingerprints(folder)
    with pytest.raises(StateError) as caught:
        read_state(folder, count)
    assert fingerprints(folder) == before
    return caught.value


def test_no_file(tmp_path: Path) -> None:
    assert type(refusal(tmp_path)) is StateMissing


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StateMissing):
        read_state(tmp_path / "nowhere", count)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    ("variant", "kind"),
    [("zero-length", StateEmpty), ("not-a-db", StateNotDatabase), ("truncated", StateDamaged)],
)
def test_broken_files(make_home: Callable[..., BuiltHome], variant: str, kind: type[StateError]) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--variant", variant)
    error = refusal(home.root)
    assert type(error) is kind
    if isinstance(error, StateDamaged):
        assert error.message == "database disk image is malformed"
        assert error.code == "SQLITE_CORRUPT"


def test_an_empty_file_keeps_its_wal(tmp_path: Path) -> None:
    (tmp_path / "state.db").touch()
    (tmp_path / "state.db-wal").write_bytes(b"rows")  # SQLite would delete it
    assert type(refusal(tmp_path)) is StateEmpty


def test_a_dead_writers_journal_needs_a_copy(make_home: Callable[..., BuiltHome]) -> None:
    error = refusal(make_home("--profiles", "0", "--no-oracle", "--variant", "hot-journal").root)
    assert isinstance(error, StateNeedsCopy)
    assert error.why == "hot_journal"


def test_a_wal_without_its_index_needs_a_copy(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home("--profiles", "0", "--no-oracle", "--variant", "open-wal")
    (home.root / "state.db-shm").unlink()
    error = refusal(home.root)
    assert isinstance(error, StateNeedsCopy)
    assert error.why == "wal_without_index"


def test_an_empty_wal_without_an_index_is_no_obstacle(tmp_path: Path) -> None:
    add_session(old_state(tmp_path), "s1")
    (tmp_path / "state.db-wal").touch()
    assert read_state(tmp_path, count).sessions == 1
    assert side_files(tmp_path) == {"state.db", "state.db-wal"}


@pytest.mark.parametrize("name", ["state.db", "state.db-wal", "state.db-shm", "state.db-journal"])
@pytest.mark.parametrize("kind", ["fifo", "folder", "link", "loop"])
def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path, name: str, kind: str) -> None:
    home, outside = old_state(tmp_path / "home"), old_state(tmp_path / "outside")
    path = home / name
    path.unlink(missing_ok=True)
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path if kind == "loop" else outside / "state.db")
    before = os.lstat(path)
    with pytest.raises(StateUnreadable) as caught:
        read_state(home, count)
    assert caught.value.why == ("link" if kind in ("link", "loop") else "not_a_file")
    assert os.lstat(path).st_mtime_ns == before.st_mtime_ns


def test_a_damaged_page_of_the_index_leaves_the_rest(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home("--profiles", "0", "--no-oracle")
    destroy_pages(home.root, "messages_fts_data")
    counts = read_state(home.root, count)
    assert counts.messages == home.facts()["facts"]["messages"]
    assert not counts.damaged
    assert len(read_state(home.root, latest)) == 10


def test_damaged_pages_of_messages_leave_what_can_be_read(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home("--profiles", "0", "--no-oracle")
    destroy_pages(home.root, "messages")
    before = fingerprints(home.root)
    counts = read_state(home.root, count)
    assert counts.sessions == home.facts()["facts"]["sessions"]
    rows = read_state(home.root, lambda db: latest(db, 50))
    assert len(rows) == 50
    assert any(row.damaged and row.preview == "" for row in rows)
    assert fingerprints(home.root) == before


def test_damaged_pages_of_sessions_are_an_error_with_a_name(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home("--profiles", "0", "--no-oracle")
    destroy_pages(home.root, "sessions")
    with pytest.raises(StateDamaged):
        read_state(home.root, latest)
    counts = read_state(home.root, count)
    assert counts.damaged
    assert counts.messages == home.facts()["facts"]["messages"]


def test_a_database_of_something_else_is_empty(tmp_path: Path) -> None:
    with closing(connect(tmp_path)) as connection:
        connection.execute("CREATE TABLE recipes(x)")
    counts = read_state(tmp_path, count)
    assert (counts.sessions, counts.messages, counts.oldest) == (0, 0, None)
    assert read_state(tmp_path, latest) == []
    assert read_state(tmp_path, lambda db: db.schema_version) is None


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that other users can reach; pytest's own are private."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


READ = "print(read_state(Path(sys.argv[1]), count).sessions)"
REFUSED = f"try: {READ}\nexcept StateError as error: print(type(error).__name__, getattr(error, 'why', ''))"


def test_a_file_of_another_user(shared_folder: Path) -> None:
    add_session(old_state(shared_folder), "s1")
    (shared_folder / "state.db").chmod(0)
    opens = "try: open(sys.argv[1] + '/state.db')\nexcept PermissionError: print('refused')"
    assert run_unprivileged(opens, str(shared_folder)) == "refused"
    assert run_unprivileged(REFUSED, str(shared_folder)) == "StateUnreadable permission"


def test_a_journal_of_another_user(shared_folder: Path) -> None:
    add_session(old_state(shared_folder), "s1")
    with closing(connect(shared_folder)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
    with held_by_another(shared_folder, "BEGIN IMMEDIATE", "DELETE FROM sessions"):
        pass
    (shared_folder / "state.db-journal").chmod(0)
    assert run_unprivileged(REFUSED, str(shared_folder)) == "StateNeedsCopy hot_journal"
    (shared_folder / "target").mkdir()
    (shared_folder / "target").chmod(0o777)
    copy = "work_copy_process.main(Path(sys.argv[1], 'state.db'), Path(sys.argv[1], 'target', 'state.db'))"
    assert run_unprivileged(copy, str(shared_folder)).endswith('{"end": "permission"}')


def test_a_folder_of_another_user(shared_folder: Path) -> None:
    add_session(old_state(shared_folder / "home"), "s1")
    (shared_folder / "home").chmod(0)
    lists = "try: os.listdir(sys.argv[1])\nexcept PermissionError: print('refused')"
    assert run_unprivileged(lists, str(shared_folder / "home")) == "refused"
    assert run_unprivileged(REFUSED, str(shared_folder / "home")) == "StateUnreadable permission"
    (shared_folder / "home").chmod(0o755)


WRITES = "try: open(sys.argv[1] + '/probe', 'w')\nexcept PermissionError: print('refused')"


def test_a_folder_that_may_not_be_written(shared_folder: Path) -> None:
    add_session(old_state(shared_folder), "s1")
    shared_folder.chmod(0o555)
    assert run_unprivileged(WRITES, str(shared_folder)) == "refused"
    assert run_unprivileged(READ, str(shared_folder)) == "1"


@pytest.mark.parametrize("writer", ["alive", "dead"])
def test_a_wal_in_a_folder_that_may_not_be_written(shared_folder: Path, writer: str) -> None:
    old_state(shared_folder)
    insert = "INSERT INTO sessions(id, source, started_at) VALUES('s1', 'cli', 1)"
    with held_by_another(shared_folder, insert, "SELECT * FROM sessions"):
        if writer == "dead":
            shutil.copytree(shared_folder, shared_folder / "kept")
        home = shared_folder / "kept" if writer == "dead" else shared_folder
        for path in home.glob("state.db*"):
            path.chmod(0o444)
        home.chmod(0o555)
        assert run_unprivileged(WRITES, str(home)) == "refused"
        before = fingerprints(home)
        assert run_unprivileged(READ, str(home)) == "1"
        assert fingerprints(home) == before
        home.chmod(0o755)


def test_an_index_of_another_user_needs_a_copy(shared_folder: Path) -> None:
    old_state(shared_folder)
    insert = "INSERT INTO sessions(id, source, started_at) VALUES('s1', 'cli', 1)"
    with held_by_another(shared_folder, insert):
        (shared_folder / "state.db-shm").chmod(0)
        assert run_unprivileged(REFUSED, str(shared_folder)) == "StateNeedsCopy index_unreadable"


def test_a_copy_must_be_one_of_ours(tmp_path: Path) -> None:
    old_state(tmp_path)
    with pytest.raises(ValueError, match="not a work copy"), open_state(tmp_path, copy=tmp_path):
        pass


def destroy_pages(folder: Path, table: str) -> None:
    """Overwrite the leaf pages of a table, leaving its root and all other tables alone."""
    with closing(connect(folder)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    data = bytearray((folder / "state.db").read_bytes())
    header = (root - 1) * size
    assert data[header] == 5, "an inner page of a table"
    for cell in range(int.from_bytes(data[header + 3 : header + 5], "big")):
        at = header + int.from_bytes(data[header + 12 + 2 * cell : header + 14 + 2 * cell], "big")
        page = int.from_bytes(data[at : at + 4], "big") - 1
        data[page * size : page * size + 200] = bytes(range(200))
    (folder / "state.db").write_bytes(data)
