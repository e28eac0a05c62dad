"""Phrases and words out of conversations, to look for after they were deleted."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

from sessions.content import plain_text
from sessions.database import Database
from sessions.deletion_queries import chunks, marks

Item = TypeVar("Item")
WORDS: Final = 4  # of a phrase
SHORTEST: Final = 6  # characters: what is shorter stands everywhere
LONGEST: Final = 60
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_BEGINNING: Final = 4_000  # characters of a text that are looked at


def sample_phrases(db: Database, sessions: Sequence[str] | None, most: int) -> list[str]:
    """Up to `most` phrases from messages, titles and reasoning of these sessions, of all for None: spread over
    them, each of several words in a row, or one long word. Raises StateError."""
    found: dict[str, None] = {}
    for text in _texts(db, sessions, most):
        for phrase in phrases_of(text):
            found.setdefault(phrase)
        if len(found) >= most:
            break
    return list(found)[:most]


def spread(found: Sequence[Item], most: int) -> list[Item]:
    """Up to `most` of them, evenly over all."""
    return list(found[:: max(1, -(-len(found) // most))])


def phrases_of(text: str) -> Iterator[str]:
    """A phrase around the longest word of a text, and that word if it is long enough to be rare."""
    words = [match for match in _WORD.finditer(text[:_BEGINNING]) if not match[0].isdecimal()]
    if not words:
        return
    longest = max(range(len(words)), key=lambda number: len(words[number][0]))
    first = max(0, min(longest - 1, len(words) - WORDS))
    phrase = text[words[first].start() : words[min(first + WORDS, len(words)) - 1].end()]
    if SHORTEST <= len(phrase) <= LONGEST and "\n" not in phrase and "\0" not in phrase:
        yield phrase
    word = words[longest][0]
    if 2 * SHORTEST <= len(word) <= LONGEST:
        yield word


def _texts(db: Database, sessions: Sequence[str] | None, most: int) -> Iterator[str]:
    ids = _spread(
        [str(id) for (id,) in db.rows("SELECT id FROM sessions")] if sessions is None else sessions, most
    )
    columns = [name for name in ("content", "reasoning", "tool_calls") if name in db.columns("messages")]
    if not columns:
        return
    each = max(1, most // max(1, len(ids)))
    for id in ids:
        asked = f"SELECT {', '.join(columns)} FROM messages WHERE session_id = ? ORDER BY id LIMIT {4 * each}"  # noqa: S608
        rows = db.rows(asked, (id,))
        for row in _spread(rows, each):
            yield from (plain_text(value) for value in row if value)
    if "title" in db.columns("sessions"):
        for some in chunks(ids):
            titles = db.rows(f"SELECT title FROM sessions WHERE id IN ({marks(some)})", some)  # noqa: S608
            yield from (str(title) for (title,) in titles if title)


def _spread(items: Sequence[Any], most: int) -> list[Any]:
    step = max(1, len(items) // most)
    return list(items[::step])[:most]
