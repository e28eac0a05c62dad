"""Instead of counting files: counts on until the test puts a file called "finish" into the data folder."""

import time
from typing import Any

from django.conf import settings

from hermesweb.jobs.work import Work, kind


@kind("measure")
def count_on(work: Work) -> dict[str, Any]:
    begun = counted = work.job.checkpoint.get("counted", 0)
    while not (settings.DATA_FOLDER / "finish").exists():
        counted += 1
        work.step("count", counted)
        work.save_checkpoint({"counted": counted})
        time.sleep(0.02)
    return {"groups": {"memory": [counted, 0]}, "complete": True, "begun_at": begun}
