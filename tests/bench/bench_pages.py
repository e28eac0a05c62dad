"""The pages of a million messages, from the server of `make run`.

Run: python tests/bench/bench_pages.py [megabytes of the export, 1000]

The home of bench_sessions.py is built if it is not there; a session of 100,000 messages stands in a home of its
own in a temporary folder. Milliseconds until the whole page is here: the first time a server that has just
started is asked, then the best (which counts: others may work on this machine) and the middle of some. Beside
them the plainest SQL for the same rows, in the same run; the ratio is to the best. Memory is what all processes
of the web server hold (proportional set size, as /proc counts it). Ends with 1 when a target is missed.
"""

import http.client
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hermesweb.hermes.ids import encode_id
from sessions.database import open_state
from tests.bench import bench_reading, bench_sessions, django_ready  # noqa: F401  (before the server's)
from tests.web.server import Server, Visitor

LIST, SEARCH, FILTERED, MIDDLE, MEMORY = 60, 150, 300, 100, 150  # milliseconds, and megabytes
RUNS = 9
AT_ONCE = 8  # searches
missed: list[str] = []

USUAL = {"in": ["messages", "tool_calls", "titles"]}
SEARCHES: dict[str, tuple[dict[str, Any], int]] = {
    "very common": ({"words": "the"}, SEARCH),
    "common": ({"words": "docker"}, SEARCH),
    "rare": ({"words": "wobblefrost"}, SEARCH),
    "unknown": ({"words": "zzqqxxyy"}, SEARCH),
    "two words": ({"words": "the docker"}, SEARCH),
    "phrase": ({"words": '"morning report"'}, SEARCH),
    "3 characters of CJK": ({"words": "金丝雀"}, SEARCH),
    "the, rare source": ({"words": "the", "source": "webhook"}, FILTERED),
    "the, title nobody has": ({"words": "the", "title": "nobody has this"}, FILTERED),
    "the, some days": ({"words": "the", "from": "2026-05-29", "to": "2026-06-03"}, FILTERED),
    "the, grouped": ({"words": "the", "group": "1"}, FILTERED),
    "rare, grouped": ({"words": "wobblefrost", "group": "1"}, FILTERED),
    "two words, grouped": ({"words": "the docker", "group": "1"}, FILTERED),
    "2 characters of CJK": ({"words": "桂林", "group": "1"}, FILTERED),
    "in reasoning, unknown": ({"words": "zzqqxxyy", "in": ["reasoning"]}, FILTERED),
}


def main(megabytes: int) -> int:
    bench_sessions.build()
    print(f"load {os.getloadavg()[0]:.1f}; milliseconds")
    with tempfile.TemporaryDirectory() as outer:
        with serving(bench_sessions.HOME, Path(outer) / "data") as (server, visitor):
            base = home_of(visitor)
            lists(visitor, base)
            searches(server, visitor, base)
        long_home = Path(outer) / "long"
        bench_reading.build(long_home, 1, True)
        (long_home / "config.yaml").write_text("{}\n")
        with serving(long_home, Path(outer) / "data of long") as (_server, visitor):
            conversation(visitor, home_of(visitor), long_home)
        big = Path(outer) / "big"
        bench_reading.build_big(big, megabytes)
        (big / "config.yaml").write_text("{}\n")
        with serving(big, Path(outer) / "data of big") as (server, visitor):
            exports(server, visitor, home_of(visitor))
    print("\nmissed:", "; ".join(missed) or "nothing")
    return 1 if missed else 0


@contextmanager
def serving(home: Path, data: Path) -> Iterator[tuple[Server, Visitor]]:
    """The real server for a home, and somebody who has just signed in."""
    server = Server(data, {"HERMES_HOME": str(home)})
    try:
        server.start().ready()
        yield server, Visitor(server.port).sign_in_first(server.link())
    finally:
        server.end()


def home_of(visitor: Visitor) -> str:
    """The path of the profile: /homes/<home>/<profile>/."""
    page = visitor.get("/homes/").body
    begin = page.index('href="/homes/', page.index("<main")) + 6
    return "/".join(page[begin : page.index('"', begin)].split("/")[:4]) + "/"


