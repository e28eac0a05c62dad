"""The real server as a subprocess, with a data folder and a port of its own."""

import http.client
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import psutil

from tests.web.people import PASSWORD

CHECKOUT = Path(__file__).parents[2]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
Value = TypeVar("Value")


def unused_port() -> int:
    """A free port below those that the system gives to outgoing connections: it stays free until it is used,
    also between two starts of the same server."""
    while True:
        port = random.randrange(15_000, 32_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def wait_for(what: Callable[[], Value], seconds: float = 30) -> Value:
    """What `what` returns once that is true. Fails when it does not become so."""
    deadline = time.monotonic() + seconds
    while not (value := what()):
        assert time.monotonic() < deadline, f"waited {seconds} s in vain"
        time.sleep(0.05)
    return value


@dataclass
class Server:
    """`manage.py serve` for one home. What it prints goes to one file."""

    data: Path
    environ: Mapping[str, str]
    port: int = field(default_factory=unused_port)
    process: subprocess.Popen[bytes] | None = None
    output: Path = field(init=False)
    earlier: int = 0  # introductions in the output before this start

    def __post_init__(self) -> None:
        self.output = self.data.with_suffix(".output")

    def start(self, *options: str) -> "Server":
        self.earlier = self.introductions() if self.output.exists() else 0
        command = [sys.executable, "manage.py", "serve", *options]
        own = {"HERMESWEB_DATA": str(self.data), "HERMESWEB_PORT": str(self.port)}
        environ = {**os.environ, **own, **self.environ}
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                command, cwd=CHECKOUT, env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        return self

    def ready(self) -> "Server":
        """Waits until it has said where it answers, which it does once it answers."""
        assert self.process
        wait_for(lambda: self.introductions() > self.earlier or self.process.poll() is not None)  # type: ignore[union-attr]
        assert self.process.poll() is None, self.printed()
        return self

    def introductions(self) -> int:
        return self.printed().count("Ctrl-C stops it.")

    def ended(self) -> int:
        """Waits until it has ended by itself; its exit code."""
        assert self.process
        return self.process.wait(30)

    def answers(self) -> bool:
        with suppress(OSError, http.client.HTTPException):
            return Visitor(self.port).get("/static/app.css").status == 200
        return False

    def printed(self) -> str:
        return self.output.read_text()

    def link(self) -> str:
        """The path of the newest sign-in link."""
        return str(re.findall(r"://hermesweb\.localhost:\d+(/first/\S+)", self.printed())[-1])

    def part(self, name: str) -> psutil.Process:
        """The process of a part: "gunicorn" or "worker". Waits for it, if it is just being started."""
        return wait_for(lambda: self._part(name))  # type: ignore[return-value]

    def _part(self, name: str) -> psutil.Process | None:
        assert self.process
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.Error):  # dead ones that are not buried yet have no command line
                if name in child.cmdline():
                    return child
        return None

    def processes(self) -> list[psutil.Process]:
        with suppress(psutil.NoSuchProcess):
            assert self.process
            return psutil.Process(self.process.pid).children(recursive=True)
        return []

    def stop(self) -> float:
        """Ctrl-C; how many seconds it took until all was over."""
        assert self.process
        began, all_of_it = time.monotonic(), self.processes()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        assert not [process for process in all_of_it if alive(process)]
        return time.monotonic() - began

    def end(self) -> None:
        """Whatever is left of it, also when a test has failed."""
        if self.process is None:
            return
        left = self.processes()
        self.process.kill()
        self.process.wait()
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def ask_database(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.data / "hermesweb.sqlite3", timeout=20)) as connection, connection:
            return connection.execute(statement, values).fetchall()


def alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


@dataclass(frozen=True)
class Reply:
    status: int
    headers: http.client.HTTPMessage
    body: str

    @property
    def location(self) -> str:
        return self.headers["Location"] or ""


@dataclass
class Visitor:
    """A browser without pictures: keeps cookies, sends the token of the form it was shown last."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Reply:
        body = urlencode({"csrfmiddlewaretoken": self.token, **(form or {})})
        return self.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded", **headers})

    def ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Reply:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own = {"Host": f"hermesweb.localhost:{self.port}", "Cookie": cookies, **headers}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, body, own)
            response = connection.getresponse()
            text = response.read().decode()
        for cookie in response.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if found := TOKEN.search(text):
            self.token = found[1]
        return Reply(response.status, response.headers, text)

    def sign_in_first(self, link: str) -> "Visitor":
        """By the first link, then with a name and a password."""
        assert self.get(link).status == 200
        assert self.post(link).location == "/account/choose-password/"
        assert self.get("/account/choose-password/").status == 200
        form = {"username": "mara", "password1": PASSWORD, "password2": PASSWORD}
        assert self.post("/account/choose-password/", form).location == "/homes/"
        return self

    def sign_in(self) -> "Visitor":
        assert self.get("/sign-in/").status == 200
        assert self.post("/sign-in/", {"login": "mara", "password": PASSWORD}).status == 302
        return self
