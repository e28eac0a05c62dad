"""How much room a disk must have before state.db is written anew (VACUUM)."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from sessions.state_files import look_at

SPARE = 16 * 1024 * 1024
"""Bytes for what a running Hermes writes meanwhile."""


@dataclass(frozen=True)
class Space:
    """Bytes. `here`: the disk of the home, `temporary`: that of our own folder, which may be the same
    (`one_disk`). `file` and `wal` are their sizes now."""

    file: int
    wal: int
    needed_here: int
    needed_temporary: int
    free_here: int
    free_temporary: int
    one_disk: bool

    @property
    def enough(self) -> bool:
        if self.one_disk:
            return self.free_here >= self.needed_here + self.needed_temporary
        return self.free_here >= self.needed_here and self.free_temporary >= self.needed_temporary


def space_needed(folder: Path, temporary: Path) -> Space:
    """For the state.db of the profile `folder`, with `temporary` (which must exist) for SQLite's copy.

    SQLite first writes everything into a temporary database, then back through the WAL or the journal: each
    as large as the file, and each page of a WAL 24 bytes more. Raises StateError, OSError.
    """
    files = look_at(folder, needs_index=False)
    size = files.database.st_size
    here, there = files.path.parent, temporary
    return Space(
        file=size,
        wal=files.wal.st_size if files.wal else 0,
        needed_here=size + size // 20 + SPARE,
        needed_temporary=size + SPARE,
        free_here=shutil.disk_usage(here).free,
        free_temporary=shutil.disk_usage(there).free,
        one_disk=here.stat().st_dev == there.stat().st_dev,
    )
