"""Several streams of events at the same time, as one."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress

from hermesweb.hermes.scan.children import TICK, Stopped
from hermesweb.hermes.scan.events import Event

AHEAD = 1_000  # events that wait, at most

Part = Callable[[Callable[[], bool]], Iterator[Event]]
"""Is given what to ask five times a second whether to stop."""


def together(parts: Sequence[Part], stop: Callable[[], bool]) -> Iterator[Event]:
    """What all parts give, as it comes. `stop` is only called by who takes the events. When that says so, raises
    Stopped, and then, as when this is closed, all parts have ended. What a part raises is raised here."""
    ended = threading.Event()
    waiting: queue.Queue[Event | BaseException | None] = queue.Queue(AHEAD)
    threads = [threading.Thread(target=_run, args=(part, ended, waiting), daemon=True) for part in parts]
    for thread in threads:
        thread.start()
    try:
        left = len(threads)
        while left:
            if stop():
                raise Stopped
            for each in _taken(waiting):
                if isinstance(each, BaseException):
                    raise each
                if each is None:
                    left -= 1
                else:
                    yield each
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def _run(part: Part, ended: threading.Event, waiting: "queue.Queue[Event | BaseException | None]") -> None:
    last: BaseException | None = None
    try:
        with closing(part(ended.is_set)) as events:  # type: ignore[type-var]
            for event in events:
                _put(event, ended, waiting)
    except Stopped:
        return
    except BaseException as error:  # raised again by who takes the events
        last = error
    with suppress(Stopped):
        _put(last, ended, waiting)


def _put(
    each: Event | BaseException | None,
    ended: threading.Event,
    waiting: "queue.Queue[Event | BaseException | None]",
) -> None:
    while not ended.is_set():
        with suppress(queue.Full):
            waiting.put(each, timeout=TICK)
            return
    raise Stopped


def _taken(
    waiting: "queue.Queue[Event | BaseException | None]",
) -> Iterator[Event | BaseException | None]:
    """What is there, after a while at most."""
    with suppress(queue.Empty):
        yield waiting.get(timeout=TICK)
        for _ in range(AHEAD):
            yield waiting.get_nowait()
