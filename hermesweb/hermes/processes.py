"""The processes of this machine, as far as they let themselves be seen. Nothing is asked of them."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

# The kernel gives the first namespace of process numbers this fixed inode; in a container it is another.
_FIRST_NAMESPACE = "pid:[4026531836]"
# `1: FLOCK  ADVISORY  WRITE 812 fd:01:4711 0 EOF`; one that only waits has `->` after its number.
_FLOCK = re.compile(
    r"\d+: FLOCK +\w+ +\w+ +(?P<pid>\d+) (?P<major>[0-9a-f]{1,8}):(?P<minor>[0-9a-f]{1,8}):(?P<inode>\d+) "
)
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class HeldFile:
    """A file a process has open. `path` as that process sees it, " (deleted)" at its end if it is gone;
    `identity` = (device, inode) finds it again behind another mount."""

    path: str
    identity: tuple[int, int] | None


@dataclass(frozen=True)
class HeldLock:
    """A `flock` on the file `identity`, held by `pid`."""

    pid: int
    identity: tuple[int, int]


class ProcessTable:
    """Reads `/proc`, and asks psutil where there is none (macOS)."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self.proc = proc
        self.has_proc = (proc / "self").exists() or (proc / "stat").exists()

    def pids(self) -> list[int]:
        """All process numbers that can be seen."""
        if not self.has_proc:
            return psutil.pids()
        return [int(name) for name in os.listdir(self.proc) if name.isdecimal()]  # noqa: PTH208 - much faster

    def owner(self, pid: int) -> int | None:
        """The user id of a process, None if it is gone or hidden."""
        with suppress(OSError, psutil.Error):
            return (
                (self.proc / str(pid)).stat().st_uid
                if self.has_proc
                else psutil.Process(pid).uids().effective
            )
        return None

    def arguments(self, pid: int) -> tuple[str, ...]:
        """The command line; empty for a kernel thread, or if it cannot be seen."""
        with suppress(OSError, psutil.Error):
            if not self.has_proc:
                return tuple(psutil.Process(pid).cmdline())
            return tuple(_split(self._read(pid, "cmdline")))
        return ()

    def environment(self, pid: int) -> Mapping[str, str] | None:
        """What the process was started with, None if it may not be seen."""
        with suppress(OSError, psutil.Error):
            if not self.has_proc:
                return psutil.Process(pid).environ()
            pairs = (item.partition("=") for item in _split(self._read(pid, "environ")))
            return {name: value for name, _, value in pairs}
        return None

    def started(self, pid: int) -> tuple[int, float] | None:
        """When a process began: the number Hermes stores (ticks since boot), and UTC epoch seconds."""
        with suppress(OSError, psutil.Error, ValueError, IndexError):
            if not self.has_proc:
                seconds = psutil.Process(pid).create_time()
                return round(seconds * 100), seconds
            # The name in brackets may itself hold spaces and brackets.
            ticks = int(self._read(pid, "stat").rpartition(b")")[2].split()[19])
            return ticks, self._boot_time() + ticks / _TICKS_PER_SECOND
        return None

    def current_folder(self, pid: int) -> str | None:
        """The working directory, None if it may not be seen."""
        with suppress(OSError, psutil.Error):
            if not self.has_proc:
                return psutil.Process(pid).cwd()
            return str((self.proc / str(pid) / "cwd").readlink())
        return None

    def groups(self, pid: int) -> str:
        """The control groups of a process, in which the service or container that started it is named; empty
        where there are none, or they may not be seen."""
        with suppress(OSError):
            return self._read(pid, "cgroup").decode("utf-8", "replace") if self.has_proc else ""
        return ""

    def folder_identity(self, pid: int, path: str) -> tuple[int, int] | None:
        """(device, inode) of `path` as the process sees it, which may be in a container."""
        seen = f"{self.proc}/{pid}/root{path}" if self.has_proc else path
        with suppress(OSError, ValueError):
            status = os.stat(seen)  # noqa: PTH116 - Path would drop what it takes for doubled slashes
            return status.st_dev, status.st_ino
        return None

    def held_files(self, pid: int, names: frozenset[str]) -> list[HeldFile] | None:
        """The open files with one of these names, None if this process may not be looked into."""
        if not self.has_proc:
            return _held_by_psutil(pid, names)
        folder = f"{self.proc}/{pid}/fd"
        try:
            numbers = os.listdir(folder)  # noqa: PTH208
        except FileNotFoundError:
            return []  # ended meanwhile
        except OSError:
            return None
        return list(_held(folder, numbers, names))

    def held_locks(self) -> list[HeldLock] | None:
        """Every `flock` in the list the kernel gives out. Reading it takes no lock, so that a gateway which
        is just starting is never refused its own. None where there is no such list."""
        try:
            lines = (self.proc / "locks").read_text("utf-8", "replace").splitlines()
        except OSError:
            return None
        return [_lock(match) for match in map(_FLOCK.match, lines) if match]

    def hides_others(self) -> bool:
        """Whether the processes of other users are hidden (the option hidepid of /proc)."""
        return self.has_proc and not (self.proc / "1").exists()

    def is_contained(self) -> bool:
        """Whether this is a container, outside of which there are processes that cannot be seen."""
        if not self.has_proc:
            return False
        with suppress(OSError):
            return str((self.proc / "self/ns/pid").readlink()) != _FIRST_NAMESPACE
        return True

    def _boot_time(self) -> float:
        for line in (self.proc / "stat").read_text().splitlines():
            if line.startswith("btime "):
                return float(line.split()[1])
        raise ValueError

    def _read(self, pid: int, name: str) -> bytes:
        return (self.proc / str(pid) / name).read_bytes()


def _split(content: bytes) -> list[str]:
    return [os.fsdecode(part) for part in content.split(b"\0") if part]


def _held(folder: str, numbers: list[str], names: frozenset[str]) -> Iterator[HeldFile]:
    for number in numbers:
        with suppress(OSError):
            path = os.readlink(f"{folder}/{number}")  # noqa: PTH115
            if path.rpartition("/")[2].removesuffix(" (deleted)") in names:
                status = os.stat(f"{folder}/{number}")  # noqa: PTH116 - follows to the open file itself
                yield HeldFile(path, (status.st_dev, status.st_ino))


def _held_by_psutil(pid: int, names: frozenset[str]) -> list[HeldFile] | None:
    try:
        paths = [file.path for file in psutil.Process(pid).open_files()]
    except psutil.NoSuchProcess:
        return []
    except psutil.Error:
        return None
    return [HeldFile(path, None) for path in paths if path.rpartition("/")[2] in names]


def _lock(match: re.Match[str]) -> HeldLock:
    device = os.makedev(int(match["major"], 16), int(match["minor"], 16))
    return HeldLock(int(match["pid"]), (device, int(match["inode"])))
