"""What the full-text indexes of a state.db are good for.

An index can be missing, detached, half built, unreadable, or zeroed so that it answers nothing without any
error; and its tokenizer may be missing from our SQLite. So it is asked for a few messages that it must know.
The markers are Hermes' (state_meta: fts_stale, fts_rebuild_*; hermes_state.py, hermes_state_schema.py of 0.22).
"""

import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermesweb.hermes.beside import Stamp
from sessions import search_index_queries as queries
from sessions.database import Database
from sessions.errors import StateDamaged
from sessions.listing_catalog import stamp_of

WORDS, TRIGRAMS = "messages_fts", "messages_fts_trigram"
SAMPLES = 8
NEAR = 500  # rows in which a sample is looked for

Problem = Literal[
    "no_index",
    "no_module",  # our SQLite has no such index or tokenizer
    "index_stale",  # Hermes has detached it
    "index_broken",  # it raises an error
    "index_incomplete",  # it does not know messages that it should
]


@dataclass(frozen=True)
class IndexState:
    """`words` and `trigrams`: None where usable, else why not. `external`: the newer layout.

    In that layout the trigram index lacks tool rows, tool calls and the sessions of cron and subagents, and the
    word index the rest of tool outputs over 8,192 characters. `gap`: the messages after the first number and
    up to the second are in neither index, since it is being built.
    """

    words: Problem | None
    trigrams: Problem | None
    external: bool
    gap: tuple[int, int] | None

    @property
    def rebuilt(self) -> int | None:
        """Percent done of an index that is being built."""
        return None if self.gap is None else self.gap[0] * 100 // self.gap[1]


_kept: dict[Path, tuple[Stamp, IndexState]] = {}
_lock = threading.Lock()


def index_state(db: Database) -> IndexState:
    """The state of the indexes, looked at once for as long as the files stay the same. Raises StateError."""
    stamp = stamp_of(db)
    with _lock:
        known = _kept.get(db.path)
    if known and stamp is not None and known[0] == stamp:
        return known[1]
    state = _look(db)
    if stamp is not None:
        with _lock:
            _kept.clear() if len(_kept) > 50 else None
            _kept[db.path] = stamp, state
    return state


def _look(db: Database) -> IndexState:
    meta = queries.meta(db)
    gap = _number(meta.get("fts_rebuild_progress")), _number(meta.get("fts_rebuild_high_water"))
    open_gap = gap if gap[0] < gap[1] else None
    stale = meta.get("fts_stale", "0") not in ("", "0")
    external = "content=" in queries.statement_of(db, WORDS).replace(" ", "")
    return IndexState(
        words="index_stale" if stale else _problem(db, WORDS, open_gap),
        trigrams="index_stale" if stale else _problem(db, TRIGRAMS, open_gap),
        external=external,
        gap=open_gap,
    )


def _problem(db: Database, table: str, gap: tuple[int, int] | None) -> Problem | None:
    if table not in db.tables:
        return "no_index"
    try:
        known = [queries.knows(db, table, row, word) for row, word in _samples(db, table, gap)]
    except StateDamaged as problem:
        return "no_module" if problem.message.startswith("no such") else "index_broken"
    return None if all(known) else "index_incomplete"


def _samples(db: Database, table: str, gap: tuple[int, int] | None) -> list[tuple[int, str]]:
    """Messages from all over the table with a word of each."""
    last = queries.last_message(db)
    found: dict[int, str] = {}
    begins = [last * step // SAMPLES for step in range(SAMPLES)]
    for begin, order in [(begin, "") for begin in begins] + [(last - NEAR, "ORDER BY id DESC")]:
        rows = queries.texts(db, table, begin, begin + NEAR, order)
        for row, content in rows:
            word = _word(content)
            if word and not (gap and gap[0] < row <= gap[1]):
                found[row] = word
    return list(found.items())


def _word(content: bytes) -> str | None:
    # ASCII between ASCII: whatever else is in the text, this is a word of its own. An index may end at a NUL.
    match = re.search(rb"(?:^|[ \n])([A-Za-z]{3,20})(?=[ .,\n])", content.partition(b"\0")[0])
    return match[1].decode() if match else None


def _number(value: str | None) -> int:
    return int(value) if value is not None and value.isdecimal() else 0
