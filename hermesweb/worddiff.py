"""Two texts side by side, word by word, as HTML: what is only in the first is deleted, only in the second new."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from hermesweb.record import record_html

TOKEN = re.compile(r"\w+|\s|[^\w\s]")
TOKENS_COMPARED = 4_000  # of each text; beyond that the comparison would take seconds


@dataclass(frozen=True)
class Compared:
    """Both texts with their differences marked, and both in one: what goes, then what comes."""

    before: SafeString
    after: SafeString
    joined: SafeString


def compare(before: str, after: str) -> Compared:
    """Very long texts that differ are shown as wholly different, which is true if not helpful."""
    first, second = TOKEN.findall(before), TOKEN.findall(after)
    if max(len(first), len(second)) > TOKENS_COMPARED and first != second:
        gone, new = _wrap("del", before), _wrap("ins", after)
        return Compared(gone, new, mark_safe(gone + new))  # noqa: S308  both are escaped
    sides: tuple[list[str], list[str], list[str]] = ([], [], [])
    for tag, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        gone_text, new_text = "".join(first[a:b]), "".join(second[c:d])
        gone = record_html(gone_text) if tag == "equal" else _wrap("del", gone_text)
        new = record_html(new_text) if tag == "equal" else _wrap("ins", new_text)
        sides[0].append(gone)
        sides[1].append(new)
        sides[2].append(gone if tag == "equal" else gone + new)
    before_html, after_html, joined = (mark_safe("".join(side)) for side in sides)  # noqa: S308  every part is escaped
    return Compared(before_html, after_html, joined)


def _wrap(tag: str, text: str) -> SafeString:
    return format_html("<{0}>{1}</{0}>", tag, record_html(text)) if text else SafeString("")
