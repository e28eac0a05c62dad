"""Where the words of a search stand in what a page shows: in a text, and in the HTML that was drawn of one.

A hit of a search can have its words in different parts of a message, so each word is marked wherever it is.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from typing import Final

from sessions.query_text import Alternative
from sessions.search_marks import Range, merged, places

MOST: Final = 200  # marks in one text
_TAG: Final = re.compile(r"<[^>]*>")
_APART: Final = re.compile(r"</?(?:p|li|ul|ol|br|hr|pre|table|thead|tbody|tr|td|th|blockquote)\b")


def ranges_in(alternatives: Sequence[Alternative], text: str) -> tuple[Range, ...]:
    """Begin and end in code points of every word that is looked for."""
    terms = {term for alternative in alternatives for term in alternative.all}
    return merged(place for term in terms for place in places(term, text, MOST))[:MOST]


def marked_html(html: str, alternatives: Sequence[Alternative]) -> str:
    """Cleaned HTML with the words in its text marked, also across elements such as <strong>.

    No attribute value in it may have a ">" (nh3 writes them so).
    """
    if not alternatives:
        return html
    pieces = list(_pieces(html))
    text = "".join(shown for _, shown in pieces)
    ranges = ranges_in(alternatives, text)
    if not ranges:
        return html
    return "".join(_written(pieces, ranges))


def _pieces(html: str) -> Iterator[tuple[str, str]]:
    """Tags, with the blank or line end they are for the eye, and texts as characters."""
    end = 0
    for tag in _TAG.finditer(html):
        if tag.start() > end:
            yield "", unescape(html[end : tag.start()])
        yield tag[0], "\n" if _APART.match(tag[0]) else ""
        end = tag.end()
    if end < len(html):
        yield "", unescape(html[end:])


def _written(pieces: Sequence[tuple[str, str]], ranges: Sequence[Range]) -> Iterator[str]:
    position, at = 0, 0
    for tag, shown in pieces:
        if tag:
            position += len(shown)
            yield tag
            continue
        start, stop = position, position + len(shown)
        while position < stop:
            while at < len(ranges) and ranges[at][1] <= position:
                at += 1
            begin, end = ranges[at] if at < len(ranges) else (stop, stop)
            if begin > position:
                edge = min(begin, stop)
                yield escape(shown[position - start : edge - start])
            else:
                edge = min(end, stop)
                yield f"<mark>{escape(shown[position - start : edge - start])}</mark>"
            position = edge
