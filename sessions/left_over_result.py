"""The removal of left-over words as its job's page shows it."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from hermesweb.jobs.models import Job
from hermesweb.sentences import job_problem
from sessions.deletion_left import Left, found_elsewhere, found_in_state, waiting_in_state
from sessions.deletion_result import (
    DeletionView,
    Names,
    left_lines,
    named,
    not_checked,
    outcome_in,
    proof_lines,
    said_by,
)
from sessions.deletion_steps import steps_of
from sessions.deletion_words import STEPS as DELETING
from sessions.deletion_words import phrases_in_words, problem_of
from sessions.left_over_places import places

STEPS: Mapping[str, Any] = {
    "check": DELETING["check"],
    "samples": gettext_lazy("Looking at what is left over, and noting phrases of it"),
    "words": gettext_lazy("Removing it from state.db"),
    "proof": DELETING["proof"],
}


def view_of(job: Job, names: Names = lambda parts: {}) -> DeletionView:
    outcome = outcome_in(job)
    return named(
        DeletionView(
            steps=tuple(steps_of(job, STEPS, everywhere=False)),
            result=outcome.get("result", ""),
            heading=_heading(outcome),
            sentences=tuple(_sentences(outcome)),
            stopped=_("Stopped at your wish. What was removed stays removed, and no message was changed."),
            problem=problem_of(job.outcome) or job_problem(job.outcome),
            left=tuple(_left(outcome)),
            gone=tuple(_gone(outcome)),
            said_by=said_by(outcome),
            not_checked=not_checked(outcome),
            elsewhere=tuple(_elsewhere(outcome)),
            again=outcome.get("result") == "partly",
            places=tuple(places(outcome["before"], outcome["after"])) if outcome.get("before") else (),
        ),
        names,
    )


def _heading(outcome: Mapping[str, Any]) -> str:
    return {
        "gone": _("Nothing is left over in state.db, and it was looked at again"),
        "partly": _("Not everything that is left over could be removed"),
    }.get(outcome.get("result", ""), "")


def _sentences(outcome: Mapping[str, Any]) -> Iterator[str]:
    proof = outcome.get("proof")
    if not outcome:
        return
    if not proof:
        yield _("It did not come to its end, so nothing was looked for afterwards.")
    elif not proof["phrases"]:
        yield _("There was no text in the places below that could be looked for afterwards.")
    else:
        yield _(
            "%(phrases)s that were left over were looked for in every file of the profile, by another process."
        ) % {"phrases": phrases_in_words(proof["phrases"])}


def _gone(outcome: Mapping[str, Any]) -> Iterator[Left]:
    if outcome.get("result") == "gone":
        yield Left(
            "state.db", _("No free page, no gap, no log and no search index has words of what is deleted.")
        )


def _left(outcome: Mapping[str, Any]) -> Iterator[Left]:
    advice = _("Stop Hermes, then do it again.")
    yield from waiting_in_state(outcome, advice)
    proof = outcome.get("proof") or {}
    yield from found_in_state(proof, advice, advice)
    if proof.get("deleted_meanwhile"):
        why = _("Messages were deleted while it ran, and words of them may be in it.")
        yield Left("state.db", why, _("Do it again."))
    elif "not_looked_for" in outcome.get("issues", ()):
        yield Left(
            "state.db", _("It could not be looked at again for all that was noted."), _("Do it again.")
        )


def _elsewhere(outcome: Mapping[str, Any]) -> Iterator[Left]:
    return found_elsewhere(outcome.get("proof") or {}, _("It is not a part of state.db."))


def lines_of(outcome: Mapping[str, Any]) -> Iterator[str]:
    """The same for a terminal: what is left first."""
    yield _heading(outcome) + "."
    yield from left_lines(_left(outcome))
    yield from _sentences(outcome)
    for each in places(outcome["before"], outcome["after"]):
        yield f"{each.name}: {each.before} → {each.after}" if each.after else f"{each.name}: {each.before}"
    yield from left_lines(_elsewhere(outcome))
    yield from proof_lines(outcome["proof"])
