"""Every layout of the index, and none, finds the same: only how long it takes differs."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from sessions.database import read_state
from sessions.query_text import parse
from sessions.search import search
from tests.search_builders import Layout, add_index
from tests.state_builders import add_message, add_session, old_state

# No accents: without an index they count (a note of the page says so).
WORDS = [
    "a",
    "b",
    "ab",
    "run.py",
    "C++",
    "50%",
    "x_y",
    "大别",
    "大别山",
    "山 项",
    "is",
    "it's",
    "(b)",
    "日本",
    "İ",
]
OPERATORS = ["OR", "NOT", "-", '"', "*", " "]
LAYOUTS: list[Layout] = ["none", "inline", "external"]

texts = some.lists(some.sampled_from(WORDS), max_size=4).map(" ".join)
queries = some.lists(some.sampled_from(WORDS + OPERATORS), min_size=1, max_size=6).map(
    lambda parts: " ".join(parts).replace("- ", "-").replace(" *", "*")
)


def stored(kind: str, text: str) -> dict[str, object]:
    """A message that holds the text in one of the ways Hermes stores it."""
    if kind == "parts":
        return {"content": "\0json:" + json.dumps([{"type": "text", "text": text}])}
    if kind == "call":
        arguments = json.dumps({"text": text})
        calls = [{"id": "c", "function": {"name": "write", "arguments": arguments}}]
        return {"content": None, "role": "assistant", "tool_calls": json.dumps(calls)}
    return {"content": text, "role": "tool" if kind == "output" else "user"}


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    messages=some.lists(
        some.tuples(some.sampled_from(["text", "parts", "call", "output"]), texts), max_size=6
    ),
    words=some.lists(queries, min_size=1, max_size=6),
)
def test_all_layouts_find_the_same(
    tmp_path_factory: pytest.TempPathFactory, messages: Sequence[tuple[str, str]], words: Sequence[str]
) -> None:
    answers = []
    for layout in LAYOUTS:
        folder = old_state(tmp_path_factory.mktemp(layout))
        for source in ("cli", "cron"):
            add_session(folder, source, source=source)
        for number, (kind, text) in enumerate(messages):
            add_message(folder, ("cli", "cron")[number % 2], **{"content": "", **stored(kind, text)})
        add_index(folder, layout)
        answers.append(
            read_state(
                folder,
                lambda db: {
                    each: [hit.message for hit in search(db, parse(each), seconds=20).hits] for each in words
                },
            )
        )
    assert answers[1] == answers[0]
    assert answers[2] == answers[0]
