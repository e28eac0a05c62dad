"""What a run of deleting came to, as values for JSON: counts, codes, ids in the form of an address. No text.

"gone" is only said when every check ran and none found anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from hermesweb.hermes.ids import encode_id
from sessions.deletion_run import Record, gone, touched
from sessions.deletion_values import DeletionPlan

Result = Literal["gone", "partly", "nothing"]
Issue = Literal[
    "stopped",  # it did not come to its end
    "left_out",  # something was added to a conversation, or a live process holds it
    "left_files",
    "waiting",  # words are in state.db until Hermes is stopped
    "chats",  # entries of the index of chats are
    "came_back",  # an open chat made the session anew
    "rows",  # rows of what was deleted are there
    "state",  # sampled words are in state.db
    "elsewhere",  # or in other files
    "not_checked",
    "no_samples",  # nothing could be looked for
]
NAMED: Final = 100


def outcome_of(plan: DeletionPlan, record: Record) -> dict[str, Any]:
    """`result`, `issues` in their order, and what each is about. For a record that has "rows" or more."""
    went = gone(plan, record)
    any_touched = touched(plan, record)
    ids = [id for each in went for id in each.ids]
    issues = list(_issues(record, sum(each.messages for each in went))) if any_touched else ["left_out"]
    left = record.get("rows", {}).get("left_out", [])
    look, proof = record.get("look", {}), record.get("proof", {})
    return {
        "result": _result(any_touched, issues),
        "issues": issues,
        "conversations": len(went),
        "sessions": len(ids),
        "messages": sum(each.messages for each in went),
        "went": [[each.began, len(each.ids), each.messages] for each in went[:NAMED]],
        "rows": record.get("rows", {}).get("rows", {}),
        "files": record.get("files", {}).get("removed", 0),
        "left_out": [[encode_id(plan.conversations[number].id), why] for number, why in left[:NAMED]],
        "left_out_count": len(left),
        "left_files": record.get("files", {}).get("left", [])[:NAMED],
        "came_back": [encode_id(ids[number]) for number in look.get("sessions", [])[:NAMED]],
        "waiting": [
            phase for phase in record.get("words", {}).get("phases", []) if phase["outcome"] == "waiting"
        ],
        "chats": record.get("chats", {}),
        "failed": record.get("failed", {}).get("problem", ""),
        "running": record.get("check", {}).get("running", "unknown"),
        "proof": proof | {"said_by": _encoded(proof.get("said_by", []))} if proof else {},
    }


def came_back_later(outcome: Mapping[str, Any], sessions: Sequence[str]) -> dict[str, Any]:
    """The outcome when these sessions were seen again after its end."""
    issues = list(dict.fromkeys([*outcome["issues"], "came_back"]))
    parts = [encode_id(session) for session in sessions[:NAMED]]
    return {**outcome, "result": "partly", "issues": issues, "came_back": parts}


def exit_code(outcome: Mapping[str, Any]) -> int:
    """0 all gone and verified, 3 deleted but not everything could be proven, 2 nothing done."""
    return {"gone": 0, "partly": 3, "nothing": 2}[outcome["result"]]


def _result(any_touched: bool, issues: Sequence[str]) -> Result:
    if not any_touched:
        return "nothing"
    return "partly" if issues else "gone"


def _issues(record: Record, messages: int) -> Iterator[Issue]:
    if "proof" not in record:
        yield "stopped"
    if record["rows"]["left_out"]:
        yield "left_out"
    if record.get("files", {}).get("left"):
        yield "left_files"
    # Of old indexes too, for as long as they are there: scrubbing looks for them each time.
    if not record.get("words", {"complete": not record["rows"]["old_indexes"]})["complete"]:
        yield "waiting"
    if record.get("chats", {}).get("waiting") or record.get("chats", {}).get("why"):
        yield "chats"
    yield from _of_look(record.get("look", {}))
    if "proof" in record:
        yield from _of_proof(record["proof"], messages)


def _of_look(look: Mapping[str, Any]) -> Iterator[Issue]:
    if look.get("sessions"):
        yield "came_back"
    elif look.get("messages") or look.get("rows"):
        yield "rows"


def _of_proof(proof: Mapping[str, Any], messages: int) -> Iterator[Issue]:
    if proof["state"] or proof["rows_counted"] or proof["rows_written"]:
        yield "state"
    if proof["elsewhere"]:
        yield "elsewhere"
    if proof["not_checked"] or not proof["index_read"]:
        yield "not_checked"
    if messages and not proof["distinct"]:
        yield "no_samples"


def _encoded(said: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [[encode_id(session), count] for session, count in said]
