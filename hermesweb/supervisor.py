"""The web server and the worker as one command: starts both, restarts a dead one, stops both in time."""

import contextlib
import ctypes
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

STOP_WITHIN = 3.5  # seconds from Ctrl-C until what still runs is killed
READY_WITHIN = 15.0  # seconds until the introduction is printed even if nothing answers
RESTART_PAUSE = 1.0  # seconds, so that a part that cannot start does not spin
PR_SET_PDEATHSIG = 1


@dataclass
class Part:
    """One process of ours. *command* is made anew for each start."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0

    def start(self) -> None:
        # A session of its own: Ctrl-C reaches only us, and each part gets one signal, not two.
        # Options from the environment could make the web server log addresses, and those can hold a token.
        environ = {name: value for name, value in os.environ.items() if name != "GUNICORN_CMD_ARGS"}
        self.process = subprocess.Popen(
            self.command,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            preexec_fn=end_with_starter(),
            env=environ,
        )
        self.started = time.monotonic()


@dataclass
class Supervisor:
    parts: list[Part]
    say: Callable[[str], None] = print
    wanted: bool = field(default=True)

    def run(self, ready: Callable[[], bool], introduce: Callable[[], None]) -> None:
        """Start the parts, say so once *ready* (nobody clicks a link that does not answer yet), keep them
        running until SIGINT or SIGTERM, then stop them."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.end)
        for part in self.parts:
            part.start()
        deadline = time.monotonic() + READY_WITHIN
        while self.wanted and not ready() and time.monotonic() < deadline:
            time.sleep(0.02)
        if self.wanted:
            introduce()
        while self.wanted:
            self.restart_dead()
            time.sleep(0.2)
        self.stop()

    def end(self, number: int, frame: FrameType | None) -> None:
        self.wanted = False

    def restart_dead(self) -> None:
        for part in self.parts:
            code = part.process.poll() if part.process else None
            if code is not None and self.wanted and time.monotonic() - part.started > RESTART_PAUSE:
                self.say(f"The {part.name} ended ({code}) and is started again.")
                signal_group(part, signal.SIGKILL)  # what it had started still holds the port
                part.start()

    def stop(self) -> None:
        deadline = time.monotonic() + STOP_WITHIN
        for part in self.parts:
            signal_group(part, signal.SIGTERM)
        for part in self.parts:
            if part.process:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    part.process.wait(max(0.0, deadline - time.monotonic()))
                signal_group(part, signal.SIGKILL)
                part.process.wait()


def signal_group(part: Part, number: int) -> None:
    """Reach a part and what it started: each part leads a process group of its own."""
    if part.process and (number == signal.SIGKILL or part.process.poll() is None):
        send = os.killpg if number == signal.SIGKILL else os.kill
        with contextlib.suppress(ProcessLookupError, PermissionError):
            send(part.process.pid, number)


def end_with_starter() -> Callable[[], None] | None:
    """On Linux a part is told to end when we are killed; elsewhere the worker watches for it itself."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def free_port(address: str, port: int, tries: int = 50) -> int:
    """The first free port from *port* on. Raises OSError when none of *tries* is free or allowed."""
    if not 0 < port < 65536:
        raise OSError(errno.EINVAL, "a port is a number from 1 to 65535")
    for candidate in range(port, min(port + tries, 65536)):
        if port_is_free(address, candidate) and not (address == "127.0.0.1" and taken_on_ipv6(candidate)):
            return candidate
    raise OSError(errno.EADDRINUSE, "no free port")


def taken_on_ipv6(port: int) -> bool:
    """Whether somebody else answers on ::1, where a browser may look for hermesweb.localhost first: they would
    be sent the sign-in link and the cookies."""
    try:
        return not port_is_free("::1", port)
    except OSError:
        return False  # no IPv6 here


def answers(address: str, port: int) -> bool:
    """Whether something listens there by now."""
    try:
        socket.create_connection((address, port), timeout=0.5).close()
    except OSError:
        return False
    return True


def port_is_free(address: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
        except (TypeError, ValueError) as error:  # a name that no machine can have
            raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL)) from error
    return True
