"""The steps of removing words after rows were deleted, one after the other. Runs in scrubbing_process.py.

The order is the only one that left nothing on any database tried: merge the indexes completely, then write
the database anew, then empty the WAL, which must answer that nobody was in the way. An intermediate
emptying finds out early whether somebody is.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sessions.connected import is_anyone_connected, processes_with
from sessions.errors import StateError, StateLocked, StateNotWritable
from sessions.process_turns import cleaner_turn
from sessions.scrubbing_indexes import asker, being_migrated, indexes, left_over, miscounts, quoted
from sessions.scrubbing_merge import Stopped, merge, sweep
from sessions.scrubbing_report import Phase, PhaseResult, Reason
from sessions.space import space_needed
from sessions.state_files import look_at
from sessions.writer import open_for_writing

SMALL = 400 * 1024 * 1024
"""Bytes; written anew in under five seconds, for which a writer of Hermes waits."""
ATTEMPTS, PAUSE = 4, 0.5
_CHECKPOINT_PAGES = 4000  # of the WAL, between two passive checkpoints while merging

Say = Callable[[Phase, int, int], None]


@dataclass
class Steps:
    """One run on the state.db of a profile `folder`. `temporary`: our folder for SQLite's copy.
    `patience`: seconds to wait for one lock."""

    folder: Path
    temporary: Path
    say: Say
    small: int = SMALL
    ours: tuple[int, ...] = ()
    patience: float = 5
    stopping: threading.Event = field(default_factory=threading.Event)
    _connection: sqlite3.Connection | None = None
    _crowded: bool = True
    _looked: float = 0.0
    _came: bool = False  # somebody opened it while it was written anew

    def run(self) -> Iterator[PhaseResult]:
        """What each phase came to, as soon as it is known."""
        self._crowded = self.connected() != "nobody"
        merged = self.merge()
        yield merged
        rebuilt = self.rebuild()
        yield rebuilt
        emptied = self.checkpoint("checkpoint")
        yield emptied
        results = (merged, rebuilt, emptied)
        stopped = next((result for result in results if result.reason == "stopped"), None)
        if stopped or emptied.outcome == "waiting":
            # In vain: the old pages stay in the WAL all the same, and it would grow.
            reason = "stopped" if stopped else emptied.reason
            yield PhaseResult("vacuum", "waiting", reason, emptied.code)
            yield PhaseResult("last_checkpoint", "waiting", reason, emptied.code)
            return
        yield self.vacuum()
        yield self.checkpoint("last_checkpoint")

    def stop(self) -> None:
        """From any thread. A statement that runs is broken off and leaves the database as it was."""
        self.stopping.set()
        self._interrupt()

    def connected(self) -> str:
        try:
            with self._turn():
                return is_anyone_connected(self.folder, ours=self.ours).answer
        except (TimeoutError, StateError):
            return "unknown"

    def merge(self) -> PhaseResult:
        return self._guarded("merge", self._merge)

    def rebuild(self) -> PhaseResult:
        """Only where an index has entries or words of messages that are gone: nothing else removes those."""
        return self._guarded("rebuild", self._rebuild)

    def checkpoint(self, phase: Phase) -> PhaseResult:
        """Move the WAL into the database and empty it. SQLite reports success in any case: only the first
        number of its answer tells."""
        return self._guarded(phase, lambda: self._checkpoint(phase))

    def vacuum(self) -> PhaseResult:
        """Write the database anew, if there is room, and if no write of Hermes fails by it."""
        return self._guarded("vacuum", self._vacuum)

    def _merge(self) -> PhaseResult:
        self.say("merge", 0, 0)
        with self._opened() as connection:
            connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
            found = indexes(asker(connection))
            # First, since what it deletes is in the segments until they are merged.
            done = [
                sweep(connection, index, gently=self._gently, stopped=self.stopping.is_set) for index in found
            ]
            done += [
                merge(
                    connection,
                    index,
                    gently=self._gently,
                    say=lambda done, total: self.say("merge", done, total),
                    stopped=self.stopping.is_set,
                )
                for index in found
            ]
        return PhaseResult("merge", "done" if any(done) else "not_needed")

    def _rebuild(self) -> PhaseResult:
        with self._opened() as connection:
            ask = asker(connection)
            external = [index for index in indexes(ask) if index.external]
            broken = [index for index in external if left_over(ask, index) or miscounts(ask, index)]
            moving = being_migrated(ask)
        if not broken:
            return PhaseResult("rebuild", "not_needed")
        if moving:
            return PhaseResult("rebuild", "waiting", "being_migrated")
        if self.connected() != "nobody":
            return PhaseResult("rebuild", "waiting", "hermes_has_it_open")
        with self._opened() as connection:
            for number, index in enumerate(broken):
                self.say("rebuild", number, len(broken))
                table = quoted(index.name)
                connection.execute(f"INSERT INTO {table}({table}) VALUES('rebuild')")
        return PhaseResult("rebuild", "done")

    def _checkpoint(self, phase: Phase) -> PhaseResult:
        self.say(phase, 0, 0)
        with self._turn(), self._opened() as connection:
            if not _has_wal(connection):
                return PhaseResult(phase, "not_needed")
            if any(self._emptied(connection, attempt) for attempt in range(ATTEMPTS)):
                return PhaseResult(phase, "done")
            return PhaseResult(phase, "waiting", "reader")

    def _vacuum(self) -> PhaseResult:
        self.say("vacuum", 0, 0)
        space = space_needed(self.folder, self.temporary)
        if not space.enough:
            return PhaseResult("vacuum", "waiting", "no_space", space=space)
        answer, small = self.connected(), space.file + space.wal < self.small
        if answer != "nobody" and not small:
            reason: Reason = "too_large_while_running" if answer == "somebody" else "cannot_tell"
            return PhaseResult("vacuum", "waiting", reason)
        with self._opened() as connection, self._undisturbed(connection):
            # On disk, in a folder of ours (SQLITE_TMPDIR): in memory it may not fit.
            connection.execute("PRAGMA temp_store=FILE")
            with nullcontext() if small else self._giving_way():
                connection.execute("VACUUM")
        return PhaseResult("vacuum", "done")

    def _emptied(self, connection: sqlite3.Connection, attempt: int) -> bool:
        if self.stopping.is_set():
            raise Stopped
        time.sleep(min(PAUSE, self.patience) if attempt else 0)
        return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)

    def _gently(self) -> bool:
        """Whether anybody may be waiting for the lock. Who comes meanwhile is seen within a second."""
        if not self._crowded and time.monotonic() - self._looked > 1:
            self._crowded = bool(processes_with(look_at(self.folder, needs_index=False), self.ours))
            self._looked = time.monotonic()
        return self._crowded

    def _turn(self) -> AbstractContextManager[None]:
        return cleaner_turn(self.folder, 2 * self.patience)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with open_for_writing(self.folder, seconds=self.patience) as connection:
            self._connection = connection
            try:
                yield connection
            finally:
                self._connection = None

    def _undisturbed(self, connection: sqlite3.Connection) -> AbstractContextManager[None]:
        """With a WAL, pages can be read while everything is written anew; with a journal they cannot."""
        return nullcontext() if _has_wal(connection) else self._turn()

    def _guarded(self, phase: Phase, work: Callable[[], PhaseResult]) -> PhaseResult:
        """What goes wrong becomes a result too."""
        try:
            if self.stopping.is_set():
                raise Stopped
            return work()
        except (Stopped, TimeoutError, StateError, sqlite3.Error, OSError) as error:
            return PhaseResult(phase, "waiting", *self._reason(error))

    def _reason(self, error: Exception) -> tuple[Reason, str | None]:
        if self.stopping.is_set():
            return "stopped", None
        if isinstance(error, TimeoutError):
            return "reader", None  # one of our own
        code = (
            getattr(error, "sqlite_errorname", None) or getattr(error, "code", None) or type(error).__name__
        )
        if isinstance(error, StateLocked) or code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return "busy", None
        if code == "SQLITE_INTERRUPT" and self._came:
            return "hermes_has_it_open", None
        is_full = code == "SQLITE_FULL" or (isinstance(error, StateNotWritable) and error.why == "full")
        return ("no_space" if is_full else "failed"), code

    def _interrupt(self) -> None:
        connection = self._connection
        if connection is not None:
            connection.interrupt()

    @contextmanager
    def _giving_way(self) -> Iterator[None]:
        """Break off when somebody opens the database meanwhile, whose writes would fail."""
        over = threading.Event()

        def watch() -> None:
            while not over.wait(PAUSE):
                with suppress(StateError):
                    if processes_with(look_at(self.folder, needs_index=False), self.ours):
                        self._came = True
                        self._interrupt()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


def _has_wal(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal")
