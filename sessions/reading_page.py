"""One conversation as its page shows it: a window of its messages, and what is to be said about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.conf import settings

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from memory.prompt import blocks_in
from sessions.database import Database, read_state
from sessions.errors import StateDamaged
from sessions.parts_calls import Call
from sessions.query_text import Alternative
from sessions.reading_asked import Edge, ReadAsked
from sessions.reading_rail import Rail, rail_of
from sessions.reading_text import Pen, Text
from sessions.reading_turns import Band, Scribe, Turn
from sessions.reading_words import length_words
from sessions.transcript import FIRST, LAST, Place, Window, call_before, read_message, window
from sessions.transcript_chain import Chain, chain_of
from sessions.transcript_errors import NoSuchMessage
from sessions.transcript_heading import Heading, heading
from sessions.transcript_message import Message
from sessions.transcript_prompt import Prompt, stored_prompt
from sessions.transcript_queries import counts_of, place_of

TURNS: Final = 50
CHARACTERS: Final = 6_000  # of each text on the page
PROMPT_CHARACTERS: Final = 20_000
WHOLE_CHARACTERS: Final = 1_000_000  # of each text on the page of one message
COUNTED: Final = 200  # sessions of one conversation whose messages are counted
NAMED: Final = 10  # results whose call is looked for before the page
SKIPPED: Final = 200  # row ids that are passed over where nothing can be read


@dataclass(frozen=True)
class PromptView:
    """The prompt that is kept for a session. `text` is None when only its hash is left."""

    text: Text | None
    length: str
    blocks: int
    address: str


@dataclass(frozen=True)
class Reading:
    """What was read. `counts`: live, taken back and compacted messages of each session, as far as counted."""

    chain: Chain
    about: Heading
    counts: Mapping[str, tuple[int, int, int]]
    window: Window
    first: int
    prompts: Mapping[str, Prompt]
    damaged: bool = False
    gone: bool = False


@dataclass(frozen=True)
class ConversationPage:
    """Everything the page shows. Addresses are "" where there is nothing. `first`, `last`: numbers of the
    messages on it; `total`: None when they could not be counted."""

    asked: ReadAsked
    about: Heading
    bands: tuple[Band, ...]
    prompts: Mapping[int, PromptView]  # by the number of the session
    rail: Rail
    earlier: str
    later: str
    to_start: str
    to_end: str
    onwards: str  # past what cannot be read
    readable: str
    exact: str
    first: int
    last: int
    total: int | None
    sessions: int
    number: int
    damaged: bool
    gone: bool


def conversation_page(
    profile: Profile, asked: ReadAsked, alternatives: Sequence[Alternative]
) -> ConversationPage:
    """Read and draw a part of a conversation. Raises StateError, NoSuchSession."""
    copy = copy_of(settings.WORK_FOLDER, profile)
    read = read_state(profile.folder, lambda db: _read(db, asked), copy=copy)
    pen = Pen(asked.view, asked.links, alternatives)
    sessions = read.chain.sessions
    shown = read.window
    asked = replace(asked, undone=asked.undone or shown.undone)
    scribe = Scribe(profile, asked, pen, shown.focus, sessions, shown.calls or {})

    def beside(place: Place | None, *, before: bool) -> str:
        edge = Edge(place.message, sessions.index(place.session)) if place else None
        return (asked.from_edge(before=edge) if before else asked.from_edge(after=edge)).address(profile)

    held = asked if asked.goes_on else asked.at_message(shown.focus)
    total = sum(map(sum, read.counts.values())) if len(read.counts) == len(sessions) else None
    return ConversationPage(
        asked=asked,
        about=read.about,
        bands=scribe.bands(shown.messages),
        prompts=_prompts(profile, asked, pen, read),
        rail=rail_of(profile, asked, read.chain, read.about, read.counts),
        earlier=beside(shown.start, before=True) if shown.has_before else "",
        later=beside(shown.end, before=False) if shown.has_after else "",
        to_start=asked.from_edge(after=Edge(FIRST, 0)).address(profile) if shown.has_before else "",
        to_end=_end(asked, sessions).address(profile) if shown.has_after else "",
        onwards=_onwards(profile, asked) if read.damaged and not shown.messages else "",
        readable=replace(held, view="readable").address(profile),
        exact=replace(held, view="exact").address(profile),
        first=read.first,
        last=read.first + len(shown.messages) - 1,
        total=total,
        sessions=len(sessions),
        number=sessions.index(asked.session) + 1,
        damaged=read.damaged,
        gone=read.gone,
    )


def message_page(
    profile: Profile, asked: ReadAsked, message: int, alternatives: Sequence[Alternative]
) -> Turn:
    """One message with all of its texts. Raises StateError, NoSuchSession, NoSuchMessage."""

    def read(db: Database) -> tuple[Chain, Message, Call | None]:
        chain = chain_of(db, asked.session)
        found = read_message(db, chain.sessions, message, WHOLE_CHARACTERS)
        return chain, found, call_before(db, found) if found.role == "tool" else None

    chain, found, call = read_state(profile.folder, read, copy=copy_of(settings.WORK_FOLDER, profile))
    calls = {found.id: call} if call else {}
    pen = Pen(asked.view, asked.links, alternatives)
    return Scribe(profile, asked, pen, None, chain.sessions, calls).turn(found)


def prompt_page(profile: Profile, asked: ReadAsked) -> tuple[Heading, PromptView | None]:
    """The prompt of one session. Raises StateError, NoSuchSession."""

    def read(db: Database) -> tuple[Heading, Prompt | None]:
        return heading(db, asked.session), stored_prompt(db, asked.session, blocks_in, WHOLE_CHARACTERS)

    about, found = read_state(profile.folder, read, copy=copy_of(settings.WORK_FOLDER, profile))
    return about, _prompt(found, Pen(), "") if found else None


def _read(db: Database, asked: ReadAsked) -> Reading:
    chain = chain_of(db, asked.session)
    about = heading(db, asked.session)
    counts = _counts(db, chain.sessions[:COUNTED], about)
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
        damaged=damaged,
        gone=gone,
    )


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
        return _opened(db, sessions, limit, asked.undone, before=_place(asked.before, sessions))
    after = _place(asked.after, sessions) if asked.after else Place(asked.session, FIRST)
    return _opened(db, sessions, limit, asked.undone, after=after)


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


def _place(edge: Edge, sessions: Sequence[str]) -> Place:
    """Where an edge of an address is; sessions may have gone since."""
    return Place(sessions[min(edge.segment, len(sessions) - 1)], edge.message)


def _end(asked: ReadAsked, sessions: Sequence[str]) -> ReadAsked:
    return asked.from_edge(before=Edge(LAST, len(sessions) - 1))


def _onwards(profile: Profile, asked: ReadAsked) -> str:
    """Past a damaged place. The row ids of messages follow one another."""
    edge = asked.after or Edge(asked.at or 0, 0)
    start = edge.message if abs(edge.message) < LAST else 0
    return asked.from_edge(after=replace(edge, message=start + SKIPPED)).address(profile)


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


def _prompts(profile: Profile, asked: ReadAsked, pen: Pen, read: Reading) -> dict[int, PromptView]:
    found = {}
    for session, prompt in read.prompts.items():
        address = ReadAsked(session).address(profile, "stored_prompt")
        found[read.chain.sessions.index(session) + 1] = _prompt(prompt, pen, address)
    return found


def _prompt(prompt: Prompt, pen: Pen, address: str) -> PromptView:
    if prompt.text is None:
        return PromptView(None, "", 0, address)
    return PromptView(pen.prompt(prompt), length_words(prompt.text.characters), len(prompt.blocks), address)
