"""What is left of the sessions where pages of state.db are damaged: asked for in ever smaller pieces."""

from collections.abc import Callable

from sessions.database import Database
from sessions.errors import StateDamaged
from sessions.listing_queries import LAST_ROW, Row, rows_by_index

MOST_FAILURES = 2_000  # questions that may meet damage; then what is left of a piece is passed over

Ask = Callable[[Database, int, int], list[Row]]


def left_of(db: Database, ask: Ask) -> tuple[list[Row], bool]:
    """The answers about all sessions, and whether some are missing. `ask`: about row ids from one to another.

    Raises StateDamaged when not even the index on ids can be read.
    """
    try:
        return ask(db, -LAST_ROW, LAST_ROW), False
    except StateDamaged:
        rows = sorted(rows_by_index(db))
    found: list[Row] = []
    pieces, failures = [rows], 0
    while pieces:
        piece = pieces.pop()
        try:
            found += ask(db, piece[0], piece[-1]) if piece else []
        except StateDamaged:
            failures += 1
            half = len(piece) // 2
            if half and failures < MOST_FAILURES:
                pieces += [piece[half:], piece[:half]]
    return found, True
