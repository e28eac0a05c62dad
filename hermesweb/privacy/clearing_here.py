"""A run of clearing in this process, for the command line: gone on with where one like it was killed."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils import timezone

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.privacy import unfinished
from hermesweb.privacy.clearing import Wish, order_of
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.samples import take_samples
from hermesweb.privacy.unfinished import Unfinished
from hermesweb.privacy.wiping.perform import interrupted, perform
from hermesweb.privacy.wiping.place import only_one
from hermesweb.privacy.wiping.run import Record


@dataclass(eq=False)
class OtherRun(HermesError):
    """An earlier run that was about other stores did not come to its end."""

    run: Unfinished


def run_here(
    profile: Profile,
    wish: Wish,
    on_step: Callable[[str, int, int], None],
    *,
    data: Path,
    asked: str = "",
    anew: bool = False,
) -> dict[str, Any]:
    """The report. `asked`: the stores as they were typed. `anew`: forget an earlier run; else what went in that is in
    the report too. KeyboardInterrupt ends it with the report of what was done until then, "interrupted".

    Raises HermesError (OtherRun), JobProblem: nothing was done.
    """
    with only_one(profile, data):
        earlier = None if anew else unfinished.read(profile, data)
        if earlier and not earlier.is_of(wish.plain()):
            raise OtherRun(earlier)
        samples = (earlier and earlier.samples) or _samples(profile, data, earlier)
        order = order_of(profile, wish, samples, "", "")
        order.work_folder, order.on_step = data, on_step
        order.record = _again(earlier.record) if earlier else Record()
        order.on_record = lambda record: unfinished.keep(
            profile, data, Unfinished(wish.plain(), asked, record, list(order.samples))
        )
        try:
            content = perform(order)
            unfinished.forget(profile, data)
        except KeyboardInterrupt:
            if not order.record.before:
                raise
            content = interrupted(order)
    return {**content, "ended": timezone.now().isoformat(timespec="seconds")}


def _samples(profile: Profile, data: Path, earlier: Unfinished | None) -> list[str]:
    """Taken before anything goes; those that were lost with a run are not taken from what it left."""
    return [] if earlier else take_samples(profile, copy_of(data, profile))


def _again(record: Record) -> Record:
    """Every store is looked at once more, since much may have been written meanwhile: what is gone takes no time."""
    record.done, record.left = [], {}
    return record
