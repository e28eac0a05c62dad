"""What a reviewer is shown: keys, passwords and personal numbers masked, wherever a page or a file has them.

The whole answer is looked at, not each place that writes one: so a new page cannot forget it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape, unescape

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from sessions.secrets import Finding, findings_in, masked, stand_in

Answer = Callable[[HttpRequest], HttpResponseBase]
TAG = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|<[^>]*>", re.DOTALL | re.IGNORECASE)
WITHIN_A_WORD = re.compile(
    r"</?(?:a|abbr|b|bdi|bdo|code|del|em|i|ins|mark|s|small|span|strong|sub|sup|u|wbr)\b", re.IGNORECASE
)
_SAYS = r'(\s(?:title|alt|placeholder|aria-label|aria-description{})=")([^"]*)(")'
SAYS_SOMETHING = re.compile(_SAYS.format(""))
# What can be filtered by stands in a home; other values are tokens of ours or what somebody typed.
VALUE_TOO = re.compile(_SAYS.format("|value"))


def mask_for_reviewers(get_response: Answer) -> Answer:
    """`request.masked` is set where a profile is shown to a reviewer; `response.unmasked` where one value was
    asked for and that was written down; `response.masks` where a file that is sent piece by piece masks itself."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not getattr(request, "masked", False) or getattr(response, "unmasked", False):
            return response
        return mask_answer(request, response)

    return middleware


def mask_answer(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if not isinstance(response, HttpResponse):
        return response if getattr(response, "masks", False) else refused(request)
    try:
        text = response.content.decode(response.charset)
    except UnicodeDecodeError:
        return refused(request)
    is_page = response.headers.get("Content-Type", "").startswith("text/html")
    response.content = masked_html(text) if is_page else masked(text)
    if response.has_header("Content-Length"):
        response.headers["Content-Length"] = str(len(response.content))
    return response


def refused(request: HttpRequest) -> HttpResponse:
    return render(request, "only_reading.html", {"file": True}, status=403)


def masked_html(html: str) -> str:
    """A page in which every finding is masked, also one that stands across several elements."""
    pieces = list(_pieces(html))
    text = "".join(shown for _tag, shown in pieces)
    findings = findings_in(text)
    return "".join(_written(pieces, text, findings))


def _pieces(html: str) -> Iterator[tuple[str, str]]:
    """Tags, with the line end they are for the eye, and texts as characters."""
    end = 0
    for tag in TAG.finditer(html):
        if tag.start() > end:
            yield "", unescape(html[end : tag.start()])
        yield _masked_tag(tag[0]), "" if WITHIN_A_WORD.match(tag[0]) else "\n"
        end = tag.end()
    if end < len(html):
        yield "", unescape(html[end:])


def _masked_tag(tag: str) -> str:
    says = VALUE_TOO if tag[:7].lower() == "<option" else SAYS_SOMETHING
    return says.sub(lambda found: found[1] + escape(masked(unescape(found[2]))) + found[3], tag)


def _written(pieces: Sequence[tuple[str, str]], text: str, findings: Sequence[Finding]) -> Iterator[str]:
    position, at = 0, 0
    for tag, shown in pieces:
        start, stop = position, position + len(shown)
        position = stop
        if tag:
            yield tag
            continue
        while start < stop:
            while at < len(findings) and findings[at].end <= start:
                at += 1
            finding = findings[at] if at < len(findings) else None
            if finding is None or finding.start >= stop:
                yield escape(text[start:stop], quote=False)
                break
            if finding.start > start:
                yield escape(text[start : finding.start], quote=False)
            if finding.start >= start:
                yield escape(stand_in(text[finding.start : finding.end], finding.kind), quote=False)
            start = min(stop, finding.end)
