"""The text around a place that a trace found, read again each time somebody wants to see it, and masked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from django.utils.safestring import SafeString

from hermesweb.hermes.homes import Home
from hermesweb.hermes.scan.asked import ScanFolder
from hermesweb.hermes.scan.excerpts import Excerpt, excerpt_of
from hermesweb.privacy.trace import Found
from hermesweb.privacy.trace_places import Reach
from hermesweb.record import Mark, record_html
from sessions.secrets import Finding, findings_in, masked_between, secrets_in

AROUND: Final = 120  # characters on each side
_UNREADABLE: Final = re.compile("\N{REPLACEMENT CHARACTER}+")  # bytes that are no text
OURS: Final = "hermesweb-database"  # passwords of people are in it, hashed


def can_show(found: Found) -> bool:
    """Whether there is a text that can be read again."""
    return found.offset is not None and found.store != OURS


def read_excerpt(home: Home, reach: Reach, found: Found, phrase: str, *, hide: bool = False) -> SafeString:
    """What stands there now, with keys and personal numbers masked; with `hide` also the phrase, which is one
    of them and need not look like it at this place. Raises NoExcerpt."""
    folder = reach.folder_of(found.file) or ScanFolder(str(home.root))
    return masked_html(excerpt_of(folder, found.hit(), phrase, characters=AROUND), hide=hide)


def masked_html(excerpt: Excerpt, *, hide: bool = False) -> SafeString:
    """What was found is marked; where it is a part of a key, the masked key is."""
    front, match, back = (
        _UNREADABLE.sub("·", part) for part in (excerpt.before, excerpt.match, excerpt.after)
    )
    text, start, end = front + match + back, len(front), len(front) + len(match)
    there = _findings(text)
    if hide and match:
        there = [*there, *_apart(re.finditer(re.escape(match), text, re.IGNORECASE), there)]
        there.sort(key=lambda each: (each.start, -each.end))
    for each in there:
        if each.start < end and each.end > start:
            start, end = min(start, each.start), max(end, each.end)
    before, match = masked_between(text, 0, start, there), masked_between(text, start, end, there)
    after = masked_between(text, end, len(text), there)
    return record_html(before + match + after, [Mark(len(before), len(before) + len(match))])


def _apart(matches: Iterable[re.Match[str]], there: Sequence[Finding]) -> Iterator[Finding]:
    """Those that no finding touches already."""
    for each in matches:
        start, end = each.span()
        if not any(one.start < end and one.end > start for one in there):
            yield Finding("password", start, end)


def _findings(text: str) -> Sequence[Finding]:
    """Also keys of which the excerpt has only a part."""
    both = {*findings_in(text), *secrets_in(text, begins=False, ends=False)}
    return sorted(both, key=lambda each: (each.start, -each.end))
