"""Looking for phrases everywhere below some folders: the frame around the two processes that do it."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hermesweb.hermes.scan.asked import Asked, Limits, ScanFolder, write_asked
from hermesweb.hermes.scan.children import Died, Stopped, lines
from hermesweb.hermes.scan.events import Database, Event, Hit, NotChecked, Progress
from hermesweb.hermes.scan.needles import needles_of

PREFIX = "hermesweb-scan-"


def scan(
    folders: Sequence[ScanFolder],
    phrases: Sequence[str],
    *,
    stop: Callable[[], bool] = lambda: False,
    scratch: Path | None = None,
    files: Sequence[str] | None = None,
    limits: Limits | None = None,
) -> Iterator[Event]:
    """Every place below `folders` that has one of `phrases`, and every file that was not looked into.

    Looks at the bytes of all files and what is in archives and git stores, then asks the databases through SQL.
    `stop` is asked five times a second; then, and when the iterator is closed, everything ends at once. `scratch`:
    a private folder of ours for databases out of archives. `files`: only these, below the folders. A process
    that dies is NotChecked ("died"), for the file it was at and for the folders. Raises BadPhrase at once.
    """
    for phrase in phrases:
        needles_of(phrase)
    asked = Asked(tuple(folders), tuple(phrases), None if files is None else tuple(files), limits or Limits())
    return _Scan(asked, stop, scratch).events()


def remove_leftovers(scratch: Path) -> None:
    """What a scan that was killed left in `scratch`."""
    for folder in scratch.glob(f"{PREFIX}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _databases_in(folder: Path) -> tuple[str, ...]:
    return tuple(
        sorted(each.name for each in folder.iterdir() if not each.name.endswith(("-wal", "-journal")))
    )


@dataclass
class _Scan:
    asked: Asked
    stop: Callable[[], bool]
    parent: Path | None
    databases: list[str] = field(default_factory=list)

    def events(self) -> Iterator[Event]:
        with tempfile.TemporaryDirectory(prefix=PREFIX, dir=self.parent) as folder:
            scratch = Path(folder)
            try:
                yield from self._bytes(scratch)
                yield from self._in_place(scratch)
            except Stopped:
                return

    def _bytes(self, scratch: Path) -> Iterator[Event]:
        asked = Asked(self.asked.folders, self.asked.phrases, self.asked.files, self.asked.limits, scratch)
        for line in self._lines("bytes_process", asked, scratch):
            if not isinstance(line, Database):
                yield line
            elif line.folder:
                yield from self._out_of_archive(line, scratch)
            else:
                self.databases.append(line.file)

    def _in_place(self, scratch: Path) -> Iterator[Event]:
        wanted = set(self.databases)
        for folder in self.asked.folders:
            below = tuple(
                name.removeprefix(folder.label) for name in self.databases if name.startswith(folder.label)
            )
            asked = Asked((folder,), self.asked.phrases, below, self.asked.limits)
            for line in self._lines("sql_process", asked, scratch, keep_open=False):
                only = self.asked.files is not None and not isinstance(line, Progress)
                if not isinstance(line, Database) and (not only or line.file in wanted):
                    yield line

    def _out_of_archive(self, database: Database, scratch: Path) -> Iterator[Event]:
        folder = Path(database.folder)
        try:
            names = _databases_in(folder)
            here = ScanFolder(str(folder), database.label)
            asked = Asked((here,), self.asked.phrases, names, self.asked.limits)
            yield from self._settled(database, asked, scratch)
            for line in self._lines("sql_process", asked, scratch, keep_open=False):
                if isinstance(line, Hit | NotChecked):
                    yield line
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _settled(self, database: Database, asked: Asked, scratch: Path) -> Iterator[Event]:
        """The copy is ours: SQLite may do with its journals what it would not do without a writer."""
        for line in self._lines("settle_process", asked, scratch):
            if isinstance(line, NotChecked):
                yield line

    def _lines(
        self, module: str, asked: Asked, scratch: Path, *, keep_open: bool = True
    ) -> Iterator[Event | Database]:
        at = ""
        try:
            for line in lines(
                module, write_asked(asked), scratch=scratch, stop=self.stop, keep_open=keep_open
            ):
                at = line.file if isinstance(line, Progress) else at
                yield line
        except Died:
            for file in dict.fromkeys([at, *(folder.label for folder in asked.folders)]):
                yield NotChecked(file, "died")
