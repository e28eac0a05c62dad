"""The queues of writes that wait for approval, `pending/memory` and `pending/skills` of a profile.

Every name that ends in `.json` is a record, as for Hermes (`tools/write_approval.py`): also other names than
its own eight hex digits, hidden ones and folders. Hermes follows links, we do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Final

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import list_names, look_at, read_file
from hermesweb.hermes.homes import Profile
from memory.limits import Rules
from memory.pending_record import SUFFIX, PendingRecord, broken_record, parse_record, record_id
from memory.switches import Subsystem

RECORD_LIMIT: Final = 4 * 1024 * 1024  # bytes; a staged skill of 100 KB is large
QUEUE_LIMIT: Final = 64 * 1024 * 1024  # bytes read of one queue
RECORDS_READ: Final = 1_000
SUBSYSTEMS: Final[tuple[Subsystem, ...]] = ("memory", "skills")


@dataclass(frozen=True)
class PendingCount:
    """How many records wait. `unreadable` are among them: no regular file, or too large. `problem`: a queue
    that could not be looked into counts as empty."""

    memory: int
    skills: int
    unreadable: int
    problem: Unreadable | None = None

    @property
    def total(self) -> int:
        """All that wait, readable or not: the number on the badge."""
        return self.memory + self.skills


@dataclass(frozen=True)
class PendingQueue:
    """The records of both subsystems, oldest first; those without a time come first, as in Hermes.

    `other_names`: files in the folders that are no record for Hermes, such as `<id>.json.tmp`; they may hold
    text all the same. `problems`: folders that could not be looked into.
    """

    records: tuple[PendingRecord, ...]
    other_names: tuple[Path, ...]
    problems: tuple[Unreadable, ...]

    @property
    def memory(self) -> tuple[PendingRecord, ...]:
        """The writes to MEMORY.md and USER.md."""
        return tuple(record for record in self.records if record.subsystem == "memory")

    @property
    def skills(self) -> tuple[PendingRecord, ...]:
        """The changes of files below `skills/`."""
        return tuple(record for record in self.records if record.subsystem == "skills")

    def hermes_can_list(self, subsystem: Subsystem, release: Rules) -> bool:
        """Whether Hermes' own list of a queue works. One record that is no object breaks it in 0.19, and one
        time that is no number breaks it in both, as soon as there is something to sort."""
        records = self.memory if subsystem == "memory" else self.skills
        if release == "0.19" and any(record.problem == "not_an_object" for record in records):
            return False
        seen = [record for record in records if _is_listed(record, release)]
        return len(seen) < 2 or not any("bad_time" in record.notes for record in seen)


def pending_folder(profile: Profile, subsystem: Subsystem) -> Path:
    """Where the records of a subsystem lie."""
    return profile.folder / "pending" / subsystem


def count_pending(profile: Profile) -> PendingCount:
    """How many writes wait, without opening a record. Raises nothing."""
    problems: list[Unreadable] = []
    paths = {each: _record_paths(profile, each, problems) for each in SUBSYSTEMS}
    unreadable = sum(not _could_be_read(path, profile) for each in SUBSYSTEMS for path in paths[each])
    return PendingCount(
        len(paths["memory"]), len(paths["skills"]), unreadable, problems[0] if problems else None
    )


def read_pending(profile: Profile) -> PendingQueue:
    """Every record that waits in a profile, with what is wrong with it. Raises nothing."""
    problems: list[Unreadable] = []
    records: list[PendingRecord] = []
    others: list[Path] = []
    for subsystem in SUBSYSTEMS:
        paths = _paths(profile, subsystem, problems)
        records += _read_all([path for path in paths if path.name.endswith(SUFFIX)], subsystem, profile)
        others += [path for path in paths if not path.name.endswith(SUFFIX)]
    records.sort(key=lambda record: (record.created_at or 0, record.path.name))
    return PendingQueue(tuple(records), tuple(others), tuple(problems))


def find_pending(profile: Profile, subsystem: Subsystem, wanted: str) -> PendingRecord | None:
    """The record whose id is `wanted`, read anew. No path is ever made from that text: it is looked for among
    the names that are there. Raises nothing; None if there is no such record."""
    for path in _record_paths(profile, subsystem, []):
        if record_id(path.name) == wanted:
            return _record(path, subsystem, _content(path, profile))
    return None


def _paths(profile: Profile, subsystem: Subsystem, problems: list[Unreadable]) -> list[Path]:
    folder = pending_folder(profile, subsystem)
    try:
        return [folder / name for name in list_names(folder, root=profile.home.root)]
    except Unreadable as problem:
        if problem.why != "missing":
            problems.append(problem)
        return []


def _record_paths(profile: Profile, subsystem: Subsystem, problems: list[Unreadable]) -> list[Path]:
    return [path for path in _paths(profile, subsystem, problems) if path.name.endswith(SUFFIX)]


def _could_be_read(path: Path, profile: Profile) -> bool:
    try:
        status = look_at(path, root=profile.home.root)
    except Unreadable:
        return False
    return S_ISREG(status.st_mode) and status.st_size <= RECORD_LIMIT


def _read_all(paths: list[Path], subsystem: Subsystem, profile: Profile) -> Iterator[PendingRecord]:
    left = QUEUE_LIMIT
    for index, path in enumerate(paths):
        if index >= RECORDS_READ or left < RECORD_LIMIT:
            yield broken_record(path, subsystem, "not_read")
            continue
        content = _content(path, profile)
        left -= len(content) if isinstance(content, bytes) else 0
        yield _record(path, subsystem, content)


def _content(path: Path, profile: Profile) -> bytes | Unreadable:
    try:
        return read_file(path, root=profile.home.root, limit=RECORD_LIMIT)
    except Unreadable as unreadable:
        return unreadable


def _record(path: Path, subsystem: Subsystem, content: bytes | Unreadable) -> PendingRecord:
    if isinstance(content, Unreadable):
        return broken_record(path, subsystem, "unreadable", content)
    return parse_record(path, subsystem, content)


def _is_listed(record: PendingRecord, release: Rules) -> bool:
    if record.problem in ("unreadable", "not_json", "not_an_object", "not_read"):
        return False
    return release == "0.22" or "byte_order_mark" not in record.notes
