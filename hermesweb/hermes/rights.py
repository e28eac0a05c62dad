"""What this process may do with a folder, found out by asking, not by trying."""

import os
from pathlib import Path


def can_list(folder: Path) -> bool:
    """Whether the names in `folder` can be listed, and what they name be looked at."""
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
    except OSError:
        return False
    return _allows(folder, os.R_OK | os.X_OK)


def can_change(folder: Path) -> bool:
    """Whether files in `folder` may be made and removed; never on what is mounted read-only."""
    try:
        read_only = bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False
    return not read_only and _allows(folder, os.W_OK | os.X_OK)


def _allows(folder: Path, mode: int) -> bool:
    # Not for the user who started the program, but for the one it has become.
    return os.access(folder, mode, effective_ids=os.access in os.supports_effective_ids)
