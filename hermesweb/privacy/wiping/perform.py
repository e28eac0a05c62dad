"""A whole run: what is there and where copies went is noted first, then cleared, then looked for."""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hermesweb.hermes.homes import DEFAULT, Profile, list_profiles
from hermesweb.hermes.mounts import mounts_below
from hermesweb.privacy.copies import copy_of, folder_of, remove_copies
from hermesweb.privacy.wiping.choice import Choice
from hermesweb.privacy.wiping.config import held_settings
from hermesweb.privacy.wiping.database import DATABASE, rows_if_readable, rows_of_tables
from hermesweb.privacy.wiping.locking import LOCK_FILES
from hermesweb.privacy.wiping.looking import look_for
from hermesweb.privacy.wiping.outcome import Seen
from hermesweb.privacy.wiping.removing import OnStep
from hermesweb.privacy.wiping.report import report_of
from hermesweb.privacy.wiping.run import Record, Run
from hermesweb.privacy.wiping.survey import Outside, Survey, survey, without

SETTINGS = ("personality-config", "config-keys")
WORK_COPIES = "hermesweb-work-copies"


@dataclass
class Order:
    """What is to be done. `about`: who, where and with which versions, for the report. `samples`: phrases to look
    for at the end. `remote`: stores at services of others with a sign of use."""

    profile: Profile
    choice: Choice
    alive: bool
    samples: Sequence[str]
    remote: frozenset[str]
    about: dict[str, Any]
    work_folder: Path
    outside: Outside
    record: Record = field(default_factory=Record)
    on_step: OnStep = lambda *_: None
    on_record: Callable[[Record], None] = lambda _: None
    is_alive: Callable[[], bool] = lambda: False
    forget: Callable[[], int] = lambda: 0  # removes what our own database noted; how many rows


def is_shared(profile: Profile) -> bool:
    """Whether other profiles use what is root-wide in this one."""
    return profile.name == DEFAULT and len(list_profiles(profile.home)) > 1


def perform(order: Order) -> dict[str, Any]:
    """Clear what was chosen and return the report. What `on_step` raises ends it; begun again with the record
    that `on_record` was given last, it goes on."""
    with _temporary(order) as temporary:
        return _performed(order, temporary)


def _performed(order: Order, temporary: Path) -> dict[str, Any]:
    _note_what_is_there(order)
    order.outside = replace(order.outside, work=tuple(map(Path, order.record.work)))
    run = Run(
        order.profile,
        order.choice,
        order.record,
        order.alive,
        order.on_step,
        order.on_record,
        temporary,
        order.outside,
        order.is_alive,
        mounts_below(order.profile.folder),
    )
    now = run.clear()
    order.record.while_running = order.record.while_running or run.alive
    _remove_copies(order)
    if DATABASE in order.choice.stores:
        order.record.own_rows += order.forget()
        order.on_record(order.record)
    order.on_step("look", 0, 0)
    looked = look_for(
        order.profile,
        order.samples,
        scratch=temporary,
        step=lambda files, size: order.on_step("look", files, 0),
    )
    return report_of(_seen(order, now), order.about, looked)


def interrupted(order: Order) -> dict[str, Any]:
    """The report of a run that was ended on the way: what is wiped so far, and what was not reached."""
    looked = {"phrases": 0, "complete": False, "found": [], "not_checked": []}
    now = without(survey(order.profile, order.outside), LOCK_FILES)
    return report_of(_seen(order, now), order.about, looked)


def _note_what_is_there(order: Order) -> None:
    record = order.record
    if record.began:
        return
    record.began = time.time()
    record.while_running = order.alive
    copy = copy_of(order.work_folder, order.profile)
    record.rows = rows_of_tables(order.profile, copy)
    record.settings = {name: held_settings(order.profile, name) for name in SETTINGS}
    record.copies = _copies(order)
    record.work = [str(folder) for folder in order.outside.work]


def _remove_copies(order: Order) -> None:
    if WORK_COPIES in order.choice.stores:
        remove_copies(order.work_folder, order.profile)


def _copies(order: Order) -> int:
    return sum(1 for _ in folder_of(order.work_folder, order.profile).glob("state-copy-*"))


def _seen(order: Order, now: Survey) -> Seen:
    record = order.record
    settings = {name: (record.settings.get(name, 0), held_settings(order.profile, name)) for name in SETTINGS}
    copies = (record.copies, _copies(order))
    rows = rows_if_readable(order.profile) if now.of(DATABASE) else {}
    return Seen(
        order.choice,
        record,
        now,
        is_shared(order.profile),
        settings,
        copies,
        order.remote,
        rows,
        order.profile.name == DEFAULT,
    )


@contextmanager
def _temporary(order: Order) -> Iterator[Path]:
    """A private folder for this run. What one that was killed left in it, unpacked from a backup, goes first."""
    folder = temporary_folder(order.work_folder, order.profile)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def temporary_folder(work_folder: Path, profile: Profile) -> Path:
    """Where a run may put what it needs for a moment: one run at a time uses it."""
    name = hashlib.sha256(os.fsencode(os.path.realpath(profile.folder))).hexdigest()[:32]
    return work_folder / "temporary" / name
