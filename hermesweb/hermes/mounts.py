"""On what mount a folder lies, and so who else may use it."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

# Other machines, or the host of this virtual machine, may use these too without being seen from here.
_REMOTE = (
    "9p afs beegfs ceph cifs davfs gfs2 glusterfs lustre ncpfs nfs nfs4 ocfs2 orangefs prl_fs smb3 smbfs"
    " vboxsf virtiofs vmhgfs"
)
# Programs that only show what is on a disk of this machine.
_LOCAL_FUSE = frozenset(f"fuse.{name}" for name in ("bindfs", "encfs", "gocryptfs", "mergerfs", "ntfs-3g"))


@dataclass(frozen=True)
class Mount:
    """`kind` is the kind of file system, like "ext4"."""

    point: Path
    kind: str

    @property
    def is_remote(self) -> bool:
        """Whether others than this machine can have it mounted. An unknown program in user space counts."""
        unknown_program = self.kind.startswith("fuse.") and self.kind not in _LOCAL_FUSE
        return self.kind in _REMOTE.split() or unknown_program


def mount_of(folder: Path, mountinfo: Path = Path("/proc/self/mountinfo")) -> Mount | None:
    """The mount a folder lies on, None where the system has no list of them."""
    real = Path(os.path.realpath(folder))
    return mount_named(real, mountinfo)


def mount_named(folder: Path, mountinfo: Path = Path("/proc/self/mountinfo")) -> Mount | None:
    """The same by the names alone: the folder is not looked at, so that a machine that does not answer is not waited
    for, and nothing is mounted by looking."""
    mounts = [mount for mount in _listed(mountinfo) if folder.is_relative_to(mount.point)]
    # The last one of several on the same place lies on top.
    return max(reversed(mounts), key=lambda mount: len(mount.point.parts), default=None)


def mounts_below(folder: Path, mountinfo: Path = Path("/proc/self/mountinfo")) -> tuple[str, ...]:
    """Where in a folder something else is mounted, relative to it: what is there may not be the folder's own.
    None where the system has no list of mounts."""
    real = Path(os.path.realpath(folder))
    points = {mount.point for mount in _listed(mountinfo)}
    return tuple(sorted(point.relative_to(real).as_posix() for point in points if real in point.parents))


def _listed(mountinfo: Path) -> list[Mount]:
    try:
        lines = mountinfo.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
    return [mount for line in lines for mount in _mounts(line.split(" "))]


def _mounts(words: list[str]) -> list[Mount]:
    """From `36 25 0:32 / /mnt/two\\040words rw shared:1 - nfs4 server:/ rw`."""
    if len(words) < 8 or "-" not in words[6:-1]:
        return []
    point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), words[4])
    return [Mount(Path(point), words[words.index("-", 6) + 1])]
