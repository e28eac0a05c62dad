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
Hazard = Literal[
    "adds_again",  # approving it later writes the fact back
    "app_open",  # a browser or app has to be closed first
    "breaks_locking",  # taken away, two programs may write at once
    "comes_back",  # read in again at the next start
    "elsewhere_too",  # config.yaml or the environment may put it at another place
    "environment",  # holds the variables of a shell, keys too
    "holds_credentials",
    "ids_stay",  # names of people stay even after Hermes revoked them
    "index_keeps_words",  # deleted words stay until the index is built again
    "kept_open",  # a running Hermes writes on into a file that was taken away
    "last_way_back",
    "logs_out",
    "moved_only",  # Hermes' own delete moves it into an archive
    "never_unlink",  # never taken away or replaced while anything may be connected
    "no_fixed_place",
    "open_chat_keeps",  # an open chat has the old text in its prompt until it ends
    "packed",  # a search of bytes finds nothing
    "pair_again",
    "provider_not_told",  # a removal here is not passed on
    "remote_copies_stay",  # holds the names of remote copies: read it before it goes
    "replayed",  # holds what was not sent yet and is sent at the next start
    "restored",  # an update may put it back
    "rewritten",  # a running Hermes writes it anew
    "shared",  # belongs to all profiles
    "stock_text",  # replaced by the text Hermes ships, not removed
    "together",  # to be cleared together with what it is read in from
    "upload_list",  # the only list of uploads: remove those first
    "whole_copies",  # holds other stores as a whole
]


@dataclass(frozen=True)
class Store:
    """`patterns` are relative to the profile's folder ("profile") or the default profile's ("root"), or begin
    with "~/", "<tmp>/" or "<work>/" (a folder the agent worked in; "outside") or "<data>/" (hermesweb's own
    folder; "ours"). In them `*` stays within one part of a path, "/" at the end means all below, "**/" at the
    beginning in any folder, "{session}" is the id of a session and "{profile}" the name of a profile. The
    name of a database (.db, .sqlite3) stands for its -wal, -shm and -journal too. None: it is not a file at a
    fixed place (remote, or a part of the store `inside`: a table, keys of a file).

    `since` and `until` are releases of Hermes: the oldest of 0.13.0, 0.15.2, 0.17.0, 0.18.2, 0.19.0, 0.22
    whose source has it, "later" if it was only seen in a later
    text, "" if that was not looked into.
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
    hazards: tuple[Hazard, ...]
    check: Check
    since: str
    until: str | None = None
    table: str | None = None
    inside: str | None = None
