"""The process that brings private copies of databases to rest: what is in a WAL or a hot journal beside them goes
where it belongs. Only for folders of ours."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hermesweb.hermes.scan.asked import receive
from hermesweb.hermes.scan.events import End, NotChecked, say


def main() -> None:
    """Reads what is asked, says what did not work."""
    asked = receive()
    for folder in asked.folders:
        for name in asked.files or ():
            try:
                settle(Path(folder.path) / name)
            except sqlite3.Error:
                say(NotChecked(folder.label + name, "damaged"))
    say(End())


def settle(path: Path) -> None:
    """Raises sqlite3.Error."""
    if not any(path.with_name(path.name + side).exists() for side in ("-wal", "-journal")):
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema=OFF")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")


if __name__ == "__main__":
    main()
