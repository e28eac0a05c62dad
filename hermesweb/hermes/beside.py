"""A database and the files SQLite keeps beside it, seen from outside: by their names, sizes and times only.

Nothing here opens them. Closing any of them as a plain file drops the locks of this process's own SQLite
connections, and then another process may throw away rows that were already stored.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

SIDES = ("-wal", "-shm", "-journal")
# Times on disk come from a clock that ticks every few milliseconds: two writes can leave the same time.
TICK = 0.02

Stamp = tuple[int, ...]


@dataclass(frozen=True)
class Beside:
    """One look. `wal`, `index` and `journal` are None where there is no such file."""

    path: Path
    database: os.stat_result
    wal: os.stat_result | None
    index: os.stat_result | None
    journal: os.stat_result | None

    @property
    def rows_in_wal(self) -> bool:
        return self.wal is not None and self.wal.st_size > 0

    @property
    def journal_in_use(self) -> bool:
        return self.journal is not None and self.journal.st_size > 0

    @property
    def bytes(self) -> int:
        """Size of everything a copy consists of."""
        return sum(part.st_size for part in (self.database, self.wal, self.journal) if part)

    @property
    def stamp(self) -> Stamp:
        """Two looks with the same stamp: no commit became visible between them."""
        changes: list[int] = []
        for part in (self.database, self.wal, self.journal):
            if part is None or part.st_size == 0:
                changes += [0] * 5
            else:
                changes += [part.st_dev, part.st_ino, part.st_size, part.st_mtime_ns, part.st_ctime_ns]
        return tuple(changes)

    @property
    def just_written(self) -> bool:
        """So recent that a further write might leave the same time behind."""
        return abs(time.time() - self.database.st_mtime) < TICK


def is_forbidden(path: Path) -> bool:
    """Whether something is there that this process may not read."""
    effective = os.access in os.supports_effective_ids
    return not os.access(path, os.R_OK, effective_ids=effective) and os.access(path, os.F_OK)
