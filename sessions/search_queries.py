"""SELECTs over Hermes' messages for a search. Row ids follow time, so newest first is by row id.

Nothing here decides what is a hit: `candidates` answers one question in one range of ids, and the rest reads
what a page shows of the chosen ones.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sessions.database import Database
from sessions.listing_queries import column
from sessions.queries import sane
from sessions.search_condition_queries import COLUMNS
from sessions.search_plan import Question
from sessions.search_results import Where

READ = 200_000  # bytes of one text that a page looks at, and of a few
READ_MORE = 4_000_000
LINE = 600  # bytes of a neighbour
LOWEST, HIGHEST = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class Scope:
    """What messages must be besides. `sessions`: row ids, None for all; `inside`: ask the database for them.

    `few`: so few that the index is asked for each of their messages. `first` and `last`: ids they lie between.
    `since` and `until`: UTC epoch seconds, the second excluded.
    """

    sessions: frozenset[int] | None = None
    inside: bool = False
    few: bool = False
    first: int = LOWEST
    last: int = HIGHEST
    since: float | None = None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message that answers a question. `session`: the row id of its session, if it was asked for.

    `loose`: the question finds too much, so the words have to be found again in the text.
    """

    id: int
    undone: bool
    compacted: bool
    session: int | None
    loose: bool


@dataclass(frozen=True)
class Found:
    """What a page shows of a message. `texts`: by column, as stored, cut to some bytes."""

    id: int
    session: str
    role: str
    at: float | None
    undone: bool
    compacted: bool
    source: str | None
    title: str
    texts: dict[str, Any]
    before: int | None
    after: int | None


def candidates(
    db: Database, question: Question, scope: Scope, first: int, last: int, limit: int
) -> list[Candidate]:
    """At most `limit` messages with ids from `first` to `last`, newest first. Raises StateError."""
    wanted = scope.sessions is not None and not scope.inside
    session = "(SELECT s.rowid FROM sessions s WHERE s.id = m.session_id)" if wanted else "NULL"
    tables, conditions, parameters = _asked(question, scope, first, last)
    rows = db.rows(
        f"SELECT m.id, {_turn(db)}, {session} FROM {tables}"  # noqa: S608
        f" WHERE {conditions} ORDER BY {_row(question)} DESC LIMIT ?",
        (*parameters, limit),
    )
    return [Candidate(row, turn == 1, turn == 2, session, question.loose) for row, turn, session in rows]


def count(
    db: Database, question: Question, scope: Scope, first: int, last: int, most: int
) -> tuple[int, int, int]:
    """How many answers there are, and how many of them are undone and compacted; stops after `most`."""
    tables, conditions, parameters = _asked(question, scope, first, last)
    found = db.first(
        "SELECT COUNT(*), TOTAL(turn = 1), TOTAL(turn = 2) FROM ("  # noqa: S608
        f"SELECT {_turn(db)} AS turn FROM {tables} WHERE {conditions} LIMIT ?)",
        (*parameters, most),
    )
    total, gone, summed = found or (0, 0, 0)
    return total, int(gone), int(summed)


def ranked(db: Database, question: Question, scope: Scope, most: int) -> list[tuple[float, Candidate]]:
    """Answers of an index with their rank, the most relevant (smallest) first, newest first among equals."""
    wanted = scope.sessions is not None and not scope.inside
    session = "(SELECT s.rowid FROM sessions s WHERE s.id = m.session_id)" if wanted else "NULL"
    tables, conditions, parameters = _asked(question, scope, LOWEST, HIGHEST)
    rows = db.rows(
        f"SELECT {question.table}.rank, m.id, {_turn(db)}, {session} FROM {tables}"  # noqa: S608
        f" WHERE {conditions} LIMIT ?",
        (*parameters, most),
    )
    found = [
        (rank, Candidate(row, turn == 1, turn == 2, session, question.loose))
        for rank, row, turn, session in rows
    ]
    return sorted(found, key=lambda each: (each[0], -each[1].id))


def last_message(db: Database) -> int:
    """The newest id, 0 for none."""
    return db.value("SELECT MAX(id) FROM messages") or 0


def first_message(db: Database) -> int:
    """The oldest id, 1 for none."""
    found = db.value("SELECT MIN(id) FROM messages")
    return 1 if found is None else found


def time_of(db: Database, message: int) -> float | None:
    """When the first message from that id on was, as far as known."""
    return db.value(  # type: ignore[no-any-return]
        f"SELECT {sane('timestamp')} FROM messages WHERE id >= ? ORDER BY id LIMIT 1",  # noqa: S608
        (message,),
    )


