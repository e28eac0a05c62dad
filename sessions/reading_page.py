"""One conversation as its page shows it: a window of its messages, and what is to be said about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.conf import settings

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from memory.prompt import blocks_in
from sessions.database import Database, read_state
from sessions.parts_calls import Call
from sessions.query_text import Alternative
from sessions.reading_asked import Edge, ReadAsked
from sessions.reading_part import Reading, read_part
from sessions.reading_rail import Rail, rail_of
from sessions.reading_text import Pen, Text
from sessions.reading_turns import Band, Scribe, Turn
from sessions.reading_words import length_words
from sessions.transcript import FIRST, LAST, Place, call_before, read_message
from sessions.transcript_chain import Chain, chain_of
from sessions.transcript_heading import Heading, heading
from sessions.transcript_message import Message
from sessions.transcript_prompt import Prompt, stored_prompt

WHOLE_CHARACTERS: Final = 1_000_000  # of each text on the page of one message
SKIPPED: Final = 50  # row ids that are passed over where nothing can be read


@dataclass(frozen=True)
class PromptView:
    """The prompt that is kept for a session. `text` is None when only its hash is left."""

    text: Text | None
    length: str
    blocks: int
    address: str
    unmask: str = ""


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
    masked: str  # the same with keys and passwords masked
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
    read = read_state(profile.folder, lambda db: read_part(db, asked), copy=copy)
    pen = Pen(asked.view, asked.links, alternatives, asked.unmasked)
    sessions = read.chain.sessions
    shown = read.window
    asked = replace(asked, undone=asked.undone or shown.undone)
    scribe = Scribe(profile, asked, pen, shown.focus, sessions, shown.calls or {})

    def beside(place: Place | None, *, before: bool) -> str:
        edge = Edge(place.message, sessions.index(place.session)) if place else None
        return (asked.from_edge(before=edge) if before else asked.from_edge(after=edge)).address(profile)

    held = asked if asked.goes_on else asked.at_message(shown.focus)
    place = shown.focus or (shown.messages[0].id if asked.goes_on and shown.messages else None)
    anchor = "" if place is None else f"#m{place}"
    total = sum(map(sum, read.counts.values())) if len(read.counts) == len(sessions) else None
    return ConversationPage(
        asked=asked,
        about=read.about,
        bands=scribe.bands(shown.messages),
        prompts=_prompts(profile, asked, pen, read),
        rail=rail_of(profile, asked, read.chain, read.about, read.counts, known=read.known),
        earlier=beside(shown.start, before=True) if shown.has_before else "",
        later=beside(shown.end, before=False) if shown.has_after else "",
        to_start=asked.from_edge(after=Edge(FIRST, 0)).address(profile) if shown.has_before else "",
        to_end=_end(asked, sessions).address(profile) if shown.has_after else "",
        onwards=_onwards(profile, asked, read) if read.damaged and not shown.messages else "",
        readable=replace(held, view="readable").address(profile) + anchor,
        exact=replace(held, view="exact").address(profile) + anchor,
        masked=replace(held, unmasked=False).address(profile) + anchor if asked.unmasked else "",
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
    pen = Pen(asked.view, asked.links, alternatives, asked.unmasked)
    return Scribe(profile, asked, pen, None, chain.sessions, calls).turn(found)


def prompt_page(profile: Profile, asked: ReadAsked) -> tuple[Heading, PromptView | None]:
    """The prompt of one session. Raises StateError, NoSuchSession."""

    def read(db: Database) -> tuple[Heading, Prompt | None]:
        return heading(db, asked.session), stored_prompt(db, asked.session, blocks_in, WHOLE_CHARACTERS)

    about, found = read_state(profile.folder, read, copy=copy_of(settings.WORK_FOLDER, profile))
    return about, _prompt(found, Pen(unmasked=asked.unmasked), "") if found else None


def _end(asked: ReadAsked, sessions: Sequence[str]) -> ReadAsked:
    return asked.from_edge(before=Edge(LAST, len(sessions) - 1))


def _onwards(profile: Profile, asked: ReadAsked, read: Reading) -> str:
    """Past a damaged place. The row ids of messages follow one another."""
    edge = asked.after or Edge(FIRST, read.chain.sessions.index(asked.session))
    start = read.begin if edge.message == FIRST else edge.message
    return asked.from_edge(after=replace(edge, message=min(start + SKIPPED, LAST))).address(profile)


def _prompts(profile: Profile, asked: ReadAsked, pen: Pen, read: Reading) -> dict[int, PromptView]:
    found = {}
    for session, prompt in read.prompts.items():
        address = ReadAsked(session, unmasked=asked.unmasked).address(profile, "stored_prompt")
        unmask = ReadAsked(session, unmasked=True).address(profile, "stored_prompt")
        view = replace(_prompt(prompt, pen, address), unmask=unmask)
        found[read.chain.sessions.index(session) + 1] = view
    return found


def _prompt(prompt: Prompt, pen: Pen, address: str) -> PromptView:
    if prompt.text is None:
        return PromptView(None, "", 0, address)
    return PromptView(pen.prompt(prompt), length_words(prompt.text.characters), len(prompt.blocks), address)
