"""What was found out about one folder is never said of another that has its name or stands in its place."""

import shutil
from pathlib import Path

import pytest
from django.test import Client

from hermesweb import homes
from hermesweb.homes import place_of
from hermesweb.jobs import queue, work
from hermesweb.jobs.models import Job
from sessions.finding_list import findings_at, last_scan
from sessions.models import Finding
from tests.web.people import HOME

pytestmark = pytest.mark.django_db


def replace_by_a_copy(folder: Path) -> None:
    """The same files at the same place, but another folder, as a restored backup or a second demo is."""
    copy = folder.with_name(f"{folder.name}.copy")
    shutil.copytree(folder, copy, symlinks=True)
    shutil.move(folder, folder.with_name(f"{folder.name}.earlier"))
    shutil.move(copy, folder)


def test_a_scan_of_the_folder_before_is_none_of_this_one(home: object) -> None:
    profile = homes.find(HOME, "office")
    job = queue.start("findings", profile, None)
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)
    Finding.objects.create(
        home=HOME, profile="office", place=place_of(profile), session="x", digest="", column="content",
        kind="email", start=0, end=3, job=job.pk,
    )  # fmt: skip
    assert findings_at(profile).count() == 1
    assert last_scan(profile) is not None
    replace_by_a_copy(profile.folder)
    assert findings_at(profile).count() == 0
    assert last_scan(profile) is None


def test_a_job_does_not_go_on_with_another_folder(home: object, owner_client: Client) -> None:
    from django.utils.module_loading import autodiscover_modules

    autodiscover_modules("job_kinds")
    profile = homes.find(HOME, "office")
    job = queue.start("measure", profile, None)
    replace_by_a_copy(profile.folder)
    work.run(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.outcome) == (Job.State.FAILED, {"problem": "another_place"})
    assert "Another home stands at this place now" in owner_client.get(f"/jobs/{job.pk}/").content.decode()
