"""Messages as the turns of the reading page: what was said, folds for tools and reasoning, bands around what
is no longer sent."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from django.utils.translation import gettext as _

from hermesweb.hermes.homes import Profile
from hermesweb.record import shown
from sessions.parts_calls import Call
from sessions.reading_asked import ReadAsked
from sessions.reading_text import Pen, Text
from sessions.reading_words import (
    display_words,
    length_words,
    lines_words,
    machine_time,
    medium_words,
    problem_words,
    time_words,
)
from sessions.transcript_message import Message, State
from sessions.words import ROLES

EXCERPT = 80  # characters of a call in its summary


@dataclass(frozen=True)
class Piece:
    """A text, or the words that stand for a picture or a file."""

    text: Text | None
    words: str = ""


@dataclass(frozen=True)
class Fold:
    """Something folded away. `name` and `code` are recorded words, `kind` and `after` ours."""

    icon: str
    kind: str
    texts: tuple[Text, ...] = ()
    name: str = ""
    code: str = ""
    after: str = ""
    note: str = ""
    open: bool = False
    found: bool = False
    anchors: tuple[str, ...] = ()
    memory: bool = False
    all_of_it: str = ""  # the address of the whole message, where something is cut

    @property
    def masked(self) -> int:
        """Keys and passwords in it that are not shown."""
        return sum(text.masked for text in self.texts)


@dataclass(frozen=True)
class Turn:
    """One message. `anchor`: its place in the page; on the first fold when nothing was said. `found`: it, or a
    result that stands with it, is what somebody came for.

    `begins`: the number of the session that begins with it, 0 for none.
    """

    message: Message
    who: str
    time: str
    clock: str
    machine_time: str
    pieces: tuple[Piece, ...]
    thoughts: tuple[Fold, ...]
    folds: tuple[Fold, ...]
    notes: tuple[str, ...]
    problems: tuple[str, ...]
    found: bool
    exact: str  # the address of Exact here, where Readable hides something
    all_of_it: str  # the address of the whole message, where something is cut
    unmask: str  # the address of it here with its keys and passwords
    here: str  # the address of the conversation at it
    begins: int = 0

    @property
    def anchor(self) -> str:
        return f"m{self.message.id}"

    @property
    def speaks(self) -> bool:
        """Whether there is more to it than folds."""
        return bool(self.pieces or self.problems or not (self.folds or self.thoughts))

    @property
    def hides(self) -> bool:
        return any(piece.text and piece.text.hides for piece in self.pieces)

    @property
    def masked(self) -> int:
        """Keys and passwords in what was said that are not shown; folds count their own."""
        return sum(piece.text.masked for piece in self.pieces if piece.text)

    @property
    def marked(self) -> bool:
        return any(piece.text and piece.text.marked for piece in self.pieces) or any(
            text.marked for fold in (*self.thoughts, *self.folds) for text in fold.texts
        )


@dataclass(frozen=True)
class Band:
    """Turns of one session and one state after one another. `open`: somebody came for one of them, or nothing
    else is here."""

    state: State
    turns: tuple[Turn, ...]
    open: bool = True

    @property
    def begins(self) -> int:
        """The number of the session that begins with it, 0 for none."""
        return self.turns[0].begins


@dataclass
class Scribe:
    """Makes the turns of one page."""

    profile: Profile
    asked: ReadAsked
    pen: Pen
    focus: int | None
    sessions: Sequence[str]
    calls: Mapping[int, Call]
    results: dict[int, list[Message]] = field(default_factory=dict)  # by the identity of the call

    def bands(self, messages: Sequence[Message]) -> tuple[Band, ...]:
        turns = list(self.turns(messages))
        ordered = groupby(turns, key=lambda turn: (turn.message.session, turn.message.state))
        groups = [(state, tuple(each)) for (_session, state), each in ordered]
        return tuple(
            Band(state, each, len(groups) == 1 or any(turn.found or turn.marked for turn in each))
            for state, each in groups
        )

    def turns(self, messages: Sequence[Message]) -> Iterator[Turn]:
        inside = self._inside(messages)
        for message in messages:
            if message.id not in inside:
                yield self.turn(message)

    def _inside(self, messages: Sequence[Message]) -> set[int]:
        """Results that stand with their call: what is beside them is in the same state."""
        states = {id(call): message.state for message in messages for call in message.calls}
        inside = set()
        for message in messages:
            call = self.calls.get(message.id)
            if call is not None and states.get(id(call)) == message.state and not message.first:
                self.results.setdefault(id(call), []).append(message)
                inside.add(message.id)
        return inside

    def turn(self, message: Message) -> Turn:
        tool = message.role == "tool"
        folds = [self._result(message)] if tool else [self._call(message, call) for call in message.calls]
        if message.sent:
            sent = self.pen.exact(message.sent)
            whole = self.whole(message) if sent.length else ""
            kind = _("Sent to the provider instead")
            folds.append(Fold("beyond", kind, (sent,), open=sent.marked, all_of_it=whole))
        thoughts = list(self._thoughts(message))
        pieces = () if tool else tuple(self._pieces(message))
        turn = Turn(
            message=message,
            who=str(ROLES.get(message.role) or shown(message.role)) or _("no role"),
            time=time_words(message.at) or _("no readable time"),
            clock=time_words(message.at).rpartition(", ")[2] or _("no readable time"),
            machine_time=machine_time(message.at),
            pieces=pieces,
            thoughts=tuple(thoughts),
            folds=tuple(folds),
            notes=tuple(self._notes(message)),
            problems=tuple(dict.fromkeys(map(problem_words, message.problems))),
            found=message.id == self.focus or any(fold.found for fold in folds),
            exact=self.here(message, exact=True),
            all_of_it=self.whole(message) if any(p.text and p.text.length for p in pieces) else "",
            unmask=self.here(message, unmasked=True),
            here=self.here(message),
            begins=self.sessions.index(message.session) + 1 if message.first else 0,
        )
        return turn if turn.speaks else _anchored(turn)

    def here(self, message: Message, *, exact: bool = False, unmasked: bool = False) -> str:
        asked = replace(self.asked.at_message(message.id), view="exact" if exact else self.asked.view)
        address = replace(asked, unmasked=unmasked or asked.unmasked).address(self.profile)
        return f"{address}#m{message.id}" if address else ""

    def whole(self, message: Message) -> str:
        return self.asked.at_message(None).address(self.profile, "message", message.id)

    def _pieces(self, message: Message) -> Iterator[Piece]:
        for part in message.parts:
            if part.text is None:
                yield Piece(None, medium_words(part))
            elif part.kind == "text":
                yield Piece(self.pen.said(part.text))
            else:
                yield Piece(self.pen.exact(part.text))

    def _thoughts(self, message: Message) -> Iterator[Fold]:
        for each in message.reasoning:
            if each.text is None:
                note = _("Only the provider can read this: it is encrypted. %(length)s.")
                yield Fold(
                    "lock", _("Reasoning, encrypted, not readable"),
                    note=note % {"length": length_words(each.sealed)},
                )  # fmt: skip
            else:
                text = self.pen.exact(each.text)
                whole = self.whole(message) if text.length else ""
                after = length_words(each.text.characters)
                yield Fold("waiting", _("Reasoning"), (text,), after=after, open=text.marked, all_of_it=whole)

    def _call(self, message: Message, call: Call) -> Fold:
        results = self.results.get(id(call), [])
        texts = [self.pen.exact(call.arguments)] if call.arguments.text else []
        folds = [self._result(each) for each in results]
        lines = sum(fold.texts[0].html.count("\n") + 1 for fold in folds if fold.texts)
        whole = self.whole(message) if any(text.length for text in texts) else ""
        return Fold(
            "tool",
            "" if call.name else _("A call without a name"),
            (*texts, *(text for fold in folds for text in fold.texts)),
            name=shown(call.name),
            code=excerpt(call, self.pen),
            after=lines_words(lines) if folds else _("no answer on this page"),
            open=any(text.marked for text in texts) or any(fold.open for fold in folds),
            found=any(fold.found for fold in folds),
            anchors=tuple(f"m{each.id}" for each in results),
            memory=call.name == "memory",
            all_of_it=whole or next((fold.all_of_it for fold in folds if fold.all_of_it), ""),
        )

    def _result(self, message: Message) -> Fold:
        call = self.calls.get(message.id)
        texts = tuple(self.pen.exact(part.text) for part in message.parts if part.text)
        media = [medium_words(part) for part in message.parts if part.text is None]
        return Fold(
            "tool",
            _("Result of"),
            texts,
            name=shown(message.tool_name or (call.name if call else "")) or _("a tool that is not named"),
            after=length_words(sum(part.text.characters or 0 for part in message.parts if part.text)),
            note=". ".join(media),
            open=message.id == self.focus or any(text.marked for text in texts),
            found=message.id == self.focus,
            all_of_it=self.whole(message) if any(text.length for text in texts) else "",
        )

    def _notes(self, message: Message) -> Iterator[str]:
        if message.summary:
            yield _("A summary Hermes made of earlier turns")
        if message.display:
            yield display_words(message.display)
        if message.observed:
            yield _("Said by others in the chat and only overheard")
        if message.finish_reason == "length":
            yield _("The model was cut off here")


def excerpt(call: Call, pen: Pen) -> str:
    """The beginning of what a tool was called with, on one line: its first text, else all of it."""
    try:
        value = json.loads(call.arguments.text)
    except (ValueError, RecursionError):
        value = None
    first = next(iter(value.values()), None) if isinstance(value, dict) else None
    line = shown(pen.line(first if isinstance(first, str) else call.arguments.text))
    return line if len(line) <= EXCERPT else line[:EXCERPT].rstrip() + "…"


def _anchored(turn: Turn) -> Turn:
    """Nothing was said: its first fold stands for the message."""
    if turn.thoughts:
        return replace(turn, thoughts=_with_anchor(turn, turn.thoughts))
    return replace(turn, folds=_with_anchor(turn, turn.folds))


def _with_anchor(turn: Turn, folds: tuple[Fold, ...]) -> tuple[Fold, ...]:
    first, *others = folds
    named = replace(first, anchors=(turn.anchor, *first.anchors), open=first.open or turn.found)
    return (named, *others)
