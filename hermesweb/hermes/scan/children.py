"""The processes of a scan, as seen by who started them."""

import os
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hermesweb.hermes.scan.events import Database, End, Event, decode

PROJECT = Path(__file__).resolve().parents[3]
TICK = 0.2  # seconds between two questions whether to stop
_MOST = 1 << 16


class Stopped(Exception):
    """`stop` said so."""


class Died(Exception):
    """The process ended before its work did."""


def lines(
    module: str, asked: str, *, scratch: Path, stop: Callable[[], bool], keep_open: bool = True
) -> Iterator[Event | Database]:
    """What the process reports, without its end. It is killed when this is closed. With `keep_open` its input
    stays open as long as we live. Raises Stopped and Died."""
    for text in raw_lines(module, asked, scratch=scratch, stop=stop, keep_open=keep_open):
        try:
            line = decode(text)
        except ValueError:
            raise Died from None
        if isinstance(line, End):
            return
        yield line
    raise Died


def raw_lines(
    module: str, asked: str, *, scratch: Path, stop: Callable[[], bool], keep_open: bool = True
) -> Iterator[bytes]:
    """The lines that the process prints, as they come."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"hermesweb.hermes.scan.{module}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a traceback could quote what was looked at
        cwd=PROJECT,
        env=environment(scratch),
    )
    try:
        _ask(process, asked, keep_open)
        yield from _answers(process, stop)
    finally:
        with suppress(OSError):
            process.kill()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        process.wait()


def environment(scratch: Path) -> Mapping[str, str]:
    """Nothing of ours but where to find programs, and a private place for temporary files."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "TMPDIR": str(scratch),
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _ask(process: "subprocess.Popen[bytes]", asked: str, keep_open: bool) -> None:
    assert process.stdin
    with suppress(BrokenPipeError):
        process.stdin.write(asked.encode() + b"\n")
        process.stdin.flush()
        if not keep_open:
            process.stdin.close()


def _answers(process: "subprocess.Popen[Any]", stop: Callable[[], bool]) -> Iterator[bytes]:
    assert process.stdout
    waiting = b""
    asked_at = 0.0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if time.monotonic() - asked_at > TICK:
                asked_at = time.monotonic()
                if stop():
                    raise Stopped
            if not selector.select(TICK):
                continue
            some = os.read(process.stdout.fileno(), _MOST)
            if not some:
                return
            *whole, waiting = (waiting + some).split(b"\n")
            yield from whole
