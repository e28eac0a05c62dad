"""One conversation, a page at a time, opened at any message of it.

A conversation can be several sessions after one another; `chain_of` says which. A page is asked for by the
message it is around, or by the edge of the page before, so the last page of a hundred thousand messages
costs what the first one does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from sessions.database import Database
from sessions.parts_calls import Call
from sessions.transcript_errors import NoSuchMessage, NoSuchSession
from sessions.transcript_message import CHARACTERS, Message, message_of
from sessions.transcript_queries import Shown, ids_beside, row_of, session_of, state_of

LIMIT: Final = 50
FIRST: Final = -(2**63)  # before every message
LAST: Final = 2**63 - 1  # after every message


@dataclass(frozen=True)
class Place:
    """An edge between messages: beside message `message` of session `session`. FIRST and LAST will do."""

    session: str
    message: int


@dataclass(frozen=True)
class Window:
    """Some messages after one another. `focus`: the one that was asked for. `undone`, `compacted`: which are
    among them; switched on by a `focus` that would not be seen otherwise. `calls`: for the id of a tool
    message, the call that it answers."""

    messages: tuple[Message, ...]
    has_before: bool
    has_after: bool
    undone: bool
    compacted: bool
    focus: int | None = None
    calls: Mapping[int, Call] | None = None

    @property
    def start(self) -> Place | None:
        """The edge to ask for what comes before."""
        return Place(self.messages[0].session, self.messages[0].id) if self.messages else None

    @property
    def end(self) -> Place | None:
        """The edge to ask for what comes after."""
        return Place(self.messages[-1].session, self.messages[-1].id) if self.messages else None


def window(
    db: Database,
    sessions: Sequence[str],
    *,
    around: int | None = None,
    after: Place | None = None,
    before: Place | None = None,
    limit: int = LIMIT,
    undone: bool = False,
    compacted: bool = True,
    characters: int | None = CHARACTERS,
) -> Window:
    """Up to `limit` messages of the sessions, which follow one another in this order.

    `around` a message of theirs, `after` or `before` an edge, or from the beginning. Texts are cut at
    `characters` code points. Raises StateError; NoSuchMessage for `around`, NoSuchSession for an edge.
    """
    if around is not None:
        return _around(db, sessions, around, limit, Shown(undone, compacted), characters)
    shown = Shown(undone, compacted)
    if not sessions:
        return Window((), False, False, undone, compacted)
    edge = after or before or Place(sessions[0], FIRST)
    forward = before is None or after is not None
    places = _walk(db, sessions, edge, forward, limit + 1, shown)
    more, places = len(places) > limit, places[:limit]
    beyond = bool(_walk(db, sessions, edge, not forward, 1, shown))
    if not forward:
        places.reverse()
    beside = _beside_itself(db, edge, shown) if after or before else False
    has_before, has_after = (beyond or beside, more) if forward else (more, beyond or beside)
    return _window(db, places, has_before, has_after, shown, characters, None)


def _around(
    db: Database, sessions: Sequence[str], message: int, limit: int, shown: Shown, characters: int | None
) -> Window:
    session = session_of(db, message) if FIRST <= message <= LAST else None
    if session is None or session not in sessions:
        raise NoSuchMessage(message)
    gone, summed = state_of(db, message)
    shown = Shown(shown.undone or (gone and not summed), shown.compacted or (gone and summed))
    edge = Place(session, message)
    half = max(limit // 2, 1)
    before = _walk(db, sessions, edge, False, half + 1, shown)
    after = _walk(db, sessions, edge, True, max(limit - half, 1), shown)
    more = len(after) == max(limit - half, 1)
    places = [*reversed(before[:half]), edge, *(after[:-1] if more else after)]
    return _window(db, places, len(before) > half, more, shown, characters, message)


def _walk(
    db: Database, sessions: Sequence[str], edge: Place, forward: bool, take: int, shown: Shown
) -> list[Place]:
    """The next `take` messages beyond an edge, over the ends of sessions."""
    if edge.session not in sessions:
        raise NoSuchSession(edge.session)
    position = sessions.index(edge.session)
    following = sessions[position:] if forward else sessions[position::-1]
    found: list[Place] = []
    start = min(max(edge.message, FIRST), LAST)
    for session in following:
        ids = ids_beside(db, session, start, forward=forward, take=take - len(found), shown=shown)
        found += [Place(session, row) for row in ids]
        if len(found) >= take:
            break
        start = FIRST if forward else LAST
    return found


def _beside_itself(db: Database, edge: Place, shown: Shown) -> bool:
    """Whether the message an edge is named after is a visible one, and so lies on the other side of it."""
    if edge.message in (FIRST, LAST) or session_of(db, edge.message) != edge.session:
        return False
    gone, summed = state_of(db, edge.message)
    return not gone or (shown.compacted if summed else shown.undone)


def _window(
    db: Database,
    places: Sequence[Place],
    has_before: bool,
    has_after: bool,
    shown: Shown,
    characters: int | None,
    focus: int | None,
) -> Window:
    messages: list[Message] = []
    begun = {places[0].session} if places and _within(db, places[0], shown) else set()
    for place in places:
        row = row_of(db, place.message)
        if row is not None:  # removed just now
            first = place.session not in begun
            begun.add(place.session)
            messages.append(message_of(place.message, place.session, row[1], characters, first=first))
    return Window(
        tuple(messages), has_before, has_after, shown.undone, shown.compacted, focus, _answered(messages)
    )


def _within(db: Database, place: Place, shown: Shown) -> bool:
    """Whether messages of the same session come before."""
    return bool(ids_beside(db, place.session, place.message, forward=False, take=1, shown=shown))


def _answered(messages: Sequence[Message]) -> dict[int, Call]:
    """Which tool message answers which call, where both are here. Ids of calls can come again, so the
    nearest call before counts."""
    open_calls: dict[str, Call] = {}
    found: dict[int, Call] = {}
    for message in messages:
        open_calls.update((call.id, call) for call in message.calls if call.id)
        if message.role == "tool" and message.answers in open_calls:
            found[message.id] = open_calls[message.answers]
    return found


def read_message(
    db: Database, sessions: Sequence[str], message: int, characters: int | None = None
) -> Message:
    """One message whole ("show all"); still only the first millions of bytes of a text.

    Raises StateError, NoSuchMessage.
    """
    row = row_of(db, message) if FIRST <= message <= LAST else None
    if row is None or row[0] not in sessions:
        raise NoSuchMessage(message)
    return message_of(message, row[0], row[1], characters)


def call_before(db: Database, message: Message, within: int = 30) -> Call | None:
    """The call that a tool message at the start of a page answers, from the messages before it."""
    shown = Shown(undone=True, compacted=True)
    before = ids_beside(db, message.session, message.id, forward=False, take=within, shown=shown)
    for row in islice(before, within):
        read = row_of(db, row)
        earlier = message_of(row, message.session, read[1]) if read else None
        found = [call for call in earlier.calls if call.id == message.answers] if earlier else []
        if found:
            return found[-1]
    return None