def timed(visitor: Visitor, path: str, runs: int = RUNS) -> tuple[float, float, float, str]:
    """Milliseconds of the first, of the best and in the middle, and the page."""
    took = []
    body = ""
    for _ in range(runs):
        began = time.perf_counter()
        reply = visitor.get(path)
        took.append((time.perf_counter() - began) * 1000)
        assert reply.status == 200, (reply.status, path)
        body = reply.body
    return took[0], min(took), statistics.median(took), body


def show(name: str, times: tuple[float, float, float], limit: int, plain: float, note: str = "") -> None:
    met = times[1] < limit or bool(note)  # a page that says how far it looked is allowed
    if not met:
        missed.append(f"{name}: {limit} ms")
    ratio = f"{times[1] / plain:8.1f}" if plain >= 1 else " " * 8
    verdict = "" if met else "  MISSED"
    print(
        f"{name:24}"
        + "".join(f"{each:9.1f}" for each in times)
        + f"{plain:9.1f}{ratio}{limit:7}{verdict}{note}"
    )


def lists(visitor: Visitor, base: str) -> None:
    print(f"{'':24}{'first':>9}{'best':>9}{'middle':>9}{'plain':>9}{'ratio':>8}{'limit':>7}")
    first, best, middle, body = timed(visitor, base + "sessions/")
    if first >= LIST:
        missed.append(f"first list after signing in: {LIST} ms")
    with open_state(bench_sessions.HOME) as db:
        plain, _ = bench_sessions.best(lambda: plain_list(db))
        show("list, first page", (first, best, middle), LIST, plain)
        for name, part in (("list, next page", 'rel="next"'), ("list, last page", "To the end")):
            if address := address_near(body, part):
                show(name, timed(visitor, address)[:3], LIST, plain)
        for name, query in (
            ("by title", "sort=title"),
            ("by messages", "sort=messages"),
            ("of a source", "source=webhook"),
        ):
            show(f"list, {name}", timed(visitor, f"{base}sessions/?{query}")[:3], LIST, plain)


def plain_list(db: Any) -> list[Any]:
    """Fifty rows of the list by the newest message of all sessions."""
    return db.rows(
        "SELECT s.id, s.title, s.source, (SELECT MAX(m.timestamp) FROM messages m WHERE m.session_id = s.id) AS last"
        " FROM sessions s ORDER BY last DESC LIMIT 50"
    )


def address_near(body: str, words: str) -> str:
    """The address of the link in whose element the words stand."""
    for link in body.split("<a ")[1:]:
        element = link.partition("</a>")[0]
        if words in element and 'href="' in element:
            return element.partition('href="')[2].partition('"')[0].replace("&amp;", "&")
    return ""


def address_of_search(visitor: Visitor, base: str, form: dict[str, Any]) -> str:
    visitor.get(base + "search/")
    data = {**USUAL, **form, "csrfmiddlewaretoken": visitor.token}
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = visitor.ask("POST", base + "search/", urlencode(data, doseq=True), headers)
    assert reply.status == 303, reply.status
    return reply.location


def searches(server: Server, visitor: Visitor, base: str) -> None:
    with open_state(bench_sessions.HOME) as db:
        for name, (form, limit) in SEARCHES.items():
            address = address_of_search(visitor, base, form)
            first, best, middle, body = timed(visitor, address)
            words = form["words"]
            table = "messages_fts_trigram" if not words.isascii() else "messages_fts"
            expression = (
                words if words.startswith('"') else " AND ".join(f'"{word}"' for word in words.split())
            )
            asked = table, expression
            rows, _ = bench_sessions.best(lambda asked=asked: bench_sessions.plain_rows(db, *asked))
            counting, _ = bench_sessions.best(lambda asked=asked: bench_sessions.plain_count(db, *asked))
            bounded = "  looked back to a point" if "Looked back to" in body else ""
            show(name, (first, best, middle), limit, rows + counting, bounded)
    parallel(server, visitor, base)


