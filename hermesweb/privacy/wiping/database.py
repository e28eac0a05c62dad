"""state.db in a run of clearing: rows counted before, emptied in place where it cannot be taken away."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.wiping.removing import OnStep, remove_files
from hermesweb.privacy.wiping.survey import Lying
from sessions.clearing import Cleared, clear_state
from sessions.connected import is_anyone_connected
from sessions.database import Database, read_state
from sessions.deletion_schema import DeletionRefused, refuse_damaged
from sessions.errors import NoSpace, StateDamaged, StateError, StateLocked, StateMissing
from sessions.process_turns import cleaner_turn

DATABASE: Final = "state-db"
_OWN_TABLES: Final = ("sqlite_stat1", "sqlite_stat4")  # statistics of SQLite
_REASONS: Final = {
    "SQLITE_FULL": "no_space",
    "SQLITE_IOERR": "io",
    "SQLITE_READONLY": "read_only",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_NOTADB": "damaged",
    "quick_check": "damaged",
}


def rows_of_tables(profile: Profile, copy: Path | None) -> dict[str, int]:
    """How many rows each table of state.db has; nothing where it cannot be read."""
    return rows_if_readable(profile, copy) or {}


def rows_if_readable(profile: Profile, copy: Path | None = None) -> dict[str, int] | None:
    """The same; None where it is not there or cannot be read."""

    def look(db: Database) -> dict[str, int]:
        names = [name for name in sorted(db.tables) if name.isidentifier() and name not in _OWN_TABLES]
        counts = {name: db.value(f"SELECT COUNT(*) FROM {name}") for name in names if "fts" not in name}  # noqa: S608
        indexed = {name: counts.get("messages", 0) for name in names if "fts" in name}
        return {name: int(count) for name, count in (counts | indexed).items() if count}

    try:
        return read_state(profile.folder, look, copy=copy, seconds=60)
    except StateError:
        return None


def nobody_connected(folder: Path) -> bool:
    """Whether the files of state.db can be taken away. Not where it cannot be told."""
    try:
        return is_anyone_connected(folder).answer == "nobody"
    except StateMissing:
        return True
    except (StateLocked, StateDamaged):
        return False
    except StateError:
        return True  # no database by its content: SQLite does not open it, for Hermes neither


def clear_database(
    profile: Profile, lying: Sequence[Lying], *, alive: bool, temporary: Path, step: OnStep
) -> dict[str, str]:
    """Take the files of state.db away if nobody can have them open, else empty them in place. Returns what is
    still there with words in it, and why."""
    if not lying:
        return {}
    if _is_damaged(profile):
        return {lying[0].name: "damaged"}  # what can still be read of it may be worth a repair
    if not alive:
        try:
            # Our own readers step aside meanwhile, in every process.
            with cleaner_turn(profile.folder):
                if nobody_connected(profile.folder):
                    stays = remove_files(lying, step=lambda done: None, database=True)
                    return {name: str(why) for name, why in stays.items()}
        except TimeoutError:
            return {lying[0].name: "busy"}
    why = _emptied(profile, temporary, step)
    return {lying[0].name: why} if why else {}


def _is_damaged(profile: Profile) -> bool:
    """Whether a short look through state.db finds damage. What is no database at all is not damaged."""
    try:
        read_state(profile.folder, refuse_damaged, seconds=5)
    except StateDamaged as problem:
        return problem.code.startswith(("SQLITE_CORRUPT", "quick_check"))
    except StateError:
        return False
    return False


def _emptied(profile: Profile, temporary: Path, step: OnStep) -> str:
    try:
        return why_left(clear_state(profile.folder, temporary=temporary, step=step))
    except DeletionRefused:
        return "unknown_schema"
    except StateError as problem:
        return _why_not(problem)


def _why_not(problem: StateError) -> str:
    if isinstance(problem, StateLocked):
        return "locked"
    if isinstance(problem, NoSpace):
        return "no_space"
    if isinstance(problem, StateDamaged):
        # A full disk and one that fails are no fault of the database; an error after them can hide which it was.
        return next((why for name, why in _REASONS.items() if problem.code.startswith(name)), "failed")
    return getattr(problem, "why", "failed")


def why_left(cleared: Cleared) -> str:
    """What keeps the words in a state.db that was emptied, "" for nothing."""
    if cleared.held:
        return "in_use"
    if cleared.rows:
        return "appeared"
    if cleared.scrubbed.complete:
        return ""
    reasons = [result.reason for result in cleared.scrubbed.waiting]
    return str(reasons[0]) if reasons and reasons[0] else "not_checked"
