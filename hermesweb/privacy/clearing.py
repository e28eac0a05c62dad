"""A run of clearing as our database keeps it: the job that does it, the report it leaves, the second look."""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from hermesweb import __version__
from hermesweb.environment import login_folder
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.release import guess_release
from hermesweb.hermes.running import is_running
from hermesweb.hermes.stores.catalogue import store, stores
from hermesweb.homes import place_of
from hermesweb.jobs import queue
from hermesweb.jobs.models import Job
from hermesweb.jobs.work import JobProblem, Stopped, TakenOver, Work
from hermesweb.privacy import unfinished
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.look import schema_version_of
from hermesweb.privacy.models import Report
from hermesweb.privacy.own_rows import forget_if_there
from hermesweb.privacy.remote import look_at_remote
from hermesweb.privacy.samples import take_samples
from hermesweb.privacy.wiping.choice import Choice
from hermesweb.privacy.wiping.config import held_settings
from hermesweb.privacy.wiping.database import rows_of_tables
from hermesweb.privacy.wiping.perform import SETTINGS, Order, interrupted, perform
from hermesweb.privacy.wiping.place import NotHere, only_one, refuse_unless_profile
from hermesweb.privacy.wiping.report import came_back
from hermesweb.privacy.wiping.run import Record
from hermesweb.privacy.wiping.survey import Outside, survey
from hermesweb.privacy.work_folders import work_folders

SECOND_LOOK: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class Wish:
    """What a person asked for. `while_running`: do what can be done although Hermes runs, or may."""

    choice: Choice
    while_running: bool

    def plain(self) -> dict[str, Any]:
        return {
            "stores": sorted(self.choice.stores),
            "unknown": self.choice.unknown,
            "while_running": self.while_running,
        }

    @classmethod
    def of(cls, saved: dict[str, Any]) -> "Wish":
        return cls(Choice(frozenset(saved["stores"]), saved["unknown"]), saved["while_running"])


def run_job(work: Work, profile: Profile) -> dict[str, Any]:
    """Do, or go on with, the run of a job. Its outcome names the report."""
    at = work.job.checkpoint
    wish, address = Wish.of(at), str(at.get("address", ""))
    samples = work.words().get("samples")
    if samples is None:
        # Taken once, before anything goes; after an end that lost them nothing is looked for, and that is said.
        samples = [] if at.get("record") else take_samples(profile, copy_of(settings.WORK_FOLDER, profile))
        work.seal({"samples": samples})
    order = order_of(profile, wish, samples, _by(work.job), address)
    order.record = Record.of(at["record"]) if at.get("record") else Record()
    order.on_step = work.step
    order.on_record = lambda record: work.save_checkpoint({**at, "record": record.plain()})
    try:
        with only_one(profile, settings.WORK_FOLDER):
            content = perform(order)
    except (Stopped, TakenOver, NotHere):
        raise  # it goes on in another process, or was not begun
    except Exception:  # a wish to stop, or a fault of ours: what was done until then is said
        if order.record.before:
            _keep(work.job, profile, interrupted(order))
        raise
    report = _keep(work.job, profile, content)
    unfinished.forget(profile, settings.WORK_FOLDER)  # of the command line: this run has seen to it
    _look_later(work.job, profile, report)
    return {"report": str(report.pk), "outcome": content["outcome"]}


def _look_later(job: Job, profile: Profile, report: Report) -> None:
    """In ten minutes; what an earlier run still waited for is looked at then too."""
    same = Job.objects.filter(kind="look_again", home=job.home, profile=job.profile, place=job.place)
    earlier: list[str] = []
    for waiting in same.filter(state=Job.State.WAITING):
        earlier += [waiting.checkpoint["report"], *waiting.checkpoint.get("earlier", ())]
        queue.cancel(waiting)
    more: dict[str, Any] = {"earlier": earlier} if earlier else {}
    queue.start("look_again", profile, job.person, after=SECOND_LOOK, report=str(report.pk), **more)


def look_again(report: Report, profile: Profile) -> list[dict[str, Any]]:
    """Look at every wiped store of a report again, and write down what came back."""
    wiped = {each["id"] for each in report.content["stores"] if each["outcome"] == "wiped"}
    back = came_back(report.content, survey(profile, _places(wiped)), rows_of_tables(profile, None))
    back += [
        {"id": name, "files": 1, "bytes": held, "names": ["config.yaml"], "rows": {}}
        for name in SETTINGS
        if name in wiped and (held := held_settings(profile, name))
    ]
    at = timezone.now().isoformat(timespec="seconds")
    report.content = {**report.content, "looks": [*report.content["looks"], {"at": at, "came_back": back}]}
    report.save()
    return back


def keep(profile: Profile, content: dict[str, Any]) -> Report:
    """A report of a run that no job did."""
    return Report.objects.create(
        home=profile.home.key, profile=profile.name, place=place_of(profile), content=content
    )


def alive_or_refuse(profile: Profile, *, while_running: bool) -> bool:
    """Whether to treat Hermes as running: "cannot tell" counts. Raises JobProblem "hermes_runs" if that was not
    agreed to."""
    answer = is_running(profile).answer
    if answer != "no" and not while_running:
        raise JobProblem("hermes_runs", answer=answer)
    return answer != "no"


def order_of(profile: Profile, wish: Wish, samples: list[str], by: str, address: str) -> Order:
    """What a run does. Raises NotHere; JobProblem where Hermes runs and that was not agreed to."""
    os_home = login_folder()
    refuse_unless_profile(profile, os_home)
    alive = alive_or_refuse(profile, while_running=wish.while_running)
    copy = copy_of(settings.WORK_FOLDER, profile)
    remote = look_at_remote(profile, copy)
    release = guess_release(profile.folder, schema_version_of(profile, copy))
    about = {
        "product": __version__,
        "release": release.name,
        "release_certain": release.certain,
        "home": profile.home.label,
        "profile": profile.name,
        "by": by,
        "address": address,
        "began": timezone.now().isoformat(timespec="seconds"),
        "remote": remote.plain(),
        "remote_complete": remote.read_all,
    }
    return Order(
        profile,
        wish.choice,
        alive,
        samples,
        remote.stores,
        about,
        settings.WORK_FOLDER,
        _places((each.id for each in stores()), work_folders(profile, copy).folders),
        is_alive=lambda: is_running(profile).answer != "no",
        forget=lambda: forget_if_there(profile),
    )


def _places(names: Iterable[str], work: tuple[Path, ...] = ()) -> Outside:
    """The places outside the home, for those of these stores that are there. `work`: as state.db names them, which is
    not there any more when it is looked again."""
    outside = frozenset(name for name in names if store(name).where == "outside")
    return Outside(login_folder(), Path(tempfile.gettempdir()), outside, work)


def _keep(job: Job, profile: Profile, content: dict[str, Any]) -> Report:
    content = {**content, "ended": timezone.now().isoformat(timespec="seconds")}
    report, _ = Report.objects.update_or_create(
        job=job,
        defaults={
            "home": profile.home.key,
            "profile": profile.name,
            "place": job.place,
            "person": job.person,
            "content": content,
        },
    )
    return report


def _by(job: Job) -> str:
    return job.person.get_username() if job.person else ""
