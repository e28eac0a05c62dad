"""List and search of a million messages beside plain SQL and the real Hermes. Run: python tests/bench/bench_sessions.py

The home (40,000 sessions, 2.2 GB) is built once, in .bench/ of the checkout; that takes some minutes. Every
number is the best of some runs in milliseconds, on an open connection. "plain" is the plainest SQL for the same
rows and their neighbours, "+count" together with the plainest count up to 10,001; a ratio only counts where the
time can be measured. Ends with 1 when a target is missed.
"""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sessions.database import Database, read_state
from sessions.listing import LAST, list_conversations, months
from sessions.listing_catalog import forget_catalogs
from sessions.listing_filters import Filters
from sessions.query_text import parse
from sessions.search import search

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".bench" / "home"
RUNS = 5
MEASURABLE = 5.0
"""Milliseconds; below, a ratio to plain SQL is noise."""

WORDS = {
    "very common": "the",
    "common": "docker",
    "rare": "wobblefrost",
    "unknown": "zzqqxxyy",
    "two words": "the docker",
    "phrase": '"morning report"',
    "3 characters of CJK": "金丝雀",
}
FILTERS = {
    "rare source": Filters(sources=("webhook",), hidden=True),
    "common source": Filters(sources=("cli",), hidden=True),
    "title nobody has": Filters(title="nobody has this", hidden=True),
    "days": Filters(since=1_780_000_000, until=1_780_600_000, hidden=True),
    "model": Filters(model="example/model-small", hidden=True),
    "archived": Filters(archived=True, hidden=True),
    "folder": Filters(folder="/home/user/p3", hidden=True),
    "not hidden": Filters(),
}
INDEXED = frozenset(("messages", "tool_calls"))
missed: list[str] = []


def main() -> int:
    build()
    hermes = ask_hermes()
    read_state(HOME, lambda db: searches(db, hermes))
    read_state(HOME, filtered)
    read_state(HOME, lambda db: lists(db, hermes))
    print(f"{'after a new message':22}{after_a_message():9.1f}{hermes['first page']:9.1f}")
    print("\nmissed:", "; ".join(missed) or "nothing")
    return 1 if missed else 0


