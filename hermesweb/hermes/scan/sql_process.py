"""The half of a scan that asks SQLite: `python -m hermesweb.hermes.scan.sql_process`.

Reads what is asked from standard input and reports lines on standard output (asked.py, events.py). It opens
nothing but through SQLite: closing a database as a plain file would drop its locks.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from hermesweb.hermes.scan.asked import Asked, ScanFolder, read_asked
from hermesweb.hermes.scan.events import End, Progress, say
from hermesweb.hermes.scan.sql_files import databases_below, look_at
from hermesweb.hermes.scan.sql_scan import scan_database


def run(asked: Asked) -> None:
    """Every database of the folders: those in `files`, or what is named like one."""
    size = 0
    for files, (folder, below) in enumerate(_databases(asked)):
        path, file = Path(folder.path, below), folder.label + below
        say(Progress(files, size, file))
        for event in scan_database(path, asked.phrases, file=file):
            say(Progress(files, size + event.bytes, file) if isinstance(event, Progress) else event)
        size += _size(path)
    say(End())


def _databases(asked: Asked) -> Iterator[tuple[ScanFolder, str]]:
    for folder in asked.folders:
        given = (below for below in asked.files or () if os.path.lexists(os.path.join(folder.path, below)))  # noqa: PTH118
        for below in databases_below(folder) if asked.files is None else dict.fromkeys(given):
            yield folder, below


def _size(path: Path) -> int:
    try:
        return look_at(path).database.st_size
    except OSError:
        return 0


def main() -> None:
    """Dies quietly when the frame is gone."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    try:
        run(read_asked(sys.stdin.buffer.read()))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


if __name__ == "__main__":
    main()
