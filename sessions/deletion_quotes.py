"""What sessions that stay repeat of those that go: said before a deletion, not touched by it.

Looking through all answers of session_search takes a walk over the messages, so there is a time limit.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from sessions.database import Database
from sessions.deletion_family import Families
from sessions.deletion_queries import RESULT_BYTES, chunks, marks
from sessions.deletion_sides import strings_in
from sessions.deletion_values import Quote
from sessions.errors import StateTimeout

SUMMARY_STARTS = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:")
SHORTEST_WORDS = 8  # characters of a passage that is looked for
MOST_TEXT = 2_000_000  # characters of the messages that go which passages are looked for in
BATCH = 200  # answers read at a time


def quotes_of(
    db: Database, families: Families, ids: set[str], seconds: float
) -> tuple[tuple[Quote, ...], bool]:
    """What others quote of these sessions, and whether there was time to look everywhere. Raises StateError."""
    deadline = time.monotonic() + seconds
    found = _in_children(db, families, ids)
    found.update(_in_parents(db, families, ids))
    try:
        for session in _search_results(db, ids, deadline):
            found["search_result", session] += 1
    except (StateTimeout, TimeoutError):
        return _quotes(found), False
    return _quotes(found), True


def _quotes(found: "Counter[tuple[str, str]]") -> tuple[Quote, ...]:
    return tuple(Quote(kind, session, count) for (kind, session), count in found.items() if count)  # type: ignore[arg-type]


def _in_children(db: Database, families: Families, ids: set[str]) -> "Counter[tuple[str, str]]":
    found: Counter[tuple[str, str]] = Counter()
    begins = " OR ".join("substr(content, 1, ?) = ?" for _ in SUMMARY_STARTS)
    starts = [value for text in SUMMARY_STARTS for value in (len(text), text)]
    for parent, child in families.staying_children(ids):
        copies = db.value(
            "SELECT COUNT(*) FROM messages WHERE session_id = ? AND content <> '' AND content IN"
            " (SELECT content FROM messages WHERE session_id = ?)",
            (child, parent),
        )
        summaries = f"SELECT COUNT(*) FROM messages WHERE session_id = ? AND ({begins})"  # noqa: S608
        found["branch_copy", child] += copies
        found["summary", child] += db.value(summaries, (child, *starts))
    return found


def _in_parents(db: Database, families: Families, ids: set[str]) -> "Counter[tuple[str, str]]":
    """What subagents that go have answered to a parent that stays."""
    found: Counter[tuple[str, str]] = Counter()
    parents = {families.parent(id) for id in ids if families.is_subagent(id)} - {None} - ids
    if not {"role", "tool_name"} <= db.columns("messages"):
        return found
    for parent in parents:
        found["delegation_result", str(parent)] += db.value(
            "SELECT COUNT(*) FROM messages WHERE session_id = ? AND role = 'tool' AND tool_name = 'delegate_task'",
            (parent,),
        )
    return found


def _search_results(db: Database, ids: set[str], deadline: float) -> Iterator[str]:
    """The session of each answer of session_search elsewhere that names one of the ids or repeats a passage."""
    if not {"role", "tool_name", "content"} <= db.columns("messages"):
        return
    said = _said(db, ids)
    for session, answer in _answers(db, deadline):
        if session in ids:
            continue
        words = list(strings_in(_value(answer)))
        if not ids.isdisjoint(words) or any(map(said.holds, words)):
            yield session
        _look_at_clock(deadline)


def _answers(db: Database, deadline: float) -> Iterator[tuple[str, str]]:
    last, usual = 0, db.seconds
    while True:
        db.seconds = max(0.01, deadline - time.monotonic())
        try:
            rows = db.rows(
                f"SELECT id, session_id, substr(content, 1, {RESULT_BYTES}) FROM messages WHERE id > ?"  # noqa: S608
                " AND tool_name = 'session_search' AND role = 'tool' ORDER BY id LIMIT ?",
                (last, BATCH),
            )
        finally:
            db.seconds = usual
        if not rows:
            return
        last = rows[-1][0]
        yield from ((str(session), str(answer)) for _, session, answer in rows)


@dataclass(frozen=True)
class _Said:
    """The texts that go, and what follows what in them: looking for a passage in the text takes long."""

    text: str
    pairs: frozenset[int]

    def holds(self, passage: str) -> bool:
        plain = passage.replace(">>>", "").replace("<<<", "").strip(". \n")
        inner = plain.split()[1:-1]  # the first and the last word may be cut
        return (
            len(plain) >= SHORTEST_WORDS
            and all(hash(pair) in self.pairs for pair in pairwise(inner))
            and plain in self.text
        )


def _said(db: Database, ids: set[str]) -> _Said:
    """As much of the texts that go as it is bearable to look for passages in."""
    texts: list[str] = []
    pairs: set[int] = set()
    room = MOST_TEXT
    for text in _texts(db, ids):
        texts.append(text[:room])
        pairs.update(map(hash, pairwise(texts[-1].split())))
        room -= len(texts[-1])
        if room <= 0:
            break
    return _Said("\0".join(texts), frozenset(pairs))


def _texts(db: Database, ids: set[str]) -> Iterator[str]:
    for some in chunks(sorted(ids)):
        asked = f"SELECT substr(content, 1, ?) FROM messages WHERE session_id IN ({marks(some)}) AND content <> ''"  # noqa: S608
        yield from (str(text) for (text,) in db.rows(f"{asked} LIMIT 20000", (RESULT_BYTES, *some)))


def _value(answer: str) -> object:
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):  # cut, or no JSON: its words one by one
        return answer.replace('"', "\n").split("\n")


def _look_at_clock(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise TimeoutError
