"""Every code that deleting can come to has words, and the result names each thing that is left."""

from typing import Any, get_args

import pytest

from hermesweb.jobs.models import Job
from sessions import deletion_schema, deletion_values, deletion_words, scrubbing_report
from sessions.deletion_names import Called
from sessions.deletion_outcome import Issue, came_back_later, exit_code, outcome_of
from sessions.deletion_result import lines_of, view_of
from sessions.deletion_run import STEPS
from sessions.deletion_values import Counts, DeletionPlan, PlannedConversation, PlannedSession

CLEAN: dict[str, Any] = {
    "check": {"running": "no"},
    "samples": {"phrases": 2, "rows": [1]},
    "rows": {"left_out": [], "rows": {"messages": 3}, "stale_indexes": [], "old_indexes": [], "kept_tables": []},
    "files": {"removed": 2, "left": []},
    "chats": {"forgotten": 0, "waiting": 0},
    "words": {"complete": True, "phases": [], "residue": None},
    "look": {"came_back": [], "sessions": [], "messages": 0, "rows": {}},
    "proof": {
        "phrases": 2, "distinct": 2, "state": [], "elsewhere": [], "said_by": [], "not_checked": [],
        "rows_counted": 0, "rows_written": 0, "index_read": True,
    },
}  # fmt: skip
PHASE = {"phase": "vacuum", "outcome": "waiting", "reason": "reader", "code": None, "space": None}
FOUND = {"file": "logs/agent.log", "store": "unknown", "how": ["bytes"], "count": 1, "phrases": 1}
LEFT: list[tuple[Issue, str, dict[str, Any]]] = [
    ("left_out", "rows", {"left_out": [[1, "changed"]]}),
    ("left_out", "rows", {"left_out": [[1, "begun"]]}),
    ("left_files", "files", {"left": [["sessions/s1.json", "permission"]]}),
    ("waiting", "words", {"complete": False, "phases": [PHASE]}),
    ("chats", "chats", {"waiting": 1}),
    ("chats", "chats", {"why": "permission"}),
    ("came_back", "look", {"sessions": [0]}),
    ("rows", "look", {"messages": 1}),
    ("state", "proof", {"state": [FOUND | {"file": "state.db-wal", "how": ["wal"]}]}),
    ("state", "proof", {"rows_written": 1}),
    ("elsewhere", "proof", {"elsewhere": [FOUND]}),
    ("not_checked", "proof", {"not_checked": [["x.bin", "encrypted"]]}),
    ("not_checked", "proof", {"index_read": False}),
    ("no_samples", "proof", {"phrases": 0, "distinct": 0}),
]


def plan() -> DeletionPlan:
    sessions = [
        PlannedConversation((PlannedSession(id, "root", 3, 9),), began=began)
        for id, began in (("s1", 1_790_000_000.0), ("s2", None))
    ]
    return DeletionPlan(tuple(sessions), (), Counts(), (), True, 0.0)


def test_when_every_check_found_nothing_it_is_gone() -> None:
    outcome = outcome_of(plan(), CLEAN)
    assert (outcome["result"], outcome["issues"], exit_code(outcome)) == ("gone", [], 0)
    view = view_of(Job(kind="delete_sessions", state="done", outcome=outcome, checkpoint={"record": CLEAN}))
    assert [step.state for step in view.steps] == ["done"] * len(STEPS)
    assert (view.heading, view.left, len(view.gone)) == ("Gone, and looked at again", (), 3)


@pytest.mark.parametrize(("issue", "step", "fact"), LEFT)
def test_nothing_that_is_left_is_called_gone(issue: str, step: str, fact: dict[str, Any]) -> None:
    record = CLEAN | {step: CLEAN[step] | fact}
    outcome = outcome_of(plan(), record)
    assert (outcome["result"], outcome["issues"], exit_code(outcome)) == ("partly", [issue], 3)
    view = view_of(Job(kind="delete_sessions", state="done", outcome=outcome, checkpoint={"record": record}))
    assert "partly" in {each.state for each in view.steps} or issue == "no_samples"
    assert view.left or view.not_checked or issue == "no_samples"
    assert view.again == (issue in ("waiting", "state")), "what is in state.db can be tried again"
    if issue != "chats" and fact != {"left_out": [[1, "changed"]]}:
        assert len(view.gone) < 3
    assert len(list(lines_of(outcome))) >= 3


