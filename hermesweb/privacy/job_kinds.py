"""Clearing a profile, and looking again later."""

from typing import Any

from hermesweb.jobs.work import JobProblem, Work, kind, profile_of
from hermesweb.privacy import clearing
from hermesweb.privacy.models import Report


@kind("wipe")
def wipe(work: Work) -> dict[str, Any]:
    """Clear the stores in the job's checkpoint. Goes on with the store it was at."""
    return clearing.run_job(work, profile_of(work))


@kind("look_again")
def look_again(work: Work) -> dict[str, Any]:
    """Look at what a report calls wiped, ten minutes later: an open chat or a gateway may have written again."""
    return _look(work)


@kind("check_again")
def check_again(work: Work) -> dict[str, Any]:
    """The same, because somebody wants to know now."""
    return _look(work)


def _look(work: Work) -> dict[str, Any]:
    work.step("look", 0, 0)
    report = Report.objects.filter(pk=work.job.checkpoint["report"]).first()
    if report is None:
        raise JobProblem("no_report")
    back = clearing.look_again(report, profile_of(work))
    return {"report": str(report.pk), "came_back": len(back)}
