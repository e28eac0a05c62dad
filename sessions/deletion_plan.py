"""What a deletion would take, what it would leave, and what is quoted elsewhere: the preview that is deleted."""

import time
from collections.abc import Mapping, Sequence
from itertools import compress

from sessions.database import Database
from sessions.deletion_family import Families, families_of
from sessions.deletion_queries import (
    beginnings,
    chunks,
    delegation_names,
    existing,
    extents,
    guarded,
    lost_prompts,
    text_bytes,
)
from sessions.deletion_quotes import quotes_of
from sessions.deletion_sides import side_rows
from sessions.deletion_unused import Members, unused
from sessions.deletion_values import (
    Counts,
    DeletionPlan,
    LeftOut,
    PlannedConversation,
    PlannedSession,
    Unused,
)

QUOTE_SECONDS = 5.0


def plan_deletion(
    db: Database,
    chosen: Sequence[str] | Unused,
    *,
    now: float | None = None,
    quote_seconds: float = QUOTE_SECONDS,
) -> DeletionPlan:
    """What goes when these sessions go, each with its whole conversation, or all that are `Unused`.

    `now`: UTC epoch seconds. Looking for quotes ends after `quote_seconds`. `counts.files` stays 0: see
    deletion_files.files_of. Reads only. Raises StateError.
    """
    now = time.time() if now is None else now
    families = families_of(db)
    if isinstance(chosen, Unused):
        wanted, left_out = unused(db, families, chosen, now)
    else:
        wanted, left_out = _chosen(db, families, chosen)
    wanted, odd = _without_odd(db, wanted)
    wanted, held = _without_held(db, wanted, now)
    ids = {id for members in wanted for id, _ in members}
    conversations = _planned(db, wanted)
    quotes, complete = quotes_of(db, families, ids, quote_seconds)
    counts = _counts(db, families, conversations, ids)
    return DeletionPlan(conversations, (*left_out, *odd, *held), counts, quotes, complete, now)


def _chosen(db: Database, families: Families, ids: Sequence[str]) -> tuple[list[Members], list[LeftOut]]:
    there = existing(db, ids) | set(extents(db, ids))
    found = [families.conversation(id) for id in dict.fromkeys(ids) if id in there]
    wanted: list[Members] = []
    seen: set[str] = set()
    for members in sorted(found, key=len, reverse=True):  # a subagent may be chosen beside its conversation
        rest = [each for each in members if each[0] not in seen]
        if rest:
            wanted.append(rest)
            seen.update(id for id, _ in rest)
    return wanted, [LeftOut(id, "missing") for id in dict.fromkeys(ids) if id not in there]


def _without_odd(db: Database, wanted: list[Members]) -> tuple[list[Members], list[LeftOut]]:
    """An id that is no text is shown as one, but nothing is found by that: it would count as gone."""
    ids = [id for members in wanted for id, _ in members]
    there = existing(db, ids) | set(extents(db, ids))
    odd = [any(id not in there for id, _ in members) for members in wanted]
    left_out = [LeftOut(members[0][0], "odd_id") for members in compress(wanted, odd)]
    return [members for members, is_odd in zip(wanted, odd, strict=True) if not is_odd], left_out


def _without_held(db: Database, wanted: list[Members], now: float) -> tuple[list[Members], list[LeftOut]]:
    held = guarded(db, now)
    free: list[Members] = []
    left_out: list[LeftOut] = []
    for members in wanted:
        why = next((held[id] for id, _ in members if id in held), None)
        if why is None:
            free.append(members)
        else:
            left_out.append(LeftOut(members[0][0], why))  # type: ignore[arg-type]
    return free, left_out


def _planned(db: Database, wanted: list[Members]) -> tuple[PlannedConversation, ...]:
    found = extents(db, [id for members in wanted for id, _ in members])
    began = beginnings(db, [members[0][0] for members in wanted])
    return tuple(_conversation(db, members, found, began.get(members[0][0])) for members in wanted)


def _conversation(
    db: Database, members: Members, found: Mapping[str, tuple[int, int]], began: float | None
) -> PlannedConversation:
    delegations, summaries = delegation_names(db, [id for id, _ in members])
    return PlannedConversation(
        tuple(PlannedSession(id, part, *found.get(id, (0, 0))) for id, part in members),
        tuple(sorted(delegations)),
        tuple(sorted(summaries)),
        began,
    )


def _counts(
    db: Database, families: Families, conversations: Sequence[PlannedConversation], ids: set[str]
) -> Counts:
    parts = [session.part for each in conversations for session in each.sessions]
    listed = sorted(ids)
    sizes = (text_bytes(db, some) for some in chunks(listed))
    return Counts(
        conversations=len(conversations),
        sessions=len(ids),
        segments=sum(part in ("continuation", "reset") for part in parts),
        subagents=parts.count("subagent"),
        branches=len(families.staying_children(ids)),
        messages=sum(each.messages for each in conversations),
        text_bytes=sum(sizes),
        prompts=lost_prompts(db, listed),
        rows={table: len(rows) for table, rows in side_rows(db, listed).items()},
    )
