"""On what kind of file system a folder lies."""

import os
from pathlib import Path

# Other machines, or a host outside this virtual machine, may use these too without being seen from here.
_REMOTE = (
    "9p afs beegfs ceph cifs davfs gfs2 glusterfs lustre ncpfs nfs nfs4 ocfs2 orangefs prl_fs smb3 smbfs"
    " vboxsf virtiofs vmhgfs"
)
# Programs that only show what is on a disk of this machine.
_LOCAL_FUSE = frozenset(f"fuse.{name}" for name in ("bindfs", "encfs", "gocryptfs", "mergerfs", "ntfs-3g"))


def remote_file_system(folder: Path, mountinfo: Path = Path("/proc/self/mountinfo")) -> str | None:
    """The kind of file system, if others than this machine can have it mounted; else None. An unknown
    program in user space (`fuse.…`) counts as remote. None too where the system has no such list."""
    try:
        device = folder.stat().st_dev
        lines = mountinfo.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    number = f"{os.major(device)}:{os.minor(device)}"
    for words in map(str.split, lines):
        if number in words[2:3] and "-" in words[6:]:
            return _remote(words[words.index("-", 6) + 1])
    return None


def _remote(kind: str) -> str | None:
    unknown_program = kind.startswith("fuse.") and kind not in _LOCAL_FUSE
    return kind if kind in _REMOTE.split() or unknown_program else None
