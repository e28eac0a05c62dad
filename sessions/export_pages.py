"""The sessions of an export one after the other, their messages a page at a time.

Each page is a read of its own, so that an export of any length never keeps the agent from writing; what is
written meanwhile is not in it, what is removed meanwhile is missing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeVar

from sessions.database import Database
from sessions.transcript_queries import Shown, counts_of, exists, ids_beside, last_id

ROWS: Final = 200  # of a page, at most
BYTES: Final = 2_000_000  # of a page, about
FIRST: Final = -(2**63)

Result = TypeVar("Result")


class Reader(Protocol):
    """Reads of one state.db, as `functools.partial(read_state, folder)` makes them."""

    def __call__(self, function: Callable[[Database], Result], /) -> Result: ...


@dataclass(frozen=True)
class Options:
    """What goes into an export. `masked`: without the keys and numbers found in it; `region`: whose phone
    numbers are found without their country. Hermes 0.19 exports neither `undone` nor `compacted` messages,
    and would bring both back to life when it imports them; 0.22 does both as they are."""

    undone: bool = False
    compacted: bool = True
    masked: bool = True
    region: str | None = None

    @property
    def shown(self) -> Shown:
        return Shown(self.undone, self.compacted)


@dataclass
class Tally:
    """What has gone into an export so far, and what was left out. `missing`: sessions that are not there."""

    sessions: int = 0
    messages: int = 0
    undone: int = 0
    compacted: int = 0
    missing: int = 0


@dataclass
class SessionPages:
    """One session of an export. `messages`: written so far."""

    id: str
    last: int
    undone: int
    compacted: int
    messages: int = field(default=0)


def begin(read: Reader, session: str, options: Options, tally: Tally) -> SessionPages | None:
    """What an export of a session starts with; None, and counted, when there is no such session."""

    def look(db: Database) -> SessionPages | None:
        if not exists(db, session):
            return None
        _, undone, compacted = counts_of(db, session)
        return SessionPages(
            session, last_id(db), 0 if options.undone else undone, 0 if options.compacted else compacted
        )

    found = read(look)
    if found is None:
        tally.missing += 1
        return None
    tally.sessions += 1
    tally.undone += found.undone
    tally.compacted += found.compacted
    return found


def pages(
    read: Reader,
    session: SessionPages,
    options: Options,
    tally: Tally,
    written: Callable[[Database, int], bytes | None],
) -> Iterator[list[bytes]]:
    """What `written` makes of each message, a page at a time. Raises StateError."""
    edge: int | None = FIRST
    while edge is not None:
        page, edge = read(partial(_page, session=session, after=edge, options=options, written=written))
        session.messages += len(page)
        tally.messages += len(page)
        if page:
            yield page


def _page(
    db: Database,
    *,
    session: SessionPages,
    after: int,
    options: Options,
    written: Callable[[Database, int], bytes | None],
) -> tuple[list[bytes], int | None]:
    ids = ids_beside(db, session.id, after, forward=True, take=ROWS, shown=options.shown, last=session.last)
    page: list[bytes] = []
    size = 0
    for row in ids:
        piece = written(db, row)
        if piece is not None:  # not removed just now
            page.append(piece)
            size += len(piece)
        if size > BYTES:
            return page, row
    return page, ids[-1] if len(ids) == ROWS else None


def sequence_of(sessions: Sequence[str]) -> list[str]:
    """Each session once, in the order given."""
    return list(dict.fromkeys(sessions))