def parallel(server: Server, visitor: Visitor, base: str) -> None:
    """Memory with several searches at once, and how long each of them takes then."""
    addresses = [address_of_search(visitor, base, form) for form, _ in SEARCHES.values()]
    took: list[float] = []

    def ask(number: int) -> None:
        own = Visitor(visitor.port, dict(visitor.cookies))
        for turn in range(10):
            began = time.perf_counter()
            assert own.get(addresses[(number + turn) % len(addresses)]).status == 200
            took.append((time.perf_counter() - began) * 1000)

    idle = memory(server)
    most = while_running(server, [lambda number=number: ask(number) for number in range(AT_ONCE)])
    print(
        f"\n{AT_ONCE} searches at once: middle {statistics.median(took):.0f} ms, longest {max(took):.0f} ms"
    )
    report(f"memory with {AT_ONCE} searches", idle, most)


def while_running(server: Server, acts: list[Callable[[], None]]) -> dict[str, float]:
    """The most memory of the processes while these run."""
    failed: list[BaseException] = []

    def guarded(act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as problem:
            failed.append(problem)

    threads = [threading.Thread(target=guarded, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    most: dict[str, float] = {}
    while any(thread.is_alive() for thread in threads):
        now = memory(server)
        most = max(most, now, key=lambda each: each.get("web", 0))
        time.sleep(0.05)
    if failed:
        raise failed[0]
    return most


def memory(server: Server) -> dict[str, float]:
    """Megabytes of the web processes (server and its workers), of the rest, and resident of the web processes."""
    assert server.process
    gunicorn = server.part("gunicorn")
    web = [gunicorn, *gunicorn.children(recursive=True)]
    everything = {server.process.pid, *(each.pid for each in server.processes())}
    return {
        "web": sum(proportional(each.pid) for each in web),
        "rest": sum(proportional(pid) for pid in everything - {each.pid for each in web}),
        "resident": sum(each.memory_info().rss for each in web) / 1e6,
    }


def proportional(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


def report(name: str, idle: dict[str, float], most: dict[str, float]) -> None:
    if most["web"] >= MEMORY:
        missed.append(f"{name}: {MEMORY} MB")
    print(
        f"{name}: {idle['web']:.0f} to {most['web']:.0f} MB of {MEMORY}"
        f" (resident, shared pages counted in each: {most['resident']:.0f}; supervisor and worker: {most['rest']:.0f})"
    )


def conversation(visitor: Visitor, base: str, folder: Path) -> None:
    middle = 1 + bench_reading.MESSAGES // 2
    path = f"{base}sessions/{encode_id('long')}/"
    print(
        f"\n{'100,000 messages':24}{'first':>9}{'best':>9}{'middle':>9}{'plain':>9}{'ratio':>8}{'limit':>7}"
    )
    with open_state(folder) as db:
        plain, _ = bench_sessions.best(
            lambda: db.rows(
                "SELECT * FROM messages WHERE session_id = 'long' AND id >= ? ORDER BY id LIMIT 100",
                (middle,),
            )
        )
    for name, query in (
        ("beginning", ""),
        ("middle", f"?at={middle}"),
        ("middle, exact", f"?at={middle}&view=exact"),
    ):
        show(name, timed(visitor, path + query)[:3], MIDDLE, plain)


def exports(server: Server, visitor: Visitor, base: str) -> None:
    """Memory while a long conversation is exported, masked as it is unless somebody chooses otherwise."""
    page = f"{base}export/?session={encode_id('long')}"
    for form in ("jsonl", "html"):
        idle = memory(server)
        size: list[int] = []
        visitor.get(page)
        began = time.perf_counter()
        most = while_running(server, [partial(download, size, visitor, base, form)])
        took = time.perf_counter() - began
        print(f"\n{form}, masked: {size[0] / 1e6:.0f} MB in {took:.0f} s")
        report(f"memory during an export as {form}", idle, most)


def download(size: list[int], visitor: Visitor, base: str, form: str) -> None:
    """Adds how many bytes an export has; none is kept."""
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    data = {"csrfmiddlewaretoken": visitor.token, "format": form, "compacted": "on", "texts": "masked"}
    headers = {
        "Host": f"hermesweb.localhost:{visitor.port}",
        "Cookie": cookies,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    with closing(http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=60)) as connection:
        path = f"{base}export/file/?session={encode_id('long')}"
        connection.request("POST", path, urlencode(data), headers)
        response = connection.getresponse()
        assert response.status == 200, response.status
        size.append(sum(iter(lambda: len(response.read(1 << 20)), 0)))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 1000))
