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
from hermesweb.hermes.scan.together import Part, together

PREFIX = "hermesweb-scan-"
ONLY_A_COPY = ("wal_without_index", "hot_journal")
"""Why a database that lies there cannot be asked, and a private copy of it can."""

Stop = Callable[[], bool]


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

    Looks at the bytes of all files and what is in archives and git stores, and at the same time asks the databases
    through SQL; of one that was left without its writer, a private copy.
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
    asked_for: set[str] = field(default_factory=set)  # databases that were asked through SQL
    to_copy: list[tuple[ScanFolder, NotChecked]] = field(default_factory=list)

    def events(self) -> Iterator[Event]:
        with tempfile.TemporaryDirectory(prefix=PREFIX, dir=self.parent) as folder:
            scratch = Path(folder)
            try:
                yield from _rising(self._all(scratch))
            except Stopped:
                return

    def _all(self, scratch: Path) -> Iterator[Event]:
        parts: list[Part] = [lambda stop: self._bytes(scratch, stop)]
        if self.asked.files is None:
            # Most databases are known by their names: no need to wait until the other half has seen them all.
            parts.append(lambda stop: self._in_place(scratch, stop, named=True))
        yield from together(parts, self.stop)
        yield from self._in_place(scratch, self.stop, named=False)
        yield from self._copied(scratch)

    def _bytes(self, scratch: Path, stop: Stop) -> Iterator[Event]:
        asked = Asked(self.asked.folders, self.asked.phrases, self.asked.files, self.asked.limits, scratch)
        for line in self._lines("bytes_process", asked, scratch, stop):
            if not isinstance(line, Database):
                yield line
            elif line.folder:
                yield from self._out_of_archive(line, scratch, stop)
            else:
                self.databases.append(line.file)

    def _in_place(self, scratch: Path, stop: Stop, *, named: bool) -> Iterator[Event]:
        """`named`: those that are named like one, else what is left of those that are one."""
        left = [name for name in self.databases if name not in self.asked_for]
        for folder in self.asked.folders:
            below = tuple(name.removeprefix(folder.label) for name in left if name.startswith(folder.label))
            if not (named or below):
                continue
            asked = Asked((folder,), self.asked.phrases, None if named else below, self.asked.limits)
            for line in self._lines("sql_process", asked, scratch, stop, keep_open=False):
                if isinstance(line, Progress) and named:
                    self.asked_for.add(line.file)
                if isinstance(line, Progress) or named or line.file in left:
                    yield from self._asked(line, folder)

    def _asked(self, line: Event | Database, folder: ScanFolder) -> Iterator[Event]:
        if isinstance(line, NotChecked) and line.why in ONLY_A_COPY:
            self.to_copy.append((folder, line))
        elif not isinstance(line, Database):
            yield line

    def _copied(self, scratch: Path) -> Iterator[Event]:
        """Databases that nobody can ask without changing what lies beside them."""
        for folder, missed in self.to_copy:
            name = missed.file.removeprefix(folder.label)
            asked = Asked((folder,), self.asked.phrases, (name,), self.asked.limits, scratch)
            for line in self._lines("copy_process", asked, scratch, self.stop):
                if isinstance(line, Database):
                    yield from self._out_of_archive(line, scratch, self.stop)
                else:
                    yield line

    def _out_of_archive(self, database: Database, scratch: Path, stop: Stop) -> Iterator[Event]:
        folder = Path(database.folder)
        try:
            names = _databases_in(folder)
            here = ScanFolder(str(folder), database.label)
            asked = Asked((here,), self.asked.phrases, names, self.asked.limits)
            yield from self._settled(asked, scratch, stop)
            for line in self._lines("sql_process", asked, scratch, stop, keep_open=False):
                if isinstance(line, Hit | NotChecked):
                    yield line
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _settled(self, asked: Asked, scratch: Path, stop: Stop) -> Iterator[Event]:
        """The copy is ours: SQLite may do with its journals what it would not do without a writer."""
        for line in self._lines("settle_process", asked, scratch, stop):
            if isinstance(line, NotChecked):
                yield line

    def _lines(
        self, module: str, asked: Asked, scratch: Path, stop: Stop, *, keep_open: bool = True
    ) -> Iterator[Event | Database]:
        at = ""
        try:
            for line in lines(module, write_asked(asked), scratch=scratch, stop=stop, keep_open=keep_open):
                at = line.file if isinstance(line, Progress) else at
                yield line
        except Died:
            for file in dict.fromkeys([at, *(folder.label for folder in asked.folders)]):
                yield NotChecked(file, "died")


def _rising(events: Iterator[Event]) -> Iterator[Event]:
    """Two processes count: of both, the one that is further on."""
    files = size = 0
    for event in events:
        if isinstance(event, Progress):
            files, size = max(files, event.files), max(size, event.bytes)
            yield Progress(files, size, event.file)
        else:
            yield event
