"""One look at the places in a state.db that keep the words of deleted rows, without looking for any word."""

from pathlib import Path

from sessions.database import Database, read_state
from sessions.scrubbing_indexes import being_migrated, indexes, left_over, segments
from sessions.scrubbing_report import Residue
from sessions.state_files import look_at


def look(folder: Path, *, seconds: float = 60) -> Residue:
    """The state.db of a profile `folder`, read only; sizes by their names. `seconds`: for each question.
    Raises StateError."""
    return read_state(folder, lambda database: _residue(folder, database), seconds=seconds)


def _residue(folder: Path, database: Database) -> Residue:
    files = look_at(folder)
    ask = database.rows
    found = indexes(ask)
    return Residue(
        freelist_pages=int(database.value("PRAGMA freelist_count") or 0),
        database_bytes=files.database.st_size,
        wal_bytes=files.wal.st_size if files.wal else 0,
        journal_bytes=files.journal.st_size if files.journal else 0,
        segments={index.name: len(segments(ask, index)) for index in found},
        left_over={index.name: left_over(ask, index) for index in found},
        being_migrated=being_migrated(ask),
    )
