"""Asking for lists of conversations, and making sessions end."""

from pathlib import Path
from typing import Any

from sessions.database import read_state
from sessions.listing import ConversationRow, Member, Page, list_conversations, members
from sessions.listing_filters import Filters
from tests.search_builders import run

NOW = 1_700_000_000.0
DAY = 86_400.0
SHOWN, EVERYTHING = Filters(), Filters(hidden=True)


def listed(folder: Path, filters: Filters = SHOWN, **options: Any) -> Page:
    return read_state(folder, lambda db: list_conversations(db, filters, **options))


def ids(folder: Path, filters: Filters = SHOWN, **options: Any) -> list[str]:
    return [row.id for row in listed(folder, filters, **options).rows]


def inside(folder: Path, session: str) -> dict[str, Member]:
    return {each.id: each for each in read_state(folder, lambda db: members(db, session))}


def only(folder: Path, filters: Filters = EVERYTHING) -> ConversationRow:
    (row,) = listed(folder, filters).rows
    return row


def end(folder: Path, session: str, reason: str, at: float = NOW + 1) -> None:
    run(folder, f"UPDATE sessions SET end_reason = '{reason}', ended_at = {at} WHERE id = '{session}'")
