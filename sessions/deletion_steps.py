"""The steps of a deletion as its job's page shows them, with what each found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.jobs.models import Job
from sessions.deletion_words import PHASES, phrases_in_words, said
from sessions.deletion_words import STEPS as STEP_WORDS
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


def steps_of(
    job: Job, titles: Mapping[str, Any] = STEP_WORDS, *, everywhere: bool = True
) -> Iterator[StepView]:
    """Those with a title, in that order. `everywhere`: it is to be gone from other files than state.db too."""
    record = job.checkpoint.get("record", {})
    at = PARTS.get(job.step, job.step)
    for step, words in titles.items():
        title = str(words)
        if step in record:
            partly, sentence = _found(step, record[step], everywhere)
            yield StepView(title, "partly" if partly else "done", sentence)
        elif step == at and job.state == Job.State.RUNNING:
            sentence = said(PHASES, job.step) if job.step in PHASES else ""
            yield StepView(title, "now", sentence, job.done, job.total)
        else:
            yield StepView(title, "next")


def _found(step: str, fact: Mapping[str, Any], everywhere: bool) -> tuple[bool, str]:
    """Whether a step left something, and what it found."""
    match step:
        case "samples":
            return False, phrases_in_words(fact["phrases"])
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
            left = fact["state"] or fact["rows_counted"] or fact["rows_written"] or not fact["index_read"]
            return bool(left or (everywhere and (fact["elsewhere"] or fact["not_checked"]))), ""
    return False, ""
