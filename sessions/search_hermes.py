"""What Hermes' own session_search would do with the hits of a page.

Its rules by release (tools/session_search_tool.py and hermes_state.py, 0.13 to 0.22): it looks at what the
person and the agent said, not at sessions of some sources, puts cron last, and asks its indexes in its own way
– which is simply done here too, for the few messages of a page. How many of them it then has room for is left
aside.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sessions.database import Database
from sessions.errors import StateDamaged, StateTimeout
from sessions.listing_rows import unlisted_sources
from sessions.query_text import OPERATORS
from sessions.search_hermes_queries import alike, matched
from sessions.search_index import TRIGRAMS, WORDS, IndexState
from sessions.search_results import Hit
from sessions.search_walk import Clock, limited

LONGEST = 2_048  # characters of a query
SECONDS = 0.1
LATER_SYMBOLS = "@/#&|~[]<>,;!?$=\\'"  # dropped from schema 30 on
ROLES = ("user", "assistant")
CJK = (
    (0x3000, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7AF),
    (0x20000, 0x2A6DF),
)


@dataclass(frozen=True)
class Way:
    """How Hermes asks for a query. `table`: an index, or "" for LIKE over content, tool name and calls."""

    table: str
    expression: str
    words: tuple[str, ...] = ()


def judged(db: Database, text: str, hits: Sequence[Hit], index: IndexState) -> list[Hit]:
    """The hits with Hermes' answer to the same words. Raises StateError but for damage."""
    schema = db.schema_version or 0
    messages = [hit.message for hit in hits if hit.message is not None]
    try:
        with limited(db, Clock.start(SECONDS)):
            found = _found(db, text, messages, schema, index)
    except StateTimeout:
        answers = [_judged(hit, text, set(messages), schema) for hit in hits]
        return [
            replace(hit, hermes="unknown", reason="time") if hit.message and hit.hermes != "hides" else hit
            for hit in answers
        ]
    return [_judged(hit, text, found, schema) for hit in hits]


def _judged(hit: Hit, text: str, found: set[int] | None, schema: int) -> Hit:
    if hit.source in unlisted_sources(schema):
        return replace(hit, hermes="hides", reason="source")
    if hit.message is None:
        same = hit.field == "titles" and hit.title.casefold() == text.strip().casefold()
        return replace(hit, hermes="finds" if same else "hides", reason="" if same else "field")
    if hit.undone:
        return replace(hit, hermes="hides", reason="undone")
    if hit.role not in ROLES:
        return replace(hit, hermes="hides", reason="role")
    if hit.field not in ("messages", "tool_calls"):
        return replace(hit, hermes="hides", reason="field")
    if found is None or hit.message not in found:
        return replace(hit, hermes="hides", reason="query" if found is None else "index")
    if hit.source == "cron" and schema >= 19:
        return replace(hit, hermes="ranks_lower", reason="source")
    return replace(hit, hermes="finds", reason="")


def _found(db: Database, text: str, ids: Sequence[int], schema: int, index: IndexState) -> set[int] | None:
    """Which of the messages Hermes' question to its index finds; None when it can ask nothing."""
    way = way_of(text, schema, trigrams="messages_fts_trigram" in db.tables)
    if way is None or not ids:
        return None if way is None else set()
    if way.table and way.table not in db.tables:
        return None
    try:
        return matched(db, way.table, way.expression, ids) if way.table else alike(db, way.words, ids)
    except StateDamaged:  # words that FTS5 calls a syntax error, too
        return None


def way_of(text: str, schema: int, trigrams: bool = True) -> Way | None:
    """How the release with this schema asks for these words; None when nothing is left of them."""
    cleaned = cleaned_as_hermes(text, schema)
    if not cleaned:
        return None
    if not any(map(_is_cjk, cleaned)):
        return Way(WORDS, cleaned)
    words = [word for word in cleaned.strip('"').split() if word.upper() not in OPERATORS]
    short = any(0 < sum(map(_is_cjk, word)) < 3 for word in words)
    if trigrams and words and not short and sum(map(_is_cjk, cleaned)) >= 3:
        quoted = (
            word if word.upper() in OPERATORS else '"' + word.replace('"', '""') + '"'
            for word in cleaned.strip('"').split()
        )
        return Way(TRIGRAMS, " ".join(quoted))
    return Way("", "", tuple(words) or (cleaned,))


def cleaned_as_hermes(text: str, schema: int) -> str:
    """The words after Hermes has taken out what its index would stumble over."""
    phrases: list[str] = []

    def keep(match: "re.Match[str]") -> str:
        phrases.append(match[0])
        return f"\0{len(phrases) - 1}\0"

    symbols = '+{}()"^' + (":" if schema >= 16 else "") + (LATER_SYMBOLS if schema >= 30 else "")
    bare = re.sub(r'"[^"]*"', keep, text[:LONGEST].replace("\0", " "))
    bare = bare.translate(dict.fromkeys(map(ord, symbols), " "))
    bare = re.sub(r"(^|\s)\*+", r"\1", re.sub(r"\*+", "*", bare)).strip()
    bare = re.sub(r"^(AND|OR|NOT)\b\s*", "", bare, flags=re.IGNORECASE)
    bare = re.sub(r"\s+(AND|OR|NOT)\s*$", "", bare, flags=re.IGNORECASE)
    bare = re.sub(r"\b\w+(?:[._-]\w+)+\b", lambda match: f'"{match[0]}"', bare)
    return re.sub(r"\0(\d+)\0", lambda match: phrases[int(match[1])], bare).strip()


def _is_cjk(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in CJK)
