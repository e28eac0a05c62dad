"""Many readers at once: so many requests a second for so long, mixed pages, through the real server.

Run: python tests/bench/bench_load.py [requests a second, 200] [seconds, 30] [web processes, 2]

Each request has a moment at which it is due, and its time counts from then: a slow answer makes the ones behind it
late, as it would for people. Asked for over kept-alive connections of one browser, on the recorded home of 0.19.
Memory is what all processes of the server hold (proportional set size). On two cores the asking itself takes a good
part of one. Ends with 1 if an answer is not 200.
"""

import http.client
import queue
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


class Crowd:
    """Threads that ask for what is due."""

    def __init__(self, port: int, cookies: str) -> None:
        self.port, self.headers = port, {"Host": f"hermesweb.localhost:{port}", "Cookie": cookies}
        self.due: queue.SimpleQueue[tuple[float, str] | None] = queue.SimpleQueue()
        self.times: dict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[int] = Counter()
        self.threads = [threading.Thread(target=self.ask_on) for _ in range(CONNECTIONS)]

    def ask_on(self) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            while (job := self.due.get()) is not None:
                moment, path = job
                try:
                    connection.request("GET", path, headers=self.headers)
                    response = connection.getresponse()
                    response.read()
                    status = response.status
                except (OSError, http.client.HTTPException):
                    connection.close()
                    status = 0
                self.statuses[status] += 1
                self.times[path].append((time.perf_counter() - moment) * 1000)

    def run(self, rate: int, seconds: float) -> float:
        """Ask so often for so long; how long it took until all was answered."""
        for thread in self.threads:
            thread.start()
        began = time.perf_counter()
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
            before = megabytes(server)
            crowd = Crowd(
                server.port, "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
            )
            took = crowd.run(rate, seconds)
            report(crowd, took, before, megabytes(server))
        finally:
            server.end()
    return 0 if set(crowd.statuses) == {200} else 1


def report(crowd: Crowd, took: float, before: float, after: float) -> None:
    every = sorted(time for times in crowd.times.values() for time in times)
    print(
        f"{len(every)} requests in {took:.1f} s = {len(every) / took:.0f} a second; answers {dict(crowd.statuses)}"
    )
    print(f"memory {before:.0f} MB before, {after:.0f} MB after")
    print(f"{'milliseconds':28}{'middle':>9}{'p95':>9}{'p99':>9}{'longest':>9}")
    for name, times in [("all", every), *((path, sorted(times)) for path, times in crowd.times.items())]:
        at = [times[min(len(times) - 1, int(len(times) * part))] for part in (0.95, 0.99)]
        print(f"{name:28}" + "".join(f"{each:9.0f}" for each in [statistics.median(times), *at, times[-1]]))


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]]
    sys.exit(main(*(numbers + [200, 30, 2][len(numbers) :])))
