"""Every value of every column of one table, in steps short enough to hold up nobody."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hermesweb.hermes.scan.sought import SEPARATOR, Sought
from hermesweb.hermes.scan.sql_reading import NotReadable, Reading, Row
from hermesweb.hermes.scan.sql_schema import Column, Table, quoted

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
FIRST_STEP, MOST_ROWS = 200, 20_000
STEP_BYTES, STEP_SECONDS = 2 << 20, 0.1  # what one question aims at
GUESSES = (
    16  # steps for which ids go on without gaps, until that is asked again: asking reads the rows as well
)
SHOWN = 5  # row ids and sessions that a hit names
# What is asked of a column: its texts; of one that had none, how many there are now; of one with numbers the
# largest value, since texts and bytes are larger than any number.
_ASKED = {"text": "group_concat({}, x'1f')", "empty": "count({})", "number": "max({})"}
_NOTES = ("session_id", "active", "compacted")

Step = tuple[int, int]  # first and last row id, or offset and count


@dataclass
class Tally:
    """What was found of one phrase in one column."""

    rows: int = 0
    row_ids: list[int] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    spelled: Counter[str] = field(default_factory=Counter)

    def add(self, row_id: int | None, session: str | None, state: str | None, spelled: str) -> None:
        self.rows += 1
        self.spelled[spelled] += 1
        if state:
            self.states[state] += 1
        if row_id is not None and len(self.row_ids) < SHOWN:
            self.row_ids.append(row_id)
        if session is not None and len(self.sessions) < SHOWN and session not in self.sessions:
            self.sessions.append(session)

    def place(self) -> dict[str, Any]:
        """Only what there is; `spelled` unless all of it is as typed."""
        spelled = {} if set(self.spelled) == {"bytes"} else dict(self.spelled)
        parts = {"rowids": self.row_ids, "sessions": self.sessions, "spelled": spelled, **self.states}
        return {name: part for name, part in parts.items() if part}


class TableScan:
    """`tallies` by (column, number of the phrase) are complete after `run`. `problems`: why some of it was
    not looked at. `bytes`: how much text was."""

    def __init__(
        self, database: Reading, table: Table, sought: Sought, *, together: bool, numbers: bool
    ) -> None:
        """`together`: SQLite can put values together. `numbers`: a phrase may be one."""
        self.database, self.table, self._sought = database, table, sought
        self.tallies: dict[tuple[str, int], Tally] = {}
        self.problems: set[str] = set()
        self.bytes = 0
        self._columns = [column for column in table.columns if not _only_counts(column, table)]
        # Numbers are only looked at for phrases that can be one, or where they are none after all.
        self._numbers = numbers
        self._modes = {c: "number" if c.numeric and not self._numbers else "text" for c in self._columns}
        self._from = f"FROM {quoted(table.name)}"
        self._together = together and table.row_id is not None

    def run(self) -> Iterator[int]:
        """Yields the bytes looked at so far, after each step."""
        if not self._columns:
            return
        for step in _row_steps(self) if self.table.row_id else _offset_steps(self):
            del step
            yield self.bytes

    def look(self, first: int, last: int) -> int:
        """Search the rows of one step; the bytes they have. Raises NotReadable."""
        size = 0
        found: list[Callable[[], None]] = []
        for column, together in zip(self._columns, self._values(first, last), strict=True):
            if together:
                size += len(together)
                if numbers := self._sought.anywhere(together):
                    found += self._find(column, numbers, first, last)
        # Only now: a step that fails half way is taken again.
        for add in found:
            add()
        self.bytes += size
        return size

    def end_of(self, first: int, count: int) -> int:
        """The row id of the last of `count` rows from the row id `first` on, HIGHEST if there are fewer."""
        row_id = self.table.row_id
        sql = f"SELECT {row_id} {self._from} WHERE {row_id} >= ? ORDER BY {row_id} LIMIT 1 OFFSET ?"
        rows = self.database.rows(sql, (first, count - 1))
        return int(rows[0][0]) if rows else HIGHEST

    def _values(self, first: int, last: int) -> Sequence[bytes | None]:
        """Of each column, its values put together."""
        if self._together:
            return self._put_together(first, last)
        rows = self._rows(", ".join(quoted(column.name) for column in self._columns), first, last)
        columns = zip(*rows, strict=True) if rows else [()] * len(self._columns)
        return [SEPARATOR.join(_as_bytes(each) for each in some if self._is_text(each)) for some in columns]

    def _put_together(self, first: int, last: int) -> Sequence[bytes | None]:
        while True:
            asked = ", ".join(_ASKED[mode].format(quoted(c.name)) for c, mode in self._modes.items())
            (row,) = self._rows(asked, first, last)
            values: list[bytes | None] = []
            surprises = []
            for (column, mode), value in zip(self._modes.items(), row, strict=True):
                if (mode == "number" and isinstance(value, bytes)) or (mode == "empty" and value):
                    surprises.append(column)
                values.append(value if mode == "text" else None)
                if mode == "text" and value is None:
                    self._modes[column] = "empty"
            if not surprises:
                return values
            self._modes.update(dict.fromkeys(surprises, "text"))

    def _is_text(self, value: object) -> bool:
        return isinstance(value, bytes) or (self._numbers and value is not None)

    def _rows(self, what: str, first: int, last: int) -> list[Row]:
        if row_id := self.table.row_id:
            where = f"WHERE {row_id} >= ? AND {row_id} <= ?"
            return self.database.rows(f"SELECT {what} {self._from} {where}", (first, last))
        return self.database.rows(f"SELECT {what} {self._from} LIMIT ? OFFSET ?", (last, first))

    def _find(self, column: Column, numbers: set[int], first: int, last: int) -> Iterator[Callable[[], None]]:
        notes = [name for name in _NOTES if self.table.has(name)]
        if self.table.name == "sessions" and self.table.has("id"):
            notes = ["id AS session_id"]
        what = ", ".join([self.table.row_id or "NULL", quoted(column.name), *notes])
        names = [note.split()[-1] for note in notes]
        rows = [row for row in self._rows(what, first, last) if row[1] is not None]
        for place, number, how in self._sought.in_each([_as_bytes(row[1]) for row in rows], numbers):
            row_id, _, *noted = rows[place]
            known = dict(zip(names, noted, strict=True))
            yield partial(self._add, column.name, number, row_id, _session(known), _state(known), how)

    def _add(self, column: str, number: int, *facts: Any) -> None:
        self.tallies.setdefault((column, number), Tally()).add(*facts)


def _row_steps(scan: TableScan) -> Iterator[None]:
    """By row ids. What cannot be read is passed over, in ever larger leaps while nothing can be read."""
    first, count, leap, guesses = LOWEST, FIRST_STEP, 1, 0
    while first <= HIGHEST:
        began = time.monotonic()
        last: int | None = None
        try:
            last = min(first + count - 1, HIGHEST) if guesses else scan.end_of(first, count)
            size = scan.look(first, last)
        except NotReadable as problem:
            if fewer := _fewer(scan, problem, count):
                count = fewer
                continue
            first = (max(first, 0) + leap) if last is None else last + 1
            leap = leap * 2 if last is None else 1
            continue
        if guesses:
            guesses = guesses - 1 if size else 0
        elif last - first < 2 * count:
            guesses = GUESSES
        first, leap = last + 1, 1
        count = next_count(count, size, time.monotonic() - began)
        yield


def _offset_steps(scan: TableScan) -> Iterator[None]:
    first, count = 0, FIRST_STEP
    total = int(scan.database.value(f"SELECT count(*) FROM {quoted(scan.table.name)}") or 0)  # noqa: S608
    while first < total:
        began = time.monotonic()
        try:
            size = scan.look(first, count)
        except NotReadable as problem:
            if fewer := _fewer(scan, problem, count):
                count = fewer
                continue
            size = 0
        first += count
        count = next_count(count, size, time.monotonic() - began)
        yield


def _fewer(scan: TableScan, problem: NotReadable, count: int) -> int:
    """How many rows to try instead of `count`. 0: not even one can be read, which is noted; it is passed over."""
    if problem.why not in ("too_long", "damaged"):
        raise problem
    if count > 1:
        return max(1, count // 8)
    scan.problems.add("too_large" if problem.why == "too_long" else problem.why)
    return 0


def next_count(count: int, size: int, seconds: float) -> int:
    """How many rows to take next, after `count` rows were `size` bytes and took `seconds`."""
    by_size = STEP_BYTES / max(size, 1)
    by_time = STEP_SECONDS / max(seconds, 0.001)
    return max(1, min(MOST_ROWS, int(count * min(2.0, by_size, by_time)) or 1))


def puts_together(database: Reading) -> bool:
    """Whether SQLite's group_concat keeps what stands behind a NUL, which older ones do not, and sees bytes as
    they are, which needs UTF-8."""
    sql = "SELECT group_concat(x, x'1f') FROM (SELECT CAST(x'610062' AS TEXT) AS x UNION ALL SELECT 'c')"
    whole = database.value(sql) == b"a\0b\x1fc"
    return whole and bytes(database.value("PRAGMA encoding") or b"") == b"UTF-8"


def _only_counts(column: Column, table: Table) -> bool:
    """A single INTEGER PRIMARY KEY is the row id itself."""
    return column.numeric and column.is_key == 1 and len(table.keys) == 1


def _session(known: dict[str, Any]) -> str | None:
    value = known.get("session_id")
    return None if value is None else _as_bytes(value).decode("utf-8", "replace")


def _state(known: dict[str, Any]) -> str | None:
    if "active" not in known:
        return None
    if known["active"] in (None, 1):
        return "live"
    return "compacted" if known.get("compacted") == 1 else "undone"


def _as_bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
