"""A deletion as its job's page shows it: the steps with what each found, and what it came to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.hermes.ids import decode_id
from hermesweb.jobs.models import Job
from hermesweb.privacy.store_words import words_of
from hermesweb.record import shown
from hermesweb.sentences import job_problem
from sessions.deletion_run import STEPS
from sessions.deletion_words import (
    LEFT_FILES,
    LEFT_OUT,
    NOT_CHECKED,
    PHASES,
    WAITING,
    places,
    problem_of,
    said,
)
from sessions.deletion_words import STEPS as STEP_WORDS
from sessions.deletion_work import FINISH
from sessions.scrubbing_report import PHASES as PHASE_NAMES

PARTS: Final[dict[str, str]] = dict.fromkeys(PHASE_NAMES, "words")
"""What the job calls its step while words are removed."""


@dataclass(frozen=True)
class StepView:
    """`state`: "done", "now", "next", or "partly" where something is left."""

    title: str
    state: str
    sentence: str = ""
    done: int = 0
    total: int = 0

    @property
    def icon(self) -> str:
        return {"done": "removed", "now": "running", "partly": "partly", "next": "waiting"}[self.state]

    @property
    def kind(self) -> str:
        return {"done": "removed", "now": "", "partly": "caution", "next": "absent"}[self.state]

    @property
    def word(self) -> str:
        return {"done": _("Done"), "now": _("Working"), "partly": _("Partly"), "next": _("Next")}[self.state]


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
        steps=tuple(_steps(job)),
        result=outcome.get("result", ""),
        outcome=outcome,
        heading=_heading(outcome),
        sentences=tuple(_sentences(outcome)),
        left=tuple(_left(outcome)),
        gone=tuple(_gone(outcome)),
        said_by=tuple(
            Left("", _phrases(count), part=part)
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


# -- steps


def _steps(job: Job) -> Iterator[StepView]:
    record = job.checkpoint.get("record", {})
    at = PARTS.get(job.step, job.step)
    for step in STEPS:
        title = str(STEP_WORDS[step])
        if step in record:
            partly, sentence = _found(step, record[step])
            yield StepView(title, "partly" if partly else "done", sentence)
        elif step == at and job.state == Job.State.RUNNING:
            sentence = said(PHASES, job.step) if job.step in PHASES else ""
            yield StepView(title, "now", sentence, job.done, job.total)
        else:
            yield StepView(title, "next")


def _found(step: str, fact: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether a step left something, and what it found."""
    match step:
        case "samples":
            return False, _phrases(fact["phrases"])
        case "rows":
            rows = fact["rows"].get("messages", 0)
            return bool(fact["left_out"]), ngettext("%(n)d message", "%(n)d messages", rows) % {"n": rows}
        case "files":
            files = fact["removed"]
            return bool(fact["left"]), ngettext("%(n)d file", "%(n)d files", files) % {"n": files}
        case "chats":
            return bool(fact["waiting"] or fact.get("why")), ""
        case "words":
            return not fact["complete"], ""
        case "look":
            return bool(fact["sessions"] or fact["messages"] or fact["rows"]), ""
        case "proof":
            found = fact["state"] or fact["elsewhere"] or fact["rows_counted"] or fact["rows_written"]
            return bool(found or fact["not_checked"] or not fact["index_read"]), ""
    return False, ""


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
            "phrases": _phrases(proof["phrases"])
        }
        if not proof["distinct"]:
            yield _("All of them are said in other conversations too, so they prove nothing.")


def _phrases(count: int) -> str:
    return ngettext("%(n)d phrase", "%(n)d phrases", count) % {"n": count}


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
            "phrases": _phrases(each["phrases"]),
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
        why = f"{shown(each['file'])}: {_phrases(each['phrases'])}"
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
            "phrases": _phrases(count),
        }
