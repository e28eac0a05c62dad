"""Deletes rows of conversations from state.db, as their plan says and never more.

Order matters: messages go before their session, because the trigger of a newer full-text index looks the
session up and would leave the words for good. Many small transactions, since Hermes gives up a write after
16 seconds; each is repeatable and takes whole conversations, except one that is too long for that: its messages
go first, the oldest before the others. Words left in indexes and free pages are the
business of scrubbing.py.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sessions.database import Database
from sessions.deletion_connection import transaction
from sessions.deletion_family import Families, families_of
from sessions.deletion_queries import (
    chunks,
    existing,
    extents,
    guarded,
    marks,
    still_there,
    unused_prompts,
)
from sessions.deletion_schema import (
    DeletionRefused,
    refuse_damaged,
    refuse_unless_known,
    stale_indexes,
)
from sessions.deletion_sides import kept_tables, side_rows
from sessions.deletion_values import DeletedRows, DeletionPlan, LeftOut, PlannedConversation, Reason
from sessions.scrubbing_indexes import being_migrated, quoted

MOST_MESSAGES = 3_000  # in one transaction
MOST_CONVERSATIONS = 200
WITHOUT_PAUSE, PAUSE = 0.5, 0.15  # seconds: a writer that waits asks SQLite every 0.1, and must meet a moment

Step = Callable[[int, int], object]


@dataclass(frozen=True)
class Remains:
    """What is there again, or still. `came_back`: made anew by a chat that was open (source "unknown")."""

    sessions: tuple[str, ...]
    came_back: tuple[str, ...]
    messages: int
    rows: dict[str, int]

    @property
    def nothing(self) -> bool:
        return not (self.sessions or self.messages or self.rows)


def delete_planned(
    db: Database, plan: DeletionPlan, *, now: Callable[[], float] = time.time, step: Step | None = None
) -> DeletedRows:
    """Delete the rows of a plan through a connection of deletion_connection.py.

    `step(done, total)` in conversations is called between transactions and may raise to stop: what is done
    stays done, and the same plan can be run again. A conversation that something was added to since, or that a
    live process holds, is left as it is and named: as "begun" where that came while it was being deleted. Raises
    DeletionRefused and StateDamaged before anything is touched, StateLocked and the rest of StateError with no
    transaction half done.
    """
    refuse_unless_known(db)
    refuse_damaged(db)
    version = db.value("PRAGMA schema_version")
    done = _Done()
    total, finished = len(plan.conversations), 0
    began = time.monotonic()
    for batch in _batches(plan.conversations):
        slices = 0
        while True:
            if step is not None:
                step(finished, total)
            if time.monotonic() - began > WITHOUT_PAUSE:
                time.sleep(PAUSE)
                began = time.monotonic()
            with transaction(db):
                if db.value("PRAGMA schema_version") != version:
                    raise DeletionRefused(db.path, "schema_changed")
                outcome = _delete_batch(db, batch, now(), begun=slices > 0)
            done.add(outcome)
            slices += 1
            if not outcome.more:
                break
        finished += len(batch)
    if step is not None:
        step(finished, total)
    return DeletedRows(
        tuple(done.sessions),
        tuple(done.already_gone),
        dict(done.rows),
        tuple(done.left_out),
        stale_indexes(db),
        being_migrated(db.rows),
        kept_tables(db),
    )


def look_again(db: Database, ids: Iterable[str]) -> Remains:
    """Whether anything is left of sessions that were deleted, or is there again. Raises StateError."""
    wanted = list(ids)
    there, messages = still_there(db, wanted)
    unknown: set[str] = set()
    if "source" in db.columns("sessions"):
        for some in chunks(there):
            asked = f"SELECT id FROM sessions WHERE source = 'unknown' AND id IN ({marks(some)})"  # noqa: S608
            unknown.update(str(id) for (id,) in db.rows(asked, some))
    rows = {table: len(found) for table, found in side_rows(db, wanted).items()}
    return Remains(tuple(sorted(there)), tuple(sorted(unknown)), messages, rows)


class _Done:
    """What has come of a deletion so far. `more`: it takes another transaction to end it."""

    def __init__(self) -> None:
        self.sessions: list[str] = []
        self.already_gone: list[str] = []
        self.left_out: list[LeftOut] = []
        self.rows: Counter[str] = Counter()
        self.more = False

    def add(self, other: "_Done") -> None:
        self.sessions += other.sessions
        self.already_gone += other.already_gone
        self.left_out += other.left_out
        self.rows.update(other.rows)


def _batches(conversations: Sequence[PlannedConversation]) -> Iterator[list[PlannedConversation]]:
    batch: list[PlannedConversation] = []
    messages = 0
    for each in conversations:
        if batch and (messages + each.messages > MOST_MESSAGES or len(batch) == MOST_CONVERSATIONS):
            yield batch
            batch, messages = [], 0
        batch.append(each)
        messages += each.messages
    if batch:
        yield batch


def _delete_batch(db: Database, batch: Sequence[PlannedConversation], now: float, *, begun: bool) -> _Done:
    done = _Done()
    families, held = families_of(db), guarded(db, now)
    planned = [id for each in batch for id in each.ids]
    there, found = existing(db, planned), extents(db, planned)
    for conversation in batch:
        if why := _why_not(conversation, families, held, there, found):
            done.left_out.append(LeftOut(conversation.id, "begun" if begun else why))
            continue
        done.sessions += conversation.ids
        done.already_gone += [id for id in conversation.ids if id not in there and id not in found]
    if sum(found[id][0] for id in done.sessions if id in found) > MOST_MESSAGES:  # a single conversation
        done.rows, done.sessions, done.already_gone = _delete_oldest(db, done.sessions), [], []
        done.more = True
    else:
        done.rows = _delete(db, done.sessions)
    return done


def _why_not(
    conversation: PlannedConversation,
    families: Families,
    held: dict[str, str],
    there: set[str],
    found: dict[str, tuple[int, int]],
) -> Reason | None:
    """Why a conversation is not deleted now."""
    ids = set(conversation.ids)
    members = {id for each in ids & there for id, _ in families.conversation(each)}
    if why := next((held[id] for id in (*conversation.ids, *members) if id in held), None):
        return why  # type: ignore[return-value]
    if members - ids:
        return "changed"
    if any(found.get(each.id, (0, 0))[1] > each.last_message for each in conversation.sessions):
        return "changed"
    return None


def _delete(db: Database, ids: Sequence[str]) -> "Counter[str]":
    """Delete sessions with all that belongs to them; how many rows of each table."""
    deleted = _delete_sides(db, ids)  # first: some are recognised by the messages
    for some in chunks(ids):
        _part_from_children(db, some)
        deleted.update(_delete_messages(db, f"session_id IN ({marks(some)})", some))
    for some in chunks(ids):
        deleted["sessions"] += _changes(db, f"DELETE FROM sessions WHERE id IN ({marks(some)})", some)  # noqa: S608
    deleted["system_prompts"] += _delete_prompts(db)
    return +deleted


def _delete_oldest(db: Database, ids: Sequence[str]) -> "Counter[str]":
    """Delete as many of their messages as one transaction takes, and what belongs to them beside the messages."""
    deleted = _delete_sides(db, ids)
    oldest: list[int] = []
    for some in chunks(ids):
        asked = (
            f"SELECT id FROM messages WHERE session_id IN ({marks(some)}) ORDER BY id LIMIT {MOST_MESSAGES}"  # noqa: S608
        )
        oldest += [row for (row,) in db.rows(asked, some)]
    for some in chunks(sorted(oldest)[:MOST_MESSAGES]):
        deleted.update(_delete_messages(db, f"id IN ({marks(some)})", some))
    return +deleted


def _delete_sides(db: Database, ids: Sequence[str]) -> "Counter[str]":
    deleted: Counter[str] = Counter()
    for table, rows in side_rows(db, ids).items():
        for some in chunks(sorted(rows)):
            deleted[table] += _changes(db, f"DELETE FROM {table} WHERE rowid IN ({marks(some)})", some)  # noqa: S608
    return deleted


def _delete_messages(db: Database, which: str, values: Sequence[object]) -> "Counter[str]":
    """Messages, and their texts in the copies of an index that Hermes is replacing: no trigger keeps those in step."""
    deleted: Counter[str] = Counter()
    for table in being_migrated(db.rows):
        if {"id", "c0"} <= db.columns(table):
            messages = f"SELECT id FROM messages WHERE {which}"  # noqa: S608
            deleted[table] += _changes(db, f"DELETE FROM {quoted(table)} WHERE id IN ({messages})", values)  # noqa: S608
    deleted["messages"] += _changes(db, f"DELETE FROM messages WHERE {which}", values)  # noqa: S608
    return deleted


def _part_from_children(db: Database, ids: Sequence[str]) -> None:
    if "parent_session_id" in db.columns("sessions"):
        parted = f"UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id IN ({marks(ids)})"  # noqa: S608
        db.rows(parted, ids)


def _delete_prompts(db: Database) -> int:
    unused = unused_prompts(db)
    return _changes(db, f"DELETE FROM system_prompts WHERE {unused}", ()) if unused else 0  # noqa: S608


def _changes(db: Database, statement: str, values: Sequence[object]) -> int:
    db.rows(statement, values)
    return int(db.value("SELECT changes()"))
