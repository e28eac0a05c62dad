"""Deleting conversations from beginning to proof, in steps that can each be begun again after any kind of end.

    check    may it be done at all, and is there room: before anything is touched
    samples  phrases and row numbers of what goes, to look for at the end
    rows     the rows of the plan
    files    the files of what is gone
    chats    the index of chats, which a running gateway would write back
    words    what deleted rows leave in state.db (scrubbing.py)
    look     is one of the sessions there again?
    proof    are the phrases found anywhere? (deletion_proof.py)

What a step found stands in the record, a dict for JSON without ids and texts, under the name of the step. A run
that is given such a record goes on after its last entry. What it all comes to: deletion_outcome.py.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from hermesweb.hermes.errors import HermesError, Unreadable
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.running import is_running
from hermesweb.hermes.writing import NotWritten
from sessions.database import Database, read_state
from sessions.deletion import delete_planned, look_again
from sessions.deletion_chat_index import chats_of, forget_chats
from sessions.deletion_connection import opened_for_deletion
from sessions.deletion_files import remove_files
from sessions.deletion_proof import look_for
from sessions.deletion_queries import chunks, existing, extents, marks
from sessions.deletion_schema import refuse_damaged, refuse_unless_known
from sessions.deletion_values import DeletionPlan, PlannedConversation
from sessions.errors import StateError
from sessions.samples import sample_phrases, spread
from sessions.scrubbing import scrub
from sessions.scrubbing_report import as_json
from sessions.space import Space, space_needed
from sessions.state_files import look_at

Step = Literal["check", "samples", "rows", "files", "chats", "words", "look", "proof"]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
AGAIN: Final[tuple[Step, ...]] = ("chats", "words", "look", "proof")
"""What is done once more to finish a run that had to wait for Hermes to be stopped."""
PHRASES, ROWS = 16, 500
INDEX_SECONDS, LARGE_INDEX_SECONDS = 30.0, 3.0  # the second one also for a merged index
LARGE, FEW = 512 << 20, 3  # looking for each phrase takes a while in so many bytes: then fewer are taken

Record = dict[str, dict[str, Any]]
Tell = Callable[[str, int, int], object]


@dataclass(eq=False)
class HermesRuns(HermesError):
    """It was not agreed to delete beside a running Hermes. `answer`: "yes", or "unknown"."""

    answer: str


@dataclass(eq=False)
class TooLittleSpace(HermesError):
    """Nothing was touched: removing the words needs more room than there is."""

    space: Space


@dataclass
class Order:
    """A run that somebody wants. `ours`: a private folder for SQLite's copy and for the search. `tell(step, done,
    total)` is told how far it is, and may raise to stop: what is done stays done. `keep` gets the record after each
    step, `seal` the phrases that are looked for at the end, which stand nowhere else. `phrases`: sealed earlier.
    `first_phrase`: one that is to be among them, where what is left over is removed (left_over_run.py)."""

    profile: Profile
    plan: DeletionPlan
    ours: Path
    while_running: bool = False
    tell: Tell = lambda *_: None
    keep: Callable[[Record], object] = lambda record: None
    seal: Callable[[list[str]], object] = lambda phrases: None
    phrases: list[str] | None = None
    record: Record = field(default_factory=dict)
    most_phrases: int = PHRASES
    first_phrase: str = ""

    @property
    def folder(self) -> Path:
        return self.profile.folder


def run(order: Order) -> Record:
    """Do what the record does not have yet. Raises StateError (DeletionRefused), HermesRuns and TooLittleSpace where
    nothing was deleted; an error after that ends the record early, and is named in it as "failed"."""
    order.ours.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        for step in STEPS:
            if step in order.record:
                continue
            order.tell(step, 0, 0)
            order.record[step] = _DO[step](order)
            order.keep(order.record)
            if step == "rows" and not touched(order.plan, order.record):
                break
    except HermesError as problem:
        settle(order, "busy")
        if not touched(order.plan, order.record):
            raise
        order.record["failed"] = {"problem": type(problem).__name__}
    return order.record


def settle(order: Order, why: str) -> None:
    """After an end in the middle of the rows: what is still there was left out, and `why`. Raises StateError."""
    if "samples" not in order.record or "rows" in order.record:
        return
    ids = order.plan.ids

    def look(db: Database) -> tuple[set[str], dict[str, tuple[int, int]]]:
        return existing(db, ids), extents(db, ids)

    there, found = read_state(order.folder, look, seconds=60)
    left: list[list[Any]] = []
    for number, each in enumerate(order.plan.conversations):
        if there.isdisjoint(each.ids) and found.keys().isdisjoint(each.ids):
            continue
        messages = sum(found[id][0] for id in each.ids if id in found)
        left.append([number, "begun" if messages < each.messages else why])
    order.record["rows"] = {
        "left_out": left, "rows": {}, "stale_indexes": [], "old_indexes": [], "kept_tables": []
    }  # fmt: skip


def gone(plan: DeletionPlan, record: Record) -> tuple[PlannedConversation, ...]:
    """The conversations whose rows are deleted."""
    if "rows" not in record:
        return ()
    left = {number for number, _ in record["rows"]["left_out"]}
    return tuple(each for number, each in enumerate(plan.conversations) if number not in left)


def touched(plan: DeletionPlan, record: Record) -> bool:
    """Whether anything was deleted: a whole conversation, or messages of one that is left otherwise."""
    begun = any(why == "begun" for _, why in record.get("rows", {}).get("left_out", ()))
    return begun or bool(gone(plan, record))


def gone_ids(order: Order) -> list[str]:
    return [id for each in gone(order.plan, order.record) for id in each.ids]


def check_first(order: Order) -> dict[str, Any]:
    """Raises HermesRuns, TooLittleSpace, StateError: nothing was touched."""
    answer = is_running(order.profile).answer
    if answer != "no" and not order.while_running:
        raise HermesRuns(answer)
    space = space_needed(order.folder, order.ours)
    if not space.enough:
        raise TooLittleSpace(space)
    with opened_for_deletion(order.folder) as db:
        refuse_unless_known(db)
        refuse_damaged(db)
    return {"running": answer, "space": asdict(space)}


def _samples(order: Order) -> dict[str, Any]:
    with opened_for_deletion(order.folder) as db:
        phrases = order.phrases
        if phrases is None:
            phrases = sample_phrases(db, order.plan.ids, _most_phrases(order))
        rows = _sampled_rows(db, order.plan)
    order.phrases = phrases
    order.seal(phrases)
    return {"phrases": len(phrases), "rows": rows}


def _most_phrases(order: Order) -> int:
    return min(order.most_phrases, FEW) if _is_large(order) else order.most_phrases


def _is_large(order: Order) -> bool:
    try:
        return look_at(order.folder, needs_index=False).database.st_size >= LARGE
    except StateError:  # gone meanwhile: the proof says what it could not look into
        return False


def _is_merged(order: Order) -> bool:
    """Whether each index was one segment when its words had been removed."""
    residue = order.record.get("words", {}).get("residue")
    return residue is not None and all(count <= 1 for count in residue["segments"].values())


def _sampled_rows(db: Database, plan: DeletionPlan) -> list[int]:
    """Row ids of messages that go, spread over all of them."""
    found: list[int] = []
    for some in chunks(plan.ids):
        asked = f"SELECT id FROM messages WHERE session_id IN ({marks(some)})"  # noqa: S608
        found += [row for (row,) in db.rows(asked, some)]
    return spread(sorted(found), ROWS)


def _rows(order: Order) -> dict[str, Any]:
    with opened_for_deletion(order.folder) as db:
        done = delete_planned(db, order.plan, step=lambda done, total: order.tell("rows", done, total))
    why = {each.id: each.why for each in done.left_out}
    left = [[number, why[each.id]] for number, each in enumerate(order.plan.conversations) if each.id in why]
    return {
        "left_out": left,
        "rows": dict(done.rows),
        "stale_indexes": list(done.stale_indexes),
        "old_indexes": list(done.old_indexes),
        "kept_tables": list(done.kept),
    }


def _files(order: Order) -> dict[str, Any]:
    done = remove_files(order.profile, gone(order.plan, order.record))
    return {"removed": len(done.removed), "left": [[each.path, each.why] for each in done.left]}


def _chats(order: Order) -> dict[str, Any]:
    """A gateway has the index in memory and writes it anew, so it is only taken in hand while none runs."""
    ids = frozenset(gone_ids(order))
    try:
        if is_running(order.profile).answer == "no":
            return {"forgotten": forget_chats(order.profile, ids), "waiting": 0}
        return {"forgotten": 0, "waiting": chats_of(order.profile, ids)}
    except (Unreadable, NotWritten) as problem:
        return {"forgotten": 0, "waiting": 0, "why": problem.why}


def remove_words(order: Order) -> dict[str, Any]:
    """Of all rows that were ever deleted, not only of those of the order. Raises StateError."""
    done = scrub(order.folder, temporary=order.ours, step=order.tell)
    residue = None if done.residue is None else as_json(done.residue)
    return {
        "complete": done.complete,
        "phases": [as_json(phase) for phase in done.phases],
        "residue": residue,
    }


def _look(order: Order) -> dict[str, Any]:
    ids = gone_ids(order)
    numbers = {id: number for number, id in enumerate(ids)}
    found = read_state(order.folder, lambda db: look_again(db, ids), seconds=60)
    return {
        "came_back": [numbers[id] for id in found.came_back],
        "sessions": [numbers[id] for id in found.sessions],
        "messages": found.messages,
        "rows": found.rows,
    }


def look_everywhere(order: Order) -> dict[str, Any]:
    """For the phrases of the order in all files, for its sampled rows in the indexes."""

    def step(files: int, size: int) -> None:
        order.tell("proof", files, 0)

    rows = order.record.get("samples", {}).get("rows", [])
    # A merged index is one segment, which holds nothing of deleted rows; reading all of a large one takes too long.
    seconds = LARGE_INDEX_SECONDS if _is_merged(order) or _is_large(order) else INDEX_SECONDS
    found = look_for(
        order.profile,
        order.phrases or [],
        gone=gone_ids(order),
        rows=rows,
        scratch=order.ours,
        step=step,
        seconds=seconds,
    )
    return found.plain()


_DO: Final[dict[Step, Callable[[Order], dict[str, Any]]]] = {
    "check": check_first,
    "samples": _samples,
    "rows": _rows,
    "files": _files,
    "chats": _chats,
    "words": remove_words,
    "look": _look,
    "proof": look_everywhere,
}
