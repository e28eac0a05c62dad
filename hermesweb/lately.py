"""Answers of a moment ago, for what a page only shows. Whoever acts on an answer asks anew."""

import time
from pathlib import Path

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.running import Running, is_running

SECONDS = 2.0

_answers: dict[Path, tuple[float, Running]] = {}


def lately_running(profile: Profile) -> Running:
    """Whether Hermes ran within the last two seconds.

    It takes a look at all processes, and at the kernel's list of locks, for which the kernel makes every other
    program that takes a lock wait: many pages at once must not each do that.
    """
    now = time.monotonic()
    known = _answers.get(profile.folder)
    if known is None or now - known[0] > SECONDS:
        known = _answers[profile.folder] = (now, is_running(profile))
    return known[1]
