"""Full-text indexes over a state.db of state_builders.py, in the two layouts that Hermes has used."""

from contextlib import closing
from pathlib import Path
from typing import Any, Literal

from sessions.database import read_state
from sessions.query_text import parse
from sessions.search import search
from sessions.search_results import SearchPage
from tests.state_builders import connect

Layout = Literal["none", "inline", "external"]

_TEXT = (
    "COALESCE({r}.content, '') || ' ' || COALESCE({r}.tool_name, '') || ' ' || COALESCE({r}.tool_calls, '')"
)
_INLINE = """
CREATE VIRTUAL TABLE {name} USING fts5(content{tokenize});
INSERT INTO {name}(rowid, content) SELECT messages.id, {all} FROM messages;
CREATE TRIGGER {name}_insert AFTER INSERT ON messages BEGIN
    INSERT INTO {name}(rowid, content) VALUES (new.id, {new});
END;
"""
_EXTERNAL = """
CREATE VIEW messages_fts_src AS SELECT id,
    CASE WHEN role = 'tool' THEN substr(COALESCE(content, ''), 1, 8192) ELSE content END AS content,
    tool_name, tool_calls FROM messages;
CREATE VIEW messages_fts_trigram_src AS SELECT m.id, m.role, m.content, m.tool_name
    FROM messages m JOIN sessions s ON s.id = m.session_id
    WHERE m.role <> 'tool' AND s.source NOT IN ('cron', 'subagent');
CREATE VIRTUAL TABLE messages_fts USING fts5(
    content, tool_name, tool_calls, content='messages_fts_src', content_rowid='id');
CREATE VIRTUAL TABLE messages_fts_trigram USING fts5(
    content, tool_name, content='messages_fts_trigram_src', content_rowid='id', tokenize='trigram');
INSERT INTO messages_fts(messages_fts) VALUES('rebuild');
INSERT INTO messages_fts_trigram(messages_fts_trigram) VALUES('rebuild');
"""


def add_index(folder: Path, layout: Layout = "inline") -> Path:
    """Index what is there, and with the inline layout what is added later too."""
    with closing(connect(folder)) as connection:
        if layout == "external":
            connection.executescript(_EXTERNAL)
        elif layout == "inline":
            texts = {"all": _TEXT.format(r="messages"), "new": _TEXT.format(r="new")}
            for name, tokenize in (("messages_fts", ""), ("messages_fts_trigram", ", tokenize='trigram'")):
                connection.executescript(_INLINE.format(name=name, tokenize=tokenize, **texts))
    return folder


def fill(folder: Path, *rows: tuple[str, str, float]) -> None:
    """Insert many messages at once: session, content, timestamp."""
    with closing(connect(folder)) as connection:
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)", rows
        )
        connection.execute("COMMIT")


def run(folder: Path, *statements: str) -> None:
    with closing(connect(folder)) as connection:
        for statement in statements:
            connection.execute(statement)


def page(folder: Path, words: str, **options: Any) -> SearchPage:
    """A page of the search, with time enough."""
    options.setdefault("seconds", 20)
    return read_state(folder, lambda db: search(db, parse(words), **options))


def ids(folder: Path, words: str, **options: Any) -> list[int | None]:
    """The messages on the first page."""
    return [hit.message for hit in page(folder, words, limit=100, **options).hits]


def every_page(folder: Path, words: str, **options: Any) -> list[SearchPage]:
    """All pages, one after the other."""
    pages = [page(folder, words, **options)]
    while pages[-1].next is not None:
        pages.append(page(folder, words, after=pages[-1].next, **options))
        assert len(pages) < 1000, "the search does not end"
    return pages
