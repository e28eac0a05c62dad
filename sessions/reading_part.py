"""What the reading page asks of state.db, in one look: a window of messages and what is around them.

Where the database is damaged, what can be read is read: fewer messages at once, and less about them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memory.prompt import blocks_in
from sessions.database import Database
from sessions.errors import StateDamaged
from sessions.reading_asked import Edge, ReadAsked
from sessions.transcript import FIRST, LAST, Place, Window, call_before, window
from sessions.transcript_chain import Chain, chain_of
from sessions.transcript_errors import NoSuchMessage
from sessions.transcript_heading import Heading, heading
from sessions.transcript_prompt import Prompt, stored_prompt
from sessions.transcript_queries import counts_of, ends_of, place_of

TURNS: Final = 50
CHARACTERS: Final = 6_000  # of each text on the page
PROMPT_CHARACTERS: Final = 20_000
COUNTED: Final = 200  # sessions of one conversation whose messages are counted
NAMED: Final = 10  # results whose call is looked for before the page


@dataclass(frozen=True)
class Reading:
    """What was read. `counts`: live, taken back and compacted messages of each session, as far as counted.

    `known`: whether what there is to say about the session could be read. `begin`: its first row id,
    looked up where no message could be read.
    """

    chain: Chain
    about: Heading
    counts: Mapping[str, tuple[int, int, int]]
    window: Window
    first: int
    prompts: Mapping[str, Prompt]
    damaged: bool
    gone: bool
    known: bool
    begin: int


def read_part(db: Database, asked: ReadAsked) -> Reading:
    """The part that is asked for. Raises StateError, NoSuchSession."""
    chain = chain_of(db, asked.session)
    about = _about(db, asked.session)
    known = about is not None
    if about is None:
        here = chain.segments[chain.sessions.index(asked.session)]
        about = Heading(here.id, stored=True, title=here.title, started_at=here.started_at)
    counts = _counts(db, chain.sessions[:COUNTED], about) if known else {}
    shown, damaged, gone = _window(db, asked, chain.sessions)
    starts = [each.session for each in shown.messages if each.first][:3]
    if not shown.messages and not asked.goes_on:
        starts = [asked.session]
    prompts = {each: _stored(db, each) for each in starts}
    return Reading(
        chain=chain,
        about=about,
        counts=counts,
        window=_named(db, shown),
        first=_number(db, chain.sessions, counts, shown),
        prompts={each: prompt for each, prompt in prompts.items() if prompt},
        damaged=damaged or not known,
        gone=gone,
        known=known,
        begin=_ends(db, asked.session)[0] if damaged and not shown.messages else FIRST,
    )


def _about(db: Database, session: str) -> Heading | None:
    try:
        return heading(db, session)
    except StateDamaged:
        return None


def _ends(db: Database, session: str) -> tuple[int, int]:
    """The row ids with which a session begins and ends. To walk from there is faster than from nowhere."""
    try:
        return ends_of(db, session) or (FIRST, LAST)
    except StateDamaged:
        return FIRST, LAST


def _counts(db: Database, sessions: Sequence[str], about: Heading) -> dict[str, tuple[int, int, int]]:
    known = {about.id: (about.live, about.undone, about.compacted)}
    try:
        return {each: known.get(each) or counts_of(db, each) for each in sessions}
    except StateDamaged:
        return known


def _window(db: Database, asked: ReadAsked, sessions: Sequence[str]) -> tuple[Window, bool, bool]:
    """The messages, whether some could not be read, and whether the one asked for is gone."""
    gone = False
    for limit in (TURNS, 10, 1):
        try:
            if asked.at is not None and not gone:
                return _opened(db, sessions, limit, asked.undone, around=asked.at), limit != TURNS, False
        except NoSuchMessage:
            gone = True
        except StateDamaged:
            continue
        try:
            return _beside(db, asked, sessions, limit), limit != TURNS, gone
        except StateDamaged:
            continue
    return Window((), False, False, asked.undone, True), True, gone


def _beside(db: Database, asked: ReadAsked, sessions: Sequence[str], limit: int) -> Window:
    if asked.before is not None:
        return _opened(db, sessions, limit, asked.undone, before=_place(db, asked.before, sessions))
    edge = asked.after or Edge(FIRST, sessions.index(asked.session))
    return _opened(db, sessions, limit, asked.undone, after=_place(db, edge, sessions))


def _opened(
    db: Database,
    sessions: Sequence[str],
    limit: int,
    undone: bool,
    *,
    around: int | None = None,
    after: Place | None = None,
    before: Place | None = None,
) -> Window:
    return window(
        db, sessions, around=around, after=after, before=before,
        limit=limit, undone=undone, characters=CHARACTERS,
    )  # fmt: skip


def _place(db: Database, edge: Edge, sessions: Sequence[str]) -> Place:
    """Where an edge of an address is; sessions may have gone since."""
    session = sessions[min(edge.segment, len(sessions) - 1)]
    if edge.message not in (FIRST, LAST):
        return Place(session, edge.message)
    first, last = _ends(db, session)
    return Place(session, max(first - 1, FIRST) if edge.message == FIRST else min(last + 1, LAST))


def _named(db: Database, shown: Window) -> Window:
    """With the calls that results at the start of the page answer, where only an earlier page has them."""
    calls = dict(shown.calls or {})
    lost = [each for each in shown.messages if each.role == "tool" and each.id not in calls]
    for message in [each for each in lost if not each.tool_name][:NAMED]:
        try:
            call = call_before(db, message)
        except StateDamaged:
            break
        if call:
            calls[message.id] = call
    return replace(shown, calls=calls)


def _number(
    db: Database, sessions: Sequence[str], counts: Mapping[str, tuple[int, int, int]], shown: Window
) -> int:
    """The number of the first message among all of the conversation, from 1; 0 where it is not known."""
    if not shown.start:
        return 0
    earlier = sessions[: sessions.index(shown.start.session)]
    if not set(earlier) <= set(counts):
        return 0
    before = sum(sum(counts[each]) for each in earlier)
    return before + place_of(db, shown.start.session, shown.start.message) + 1


def _stored(db: Database, session: str) -> Prompt | None:
    try:
        return stored_prompt(db, session, blocks_in, PROMPT_CHARACTERS)
    except StateDamaged:
        return None
