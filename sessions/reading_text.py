"""Recorded texts as the reading page draws them: Readable or Exact, with the words of a search marked."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from hermesweb.record import Mark, record_html
from sessions.parts import Passage
from sessions.query_text import Alternative
from sessions.readable import hides, readable_html
from sessions.reading_asked import View
from sessions.reading_marks import marked_html, ranges_in
from sessions.reading_words import length_words, picture_words
from sessions.secrets import Finding, mask, masked_between, secrets_in
from sessions.transcript_prompt import Prompt

SECONDS: Final = 0.15  # for the Markdown of one page; what comes later is shown without it
# Letters, digits and signs that are no Markdown, without numbered lists: drawing that hides nothing.
_CALM: Final = re.compile(
    r"(?:[ \n.,;:?!'\"()/%$@=\u3001-\u303e\uff01-\uff60-]|[^\W_\u115f\u1160\u3164\uffa0])*"
)
_NUMBERED: Final = re.compile(r"^\s*[0-9]{1,9}[.)]", re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """A text as it is shown. `hides`: Exact shows something that this does not. `marked`: a word is in it.

    `length`: how long the whole is, where only its beginning is here. `masked`: keys and passwords that are
    not shown.
    """

    html: SafeString
    prose: bool = False
    hides: bool = False
    marked: bool = False
    length: str = ""
    masked: int = 0


@dataclass
class Pen:
    """Draws the texts of one page. `unmasked`: with the keys and passwords in them."""

    view: View = "readable"
    links: bool = False
    alternatives: Sequence[Alternative] = ()
    unmasked: bool = False
    began: float = field(default_factory=time.monotonic)

    def exact(self, passage: Passage) -> Text:
        """Every character, unseen ones named."""
        secrets = self.secrets(passage)
        text = mask(passage.text, secrets)
        ranges = ranges_in(self.alternatives, text) if self.alternatives else ()
        html = record_html(text, [Mark(start, end) for start, end in ranges])
        return Text(html, marked=bool(ranges), length=_length(passage), masked=len(secrets))

    def said(self, passage: Passage) -> Text:
        """What a person or the agent said: with its Markdown drawn, unless everything is to be exact."""
        if self.view == "exact":
            return self.exact(passage)
        draw = time.monotonic() - self.began < SECONDS
        secrets = self.secrets(passage)
        text = mask(passage.text, secrets)
        html = readable_html(text, links=self.links, label=picture_words, draw=draw)
        marked = marked_html(html, self.alternatives)
        return Text(
            mark_safe(marked),  # noqa: S308  cleaned by nh3; marks are ours
            prose=True,
            hides=not calm(text) and hides(text, draw=draw),
            marked=marked is not html,
            length=_length(passage),
            masked=len(secrets),
        )

    def prompt(self, prompt: Prompt) -> Text:
        """A stored prompt, what memory put there marked."""
        text = prompt.text
        if text is None:
            return Text(SafeString())
        secrets = self.secrets(text)
        return Text(_prompt_html(prompt, secrets), length=_length(text), masked=len(secrets))

    def secrets(self, passage: Passage) -> Sequence[Finding]:
        """What is not to be shown of it."""
        return () if self.unmasked else secrets_in(passage.text, ends=not passage.cut)

    def line(self, text: str) -> str:
        """A short text for a summary, masked as the rest."""
        return text if self.unmasked else mask(text, secrets_in(text))


def calm(text: str) -> bool:
    """Whether nothing of a text can get lost in drawing it, as is soon seen. False: it has to be looked at."""
    return bool(_CALM.fullmatch(text)) and not _NUMBERED.search(text)


def _length(passage: Passage) -> str:
    return length_words(passage.characters) if passage.cut else ""


def _prompt_html(prompt: Prompt, secrets: Sequence[Finding]) -> SafeString:
    text = prompt.text.text if prompt.text else ""
    parts: list[str] = []
    position = 0
    for start, end in prompt.blocks:
        if start >= len(text):
            break
        parts.append(record_html(masked_between(text, position, start, secrets)))
        block = record_html(masked_between(text, start, end, secrets))
        parts.append(format_html('<mark class="memory">{}</mark>', block))
        position = end
    parts.append(record_html(masked_between(text, position, len(text), secrets)))
    return mark_safe("".join(parts))  # noqa: S308  every part is escaped
