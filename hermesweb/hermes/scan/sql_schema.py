"""What is in a database: its tables, and which of them belong to a full-text index."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hermesweb.hermes.scan.sql_reading import Reading

_VIRTUAL = re.compile(r"CREATE\s+VIRTUAL\s+TABLE\b.*?\bUSING\s+(\w+)\s*(?:\((.*)\))?\s*$", re.I | re.S)
_WITHOUT_ROWID = re.compile(r"\)[^)]*\bWITHOUT\s+ROWID\b[^)]*$", re.I)
_OPTION = re.compile(r"\s*(\w+)\s*=\s*(.*?)\s*$", re.S)
_QUOTES = {"'": "'", '"': '"', "`": "`", "[": "]"}
# What only an index itself can read: looked at by fts_index.
_SHADOWS = ("_data", "_idx", "_docsize")
ROW_IDS = ("rowid", "_rowid_", "oid")


@dataclass(frozen=True)
class Column:
    """`is_key`: place in the primary key, from 1; 0 otherwise. `numeric`: declared so that it rarely is text."""

    name: str
    is_key: int
    numeric: bool


@dataclass(frozen=True)
class Table:
    """`row_id`: a name under which rows are counted; None where they are not (WITHOUT ROWID)."""

    name: str
    row_id: str | None
    columns: tuple[Column, ...]

    def has(self, *names: str) -> bool:
        return {column.name.lower() for column in self.columns} >= set(names)

    @property
    def keys(self) -> tuple[str, ...]:
        ordered = sorted((column for column in self.columns if column.is_key), key=lambda one: one.is_key)
        return tuple(column.name for column in ordered)


@dataclass(frozen=True)
class TextIndex:
    """An FTS5 index. `options`: as in its CREATE statement, in small letters; None where that is missing, as
    for tables that were only renamed."""

    name: str
    options: dict[str, str] | None = field(hash=False)
    tables: frozenset[str] = field(hash=False, default=frozenset())

    def option(self, name: str, otherwise: str = "") -> str:
        return (self.options or {}).get(name, otherwise)

    def there(self, suffix: str) -> bool:
        return self.name + suffix in self.tables


@dataclass(frozen=True)
class Schema:
    """`unknown`: names of virtual tables whose content nobody here can read in full."""

    tables: tuple[Table, ...]
    indexes: tuple[TextIndex, ...]
    unknown: tuple[str, ...]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def schema_of(database: Reading) -> Schema:
    """Raises NotReadable."""
    rows = database.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    created = {_text(name): _text(sql) for name, sql in rows}
    virtual = {name: match for name, sql in created.items() if (match := _VIRTUAL.match(sql))}
    indexes = tuple(_indexes(created, virtual))
    hidden = {index.name + suffix for index in indexes for suffix in _SHADOWS}
    plain = [name for name in created if name not in virtual and name not in hidden]
    tables = [_table(database, name, created[name]) for name in plain]
    tables.append(_table(database, "sqlite_master", ""))
    unknown = (name for name, match in virtual.items() if match[1].lower() in ("fts3", "fts4"))
    return Schema(tuple(tables), indexes, tuple(unknown))


def _indexes(created: dict[str, str], virtual: dict[str, re.Match[str]]) -> Iterator[TextIndex]:
    tables = frozenset(created)
    for name in created:
        index = name.removesuffix("_data")
        if index == name or index + "_idx" not in created:
            continue
        match = virtual.get(index)
        if match is None and "segid" in created[index + "_idx"]:
            yield TextIndex(index, None, tables)
        elif match is not None and match[1].lower() == "fts5":
            yield TextIndex(index, options_of(match[2] or ""), tables)


def options_of(arguments: str) -> dict[str, str]:
    """Of what stands in the brackets of `USING fts5(…)`; columns are left out."""
    found = {}
    for part in _split(arguments):
        if match := _OPTION.match(part):
            found[match[1].lower()] = _unquoted(match[2])
    return found


def _split(arguments: str) -> Iterator[str]:
    part, until = "", ""
    for letter in arguments:
        if until:
            until = "" if letter == until else until
        elif letter in _QUOTES:
            until = _QUOTES[letter]
        elif letter == ",":
            yield part
            part = ""
            continue
        part += letter
    yield part


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[-1] == _QUOTES.get(value[0]):
        return value[1:-1].replace(value[-1] * 2, value[-1])
    return value


def _table(database: Reading, name: str, sql: str) -> Table:
    rows = database.rows(f"PRAGMA table_info({quoted(name)})")
    columns = tuple(Column(_text(row[1]), row[5], _is_numeric(_text(row[2]))) for row in rows)
    taken = {column.name.lower() for column in columns}
    row_id = next((each for each in ROW_IDS if each not in taken), None)
    if _WITHOUT_ROWID.search(sql):
        row_id = None
    return Table(name, row_id, columns)


def _is_numeric(declared: str) -> bool:
    return declared.upper().startswith(("INT", "REAL", "NUM", "BOOL", "FLOAT", "DOUBLE", "BIGINT"))


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