def found_messages(
    db: Database, ids: Sequence[int], where: Iterable[Where], read: int = READ
) -> dict[int, Found]:
    """What a page shows of some messages, by id. Raises StateError."""
    names = [name for field in where for name in COLUMNS.get(field, ()) if name in db.columns("messages")]
    names += [name for name in ("content", "tool_name") if name not in names]
    texts = "".join(f", substr(CAST(m.{name} AS BLOB), 1, {read})" for name in names)
    near = "SELECT n.id FROM messages n WHERE n.session_id = m.session_id AND n.timestamp"
    rows = db.rows(
        f"SELECT m.id, m.session_id, m.role, {sane('m.timestamp')}, {_turn(db)}, s.source,"  # noqa: S608
        f" {column(db, 'sessions', 'title', 's')},"
        f" ({near} <= m.timestamp AND (n.timestamp < m.timestamp OR n.id < m.id)"
        " ORDER BY n.timestamp DESC, n.id DESC LIMIT 1),"
        f" ({near} >= m.timestamp AND (n.timestamp > m.timestamp OR n.id > m.id)"
        " ORDER BY n.timestamp, n.id LIMIT 1)"
        f"{texts} FROM messages m LEFT JOIN sessions s ON s.id = m.session_id"
        " WHERE m.id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {row[0]: _found(row, names) for row in rows}


def _found(row: tuple[Any, ...], names: Sequence[str]) -> Found:
    id, session, role, at, turn, source, title, before, after, *texts = row
    return Found(
        id=id,
        session=_text(session),
        role=_text(role),
        at=at,
        undone=turn == 1,
        compacted=turn == 2,
        source=None if source is None else _text(source),
        title=_text(title),
        texts={name: value for name, value in zip(names, texts, strict=True) if value is not None},
        before=before,
        after=after,
    )


def lines(db: Database, ids: Iterable[int]) -> dict[int, tuple[str, Any, str]]:
    """Role, beginning of the content and tool of some messages, by id."""
    rows = db.rows(
        f"SELECT m.id, m.role, substr(CAST(m.content AS BLOB), 1, {LINE}),"  # noqa: S608
        f" {column(db, 'messages', 'tool_name', 'm')} FROM messages m"
        " WHERE m.id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {row: (_text(role), content, _text(tool)) for row, role, content, tool in rows}


def extent(db: Database, sessions: Iterable[int]) -> tuple[int, int, int]:
    """Of the messages of some sessions: how many, the lowest and the highest id."""
    found = db.first(
        f"SELECT COUNT(*), MIN(m.id), MAX(m.id) FROM messages m WHERE {_INSIDE}",  # noqa: S608
        (json.dumps(list(sessions)),),
    )
    count, first, last = found or (0, None, None)
    return count, 0 if first is None else first, -1 if last is None else last


def roots(db: Database, sessions: Iterable[str]) -> dict[str, tuple[str, int]]:
    """The session each one's conversation began with, and how many parents up; 100 may be a cycle."""
    if "parent_session_id" not in db.columns("sessions"):
        return {}
    rows = db.rows(
        "WITH RECURSIVE up(start, id, depth) AS (SELECT value, value, 0 FROM json_each(?) UNION ALL"
        " SELECT up.start, p.id, depth + 1 FROM up JOIN sessions s ON s.id = up.id"
        " JOIN sessions p ON p.id = s.parent_session_id WHERE depth < 100)"
        " SELECT start, id, MAX(depth) FROM up GROUP BY start",
        (json.dumps(list(sessions)),),
    )
    return {_text(start): (_text(root), depth) for start, root, depth in rows}


_INSIDE = "m.session_id IN (SELECT s.id FROM sessions s WHERE s.rowid IN (SELECT value FROM json_each(?)))"


def _asked(question: Question, scope: Scope, first: int, last: int) -> tuple[str, str, list[Any]]:
    """Tables, conditions and parameters."""
    conditions, parameters = list[str](), list[Any]()
    tables = "messages m"
    row = _row(question)
    if question.table:
        # CROSS: the index leads, whatever the planner thinks.
        tables = f"{question.table} CROSS JOIN messages m ON m.id = {row}"
        conditions.append(f"{question.table} MATCH ?")
        parameters.append(question.expression)
    first, last = max(first, scope.first), min(last, scope.last)
    if first > LOWEST or last < HIGHEST:
        conditions.append(f"{row} BETWEEN ? AND ?")
        parameters += [first, last]
    if scope.inside:
        chosen = json.dumps(sorted(scope.sessions or ()))
        # The plus: a set to look into for each answer, not a question of the index for each of the set.
        plus = "" if scope.few else "+"
        conditions.append(
            f"{plus}{row} IN (SELECT m.id FROM messages m WHERE {_INSIDE})" if question.table else _INSIDE  # noqa: S608
        )
        parameters.append(chosen)
    for bound, sign in ((scope.since, ">="), (scope.until, "<")):
        if bound is not None:
            conditions.append(f"m.timestamp {sign} ?")
            parameters.append(bound)
    if question.condition:
        conditions.append(question.condition)
        parameters += question.parameters
    return tables, " AND ".join(conditions) or "1", parameters


def _row(question: Question) -> str:
    return f"{question.table}.rowid" if question.table else "m.id"


def _turn(db: Database) -> str:
    """SQL for: 0 a live row (also where `active` is NULL), 1 taken back, 2 summarised away."""
    names = db.columns("messages")
    if "active" not in names:
        return "0"
    summed = "CASE WHEN m.compacted <> 0 THEN 2 ELSE 1 END" if "compacted" in names else "1"
    return f"CASE WHEN m.active = 0 THEN {summed} ELSE 0 END"


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
