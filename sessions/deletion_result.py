"""A deletion as its job's page shows it: the steps with what each found, and what it came to."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.hermes.ids import decode_id
from hermesweb.jobs.models import Job
from hermesweb.record import shown
from hermesweb.sentences import job_problem
from sessions.deletion_left import Left, id_of, left_of
from sessions.deletion_names import Called
from sessions.deletion_steps import StepView, steps_of
from sessions.deletion_words import NOT_CHECKED, phrases_in_words, problem_of, said
from sessions.deletion_work import FINISH
from sessions.left_over_places import PlaceView

Names = Callable[[Sequence[str]], Mapping[str, Called]]
"""What conversations are called that are still there. Read when a page is shown: we keep no title."""


@dataclass(frozen=True)
class Went:
    """A conversation that was deleted: all that is kept of it. `began`: UTC epoch seconds, None where not known."""

    began: float | None
    sessions: int
    messages: int


@dataclass(frozen=True)
class DeletionView:
    """`result`: "gone", "partly", "nothing", "" while there is none. `stopped`: what it means that somebody stopped
    it. `elsewhere`: what has the phrases too, where that is no failure. `finish`: the job that waits for Hermes;
    `again`: whether the page for left-over words can help. `places`: what was left over before and is now."""

    steps: tuple[StepView, ...]
    result: str
    heading: str
    sentences: tuple[str, ...]
    stopped: str
    problem: str
    left: tuple[Left, ...]
    gone: tuple[Left, ...]
    said_by: tuple[Left, ...]
    not_checked: tuple[Left, ...]
    elsewhere: tuple[Left, ...] = ()
    went: tuple[Went, ...] = ()
    more_went: int = 0
    finish: Job | None = None
    again: bool = False
    places: tuple[PlaceView, ...] = ()


def view_of(job: Job, names: Names = lambda parts: {}) -> DeletionView:
    outcome = outcome_in(job)
    went = [Went(*each) for each in outcome.get("went", ())]
    return named(
        DeletionView(
            steps=tuple(steps_of(job)),
            result=outcome.get("result", ""),
            heading=_heading(outcome),
            sentences=tuple(_sentences(outcome)),
            stopped=_stopped(outcome),
            problem=problem_of(job.outcome) or job_problem(job.outcome),
            left=tuple(left_of(outcome)),
            gone=tuple(_gone(outcome)),
            said_by=said_by(outcome),
            not_checked=not_checked(outcome),
            went=tuple(went),
            more_went=max(0, outcome.get("conversations", 0) - len(went)) if went else 0,
            finish=(finish := _finish(job, outcome)),
            again=job.over and finish is None and bool({"waiting", "state"} & set(outcome.get("issues", ()))),
        ),
        names,
    )


def outcome_in(job: Job) -> dict[str, Any]:
    """Of a job that was stopped it stands in the checkpoint."""
    if "result" in job.outcome:
        return dict(job.outcome)
    return dict(job.checkpoint.get("outcome", {}))


def said_by(outcome: Mapping[str, Any]) -> tuple[Left, ...]:
    """Conversations that stay and say some of the phrases too."""
    found = outcome.get("proof", {}).get("said_by", [])
    return tuple(Left(id_of(part), phrases_in_words(count), part=part) for part, count in found)


def not_checked(outcome: Mapping[str, Any]) -> tuple[Left, ...]:
    found = outcome.get("proof", {}).get("not_checked", [])
    return tuple(Left(shown(file), said(NOT_CHECKED, why)) for file, why in found)


def named(view: DeletionView, names: Names) -> DeletionView:
    """With what the conversations in it are called now; those that are not there keep their id."""
    ids = {each.part: _id(each.part) for each in (*view.left, *view.said_by) if each.part}
    known = names(list(ids.values())) if ids else {}

    def call(found: Sequence[Left]) -> tuple[Left, ...]:
        return tuple(replace(each, called=known.get(ids.get(each.part, ""))) for each in found)

    return replace(view, left=call(view.left), said_by=call(view.said_by))


def _id(part: str) -> str:
    try:
        return decode_id(part)
    except ValueError:
        return ""


def _finish(job: Job, outcome: Mapping[str, Any]) -> Job | None:
    if job.kind == FINISH and job.state == Job.State.WAITING:
        return job
    name = outcome.get("finish")
    return Job.objects.filter(pk=name).exclude(state__in=Job.ENDED).first() if name else None


# -- what it came to


def _heading(outcome: Mapping[str, Any]) -> str:
    return {
        "gone": _("Gone, and looked at again"),
        "partly": _("Deleted, but not everything is gone"),
        "nothing": _("Nothing was deleted"),
    }.get(outcome.get("result", ""), "")


def _stopped(outcome: Mapping[str, Any]) -> str:
    if outcome.get("result"):
        return _("Stopped at your wish. What was deleted stays deleted.")
    return _("Stopped at your wish, before anything was deleted.")


def _sentences(outcome: Mapping[str, Any]) -> Iterator[str]:
    if not outcome.get("conversations"):
        return
    count = outcome["conversations"]
    yield ngettext(
        "%(n)d conversation with %(messages)d messages and %(files)d files was deleted.",
        "%(n)d conversations with %(messages)d messages and %(files)d files were deleted.",
        count,
    ) % {"n": count, "messages": outcome["messages"], "files": outcome["files"]}
    proof = outcome["proof"]
    if not proof:
        yield _("It did not come to its end, so nothing was looked for afterwards.")
    elif not proof["phrases"]:
        yield _("There was no text in it that could be looked for afterwards.")
    else:
        yield _("%(phrases)s were looked for in every file of the profile, by another process.") % {
            "phrases": phrases_in_words(proof["phrases"])
        }
        if not proof["distinct"]:
            yield _("All of them are said in other conversations too, so they prove nothing.")


def _gone(outcome: Mapping[str, Any]) -> Iterator[Left]:
    """What was looked at and is clean."""
    issues, proof = set(outcome.get("issues", ())), outcome.get("proof")
    if not proof:
        return
    begun = any(why == "begun" for _, why in outcome["left_out"])
    if (
        not (begun or issues & {"waiting", "came_back", "rows", "state", "no_samples"})
        and proof["index_read"]
    ):
        yield Left(
            "state.db", _("No row, no entry of a search index, no free page and no log has any of it.")
        )
    if "left_files" not in issues and outcome["files"]:
        yield Left(_("Its files"), _("Looked for again: they are not there."))
    if not issues & {"elsewhere", "not_checked", "no_samples"}:
        yield Left(_("All other files of the profile"), _("None of the phrases is in them."))


def lines_of(outcome: Mapping[str, Any]) -> Iterator[str]:
    """The same for a terminal: what is left first."""
    yield _heading(outcome) + "."
    yield from _sentences(outcome)
    yield from left_lines(left_of(outcome))
    yield from proof_lines(outcome["proof"])


def left_lines(found: Iterator[Left]) -> Iterator[str]:
    for each in found:
        yield " ".join(part for part in (f"{each.name}:", each.why, each.advice) if part)
        yield from (f"  {file}" for file in each.files)


def proof_lines(proof: Mapping[str, Any]) -> Iterator[str]:
    """What could not be looked into, and who says the same."""
    for file, why in proof.get("not_checked", []):
        yield _("Not looked into: %(file)s. %(why)s") % {"file": shown(file), "why": said(NOT_CHECKED, why)}
    for part, count in proof.get("said_by", []):
        yield _("Also said in %(id)s, which stays: %(phrases)s.") % {
            "id": id_of(part),
            "phrases": phrases_in_words(count),
        }
