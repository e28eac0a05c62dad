"""SELECTs about the full-text indexes of a state.db, and of messages they should know."""

from sessions.database import Database

HEAD = 2_000  # bytes of a message; of a longer tool output the newer index knows the beginning only


def statement_of(db: Database, table: str) -> str:
    """How a table was made."""
    return str(db.value("SELECT sql FROM sqlite_master WHERE name = ?", (table,)))


def meta(db: Database) -> dict[str, str]:
    """Hermes' notes about its indexes."""
    if not {"key", "value"} <= db.columns("state_meta"):
        return {}
    rows = db.rows("SELECT key, value FROM state_meta WHERE key LIKE 'fts%'")
    return {str(key): str(value) for key, value in rows if value is not None}


def last_message(db: Database) -> int:
    """The newest id, 0 for none."""
    return db.value("SELECT MAX(id) FROM messages") or 0


def texts(db: Database, table: str, above: int, last: int, order: str) -> list[tuple[int, bytes]]:
    """Id and beginning of some messages that the index should know."""
    # What the view behind an index leaves out is not in it.
    source = f"{table}_src" if f"{table}_src" in db.tables else "messages"
    return db.rows(
        f"SELECT id, substr(CAST(content AS BLOB), 1, {HEAD}) FROM {source}"  # noqa: S608
        f" WHERE id > ? AND id <= ? AND typeof(content) = 'text' AND content <> '' {order} LIMIT 3",
        (above, last),
    )


def knows(db: Database, table: str, row: int, word: str) -> bool:
    """Whether an index finds a word in a message."""
    question = f"SELECT 1 FROM {table} WHERE {table} MATCH ? AND rowid = ?"  # noqa: S608
    return db.value(question, (f'"{word}"', row)) is not None
