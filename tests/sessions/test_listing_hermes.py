"""The list has what the real Hermes lists, in the same order."""

from collections.abc import Callable
from pathlib import Path

from sessions.database import Database, read_state
from sessions.listing import Member, list_conversations, members
from sessions.listing_filters import Filters
from tests.home_builders import BuiltHome

LATEST = 4_102_444_800  # what is later is damage; Hermes sorts by it all the same


def as_hermes(db: Database) -> list[str]:
    """The rows of Hermes' own list, from ours: each line of continuations as its newest session."""
    page = list_conversations(db, Filters(hidden=True), limit=1000)
    sessions = [each for row in page.rows for each in members(db, row.root)]
    active: dict[str, float] = {}
    for each in sessions:
        active[each.chain] = max(active.get(each.chain, 0), each.last_activity or 0)

    def newest_first(each: Member) -> tuple[float, float, str]:
        return active[each.chain], each.started_at or 0, each.id

    return [each.shown_as for each in sorted(filter(_is_listed, sessions), key=newest_first, reverse=True)]


def _is_listed(member: Member) -> bool:
    return member.listed


def _sane(folder: Path, says: list[str]) -> list[str]:
    """Without the sessions whose times no list of ours believes."""
    odd = (
        "SELECT session_id FROM messages WHERE NOT (timestamp > 0 AND timestamp < ?)"
        " UNION SELECT id FROM sessions WHERE started_at > ?"
    )
    strange = {name for (name,) in read_state(folder, lambda db: db.rows(odd, (LATEST, LATEST)))}
    return [name for name in says if name not in strange]


def test_the_same_order_as_the_real_release(make_home: Callable[..., BuiltHome]) -> None:
    home = make_home()
    for name in ("default", "work"):
        folder = home.profile(name)
        says = home.facts(name)["hermes_says"]["browse"]
        ours = _sane(folder, read_state(folder, as_hermes))
        assert len(says) > 20
        assert ours[: len(_sane(folder, says))] == _sane(folder, says)
