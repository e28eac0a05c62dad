import fcntl
import os
import threading
import time
from pathlib import Path

import pytest

from hermesweb.hermes.locks import Busy, held, lock_path
from hermesweb.hermes.writing import NotWritten
from tests.kernel_builders import NOBODY, write
from tests.memory_write_builders import in_python, lock_held_elsewhere


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, {"memories/MEMORY.md": "tea"}) / "memories/MEMORY.md"


def is_free(path: Path) -> bool:
    with lock_path(path).open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def why(path: Path, root: Path) -> str:
    with pytest.raises(NotWritten) as caught, held(path, root=root, seconds=0):
        pass
    assert caught.value.path == lock_path(path)
    return caught.value.why


def test_it_works(path: Path, tmp_path: Path) -> None:
    with held(path, root=tmp_path) as lock:
        assert lock.path == path.with_name("MEMORY.md.lock")
        assert not is_free(path)
        assert (lock.foreign, lock.open_to_others) == (False, False)
    assert is_free(path)
    assert lock.path.stat().st_mode & 0o777 == 0o600


def test_given_back_after_an_error(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), held(path, root=tmp_path):
        raise ZeroDivisionError
    assert is_free(path)


def test_the_file_is_neither_emptied_nor_removed(path: Path, tmp_path: Path) -> None:
    lock_path(path).write_text("theirs")
    before = lock_path(path).stat()
    with held(path, root=tmp_path):
        pass
    after = lock_path(path).stat()
    assert lock_path(path).read_text() == "theirs"
    assert (after.st_ino, after.st_mode, after.st_mtime_ns) == (
        before.st_ino,
        before.st_mode,
        before.st_mtime_ns,
    )


def test_busy(path: Path, tmp_path: Path) -> None:
    with (
        lock_held_elsewhere(path, 60),
        pytest.raises(Busy) as caught,
        held(path, root=tmp_path, seconds=0.05),
    ):
        pass
    assert (caught.value.path, caught.value.seconds) == (lock_path(path), 0.05)


def test_it_waits(path: Path, tmp_path: Path) -> None:
    with lock_held_elsewhere(path, 60) as holder:
        threading.Timer(0.2, holder.kill).start()
        with held(path, root=tmp_path, seconds=60):
            assert holder.wait() != 0


def test_two_of_our_own_threads(path: Path, tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work() -> None:
        for _ in range(20):
            with held(path, root=tmp_path, seconds=60):
                inside.append(1)
                most.append(len(inside))
                time.sleep(0)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 60


def test_one_that_is_removed_while_we_wait(path: Path, tmp_path: Path) -> None:
    with lock_held_elsewhere(path, 60) as holder:

        def remove() -> None:
            lock_path(path).unlink()
            holder.kill()

        threading.Timer(0.1, remove).start()
        with held(path, root=tmp_path, seconds=60):
            assert lock_path(path).exists()
            assert not is_free(path)


def test_a_link_in_its_place(path: Path, tmp_path: Path) -> None:
    victim = write(tmp_path, {"victim": "precious"}) / "victim"
    lock_path(path).symlink_to(victim)
    assert why(path, tmp_path) == "link"
    lock_path(path).unlink()
    lock_path(path).symlink_to(tmp_path / "nowhere")
    assert why(path, tmp_path) == "link"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_something_else_in_its_place(path: Path, tmp_path: Path, make: object) -> None:
    make(lock_path(path))  # type: ignore[operator]
    assert why(path, tmp_path) == "not_a_file"


def test_a_folder_behind_a_link(path: Path, tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to(path.parent)
    with pytest.raises(NotWritten) as caught, held(tmp_path / "linked/MEMORY.md", root=tmp_path):
        pass
    assert (caught.value.path, caught.value.why) == (tmp_path / "linked", "link")


def test_no_folder(tmp_path: Path) -> None:
    assert why_of_missing(tmp_path) == "missing"
    assert list(tmp_path.iterdir()) == []


def why_of_missing(root: Path) -> str:
    with pytest.raises(NotWritten) as caught, held(root / "memories/MEMORY.md", root=root):
        pass
    return caught.value.why


def test_it_belongs_to_who_owns_the_folder(path: Path, tmp_path: Path) -> None:
    os.chown(path.parent, NOBODY, NOBODY)
    with held(path, root=tmp_path) as lock:
        assert not lock.foreign
    status = lock.path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (NOBODY, NOBODY, 0o600)


def test_an_odd_one_is_told(path: Path, tmp_path: Path) -> None:
    lock_path(path).touch()
    lock_path(path).chmod(0o666)
    os.chown(lock_path(path), NOBODY, NOBODY)
    with held(path, root=tmp_path) as lock:
        assert (lock.foreign, lock.open_to_others) == (True, True)
    assert lock_path(path).stat().st_uid == NOBODY


def test_somebody_else_makes_none(path: Path, tmp_path: Path) -> None:
    """Who is neither root nor the owner could only make one that Hermes cannot take."""
    path.parent.chmod(0o777)
    tmp_path.chmod(0o755)
    done = in_python(
        "import os, sys; from pathlib import Path; from hermesweb.hermes.locks import held\n"
        "from hermesweb.hermes.writing import NotWritten\n"
        "root = Path(sys.argv[1]); os.chdir(root); os.setgid(65534); os.setuid(65534)\n"
        "try:\n    held(Path('memories/MEMORY.md'), root=Path('.')).__enter__()\n"
        "except NotWritten as error: print(error.why)",
        tmp_path,
    )
    assert done.stdout == "foreign_owner\n", done.stderr
    assert not lock_path(path).exists()
