"""Which processes work on a profile, by what they have open, what they have locked, and how they were
started. What Hermes wrote about its processes is in records.py."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from hermesweb.hermes.commands import Command, hermes_command, sticky_profile, target_of
from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import DATABASE_NAMES, look_at
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.processes import HeldFile, ProcessTable
from hermesweb.hermes.signs import Evidence

_CHECKOUT = Path(__file__).resolve().parents[2]
_MODULES = ("hermesweb.", "sessions.")  # what we start with -m: Hermes has no package of these names
# What we start by a path: the commands, and what copies a state.db, which it holds open meanwhile.
_SCRIPTS = frozenset((_CHECKOUT / "manage.py", _CHECKOUT / "sessions/work_copy_process.py"))
_SCRIPT_NAMES = frozenset(script.name for script in _SCRIPTS)
_OPEN_WHILE_WORKING = ("logs/agent.log", "logs/errors.log", "logs/gateway.log", "gateway.lock")
_NAMES = DATABASE_NAMES | {path.rpartition("/")[2] for path in _OPEN_WHILE_WORKING}

# What is held while Hermes works. The last one lies in the root; who holds it works for all profiles.
_LOCKS = {"gateway_lock": "gateway.lock", "cron_lock": "cron/.tick.lock"}
_BOARD_LOCK = "kanban/.dispatcher.lock"

Identity = tuple[int, int]  # device and inode: the same through every mount and container


@dataclass(frozen=True)
class Worker:
    """One process, and what it was seen with. `held` is None if it may not be looked into."""

    pid: int
    argv: tuple[str, ...]
    command: Command | None
    held: list[HeldFile] | None

    @property
    def program(self) -> str:
        return program_of(self.argv)

    @property
    def shown_command(self) -> str:
        return f"{self.program} {self.command.word if self.command else ''}".rstrip()


@dataclass(frozen=True)
class Marks:
    """By what a profile is known again from the side of a process."""

    profile: Profile
    root: Identity
    owner: int
    others_may_write: bool
    database: frozenset[Identity]
    open_while_working: frozenset[Identity]


def program_of(argv: Sequence[str]) -> str:
    """The name of the program without its arguments, which can hold what somebody asked the agent."""
    words = list(argv[:1])
    if hermes_command(argv) and hermes_command(argv[1:]):
        words = list(argv[:2])  # an interpreter and the script
    elif hermes_command(argv) and "-m" in argv[:-1]:
        words = [argv[0], argv[argv.index("-m") + 1]]
    return " ".join(word.rpartition("/")[2] for word in words)[:80]


def marks_of(profile: Profile) -> Marks:
    """Raises OSError if the folder cannot be looked at."""
    root, folder = profile.home.root.stat(), profile.folder.stat()
    return Marks(
        profile,
        (root.st_dev, root.st_ino),
        folder.st_uid,
        bool(folder.st_mode & 0o022),
        _identities(profile, sorted(DATABASE_NAMES)),
        _identities(profile, _OPEN_WHILE_WORKING),
    )


def see_workers(table: ProcessTable, ours: frozenset[int]) -> Iterator[Worker]:
    """All processes but `ours` and those that are hermesweb by their command line. Hermes is never one of
    ours: it may have been started from the same terminal, or may even have started us."""
    for pid in table.pids():
        argv = table.arguments(pid)
        command = hermes_command(argv)
        if command or not (pid in ours or _is_hermesweb(argv, table, pid)):
            yield Worker(pid, argv, command, table.held_files(pid, _NAMES))


def lock_signs(marks: Marks, table: ProcessTable) -> Iterator[Evidence]:
    """One sign for each lock of Hermes that somebody holds who is not hermesweb: that takes them while it
    clears a profile."""
    locks = {
        lock.identity: lock.pid
        for lock in table.held_locks() or []
        if not _is_hermesweb(table.arguments(lock.pid), table, lock.pid)
    }
    root = marks.profile.home.root
    paths = {code: marks.profile.folder / name for code, name in _LOCKS.items()}
    for code, path in {**paths, "board_lock": root / _BOARD_LOCK}.items():
        for identity in _identity(path, root):
            if identity in locks:
                yield Evidence(code, {"pid": locks[identity]})


def sign_of(worker: Worker, marks: Marks, table: ProcessTable) -> Evidence | None:
    """The sign that this process works on the profile, None if there is none."""
    who: dict[str, str | int] = {"pid": worker.pid, "program": worker.program}
    held = worker.held or []
    if any(_is_one_of(file, marks.database, marks) for file in held):
        return Evidence("open_database", who)
    # A log is also open in what only shows it.
    if worker.command and any(_is_one_of(file, marks.open_while_working, marks) for file in held):
        return Evidence("open_log", who)
    if worker.command and _is_for_profile(worker, worker.command, marks, table):
        return Evidence("process", {"pid": worker.pid, "command": worker.shown_command})
    return None


def doubt_of(worker: Worker, marks: Marks, table: ProcessTable) -> Evidence | None:
    """Why it cannot be told whether this process, which gave no sign, works on the profile."""
    owner = table.owner(worker.pid)
    may_write = marks.others_may_write or owner in (marks.owner, 0)
    if not may_write or worker.pid == 0:
        return None
    if (
        worker.command
        and not worker.held
        and target_of(worker.command, table.environment(worker.pid) or {}) is None
    ):
        return Evidence("process_home_unknown", {"pid": worker.pid, "command": worker.shown_command})
    if worker.held is None and owner == marks.owner:
        return Evidence("process_not_readable", {"pid": worker.pid})
    return None


def _is_one_of(file: HeldFile, identities: frozenset[Identity], marks: Marks) -> bool:
    if file.identity in identities:
        return True
    # Gone from the disk, or identities are not known here: the path is all there is.
    path = file.path.removesuffix(" (deleted)")
    if file.identity is not None and path == file.path:
        return False
    names = DATABASE_NAMES if identities is marks.database else _OPEN_WHILE_WORKING
    return any(path == str(_real(marks.profile.folder) / name) for name in names)


def _is_for_profile(worker: Worker, command: Command, marks: Marks, table: ProcessTable) -> bool:
    target = target_of(command, table.environment(worker.pid) or {})
    if target is None or table.folder_identity(worker.pid, target.root) != marks.root:
        return False
    name = target.profile or sticky_profile(marks.profile.home.root)
    return command.for_all_profiles or name == marks.profile.name


def _is_hermesweb(argv: Sequence[str], table: ProcessTable, pid: int) -> bool:
    """The web server (`gunicorn hermesweb.wsgi`), a module of ours, or a script of this very checkout."""
    if any(part.startswith(("hermesweb.wsgi", "hermesweb.asgi")) for part in argv):
        return True
    if any(flag == "-m" and module.startswith(_MODULES) for flag, module in pairwise(argv[:8])):
        return True
    for part in argv[:4]:
        if part.rpartition("/")[2] in _SCRIPT_NAMES:
            return _real(Path(table.current_folder(pid) or "/") / part) in _SCRIPTS
    return False


def _identities(profile: Profile, names: Iterable[str]) -> frozenset[Identity]:
    paths = (profile.folder / name for name in names)
    return frozenset(found for path in paths for found in _identity(path, profile.home.root))


def _identity(path: Path, root: Path) -> list[Identity]:
    try:
        status = look_at(path, root=root)
    except Unreadable:
        return []
    return [(status.st_dev, status.st_ino)]


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # never raises, unlike Path.resolve
