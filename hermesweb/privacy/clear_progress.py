"""How far a run of clearing is, from what its job has written down."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.hermes.stores.catalogue import store
from hermesweb.jobs.models import Job
from hermesweb.privacy import wipe_words
from hermesweb.privacy.clear_offer import GROUPS
from hermesweb.privacy.clearing import Wish
from hermesweb.privacy.models import Report
from hermesweb.privacy.report_page import title
from hermesweb.privacy.store_words import KINDS
from hermesweb.privacy.wiping.choice import UNKNOWN
from hermesweb.privacy.wiping.order import in_order
from hermesweb.sentences import job_problem


@dataclass(frozen=True)
class Part:
    """Stores of one kind that are cleared one after the other. `look`: the meaning of its colour and shape."""

    title: str
    look: str
    icon: str
    word: str
    sentences: tuple[str, ...]
    now: bool = False
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class Clearing:
    """`done` and `total`: stores that were there at the beginning. `report`: once there is one."""

    done: int
    total: int
    parts: tuple[Part, ...]
    report: Report | None
    problem: str
    minutes: int

    @property
    def title(self) -> str:
        """As over the report; "" while there is none."""
        return title(self.report.content) if self.report else ""


def clearing_of(job: Job) -> Clearing:
    at = job.checkpoint
    ids = in_order(Wish.of(at).choice)
    record = at.get("record") or {}
    before: Mapping[str, Any] = record.get("before", {})
    there = [each for each in ids if each in before or _is_inside(each)] if before else ids
    done = [each for each in there if each in record.get("done", ())]
    now = next((each for each in ids if each not in record.get("done", ())), "")
    now = now if job.state == Job.State.RUNNING and before else ""
    parts = [_part(title, list(some), job, record, now) for title, some in groupby(there, key=_title)]
    looking = job.state == Job.State.RUNNING and job.step == "look"
    return Clearing(
        len(done),
        len(there),
        (*parts, _last(job, looking)),
        Report.objects.filter(job=job).first(),
        _problem(job),
        int((timezone.now() - job.started).total_seconds() // 60) if job.started else 0,
    )


def _is_inside(name: str) -> bool:
    """In config.yaml: no file of its own."""
    return name != UNKNOWN and bool(store(name).inside)


def _title(name: str) -> str:
    if name in ("memory-pending", "skills-pending"):
        return _("Pending writes")
    if name.startswith("provider-"):
        return _("Local files of memory services")
    return str(GROUPS[UNKNOWN][0] if name == UNKNOWN else KINDS[store(name).kind])


def _part(title: str, ids: list[str], job: Job, record: Mapping[str, Any], now: str) -> Part:
    done = [each for each in ids if each in record.get("done", ())]
    left = {each: record["left"][each]["why"] for each in ids if each in record.get("left", {})}
    files = sum(record.get("before", {}).get(each, (0, 0))[0] for each in ids)
    about = ngettext("%(count)d file", "%(count)d files", files) % {"count": files} if files else ""
    reasons = tuple(
        "{}: {}".format(
            ", ".join(wipe_words.name_of(each) for each in left if left[each] == why), wipe_words.reason(why)
        )
        for why in dict.fromkeys(left.values())
    )
    if now in ids:
        said = _("%(name)s, %(files)s") % {"name": wipe_words.name_of(now), "files": about} if about else ""
        return Part(title, "now", "running", _("Working"), (said, *reasons), True, job.done, job.total)
    if len(done) < len(ids):
        word = _("Waiting") if not job.over else _("Not reached")
        return Part(title, "absent", "waiting", word, (about, *reasons))
    if left:
        return Part(
            title, "caution", "partly", _("Not all removed"), (*reasons, _("It will be in the report."))
        )
    # "Wiped" is only said in the report, after a look at the disk.
    return Part(title, "removed", "removed", _("Removed"), (about,))


def _last(job: Job, looking: bool) -> Part:
    title = _("Second look at everything")
    if looking:
        files = ngettext("%(count)d file read", "%(count)d files read", job.done) % {"count": job.done}
        return Part(title, "now", "running", _("Working"), (files,), True)
    about = _("Every remaining file is read again for sampled words.")
    if job.state == Job.State.DONE:
        return Part(title, "removed", "removed", _("Done"), (about,))
    return Part(title, "absent", "waiting", _("Waiting") if not job.over else _("Not reached"), (about,))


def _problem(job: Job) -> str:
    """Why nothing was done, or why it ended."""
    outcome = job.outcome
    if not outcome.get("problem"):
        return ""
    words = wipe_words.refusal_of(str(outcome.get("why") or outcome["problem"]))
    return words or job_problem(outcome)
