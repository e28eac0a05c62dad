"""An export as Markdown. What was recorded stands quoted or fenced, so that none of it can pass for ours.

Plain text is quoted, and Markdown in it is drawn by whoever opens the file. What could load a picture or act
as HTML there stands in a fence, character by character.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from sessions.database import Database
from sessions.export_pages import Options, Reader, SessionPages, Tally, begin, pages, sequence_of
from sessions.export_words import (
    ENGLISH,
    Words,
    counted,
    facts_of,
    moment,
    placeholder,
    said,
    who_of,
    whole_message_of,
)
from sessions.parts import Part
from sessions.transcript_heading import heading
from sessions.transcript_message import Message

_ACTS: Final = re.compile(r"!\[|<[A-Za-z/!?]|&[#A-Za-z]|^ {0,3}\[[^\]]*\]:", re.MULTILINE)
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_FENCES: Final = re.compile(r"`{3,}")
_MARKS: Final = re.compile(r"([\\`*_\[\]#|<>~&])")


def export_markdown(
    read: Reader,
    sessions: Sequence[str],
    options: Options = Options(),  # noqa: B008  (frozen)
    words: Words = ENGLISH,
) -> Iterator[bytes]:
    """The file in pieces. Memory: one page, or the longest message. Raises StateError."""
    tally = Tally()
    yield _encoded(f"# {words.title}\n")
    for session in sequence_of(sessions):
        begun = begin(read, session, options, tally)
        if begun is not None:
            yield from _session(read, begun, options, tally, words)
    yield _encoded("\n---\n\n" + "".join(f"- {name}: {value}\n" for name, value in counted(tally, words)))
    yield _encoded(f"\n{words.was_masked if options.masked else words.was_exact}\n")


def _session(
    read: Reader, session: SessionPages, options: Options, tally: Tally, words: Words
) -> Iterator[bytes]:
    about = read(lambda db: heading(db, session.id))
    title = said(about.title, options) or words.untitled
    facts = "".join(f"- {name}: {inline(said(value, options))}\n" for name, value in facts_of(about, words))
    yield _encoded(f"\n## {inline(title)}\n\n- `{_one_line(session.id).replace('`', '')}`\n{facts}")

    def written(db: Database, row: int) -> bytes | None:
        message = whole_message_of(db, row)
        return _encoded("".join(_message(message, options, words))) if message else None

    for page in pages(read, session, options, tally, written):
        yield b"".join(page)


def _message(message: Message, options: Options, words: Words) -> Iterator[str]:
    who = said(who_of(message, words), options)
    yield f"\n### {inline(' · '.join(filter(None, (who, moment(message.at)))))}\n"
    for part in message.parts:
        yield _part(part, options, words)
    for each in message.reasoning:
        yield f"\n*{words.reasoning}*\n" if each.text else f"\n*{words.reasoning}: {words.sealed}*\n"
        yield fenced(said(each.text.text, options)) if each.text else ""
    for call in message.calls:
        yield f"\n*{words.call}: {inline(said(call.name, options))}*\n"
        yield fenced(said(call.arguments.text, options))
    if message.sent:
        yield f"\n*{words.sent}*\n" + fenced(said(message.sent.text, options))


def _part(part: Part, options: Options, words: Words) -> str:
    if part.text:
        return block(said(part.text.text, options))
    return f"\n*{inline(said(placeholder(part, words), options))}*\n"


def block(text: str) -> str:
    """A text quoted, or fenced where quoting is not enough."""
    if _ACTS.search(text):
        return fenced(text)
    return "\n" + "\n".join("> " + line for line in _LINE_END.split(text)) + "\n"


def fenced(text: str) -> str:
    """A text in a fence that it cannot close."""
    longest = max((len(found) for found in _FENCES.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"\n{fence}text\n{text}\n{fence}\n"


def inline(text: str) -> str:
    """A short text on one line, as text."""
    return _MARKS.sub(r"\\\1", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _encoded(text: str) -> bytes:
    return text.replace("\0", "\ufffd").encode("utf-8", "replace")
