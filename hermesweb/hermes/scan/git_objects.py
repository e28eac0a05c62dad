"""Every object of a git store, packed or not, reachable or not, through the git of this machine.

Git runs in an empty repository of ours that only borrows the objects: neither the settings nor the hooks of the
repository that is looked into are read, and nothing is fetched for it.
"""

import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_STORED = re.compile(r"pack|info|[0-9a-f]{2}")
_SETTINGS = {
    "core.bigFileThreshold": "4m",  # or it inflates what is larger in memory
    "core.deltaBaseCacheLimit": "8m",
    "core.packedGitLimit": "16m",
    "core.packedGitWindowSize": "1m",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "protocol.allow": "never",
    "safe.directory": "*",
    "gc.auto": "0",
}
SETTINGS = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]


class NotGit(Exception):
    """`why`: "no_git" (none on this machine) "link" (something in the store is one) "damaged"."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class GitObject:
    """`read(size)` gives its content, once. `kind`: "blob" "tree" "commit" "tag"."""

    id: str
    kind: str
    read: Callable[[int], bytes]


def is_object_store(handle: int) -> bool:
    """Whether the folder is the `objects` of a git store that has any."""
    names = os.listdir(handle)
    return "pack" in names and all(_STORED.fullmatch(name) for name in names if not name.startswith("tmp_"))


def objects(handle: int) -> Iterator[GitObject]:
    """All objects in the folder `objects`, of which `handle` is open. Raises NotGit."""
    git = shutil.which("git")
    if not git:
        raise NotGit("no_git")
    _refuse_links(handle)
    with (
        tempfile.TemporaryDirectory(prefix="scan-git-") as empty,
        _running(git, Path(empty), handle) as process,
    ):
        assert process.stdout
        while line := process.stdout.readline(200):
            yield from _object(line, process.stdout)
        if process.wait():
            raise NotGit("damaged")


def _object(line: bytes, output: IO[bytes]) -> Iterator[GitObject]:
    parts = line.decode("ascii", "replace").split()
    if len(parts) != 3 or not parts[2].isdecimal():
        raise NotGit("damaged")
    left = int(parts[2])

    def read(size: int) -> bytes:
        nonlocal left
        some = output.read(min(size, left))
        left -= len(some)
        return some

    yield GitObject(parts[0], parts[1], read)
    while read(1 << 16):
        pass
    output.read(1)


@contextmanager
def _running(git: str, empty: Path, handle: int) -> Iterator[subprocess.Popen[bytes]]:
    # Where there is no /proc, the folder is named: then a link could be put in its place meanwhile.
    (empty / "objects").mkdir()
    (empty / "refs").mkdir()
    (empty / "HEAD").write_text("ref: refs/heads/none\n")
    (empty / "config").write_text(_config(handle))
    command = [
        git,
        f"--git-dir={empty}",
        *SETTINGS,
        "cat-file",
        "--batch-all-objects",
        "--unordered",
        "--buffer",
        "--batch",
    ]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=(handle,),
        env={**quiet_environment(empty), "GIT_OBJECT_DIRECTORY": _path_of(handle)},
        cwd=empty,
    )
    try:
        with process:
            yield process
    finally:
        with suppress(OSError):
            process.kill()


def _config(handle: int) -> str:
    names = os.listdir(_below(handle, "pack"))  # noqa: PTH208
    if any(re.fullmatch(r"pack-[0-9a-f]{64}\.pack", name) for name in names):
        return "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"
    return "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"


def quiet_environment(empty: Path) -> dict[str, str]:
    """For a git that looks at nothing but what it is given."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(empty),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "",
    }


def _path_of(handle: int) -> str:
    return f"/proc/self/fd/{handle}"


def _below(handle: int, name: str) -> str:
    return f"{_path_of(handle)}/{name}"


def _refuse_links(handle: int) -> None:
    """Git would follow them, and the list of other stores that it may look into."""
    for name in os.listdir(handle):
        if stat.S_ISLNK(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode):
            raise NotGit("link")
        if name == "info" and os.path.lexists(_below(handle, "info/alternates")):
            raise NotGit("link")
        with suppress(NotADirectoryError), os.scandir(_below(handle, name)) as entries:
            if any(entry.is_symlink() for entry in entries):
                raise NotGit("link")
