"""An export as one HTML file that loads nothing and runs nothing, whatever was recorded.

Every recorded character is escaped, unseen ones are named. Should a browser have other ideas, the policy in the
file's head forbids it everything but our one style sheet, known by its hash.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape
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
from sessions.invisible import unseen_in
from sessions.transcript_heading import heading
from sessions.transcript_message import Message

STYLE: Final = """
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
.record{font-family:ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0;
border-left:3px solid currentColor;padding-left:.75rem}
.who{margin:1.5rem 0 0}.muted{opacity:.75}
.unseen::after{content:attr(data-name);font-size:.7em;border:1px solid;padding:0 .2em}
dl{display:grid;grid-template-columns:auto 1fr;gap:0 1rem}dd{margin:0;overflow-wrap:anywhere}
section{border-top:1px solid;margin-top:2rem}
"""
_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY: Final = f"default-src 'none'; style-src 'sha256-{_HASH}'; form-action 'none'; base-uri 'none'"


def export_html(
    read: Reader,
    sessions: Sequence[str],
    options: Options = Options(),  # noqa: B008  (frozen)
    words: Words = ENGLISH,
    language: str = "en",
) -> Iterator[bytes]:
    """The file in pieces. Memory: one page, or the longest message. Raises StateError."""
    tally = Tally()
    yield _encoded(_head(words, language))
    for session in sequence_of(sessions):
        begun = begin(read, session, options, tally)
        if begun is not None:
            yield from _session(read, begun, options, tally, words)
    note = words.was_masked if options.masked else words.was_exact
    figures = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in counted(tally, words))
    yield _encoded(f"<footer><dl>{figures}</dl><p>{escape(note)}</p></footer>\n</main>\n</body>\n</html>\n")


def _head(words: Words, language: str) -> str:
    title = escape(words.title)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    )


def _session(
    read: Reader, session: SessionPages, options: Options, tally: Tally, words: Words
) -> Iterator[bytes]:
    about = read(lambda db: heading(db, session.id))
    title = visible(" ".join(said(about.title, options).split())) or escape(words.untitled)
    facts = "".join(
        f"<dt>{escape(name)}</dt><dd>{visible(said(value, options))}</dd>"
        for name, value in facts_of(about, words)
    )
    key = f'<p class="muted"><code>{visible(session.id)}</code></p>'
    yield _encoded(f"<section>\n<h2>{title}</h2>\n{key}\n<dl>{facts}</dl>\n")

    def written(db: Database, row: int) -> bytes | None:
        message = whole_message_of(db, row)
        return _encoded("".join(_message(message, options, words))) if message else None

    for page in pages(read, session, options, tally, written):
        yield b"".join(page)
    yield b"</section>\n"


def _message(message: Message, options: Options, words: Words) -> Iterator[str]:
    at = moment(message.at)
    time = f' <time datetime="{at}" class="muted">{at}</time>' if at else ""
    who = said(who_of(message, words), options)
    yield f'<article id="m{message.id}">\n<p class="who"><strong>{visible(who)}</strong>{time}</p>\n'
    for part in message.parts:
        if part.text:
            yield _record(said(part.text.text, options))
        else:
            yield f'<p class="muted">{visible(said(placeholder(part, words), options))}</p>\n'
    for each in message.reasoning:
        if each.text:
            yield _folded(words.reasoning, said(each.text.text, options))
        else:
            yield f'<p class="muted">{escape(words.reasoning)}: {escape(words.sealed)}</p>\n'
    for call in message.calls:
        yield _folded(f"{words.call}: {said(call.name, options)}", said(call.arguments.text, options))
    if message.sent:
        yield _folded(words.sent, said(message.sent.text, options))
    yield "</article>\n"


def _record(text: str) -> str:
    return f'<div class="record">{visible(text)}</div>\n'


def _folded(name: str, text: str) -> str:
    return f"<details><summary>{visible(name)}</summary>\n{_record(text)}</details>\n"


def visible(text: str) -> str:
    """The text escaped, with a name beside each character that cannot be seen."""
    html = escape(text)
    for character in sorted(unseen_in(text)):
        name = f"U+{ord(character):04X}"
        itself = "" if character in "\0\r" or "\ud800" <= character <= "\udfff" else character
        html = html.replace(character, f'<span class="unseen" data-name="{name}">{itself}</span>')
    return html


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
