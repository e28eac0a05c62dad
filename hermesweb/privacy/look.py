"""One look at a profile, as the overview, the memory page and `manage.py audit` show it. Changes nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hermesweb.hermes.config import Config, read_config
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Condition, Profile, condition
from hermesweb.hermes.release import Release, guess_release
from hermesweb.hermes.running import Running, is_running
from memory.entries import Store, read_store
from memory.pending import PendingCount, count_pending
from sessions.database import Database, read_state
from sessions.queries import Counts, SessionRow, count, latest
from sessions.schema_notes import Note, schema_notes

LATEST = 8
PATIENCE = 2.0  # seconds for a statement, and for a lock, while a page waits


@dataclass(frozen=True)
class State:
    """What state.db answered. `problem` is set when it was not read; then the rest is empty."""

    counts: Counts | None = None
    latest: tuple[SessionRow, ...] = ()
    schema_version: int | None = None
    schema_known: bool = True
    notes: tuple[Note, ...] = ()
    problem: HermesError | None = None
    copy: Path | None = None

    @property
    def missing_tables(self) -> frozenset[str]:
        """Without these a state.db is none of Hermes', and a count of nothing in it would say "0"."""
        return frozenset(note.name for note in self.notes if note.code == "no_table") & {
            "sessions",
            "messages",
        }


@dataclass(frozen=True)
class Look:
    profile: Profile
    condition: Condition
    config: Config
    release: Release
    stores: tuple[Store, Store]
    pending: PendingCount
    state: State
    running: Running


def look_at(
    profile: Profile, *, copy: Path | None = None, running: Callable[[Profile], Running] = is_running
) -> Look:
    """Read what a profile holds. Never raises for what is on disk: each part carries its own problem.

    *copy* is a private work copy of state.db to read instead, *running* who says whether Hermes runs.
    """
    state = read_counts(profile, copy)
    config, release, stores = look_at_memory(profile, state.schema_version)
    return Look(
        profile=profile,
        condition=condition(profile),
        config=config,
        release=release,
        stores=stores,
        pending=count_pending(profile),
        state=state,
        running=running(profile),
    )


def look_at_memory(
    profile: Profile, schema_version: int | None
) -> tuple[Config, Release, tuple[Store, Store]]:
    """The two memory files by the rules of the release that wrote the home."""
    config = read_config(profile.folder, root=profile.home.root)
    release = guess_release(profile.folder, schema_version)
    stores = (
        read_store(profile, "memory", config, release.rules),
        read_store(profile, "user", config, release.rules),
    )
    return config, release, stores


def schema_version_of(profile: Profile, copy: Path | None) -> int | None:
    """The schema of state.db, None where it does not tell: then the release is guessed from other files."""
    try:
        return read_state(profile.folder, lambda database: database.schema_version, copy=copy, seconds=1)
    except HermesError:
        return None


def read_counts(profile: Profile, copy: Path | None) -> State:
    def ask(database: Database) -> State:
        return State(
            counts=count(database),
            latest=tuple(latest(database, LATEST)),
            schema_version=database.schema_version,
            schema_known=database.schema_known,
            notes=tuple(schema_notes(database)),
            copy=copy,
        )

    try:
        return read_state(profile.folder, ask, copy=copy, seconds=PATIENCE)
    except HermesError as problem:
        return State(problem=problem, copy=copy)
