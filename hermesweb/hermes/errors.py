"""What can go wrong with a Hermes home, as values.

    HermesError
    ├── BadHomesSetting   the setting that names the homes cannot be understood
    ├── NoSuchHome        no folder there that could be a home
    ├── NoSuchProfile     no profile of that name in this home
    ├── Unreadable        a file or folder of a home that was not read
    ├── NotWritten        a file that was not written or removed (hermesweb.hermes.writing)
    └── Busy              Hermes held its lock for longer than we wait (hermesweb.hermes.locks)

Each carries fields and a code in `why`; the sentence for people is made where it is shown.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Why = Literal[
    "missing",
    "permission",
    "not_a_file",
    "not_a_folder",
    "link",  # a symbolic link on the way, or a loop of them
    "outside",  # not below the root it was asked for
    "database",  # state.db and its side files are opened through SQLite only
    "too_large",
    "undecodable",
    "io",
]


class HermesError(Exception):
    """The root of all errors about a Hermes home. Subclasses carry fields instead of sentences."""


# Not frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class BadHomesSetting(HermesError):
    """`part` of HERMESWEB_HOMES (or HERMES_HOME) is wrong.

    `why`: "no_path" "not_absolute" "quoting" "too_wide" (the root of the disk or the login's own folder)
    "twice".
    """

    part: str
    why: Literal["no_path", "not_absolute", "quoting", "too_wide", "twice"]


@dataclass(eq=False)
class NoSuchHome(HermesError):
    """There is no folder at `path`."""

    path: Path


@dataclass(eq=False)
class NoSuchProfile(HermesError):
    """`name` is not a profile of the home, or could not be the name of one."""

    name: str


@dataclass(eq=False)
class Unreadable(HermesError):
    """`path` was not read. `offset`: byte where decoding ended; `size`: bytes of a file that is too large."""

    path: Path
    why: Why
    offset: int | None = None
    size: int | None = None
