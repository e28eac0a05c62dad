"""The jobs of this stage: counting files, and the private work copy."""

from typing import Any

from django.conf import settings

from hermesweb.hermes.measure import measure as measure_profile
from hermesweb.jobs.work import Work, kind, profile_of
from hermesweb.privacy.copies import make_copy


@kind("measure")
def measure(work: Work) -> dict[str, Any]:
    """Count every file of the profile by kind of store."""
    profile = profile_of(work)
    counted = measure_profile(profile, on_step=lambda files, folder: work.step("count", files), deadline=None)
    return {
        "groups": {group: [size.files, size.bytes] for group, size in counted.groups.items()},
        "complete": counted.complete,
        "readable_by_others": counted.readable_by_others_count,
    }


@kind("work_copy")
def work_copy(work: Work) -> dict[str, Any]:
    """Copy state.db into the work folder. It starts anew after an interruption: half a copy is no copy."""
    profile = profile_of(work)
    folder = make_copy(settings.WORK_FOLDER, profile, lambda done, total: work.step("copy", done, total))
    return {"bytes": sum(path.stat().st_size for path in folder.iterdir())}
