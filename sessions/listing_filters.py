"""Which conversations a list or a search is limited to."""

from collections.abc import Callable
from dataclasses import dataclass

from sessions import listing_queries as queries
from sessions.database import Database
from sessions.listing_catalog import Catalog


@dataclass(frozen=True)
class Filters:
    """What a conversation must be. Everything empty: all that Hermes' own lists show.

    `sources`, `model`, `folder`, `title`, `since` and `until` (UTC epoch seconds, the second excluded) must
    fit one and the same session of it; a session lasts from its start to its newest message. `folder`: that
    working folder or one below. `title`: a part of a title, whatever its case. `archived`, `open`: of the
    session that stands for the conversation. `hidden`: also conversations Hermes' lists leave out.
    """

    sources: tuple[str, ...] = ()
    model: str = ""
    folder: str = ""
    title: str = ""
    since: float | None = None
    until: float | None = None
    archived: bool | None = None
    open: bool | None = None
    minimum_messages: int = 0
    hidden: bool = False

    @property
    def narrow(self) -> bool:
        """Whether they leave anything out (but what is hidden)."""
        return self != Filters(hidden=self.hidden)


Test = Callable[[int], bool]


def chosen_sessions(db: Database, found: Catalog, filters: Filters) -> set[int] | None:
    """Row ids of the sessions that fit the filters about a session; None: all. Raises StateError."""
    chosen: set[int] | None = None
    for condition, parameters in _conditions(db, filters):
        rows = queries.matching(db, condition, parameters)
        chosen = rows if chosen is None else chosen & rows
    if filters.since is None and filters.until is None:
        return chosen
    since, until = filters.since or 0.0, filters.until or float("inf")
    within = {
        row
        for row, began, last in zip(found.rows, found.started, found.newest, strict=True)
        if (began or last) < until and max(began, last) >= since
    }
    return within if chosen is None else chosen & within


def conversation_test(db: Database, found: Catalog, filters: Filters) -> Test:
    """Whether a conversation, by its root, fits the filters about a conversation (but `hidden`)."""
    tests: list[Test] = []
    shown = found.tree.shown
    if filters.archived is not None:
        archived = _flagged(db, "archived", "archived = 1")
        tests.append(lambda root: (shown(root) in archived) == filters.archived)
    if filters.open is not None:
        going = _flagged(db, "ended_at", "ended_at IS NULL")
        tests.append(lambda root: (shown(root) in going) == filters.open)
    if filters.minimum_messages > 0:
        count = counted(db, found)
        tests.append(
            lambda root: sum(count.get(row, 0) for row in found.members(root)) >= filters.minimum_messages
        )
    return lambda root: all(test(root) for test in tests)


def counted(db: Database, found: Catalog) -> dict[int, int]:
    """Stored messages by session, counted once for a catalogue."""
    if found.messages is None:
        found.messages = dict(queries.message_counts(db))
    return found.messages


def roots_of(db: Database, found: Catalog, filters: Filters) -> set[int] | None:
    """The roots of the conversations that fit all filters but `hidden`; None: all."""
    if not filters.narrow:
        return None
    chosen = chosen_sessions(db, found, filters)
    roots = {found.root(row) for row in (found.rows if chosen is None else chosen)}
    test = conversation_test(db, found, filters)
    return {root for root in roots if test(root)}


def _conditions(db: Database, filters: Filters) -> list[tuple[str, tuple[object, ...]]]:
    conditions: list[tuple[str, str, tuple[object, ...]]] = []
    if filters.sources:
        listed = f"COALESCE(source, '') IN ({', '.join('?' * len(filters.sources))})"
        conditions.append(("source", listed, filters.sources))
    if filters.model:
        conditions.append(("model", "model = ?", (filters.model,)))
    if filters.folder:
        folder = filters.folder.rstrip("/\\") or filters.folder
        below = like_pattern(folder.rstrip("/") + "/")[1:]
        conditions.append(("cwd", "(cwd = ? OR cwd LIKE ? ESCAPE '\\')", (folder, below)))
    if filters.title:
        conditions.append(("title", "title LIKE ? ESCAPE '\\'", (like_pattern(filters.title),)))
    return [
        (
            condition if name in db.columns("sessions") else "0",
            values if name in db.columns("sessions") else (),
        )
        for name, condition, values in conditions
    ]


def like_pattern(part: str) -> str:
    """A LIKE pattern, with backslash as its escape, for texts that contain `part`."""
    escaped = part.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _flagged(db: Database, name: str, condition: str) -> set[int]:
    return queries.matching(db, condition, ()) if name in db.columns("sessions") else set()
