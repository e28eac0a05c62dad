"""Whether a worker is there: each says so in the shared cache table, since it may run on another machine."""

import threading
from typing import Final

from django.core.cache import cache
from django.db import DatabaseError, connection

EVERY: Final = 15.0  # seconds
TAKEN_FOR_DEAD_AFTER: Final = 50
_KEY = "hermesweb-worker"


def beat() -> None:
    cache.set(_KEY, 1, TAKEN_FOR_DEAD_AFTER)


def is_heard() -> bool:
    """Raises DatabaseError."""
    return cache.get(_KEY) is not None


def start() -> None:
    """Beat for as long as this process lives."""
    threading.Thread(target=_beat_on, daemon=True).start()


def _beat_on() -> None:
    pause = threading.Event()
    while True:
        try:
            beat()
        except DatabaseError:  # the next one may get through
            connection.close()
        pause.wait(EVERY)