def build() -> None:
    if (HOME / "state.db").exists():
        return
    print("building the home …", flush=True)
    options = [
        "--sessions",
        "40000",
        "--messages-per-session",
        "26",
        "--profiles",
        "0",
        "--no-oracle",
        "--force",
    ]
    command = [sys.executable, str(ROOT / "tests/homes/make_home.py"), str(HOME), *options]
    HOME.parent.mkdir(exist_ok=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def best(question: Callable[[], Any], runs: int = RUNS) -> tuple[float, Any]:
    """Milliseconds of the fastest run, and its answer."""
    fastest, answer = float("inf"), None
    for _ in range(runs):
        began = time.perf_counter()
        answer = question()
        fastest = min(fastest, (time.perf_counter() - began) * 1000)
    return fastest, answer


def target(name: str, met: bool) -> str:
    if not met:
        missed.append(name)
    return "" if met else "  MISSED"


def searches(db: Database, hermes: dict[str, float]) -> None:
    columns = ("plain", "ours", "ratio", "+count", "ours", "ratio", "Hermes", "faster")
    print(f"{'newest first':22}" + "".join(f"{column:>9}" for column in columns))
    for name, words in WORDS.items():
        query = parse(words)
        table = "messages_fts_trigram" if query.terms[0].part else "messages_fts"
        expression = words if words.startswith('"') else " AND ".join(f'"{word}"' for word in words.split())
        plain, rows = best(lambda table=table, expression=expression: plain_rows(db, table, expression))
        counting, _ = best(lambda table=table, expression=expression: plain_count(db, table, expression))
        ours, page = best(lambda query=query: search(db, query, where=INDEXED, count=False))
        whole, _ = best(lambda query=query: search(db, query, where=INDEXED))
        live = [row[0] for row in rows if row[-1]]
        assert [hit.message for hit in page.hits] == live[: len(page.hits)]
        ratio, with_count, faster = ours / plain, whole / (plain + counting), hermes[words] / whole
        verdict = target(f"{name}: 1.5 × plain SQL", ratio <= 1.5 or ours < MEASURABLE)
        verdict += target(f"{name}: 1.5 × with the count", with_count <= 1.5 or whole < MEASURABLE)
        if name == "very common":
            verdict += target("very common: 10 × Hermes", faster >= 10)
        numbers = f"{plain:9.2f}{ours:9.2f}{ratio:9.1f}{plain + counting:9.2f}{whole:9.2f}{with_count:9.1f}"
        print(f"{name:22}{numbers}{hermes[words]:9.1f}{faster:9.0f}{verdict}")


def plain_rows(db: Database, table: str, expression: str) -> list[tuple[Any, ...]]:
    near = (
        "(SELECT substr(n.content, 1, 200) FROM messages n WHERE n.session_id = m.session_id"
        " AND n.timestamp {0} m.timestamp AND n.id <> m.id ORDER BY n.timestamp {1} LIMIT 1)"
    )
    return db.rows(
        f"SELECT m.id, m.session_id, m.role, m.timestamp, m.content, m.tool_calls, s.source, s.title,"
        f" {near.format('<=', 'DESC')}, {near.format('>=', 'ASC')}, m.active"
        f" FROM {table} CROSS JOIN messages m ON m.id = {table}.rowid JOIN sessions s ON s.id = m.session_id"
        f" WHERE {table} MATCH ? ORDER BY {table}.rowid DESC LIMIT 21",
        (expression,),
    )


def plain_count(db: Database, table: str, expression: str) -> int:
    counted = (
        f"SELECT m.active FROM {table} CROSS JOIN messages m ON m.id = {table}.rowid"
        f" WHERE {table} MATCH ? LIMIT 10001"
    )
    return db.value(f"SELECT COUNT(*) FROM ({counted})", (expression,))


def filtered(db: Database) -> None:
    print(f"\n{'the most common word':22}{'ours':>9}{'hits':>6}{'total':>9}")
    query = parse("the")
    list_conversations(db)
    for name, filters in FILTERS.items():
        took, page = best(lambda filters=filters: search(db, query, filters=filters))
        show(f"with {name}", took, page, len(page.hits))
    for name, words in (("grouped", "the"), ("grouped, rare", "wobblefrost"), ("grouped, two", "the docker")):
        took, page = best(lambda words=words: search(db, parse(words), group=True))
        show(name, took, page, len(page.groups))
    for name, words, options in (
        ("1 character of CJK", "山", {}),
        ("2 characters of CJK", "桂林", {}),
        ("only punctuation", "++", {}),
        ("reasoning", "zzqqxxyy", {"where": {"reasoning"}}),
        ("prompts", "zzqqxxyy", {"where": {"prompts"}}),
        ("relevance", "wobblefrost", {"sort": "relevance"}),
    ):
        took, page = best(lambda words=words, options=options: search(db, parse(words), **options), 2)
        show(name, took, page, len(page.hits))


def show(name: str, took: float, page: Any, hits: int) -> None:
    total = f"{page.total}{'' if page.total_exact else '+'}"
    verdict = target(f"{name}: 300 ms", took < 300 or page.looked_back_to is not None)
    bounded = "  looked back to a point" if page.looked_back_to else ""
    print(f"{name:22}{took:9.1f}{hits:6}{total:>9}{bounded}{verdict}")


def lists(db: Database, hermes: dict[str, float]) -> None:
    print(f"\n{'40,000 sessions':22}{'ours':>9}{'Hermes':>9}{'faster':>8}")
    for name, after in (("first page", None), ("last page", LAST)):
        took, _ = best(lambda after=after: list_conversations(db, after=after))
        faster = hermes[name] / took
        verdict = target(f"{name}: 60 ms and 5 × Hermes", took < 60 and faster >= 5)
        print(f"{name:22}{took:9.1f}{hermes[name]:9.1f}{faster:8.0f}{verdict}")
    for name, question in (
        ("by title", lambda: list_conversations(db, sort="title")),
        ("by messages", lambda: list_conversations(db, sort="messages")),
        ("of a source", lambda: list_conversations(db, Filters(sources=("webhook",)))),
        ("with a title", lambda: list_conversations(db, Filters(title="docker"))),
        ("months", lambda: months(db)),
    ):
        print(f"{name:22}{best(question)[0]:9.1f}")
    print(f"{'nothing kept yet':22}{best(lambda: (forget_catalogs(), list_conversations(db)), 3)[0]:9.1f}")


def after_a_message() -> float:
    """The first page when the agent has stored something since."""
    took = float("inf")
    for _ in range(3):
        read_state(HOME, list_conversations)
        with closing(sqlite3.connect(HOME / "state.db", isolation_level=None)) as connection:
            connection.execute(
                "INSERT INTO messages(session_id, role, timestamp) VALUES ('bench', 'user', 1)"
            )
            connection.execute("DELETE FROM messages WHERE session_id = 'bench' AND id < last_insert_rowid()")
        time.sleep(0.1)
        fastest, _ = best(lambda: read_state(HOME, list_conversations), 1)
        took = min(took, fastest)
    with closing(sqlite3.connect(HOME / "state.db", isolation_level=None)) as connection:
        connection.execute("DELETE FROM messages WHERE session_id = 'bench'")
    return took


HERMES = """
import json, logging, sys, time
from pathlib import Path
logging.disable(50)
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]) / "state.db")
def best(question, runs=3):
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        question()
        times.append((time.perf_counter() - began) * 1000)
    return min(times)
options = dict(exclude_sources=["tool", "subagent"], limit=50, order_by_last_active=True, compact_rows=True)
found = {
    words: min(best(lambda: db.search_messages(words)), best(lambda: db.search_messages(words, sort="newest")))
    for words in json.loads(sys.argv[2])
}
found["first page"] = best(lambda: db.list_sessions_rich(**options))
found["last page"] = best(lambda: db.list_sessions_rich(offset=36000, **options))
db.close()
print(json.dumps(found))
"""


def ask_hermes() -> dict[str, float]:
    """Milliseconds of the real release 0.19 for the same questions, sorted as it is faster for it."""
    environment = {**os.environ, "HERMES_HOME": str(HOME), "HOME": str(HOME.parent)}
    command = [sys.executable, "-c", HERMES, str(HOME), json.dumps(list(WORDS.values()))]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    sys.exit(main())
