"""Is Hermes running on this profile? Found out by looking only: no lock is taken, no database is opened.

"no" is said only where every process that could use the profile can be seen.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.mounts import mount_of
from hermesweb.hermes.processes import ProcessTable
from hermesweb.hermes.records import recorded_signs
from hermesweb.hermes.signs import Evidence as Evidence
from hermesweb.hermes.workers import Marks, Worker, doubt_of, lock_signs, marks_of, see_workers, sign_of

_MOST = 20  # signs of one answer


@dataclass(frozen=True)
class Running:
    """The answer, and what speaks for it. There is nothing to say for "no"."""

    answer: Literal["yes", "no", "unknown"]
    evidence: tuple[Evidence, ...]


def is_running(
    profile: Profile, *, ours: frozenset[int] = frozenset(), table: ProcessTable | None = None
) -> Running:
    """Whether any process works on the profile. `ours`: process numbers of our own that cannot be told from
    their command line; this process is always left out, one that is Hermes never. Raises nothing."""
    table = table or ProcessTable()
    try:
        marks = marks_of(profile)
    except OSError:
        return Running("unknown", (Evidence("folder_unreadable"),))
    workers = list(see_workers(table, ours | {os.getpid()}))
    # This process holds Hermes' locks itself while it clears.
    seen = (sign for sign in _signs(marks, workers, table) if sign.fields.get("pid") != os.getpid())
    signs = tuple(islice(seen, _MOST))
    if signs:
        return Running("yes", signs)
    doubts = tuple(islice(_doubts(marks, workers, table), _MOST))
    return Running("unknown" if doubts else "no", doubts)


def _signs(marks: Marks, workers: list[Worker], table: ProcessTable) -> Iterator[Evidence]:
    yield from lock_signs(marks, table)
    yield from recorded_signs(marks.profile, table)
    for worker in workers:
        sign = sign_of(worker, marks, table)
        if sign:
            yield sign


def _doubts(marks: Marks, workers: list[Worker], table: ProcessTable) -> Iterator[Evidence]:
    mount = mount_of(marks.profile.folder)
    # What lies on the file system of the container itself is out of reach for those outside.
    shared = table.is_contained() and (mount is None or mount.point != Path("/"))
    if shared or table.hides_others():
        yield Evidence("hidden_processes")
    if mount and mount.is_remote:
        yield Evidence("remote_file_system", {"kind": mount.kind})
    if table.held_locks() is None and os.path.lexists(marks.profile.folder / "gateway.lock"):
        yield Evidence("locks_not_shown")
    for worker in workers:
        doubt = doubt_of(worker, marks, table)
        if doubt:
            yield doubt
