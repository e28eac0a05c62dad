"""What the page of a job says for each kind of work. A kind without words here has neutral ones.

What a job came to is shown by the template `_job_<kind>.html`, `_job_other.html` where there is none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from hermesweb.jobs.models import Job

Words = str | Promise

_STOPPED: Final = _("Stopped at your wish.")
_STOP: Final = _("Stop it")
_BYTES: Final = "copy"  # the step whose progress is in bytes


@dataclass(frozen=True)
class KindWords:
    """`heading` has {name}, of the profile; `steps`, by the code of a step, {done} and {total}. `stopped`: what
    it means that somebody stopped it; `stop`, `stopping`: its button, and what pressing it means. `reads`: whether
    it leaves the home as it is. `whole`: whether its template shows it in every state, not only what it came to."""

    title: Words
    heading: Words
    steps: Mapping[str, Words] = field(default_factory=dict)
    stopped: Words = _STOPPED
    stop: Words = _STOP
    stopping: Words = ""
    reads: bool = False
    whole: bool = False


_BEGUN: Final = _("Stopped at your wish. What was begun is removed.")
NEUTRAL: Final = KindWords(_("Work"), _("Work on {name}"))
WORDS: Final[Mapping[str, KindWords]] = {
    "measure": KindWords(
        _("Counting files"),
        _("Counting the files of {name}"),
        {"count": _("{done} files counted")},
        _BEGUN,
        reads=True,
    ),
    "work_copy": KindWords(
        _("Work copy"),
        _("A work copy of {name}"),
        {"copy": _("{done} of {total} copied")},
        _BEGUN,
        reads=True,
    ),
    "findings": KindWords(
        _("Looking for keys and numbers"),
        _("Looking for keys and numbers in {name}"),
        {"look": _("{done} of {total} messages looked at")},
        _("Stopped at your wish. What was found until then is kept."),
        reads=True,
    ),
    "trace": KindWords(
        _("Trace"),
        _("Looking for a phrase in the stores of {name}"),
        {"trace": _("{done} files looked into")},
        _("Stopped at your wish. What was found until then is not kept."),
        reads=True,
    ),
    "forget_traces": KindWords(_("Forgetting traces"), _("Forgetting what traces found in {name}"), reads=True),
    "wipe": KindWords(
        _("Clearing"),
        _("Clearing {name}"),
        stop=_("Stop after this step"),
        stopping=_(
            "If you stop it, what is gone stays gone, and what was not reached is not touched. The report says which "
            "is which: here, and under Reports."
        ),
        whole=True,
    ),
    "look_again": KindWords(_("Looking again"), _("Looking again at what was cleared in {name}"), reads=True),
    "check_again": KindWords(
        _("Looking again"), _("Looking again at what was cleared in {name}"), reads=True
    ),
    "delete_sessions": KindWords(
        _("Deleting conversations"),
        _("Deleting conversations of {name}"),
        stopping=_(
            "If you stop it, what is deleted stays deleted, the rest stays as it is, and this page says which is which."
        ),
        whole=True,
    ),
    "scrub": KindWords(
        _("Finishing a deletion"),
        _("Finishing a deletion in {name}"),
        stopping=_(
            "If you stop it, the conversations stay deleted; words that are left over stay, and the phrases are "
            "forgotten."
        ),
        whole=True,
    ),
    "left_over": KindWords(
        _("Removing left-over words"),
        _("Removing left-over words from state.db of {name}"),
        stopping=_(
            "If you stop it, what is removed stays removed, and no message is changed. It can be begun again at any "
            "time."
        ),
        whole=True,
    ),
    "sessions_again": KindWords(
        _("Looking again"), _("Looking again whether deleted conversations came back in {name}"), reads=True
    ),
}  # fmt: skip


def words_of(job: Job) -> KindWords:
    return WORDS.get(job.kind, NEUTRAL)


def heading_of(job: Job) -> SafeString:
    name = format_html("<em>{}</em>", job.profile)
    return format_html(str(words_of(job).heading), name=name)


def step_words(job: Job) -> str:
    """How far it is."""
    sentence = words_of(job).steps.get(job.step)
    if sentence is None:
        if not job.total:
            return str(_("At work"))
        sentence = _("{done} of {total}")
    shown = filesizeformat if job.step == _BYTES else intcomma
    return str(sentence).format(done=shown(job.done), total=shown(job.total))


def outcome_templates(job: Job) -> list[str]:
    """For what a job that is done came to, the first that there is."""
    return [f"_job_{job.kind}.html", "_job_other.html"]
