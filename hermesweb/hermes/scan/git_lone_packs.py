"""Packs of git that no store has in use: out of an archive, a bundle, or left by a process that was stopped."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from hermesweb.hermes.scan.git_objects import SETTINGS, GitObject, NotGit, objects, quiet_environment

BUNDLE_HEAD = 1 << 20
_IDENTITIES = {"sha1": "0" * 40, "sha256": "0" * 64}

Read = Callable[[int], bytes]


def objects_of_pack(read: Read, *, bundle: bool) -> Iterator[GitObject]:
    """All objects in the pack that `read` gives from its beginning, copied for that into a private folder.

    Raises NotGit ("damaged" also for a pack that only goes with other objects) and OSError.
    """
    git = shutil.which("git")
    if not git:
        raise NotGit("no_git")
    with tempfile.TemporaryDirectory(prefix="scan-git-") as folder:
        store = Path(folder, "objects")
        Path(store, "pack").mkdir(parents=True)
        copy = Path(folder, "copy")
        with copy.open("wb") as file:
            file.write(_begun(read) if bundle else b"")
            while some := read(1 << 20):
                file.write(some)
        if not any(_indexed(git, copy, store, kind) for kind in _IDENTITIES):
            raise NotGit("damaged")
        handle = os.open(store, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield from objects(handle)
        finally:
            os.close(handle)


def _begun(read: Read) -> bytes:
    """What of the pack was read together with the head of the bundle, which ends with an empty line."""
    head = b""
    while b"\n\n" not in head:
        some = read(1 << 16)
        if not some or len(head) > BUNDLE_HEAD:
            raise NotGit("damaged")
        head += some
    return head.partition(b"\n\n")[2]


def _indexed(git: str, copy: Path, store: Path, kind: str) -> bool:
    pack = store / "pack" / f"pack-{_IDENTITIES[kind]}.pack"
    os.link(copy, pack)
    command = [git, *SETTINGS, "-c", "pack.threads=1", "index-pack", f"--object-format={kind}", str(pack)]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=copy.parent,
        env={**quiet_environment(copy.parent), "GIT_DIR": str(copy.parent / "none")},
        check=False,
    )
    if done.returncode:
        pack.unlink()
    return not done.returncode
