"""Many readers at once: so many requests a second for so long, mixed pages, through the real server.

Run: python tests/bench/bench_load.py [requests a second, 200] [seconds, 30] [web processes, 2]

Each request has a moment at which it is due, and its time counts from then: a slow answer makes the ones behind it
late, as it would for people. What is not answered after twice the time is given up. Asked for over kept-alive
connections of one browser, on the recorded home of 0.19. Memory is what all processes of the server hold
(proportional set size); the time on the processor says what it could answer at most, also where others work on the
machine. Ends with 1 if an answer is not 200 or was given up.
"""

import queue
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench import django_ready  # noqa: F401  (before the server's)
from tests.home_builders import recorded_home
from tests.web.server import Server, Visitor

CONNECTIONS = 24
OFFICE = "/homes/hermes/office/"
PAGES = [
    OFFICE,
    f"{OFFICE}memory/",
    f"{OFFICE}sessions/",
    "/static/app.css",
    f"{OFFICE}pending/",
    f"{OFFICE}search/",
    "/homes/",
    "/health/",
    "/account/",
    f"{OFFICE}memory/history/",
]


class Connection:
    """One that is kept open, and takes little of the processor that the server is to have."""

    def __init__(self, port: int, cookies: str) -> None:
        self.port = port
        self.socket: socket.socket | None = None
        head = f"HTTP/1.1\r\nHost: hermesweb.localhost:{port}\r\nCookie: {cookies}\r\n\r\n"
        self.requests = {page: f"GET {page} {head}".encode() for page in PAGES}

    def ask(self, path: str) -> int:
        """The status, once the whole answer is here. A server may close a connection that was idle: once more then."""
        for again in (False, True):
            if self.socket is None:
                self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
            try:
                self.socket.sendall(self.requests[path])
                return self.read()
            except ConnectionError:
                self.close()
                if again:
                    raise
        raise AssertionError

    def read(self) -> int:
        assert self.socket
        answer = bytearray()
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self.more()
        head = bytes(answer[:end]).lower()
        left = end + 4 + int(head.partition(b"content-length:")[2].split(b"\r\n")[0]) - len(answer)
        while left > 0:
            left -= len(self.more())
        if b"connection: close" in head:
            self.close()
        return int(head.split(None, 2)[1])

    def more(self) -> bytes:
        assert self.socket
        received = self.socket.recv(1 << 17)
        if not received:
            raise ConnectionResetError
        return received

    def close(self) -> None:
        if self.socket:
            self.socket.close()
        self.socket = None


class Crowd:
    """Threads that ask for what is due."""

    def __init__(self, port: int, cookies: str) -> None:
        self.port, self.cookies = port, cookies
        self.due: queue.SimpleQueue[tuple[float, str] | None] = queue.SimpleQueue()
        self.times: dict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[object] = Counter()
        self.end = 0.0
        self.threads = [threading.Thread(target=self.ask_on) for _ in range(CONNECTIONS)]

    def ask_on(self) -> None:
        with closing(Connection(self.port, self.cookies)) as connection:
            while (job := self.due.get()) is not None:
                moment, path = job
                if time.perf_counter() > self.end:
                    self.statuses["given up"] += 1
                    continue
                self.statuses[connection.ask(path)] += 1
                self.times[path].append((time.perf_counter() - moment) * 1000)

    def run(self, rate: int, seconds: float) -> float:
        """Ask so often for so long; how long it took until all was answered."""
        for thread in self.threads:
            thread.start()
        began = time.perf_counter()
        self.end = began + 2 * seconds
        for number in range(int(rate * seconds)):
            moment = began + number / rate
            time.sleep(max(0.0, moment - time.perf_counter()))
            self.due.put((moment, PAGES[number % len(PAGES)]))
        for _ in self.threads:
            self.due.put(None)
        for thread in self.threads:
            thread.join()
        return time.perf_counter() - began


def megabytes(server: Server) -> float:
    processes = [server.process.pid, *(each.pid for each in server.processes())]  # type: ignore[union-attr]
    total = 0
    for pid in processes:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


def main(rate: int, seconds: float, processes: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        home = recorded_home("0.19", Path(folder) / "home")
        environ = {"HERMES_HOME": str(home.root), "HERMESWEB_WEB_PROCESSES": str(processes)}
        server = Server(Path(folder) / "data", environ)
        try:
            visitor = Visitor(server.start().ready().port).sign_in_first(server.link())
            for page in PAGES:
                visitor.get(page)
            before, worked = megabytes(server), processor_seconds(server)
            crowd = Crowd(
                server.port, "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
            )
            took = crowd.run(rate, seconds)
            report(crowd, took)
            spent = (processor_seconds(server) - worked) / max(1, crowd.statuses[200]) * 1000
            print(
                f"{spent:.1f} ms of a processor for each answer: at most {1000 / spent:.0f} a second on each core"
            )
            print(f"memory {before:.0f} MB before, {megabytes(server):.0f} MB after")
        finally:
            server.end()
    return 0 if set(crowd.statuses) == {200} else 1


def processor_seconds(server: Server) -> float:
    return sum(sum(each.cpu_times()[:2]) for each in server.processes())


def report(crowd: Crowd, took: float) -> None:
    every = sorted(time for times in crowd.times.values() for time in times)
    print(
        f"{len(every)} requests in {took:.1f} s = {len(every) / took:.0f} a second; answers {dict(crowd.statuses)}"
    )
    print(f"{'milliseconds':28}{'middle':>9}{'p95':>9}{'p99':>9}{'longest':>9}")
    for name, times in [("all", every), *((path, sorted(times)) for path, times in crowd.times.items())]:
        at = [times[min(len(times) - 1, int(len(times) * part))] for part in (0.95, 0.99)]
        print(f"{name:28}" + "".join(f"{each:9.0f}" for each in [statistics.median(times), *at, times[-1]]))


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]]
    sys.exit(main(*(numbers + [200, 30, 2][len(numbers) :])))
