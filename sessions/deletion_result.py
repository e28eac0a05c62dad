"""A deletion as its job's page shows it: the steps with what each found, and what it came to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.hermes.ids import decode_id
from hermesweb.jobs.models import Job
from hermesweb.privacy.store_words import words_of
from hermesweb.record import shown
from hermesweb.sentences import job_problem
from sessions.deletion_steps import StepView, steps_of
from sessions.deletion_words import (
    LEFT_FILES,
    LEFT_OUT,
    NOT_CHECKED,
    PHASES,
    WAITING,
    phrases_in_words,
    places,
    problem_of,
    said,
)
from sessions.deletion_work import FINISH


@dataclass(frozen=True)
class Left:
    """Something that is still there: what, why, how to deal with it. `part`: of a conversation, for a link."""

    name: str
    why: str
    advice: str = ""
    part: str = ""
    store: str = ""


@dataclass(frozen=True)
class DeletionView:
    """`result`: "gone", "partly", "nothing", "" while there is none. `finish`: the job that waits for Hermes."""

    steps: tuple[StepView, ...]
    result: str
    outcome: Mapping[str, Any]
    heading: str
    sentences: tuple[str, ...]
    left: tuple[Left, ...]
    gone: tuple[Left, ...]
    said_by: tuple[Left, ...]
    not_checked: tuple[Left, ...]
    finish: Job | None
    problem: str


def view_of(job: Job) -> DeletionView:
    outcome = _outcome(job)
    return DeletionView(
        steps=tuple(steps_of(job)),
        result=outcome.get("result", ""),
        outcome=outcome,
        heading=_heading(outcome),
        sentences=tuple(_sentences(outcome)),
        left=tuple(_left(outcome)),
        gone=tuple(_gone(outcome)),
        said_by=tuple(
            Left("", phrases_in_words(count), part=part)
            for part, count in outcome.get("proof", {}).get("said_by", [])
        ),
        not_checked=tuple(
            Left(shown(file), said(NOT_CHECKED, why))
            for file, why in outcome.get("proof", {}).get("not_checked", [])
        ),
        finish=_finish(job, outcome),
        problem=problem_of(job.outcome) or job_problem(job.outcome),
    )


def _outcome(job: Job) -> dict[str, Any]:
    """Of a job that was stopped it stands in the checkpoint."""
    if "result" in job.outcome:
        return dict(job.outcome)
    return dict(job.checkpoint.get("outcome", {}))


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


def _left(outcome: Mapping[str, Any]) -> Iterator[Left]:
    close = _("Close the chat, then delete it again.")
    for part, why in outcome.get("left_out", []):
        advice = _("Look at it, and choose again.")
        if why != "begun":
            advice = f"{_('It was not touched.')} {advice}"
        yield Left(_short(part), said(LEFT_OUT, why), advice, part)
    for path, why in outcome.get("left_files", []):
        yield Left(shown(path), said(LEFT_FILES, why), _("Remove it by hand, if it is only about this."))
    for phase in outcome.get("waiting", []):
        yield Left("state.db", _waiting(phase), _("Stop Hermes, then finish."))
    if outcome.get("chats", {}).get("waiting"):
        yield Left(
            "sessions/sessions.json",
            _("A running gateway would write it back."),
            _("Stop Hermes, then finish."),
        )
    elif outcome.get("chats", {}).get("why"):
        yield Left("sessions/sessions.json", said(LEFT_FILES, outcome["chats"]["why"]))
    for part in outcome.get("came_back", []):
        yield Left(
            _short(part), _("It is there again: a chat was open and stored its next turn."), close, part
        )
    if "rows" in outcome.get("issues", ()):
        yield Left("state.db", _("Rows of a deleted conversation are there again."), close)
    yield from _found_again(outcome.get("proof") or {})


def _waiting(phase: Mapping[str, Any]) -> str:
    sentence = said(WAITING, phase["reason"])
    space = phase.get("space")
    if space:
        needed = filesizeformat(space["needed_here"] + space["needed_temporary"])
        sentence += " " + _("It needs %(needed)s.") % {"needed": needed}
    return f"{_('Words are still in it')} ({said(PHASES, phase['phase'])}). {sentence}"


def _found_again(proof: Mapping[str, Any]) -> Iterator[Left]:
    for each in proof.get("state", []):
        why = _("%(phrases)s in %(places)s.") % {
            "phrases": phrases_in_words(each["phrases"]),
            "places": places(each["how"]),
        }
        yield Left(each["file"], why, _("Stop Hermes, then finish, or delete again."))
    rows = max(proof.get("rows_counted", 0), proof.get("rows_written", 0))
    if rows and not proof["state"]:
        why = ngettext(
            "A search index has something of %(n)d message.",
            "A search index has something of %(n)d messages.",
            rows,
        )
        yield Left("state.db", why % {"n": rows}, _("Stop Hermes, then finish."))
    for each in proof.get("elsewhere", []):
        store = "" if each["store"] == "unknown" else each["store"]
        name = str(words_of(store).name) if store else _("A file of no known store")
        why = f"{shown(each['file'])}: {phrases_in_words(each['phrases'])}"
        advice = _("Deleting conversations leaves it as it is. Its page says what can be done.")
        yield Left(name, why, advice if store else _("Look at it, and remove it by hand."), store=store)
    if not proof.get("index_read", True):
        yield Left(
            "state.db", _("There was no time to read a search index whole."), _("Stop Hermes, then finish.")
        )


def _short(part: str) -> str:
    try:
        return shown(decode_id(part))
    except ValueError:
        return part


def lines_of(outcome: Mapping[str, Any]) -> Iterator[str]:
    """The same for a terminal: what is left first."""
    yield _heading(outcome) + "."
    yield from _sentences(outcome)
    for each in _left(outcome):
        yield " ".join(part for part in (f"{each.name}:", each.why, each.advice) if part)
    for file, why in outcome["proof"].get("not_checked", []):
        yield _("Not looked into: %(file)s. %(why)s") % {"file": shown(file), "why": said(NOT_CHECKED, why)}
    for part, count in outcome["proof"].get("said_by", []):
        yield _("Also said in %(id)s, which stays: %(phrases)s.") % {
            "id": _short(part),
            "phrases": phrases_in_words(count),
        }
