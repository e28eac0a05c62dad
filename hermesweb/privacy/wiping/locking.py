"""Hermes' own locks, held for the whole of a run so that nothing of Hermes starts or writes meanwhile.

The files they lie on are left in place: who removes one lets two programs believe that each has the lock.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.locks import Busy, held, lock_path
from hermesweb.hermes.writing import NotWritten

# The gateway, a tick of the scheduler, its list of jobs, open chats, and the two memory files.
LOCKED: Final = (
    "gateway",
    "cron/.tick",
    "cron/.jobs",
    "runtime/active_sessions",
    "memories/MEMORY.md",
    "memories/USER.md",
)

LOCK_FILES: Final = frozenset(f"{name}.lock" for name in LOCKED)


@dataclass(frozen=True)
class Locks:
    """`taken` are ours for now. `missed` could not be had, and why: "busy" if somebody else holds one."""

    taken: frozenset[str]
    missed: dict[str, str]


@contextmanager
def all_held(profile: Profile, *, seconds: float) -> Iterator[Locks]:
    """Hold what can be held of a profile's locks, waiting for each at most `seconds`. A lock whose folder does
    not exist is not made. Raises nothing."""
    missed: dict[str, str] = {}
    taken: set[str] = set()
    with ExitStack() as stack:
        for name in LOCKED:
            path = profile.folder / name
            try:
                stack.enter_context(held(path, root=profile.home.root, seconds=seconds))
                taken.add(lock_path(path).relative_to(profile.folder).as_posix())
            except Busy:
                missed[f"{name}.lock"] = "busy"
            except NotWritten as problem:
                if problem.why != "missing":
                    missed[f"{name}.lock"] = problem.why
        yield Locks(frozenset(taken), missed)
