"""The web server and the worker as one command: starts both, restarts a dead one, stops both in time."""

import contextlib
import ctypes
import errno
import http.client
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

import psutil

STOP_WITHIN = 3.5  # seconds from Ctrl-C until what still runs is killed
FINISH_WITHIN = 25.0  # seconds that running requests get when a service manager ends or renews us
READY_WITHIN = 15.0  # seconds until the introduction is printed even if nothing answers
RESTART_PAUSE = 1.0  # seconds, so that a part that cannot start does not spin
PR_SET_PDEATHSIG = 1
# glibc gives each thread a heap of its own and hardly returns any of it: half as much again for a web server
# of eight threads. Other C libraries do not know these names.
FRUGAL = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "131072"}


@dataclass
class Part:
    """One process of ours. It inherits *sockets*: what asks while it is renewed waits, and is not refused.

    *overlaps*: a new one may run beside the old one.
    """

    name: str
    command: Sequence[str]
    sockets: Sequence[socket.socket] = ()
    overlaps: bool = False
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
            env=FRUGAL | environ,
            pass_fds=[listener.fileno() for listener in self.sockets],
        )
        self.started = time.monotonic()


@dataclass
class Supervisor:
    parts: list[Part]
    say: Callable[[str], None] = print
    wanted: bool = field(default=True)
    renewal_wanted: bool = field(default=False)
    patience: float = STOP_WITHIN

    def run(self, ready: Callable[[], bool], introduce: Callable[[], None]) -> None:
        """Start the parts, say so once *ready* (nobody clicks a link that does not answer yet), keep them
        running until SIGINT or SIGTERM, then stop them. SIGUSR1: start each anew, without a pause."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.end)
        signal.signal(signal.SIGUSR1, self.want_renewal)
        for part in self.parts:
            part.start()
        deadline = time.monotonic() + READY_WITHIN
        while self.wanted and not ready() and time.monotonic() < deadline:
            time.sleep(0.02)
        if self.wanted:
            introduce()
        while self.wanted:
            self.restart_dead()
            if self.renewal_wanted:
                self.renewal_wanted = False
                self.renew()
            time.sleep(0.2)
        self.stop()

    def end(self, number: int, frame: FrameType | None) -> None:
        """A person who presses Ctrl-C waits for it; a service manager lets running requests finish."""
        self.wanted = False
        self.patience = FINISH_WITHIN if number == signal.SIGTERM else STOP_WITHIN

    def want_renewal(self, number: int, frame: FrameType | None) -> None:
        self.renewal_wanted = True

    def renew(self) -> None:
        """New code, certificates and the like, while running requests finish and jobs go on."""
        for part in self.parts:
            old = part.process
            if part.overlaps:
                part.start()
                if not self.has_come_up(part):
                    signal_group(part, signal.SIGKILL)
                    part.process = old
                    self.say(f"The new {part.name} did not start, so the old one goes on.")
                    return
            self.finish(part, old)
            if not part.overlaps and self.wanted:
                part.start()
        self.say("Renewed.")

    def has_come_up(self, part: Part) -> bool:
        """Whether a part that overlaps has started the processes that do its work."""
        deadline = time.monotonic() + READY_WITHIN
        while self.wanted and time.monotonic() < deadline:
            if part.process is None or part.process.poll() is not None:
                return False
            if psutil.Process(part.process.pid).children():
                return True
            time.sleep(0.05)
        return False

    def finish(self, part: Part, old: "subprocess.Popen[bytes] | None") -> None:
        """End the former process of a part, once it is done with what it does."""
        if old is None or old.poll() is not None:
            return
        old.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + FINISH_WITHIN
        while self.wanted and old.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(old.pid, signal.SIGKILL)
        old.wait()

    def restart_dead(self) -> None:
        for part in self.parts:
            code = part.process.poll() if part.process else None
            if code is not None and self.wanted and time.monotonic() - part.started > RESTART_PAUSE:
                self.say(f"The {part.name} ended ({code}) and is started again.")
                signal_group(part, signal.SIGKILL)  # what it had started still holds the port
                part.start()

    def stop(self) -> None:
        deadline = time.monotonic() + self.patience
        for part in self.parts:
            for listener in part.sockets:
                listener.close()  # who comes now is refused, and does not wait for nothing
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


def answers(address: str, port: int, encrypted: bool) -> bool:
    """Whether the web server there answers by now, whatever it says."""
    unchecked = ssl._create_unverified_context()  # noqa: S323  (it is our own, under any name)
    connection = (
        http.client.HTTPSConnection(address, port, timeout=2, context=unchecked)
        if encrypted
        else http.client.HTTPConnection(address, port, timeout=2)
    )
    with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("GET", "/health/")
        return connection.getresponse().status > 0
    return False


def listen(binds: Sequence[tuple[str, int]]) -> list[socket.socket]:
    """Sockets that listen there, for parts to inherit. Raises OSError."""
    listeners = []
    for host, port in binds:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        both = host == "::" and socket.has_dualstack_ipv6()
        listeners.append(socket.create_server((host, port), family=family, backlog=512, dualstack_ipv6=both))
    return listeners


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