def test_files_that_have_it_too_are_one_line_a_store() -> None:
    found = [FOUND | {"file": f"state-snapshots/{n}/state.db", "store": "state-snapshots"} for n in range(9)]
    record = CLEAN | {"proof": CLEAN["proof"] | {"elsewhere": [*found, FOUND]}}
    outcome = outcome_of(plan(), record)
    view = view_of(Job(kind="delete_sessions", state="done", outcome=outcome, checkpoint={"record": record}))
    assert [(each.name, len(each.files)) for each in view.left] == [("Snapshots", 9), ("Unknown file", 1)]
    assert "9 files, 9 times" in view.left[0].why


def test_of_what_is_deleted_only_its_time_and_size_are_kept() -> None:
    outcome = outcome_of(plan(), CLEAN)
    assert outcome["went"] == [[1_790_000_000.0, 1, 3], [None, 1, 3]]
    view = view_of(Job(kind="delete_sessions", state="done", outcome=outcome, checkpoint={"record": CLEAN}))
    assert [(each.began, each.messages) for each in view.went] == [(1_790_000_000.0, 3), (None, 3)]


def test_what_stays_is_called_by_its_name_and_what_is_gone_by_its_id() -> None:
    record = CLEAN | {"rows": CLEAN["rows"] | {"left_out": [[0, "changed"], [1, "missing"]]}}
    outcome = outcome_of(plan(), record) | {"result": "partly"}
    known = {"s1": Called("Cakes", "", None)}
    job = Job(kind="delete_sessions", state="done", outcome=outcome, checkpoint={"record": record})
    first, second = view_of(job, lambda ids: {id: known[id] for id in ids if id in known}).left
    assert first.called == known["s1"]
    assert (second.called, second.name) == (None, "s2")


def test_an_old_index_that_hermes_has_moved_meanwhile_is_not_waited_for() -> None:
    rows = CLEAN["rows"] | {"old_indexes": ["fts_v22_trash_messages_fts_content"]}
    assert outcome_of(plan(), CLEAN | {"rows": rows})["result"] == "gone"
    waiting = CLEAN | {"rows": rows, "words": CLEAN["words"] | {"complete": False}}
    assert outcome_of(plan(), waiting)["issues"] == ["waiting"]


@pytest.mark.parametrize("step", ["files", "words", "proof"])
def test_a_run_that_did_not_come_to_its_end_is_not_gone(step: str) -> None:
    record = {name: CLEAN[name] for name in STEPS[: STEPS.index(step)]}  # type: ignore[arg-type]
    outcome = outcome_of(plan(), record)
    assert (outcome["result"], outcome["issues"][0]) == ("partly", "stopped")


def test_what_came_back_later_is_no_longer_gone() -> None:
    outcome = came_back_later(outcome_of(plan(), CLEAN), ["s1"])
    assert (outcome["result"], outcome["issues"]) == ("partly", ["came_back"])


def test_every_code_has_words() -> None:
    assert set(get_args(deletion_values.Reason)) <= set(deletion_words.LEFT_OUT)
    assert set(get_args(deletion_values.QuoteKind)) == set(deletion_words.QUOTES)
    assert set(get_args(scrubbing_report.Reason)) == set(deletion_words.WAITING)
    assert set(get_args(scrubbing_report.Phase)) == set(deletion_words.PHASES)
    assert set(STEPS) == set(deletion_words.STEPS)
    for why in get_args(deletion_schema.WhyNot):
        assert why not in deletion_words.refused(why, "x"), why
    assert set(get_args(Issue)) >= {issue for issue, *_ in LEFT}
