"""Databases out of archives, put into private folders, so that another process can ask them through SQL."""

import errno
import os
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from hermesweb.hermes.scan.events import Database

PREFIX = "scan-"
SPARE = 256 << 20  # bytes that the disk keeps
TICK = 0.02
_SIDE = ("-wal", "-journal")


@dataclass
class Extracted:
    """Folders below `scratch`, one for each folder of an archive that has databases. `tell` is told of each;
    whoever is told removes the folder, and until then nothing more is unpacked: the disk holds one archive's
    databases at a time."""

    scratch: Path
    tell: Callable[[Database], None]
    _folders: dict[str, dict[str, Path]] = field(default_factory=lambda: defaultdict(dict))

    def wants(self, name: str, kind: str) -> bool:
        """Whether the member is a database, or belongs to one."""
        last = _last(name)
        return _is_safe(last) and (kind in ("sqlite", "wal") or last.endswith(_SIDE))

    @contextmanager
    def archive(self, name: str) -> Iterator[None]:
        """As long as the archive `name` is read."""
        try:
            yield
        finally:
            for folder in self._folders.pop(name, {}).values():
                shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """A new file for the member `name`. Raises OSError."""
        if shutil.disk_usage(self.scratch).free < SPARE:
            raise OSError(errno.ENOSPC, "too little space left")
        target = self._folder(name) / _last(name)
        handle = os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w+b") as file:
            yield file

    def hand_over(self, archive: str) -> None:
        """All databases of an archive that has been read. Waits until they are done with."""
        for label, folder in self._folders[archive].items():
            names = [name for name in sorted(os.listdir(folder)) if not name.endswith(_SIDE)]  # noqa: PTH208
            if names:
                self.tell(Database(label + names[0], str(folder), label))
                while folder.exists():
                    time.sleep(TICK)

    def _folder(self, name: str) -> Path:
        archive, member = name.rsplit("!", 1)
        label = f"{archive}!{member.removesuffix(_last(name))}"
        folders = self._folders[archive]
        if label not in folders:
            folders[label] = Path(tempfile.mkdtemp(prefix=PREFIX, dir=self.scratch))
        return folders[label]


def _last(name: str) -> str:
    return name.rsplit("!", 1)[-1].rsplit("/", 1)[-1]


def _is_safe(name: str) -> bool:
    return name not in ("", ".", "..") and "\0" not in name and len(name) < 200
