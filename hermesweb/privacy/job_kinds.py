"""Clearing a profile, looking again later, and looking for a phrase."""

from typing import Any

from hermesweb.jobs.work import JobProblem, Work, kind, profile_of
from hermesweb.privacy import clearing, trace_job, trace_result
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


@kind(trace_result.KIND)
def trace(work: Work) -> dict[str, Any]:
    """Look for a phrase in every store. Begins anew after an interruption: half a look is none."""
    return trace_job.run_trace(work)


@kind(trace_job.FORGET)
def forget_traces(work: Work) -> dict[str, Any]:
    """Take away where traces found something."""
    return trace_job.run_forgetting(work)


def _look(work: Work) -> dict[str, Any]:
    work.step("look", 0, 0)
    report = Report.objects.filter(pk=work.job.checkpoint["report"]).first()
    if report is None:
        raise JobProblem("no_report")
    back = clearing.look_again(report, profile_of(work))
    for earlier in Report.objects.filter(pk__in=work.job.checkpoint.get("earlier", ())):
        clearing.look_again(earlier, profile_of(work))
    return {"report": str(report.pk), "came_back": len(back)}
