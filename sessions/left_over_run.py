"""Removing from state.db what rows left in it that were deleted before, by whomever: Hermes' own `/delete` leaves the
words in free pages, in entries of the search index and in the write-ahead log. No row changes.

    check    may it be done at all, and is there room: before anything is touched
    samples  what is left over, and phrases out of it, to look for at the end
    words    it is removed (scrubbing.py)
    proof    are the phrases found anywhere but in what is there? (deletion_proof.py)

An `Order` of deletion_run with a plan of nothing; its record, with an entry for each step, is a dict for JSON
without texts. A run that is given such a record goes on after its last entry.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, get_args

from hermesweb.hermes.ids import encode_id
from sessions.database import read_state
from sessions.deletion_run import ROWS, Order, Record, check_first, look_everywhere, remove_words
from sessions.deletion_values import Counts, DeletionPlan
from sessions.errors import StateError
from sessions.left_over_samples import deleted_so_far, gone_rows, left_over_phrases
from sessions.residue import look
from sessions.scrubbing_report import as_json

Step = Literal["check", "samples", "words", "proof"]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
NOTHING: Final = DeletionPlan((), (), Counts(), (), True, 0)
STATE_FILES: Final = frozenset(("state.db", "state.db-wal", "state.db-journal", "state.db-shm", "", "."))


def run(order: Order) -> Record:
    """Do what the record does not have yet. Raises StateError (DeletionRefused), HermesRuns and TooLittleSpace where
    nothing was done; after that StateError where one step could not be begun."""
    order.ours.mkdir(mode=0o700, parents=True, exist_ok=True)
    for step in STEPS:
        if step not in order.record:
            order.tell(step, 0, 0)
            order.record[step] = _DO[step](order)
            order.keep(order.record)
    return order.record


def _samples(order: Order) -> dict[str, Any]:
    deleted = read_state(order.folder, deleted_so_far, seconds=60)
    before = as_json(look(order.folder))
    if order.phrases is None:
        found = left_over_phrases(order.folder, order.most_phrases)
        order.phrases = list(dict.fromkeys([order.first_phrase, *found] if order.first_phrase else found))
        order.seal(order.phrases)
    rows = read_state(order.folder, lambda db: gone_rows(db, ROWS), seconds=60)
    return {"phrases": len(order.phrases), "rows": rows, "before": before, "deleted": deleted}


def _proof(order: Order) -> dict[str, Any]:
    """With how many messages were deleted since it began, whose words may be there: None where nobody can tell."""
    found = look_everywhere(order)
    try:
        since = read_state(order.folder, deleted_so_far, seconds=60) - order.record["samples"]["deleted"]
    except StateError:
        since = None
    return {**found, "deleted_meanwhile": since}


_DO: Final[dict[Step, Callable[[Order], dict[str, Any]]]] = {
    "check": check_first,
    "samples": _samples,
    "words": remove_words,
    "proof": _proof,
}


def outcome_of(record: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What it came to, as values for JSON: "gone" where nothing is left over in state.db and every look was had, else
    "partly". Other files that have the phrases are named in "proof", and change nothing: they were not to go."""
    words, proof = record.get("words", {}), record.get("proof", {})
    issues = [] if proof else ["stopped"]
    if words and not words["complete"]:
        issues.append("waiting")
    if proof and (proof["state"] or proof["rows_counted"] or proof["rows_written"]):
        issues.append("state")
    if proof and (not proof["index_read"] or any(file in STATE_FILES for file, _ in proof["not_checked"])):
        issues.append("not_checked")
    if proof and (proof["phrases"] < record["samples"]["phrases"] or proof["deleted_meanwhile"] is None):
        issues.append("not_looked_for")  # as where the key of ours is lost that sealed the phrases
    if proof and proof["deleted_meanwhile"]:
        issues.append("deleted_meanwhile")
    return {
        "result": "partly" if issues else "gone",
        "issues": issues,
        "before": record.get("samples", {}).get("before"),
        "after": words.get("residue"),
        "waiting": [phase for phase in words.get("phases", ()) if phase["outcome"] == "waiting"],
        "running": record.get("check", {}).get("running", "unknown"),
        "proof": {**proof, "said_by": [[encode_id(id), count] for id, count in proof["said_by"]]}
        if proof
        else {},
    }
