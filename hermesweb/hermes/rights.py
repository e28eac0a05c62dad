"""What this process may do with a folder, found out by asking, not by trying."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_CAP_CHOWN: Final = 1 << 0  # the right to give files away, from Linux' capability.h


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


def can_make_for(user: int) -> bool:
    """Whether files that this process makes can be those of `user`: one's own, or with the right to give them
    away. Root may have lost it, in a container, and a service may have it without being root."""
    if os.geteuid() == user:
        return True
    with suppress(OSError, ValueError, IndexError):
        status = Path("/proc/thread-self/status").read_bytes()
        return bool(int(status.partition(b"CapEff:")[2].split()[0], 16) & _CAP_CHOWN)
    return os.geteuid() == 0


def _allows(folder: Path, mode: int) -> bool:
    # Not for the user who started the program, but for the one it has become.
    return os.access(folder, mode, effective_ids=os.access in os.supports_effective_ids)
