"""Long work: what a kind of job does is a function registered here; the worker process runs it.

A job function is given a `Work`, calls `work.step(...)` often, and returns its outcome. Cancelling, an
orderly stop of the worker and a job taken over by another worker all surface in `step` as exceptions, so the
function needs no code for them beyond leaving things tidy in `finally`.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.db import OperationalError, connection
from django.utils import timezone

from hermesweb import homes
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.jobs.models import Job
from hermesweb.jobs.sealing import seal, unseal

logger = logging.getLogger(__name__)
stopping = threading.Event()  # set by the worker when it was asked to end


class Cancelled(Exception):
    """The person does not want it any more."""


class Stopped(Exception):
    """The worker ends; the job goes on from its checkpoint when a worker is there again."""


class TakenOver(Exception):
    """Another worker has this job now: this one was silent for too long."""


class JobProblem(Exception):
    """The work cannot be done, for a reason with a code that a page turns into a sentence."""

    def __init__(self, code: str, **fields: Any) -> None:
        super().__init__(code)
        self.code, self.fields = code, fields


@dataclass
class Work:
    """One attempt at a job."""

    job: Job
    attempt: int
    said: float = field(default=0.0)

    def mine(self) -> Any:
        return Job.objects.filter(pk=self.job.pk, attempt=self.attempt, state=Job.State.RUNNING)

    def step(self, step: str, done: int = 0, total: int = 0) -> None:
        """Say how far the work is. At most four times a second this touches the database; it may raise."""
        if stopping.is_set():
            raise Stopped
        new_step, now = step != self.job.step, time.monotonic()
        if not new_step and now - self.said < 0.25:
            return
        self.said, self.job.step = now, step
        self._write(step=step, done=done, total=total)
        if self.mine().filter(cancel_wanted=True).exists():
            raise Cancelled

    def words(self) -> dict[str, Any]:
        """What was sealed for this job. Empty when there is nothing, or nothing that can be opened."""
        return unseal(self.job.sealed)

    def seal(self, words: dict[str, Any]) -> None:
        """Keep words for a later attempt, until the job is over."""
        self.job.sealed = seal(words)
        self._write(sealed=self.job.sealed)

    def save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """From here a later attempt goes on."""
        self.job.checkpoint = checkpoint
        self._write(checkpoint=checkpoint)

    def _write(self, **values: Any) -> None:
        if not self.mine().update(heartbeat=timezone.now(), **values):
            raise TakenOver


def profile_of(work: Work) -> Profile:
    """The profile a job was started for. Raises HermesError; JobProblem when another folder has its name now."""
    profile = homes.find(work.job.home, work.job.profile)
    if work.job.place != homes.place_of(profile):
        raise JobProblem("another_place")
    return profile


KINDS: dict[str, Callable[[Work], dict[str, Any]]] = {}


def kind(name: str) -> Callable[[Callable[[Work], dict[str, Any]]], Callable[[Work], dict[str, Any]]]:
    """Register a function as the work of jobs of this kind."""

    def register(function: Callable[[Work], dict[str, Any]]) -> Callable[[Work], dict[str, Any]]:
        KINDS[name] = function
        return function

    return register


def run(job_id: str) -> None:
    """Do one job, if it still waits: a second start of the same one does nothing."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=job_id, state=Job.State.WAITING).exclude(not_before__gt=now)
    job = waiting.first()
    if job is None or not waiting.filter(attempt=job.attempt).update(
        state=Job.State.RUNNING, attempt=job.attempt + 1, heartbeat=now, started=job.started or now
    ):
        return
    job.refresh_from_db()
    work = Work(job, job.attempt)
    with Heart(work):
        end(work, *outcome_of(work))


def outcome_of(work: Work) -> tuple[str, dict[str, Any]]:
    try:
        return Job.State.DONE, KINDS[work.job.kind](work)
    except Cancelled:
        return Job.State.CANCELLED, {}
    except Stopped:
        return Job.State.WAITING, {}
    except TakenOver:
        return "", {}
    except JobProblem as problem:
        return Job.State.FAILED, {"problem": problem.code, **problem.fields}
    except HermesError as error:
        return Job.State.FAILED, {"problem": type(error).__name__, **plain_fields(error)}
    except Exception:
        logger.exception("job %s of kind %s", work.job.pk, work.job.kind)
        return Job.State.FAILED, {"problem": "fault"}


def plain_fields(error: HermesError) -> dict[str, Any]:
    """Numbers and codes of an error; no path and no message, which can hold words from the home."""
    return {
        name: value for name, value in vars(error).items() if isinstance(value, int | float) or name == "why"
    }


def end(work: Work, state: str, outcome: dict[str, Any]) -> None:
    if not state:
        return
    values: dict[str, Any] = {"state": state, "outcome": outcome, "modified": timezone.now()}
    if state != Job.State.WAITING:
        values |= {"ended": timezone.now(), "sealed": ""}
    work.mine().update(**values)


class Heart:
    """Beats beside the work, so that a long single step does not look like a dead worker."""

    EVERY = 3.0

    def __init__(self, work: Work) -> None:
        self.work, self.over = work, threading.Event()
        self.thread = threading.Thread(target=self.beat, daemon=True)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *args: object) -> None:
        self.over.set()
        self.thread.join()

    def beat(self) -> None:
        try:
            while not self.over.wait(self.EVERY):
                with suppress(OperationalError):  # somebody else writes just now: the next beat will do
                    self.work.mine().update(heartbeat=timezone.now())
        finally:
            connection.close()
