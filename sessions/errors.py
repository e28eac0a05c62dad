"""What can go wrong with reading state.db, as values.

HermesError
└── StateError            (path)
    ├── StateMissing      there is no state.db
    ├── StateEmpty        it has no bytes
    ├── StateUnreadable   (why) permission, a link, no file, a disk that fails
    ├── StateNotDatabase  its header is not SQLite's
    ├── StateDamaged      (message, code) SQLite calls it malformed, or its tables cannot be asked
    ├── StateLocked       a writer held it all the time
    │   └── StateBeingCleaned   we do, to remove deleted words
    ├── StateNotWritable  (why) it cannot be written by us
    ├── StateChanging     it changed under every attempt
    ├── StateNeedsCopy    (why) only a writer could open it in place: see work_copy.py
    ├── StateTimeout      (seconds) a question took too long
    ├── NoSpace           (needed, free) bytes, for a work copy
    └── CopyFailed        (message) the process that copies gave up
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermesweb.hermes.errors import HermesError, Why

CopyReason = Literal[
    "wal_without_index",  # rows are in -wal and there is no -shm
    "index_unreadable",  # -shm belongs to somebody else
    "index_unusable",  # -shm has to be rebuilt first
    "hot_journal",  # a writer died in the middle: its changes have to be rolled back
]


@dataclass(eq=False)
class StateError(HermesError):
    """Something about the state.db at `path`."""

    path: Path


class StateMissing(StateError):
    """There is no such file."""


class StateEmpty(StateError):
    """The file has no bytes."""


class StateLocked(StateError):
    """Another process held it for longer than we wait."""


class StateBeingCleaned(StateLocked):
    """Another process of ours removes deleted words from it; in some seconds it can be read again."""


@dataclass(eq=False)
class StateNotWritable(StateError):
    """Nothing was written. `why`: "foreign_owner": files made beside it would be ours and stop Hermes;
    "read_only": the file system; "permission"; "full": the disk."""

    why: Literal["foreign_owner", "read_only", "permission", "full"]


class StateChanging(StateError):
    """It was written to while it was read."""


class StateNotDatabase(StateError):
    """It is a file, but not an SQLite database."""


@dataclass(eq=False)
class StateUnreadable(StateError):
    """It was not opened; `why` as in hermesweb.hermes.errors."""

    why: Why


@dataclass(eq=False)
class StateDamaged(StateError):
    """SQLite's own words in `message` and its name for them in `code` ("SQLITE_CORRUPT", …)."""

    message: str
    code: str


@dataclass(eq=False)
class StateNeedsCopy(StateError):
    """Readable only after something that belongs to a writer; a private copy may do that."""

    why: CopyReason


@dataclass(eq=False)
class StateTimeout(StateError):
    """One statement took longer than `seconds`."""

    seconds: float


@dataclass(eq=False)
class NoSpace(StateError):
    """A copy needs `needed` bytes and the disk has `free`."""

    needed: int
    free: int


@dataclass(eq=False)
class CopyFailed(StateError):
    """The copying process gave up; `message` is for the log."""

    message: str
