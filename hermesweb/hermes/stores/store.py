"""What is known about one place that holds something about a person."""

from dataclasses import dataclass
from typing import Literal

Clearing = Literal[
    "default",  # cleared unless somebody says otherwise
    "backups",  # a tick of its own, never implied
    "yours",  # written or curated by the person: list it, ask
    "credentials",  # clearing logs Hermes or the person out
    "contacts",  # who may talk to the agent: clearing makes people pair again
    "live",  # state of a running Hermes
    "out_of_reach",  # said, with the place where it can be removed
    "keep",  # nothing about a person, or in use by others
]
Where = Literal["profile", "root", "outside", "remote", "ours"]
Kind = Literal[
    "memory",
    "memory_copies",
    "conversations",
    "conversation_copies",
    "logs_and_caches",
    "snapshots_and_backups",
    "skills_and_settings",
    "work",  # boards, plans, files the agent worked on
    "contacts",
    "credentials",
    "remote",
    "program",  # Hermes itself and its tools, where the installer put them into the home
]
How = Literal[
    "delete",
    "lock_and_delete",  # Hermes' own lock held meanwhile
    "lock_and_rewrite",
    "database_delete",  # a database with its -wal, -shm and -journal, Hermes stopped
    "sql",
    "truncate_or_delete",  # emptied where it stands while Hermes runs, else deleted
    "ask",
    "report",
    "keep",
]
Check = Literal["files", "sql_and_bytes", "archives", "git", "names", "none"]


@dataclass(frozen=True)
class Store:
    """`patterns` are relative to the profile's folder ("profile") or the default profile's ("root"), begin with
    "~/" or "<tmp>/" ("outside") and are none for "remote" and for a table of state.db. In them `*` stays
    within one part of a path, "/" at the end means all below, and "{session}" is the id of a session.

    `since` and `until` are releases of Hermes: the oldest of 0.13.0, 0.15.2, 0.17.0, 0.18.2, 0.19.0, 0.22
    whose source has it, "later" if it was only seen in a later text.
    """

    id: str
    where: Where
    patterns: tuple[str, ...]
    kind: Kind
    clearing: Clearing
    stop_first: bool
    after_reset: bool  # still holds the fact after the memory was reset
    after_session_delete: bool  # still holds the fact after the rows in state.db are deleted
    how: How
    hazards: tuple[str, ...]
    check: Check
    since: str
    until: str | None = None
    table: str | None = None
