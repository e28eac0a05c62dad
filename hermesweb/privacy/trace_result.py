"""What a trace found, as it is kept for a day: encrypted, for a file name can hold what was looked for.

The phrase itself is not in it: it goes with the end of the job. Whoever wants to see the text around a place
brings it again, sealed under their sign-in.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Final

from hermesweb.hermes.scan.events import NotChecked
from hermesweb.jobs.models import Job
from hermesweb.jobs.sealing import seal, unseal
from hermesweb.privacy.trace import Found, Trace

KIND: Final = "trace"
KEPT: Final = timedelta(days=1)
PLACES: Final = 2_000
MISSED: Final = 500


@dataclass(frozen=True)
class Result:
    """`places`, `missed`: how many there were; no more than PLACES and MISSED are kept."""

    found: tuple[Found, ...]
    not_checked: tuple[NotChecked, ...]
    links: tuple[str, ...]
    times: int
    places: int
    missed: int
    files: int
    bytes: int


def outcome_of(trace: Trace) -> dict[str, Any]:
    """For the job: counts to be read, places sealed."""
    kept = {
        "found": [each.plain() for each in trace.found[:PLACES]],
        "not_checked": [asdict(each) for each in trace.not_checked[:MISSED]],
        "links": list(trace.links[:MISSED]),
    }
    return {
        "times": sum(each.count for each in trace.found),
        "places": len(trace.found),
        "missed": len(trace.not_checked),
        "files": trace.files,
        "bytes": trace.bytes,
        "sealed": seal(kept),
    }


def result_of(job: Job) -> Result | None:
    """None when it is not there any more."""
    counts: Mapping[str, Any] = job.outcome
    kept = unseal(str(counts.get("sealed", "")))
    if job.kind != KIND or job.state != Job.State.DONE or not kept:
        return None
    return Result(
        tuple(Found(**each) for each in kept["found"]),
        tuple(NotChecked(**each) for each in kept["not_checked"]),
        tuple(kept.get("links", ())),
        **{name: int(counts[name]) for name in ("times", "places", "missed", "files", "bytes")},
    )


def forget(*jobs: Job) -> None:
    """Take away where something was found; that and how much was found stays."""
    for job in jobs:
        job.outcome = {name: value for name, value in job.outcome.items() if name != "sealed"}
        Job.objects.filter(pk=job.pk).update(outcome=job.outcome)
