"""The Readable view: text with its Markdown drawn, and nothing in it that could act.

HTML in it is text. Pictures are not loaded and links lead nowhere until asked for: both stand there with
their addresses. What comes out is cleaned once more by a library that knows HTML and not us.

Whatever a text is, all its letters are to be seen here or `hides` says so.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Any, Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from sessions.invisible import unseen_in

LONGEST: Final = 50_000  # characters; what is longer or costs too much is shown without being drawn
BRACKETS, CELLS, LINES = 2_000, 5_000, 3_000  # some Markdown takes its time
ADDRESS: Final = 300  # characters of an address that are shown
SCHEMES: Final = {"http", "https", "mailto"}

_BLOCKS: Final = {"blockquote", "hr", "li", "ol", "p", "pre", "ul"}
_TABLE: Final = {"table", "tbody", "td", "th", "thead", "tr"}
_TAGS: Final = {"a", "br", "code", "em", "s", "span", "strong"} | _BLOCKS | _TABLE
_ATTRIBUTES: Final = {"a": {"href"}, "ol": {"start"}}
_CLASSES: Final = {"span": {"link", "address", "picture", "language"}, "p": {"heading", "plain"}}
_WORD: Final = re.compile(r"[^\W_]")
_ADDRESS: Final = r"data:([\w.+-]{1,60}/[\w.+-]{1,80})((?:;[\w=.+-]{1,80}){0,4}),([\w+/=%.-]{200,})"
_DATA: Final = re.compile(
    rf"(?P<image>!\[(?P<text>[^\]\n]{{0,200}})\]\()?(?P<address>{_ADDRESS})(?(image)\)|)"
)
_DATA_ADDRESS: Final = re.compile(_ADDRESS)
_UNSOUND: Final = re.compile("[\0\ud800-\udfff]")
_EMOJI_JOIN: Final = re.compile("[\u200d\ufe0f]")


@dataclass(frozen=True)
class Picture:
    """A picture in a text. `address` as it stands there; `size`: bytes of one that is in the text itself."""

    text: str
    address: str
    media_type: str = ""
    size: int | None = None


Label = Callable[[Picture], str]


def plain_label(picture: Picture) -> str:
    """What stands for a picture unless the caller has better words."""
    size = "" if picture.size is None else f"{picture.size} B"
    return " · ".join(filter(None, (picture.text, picture.media_type, size, picture.address[:ADDRESS])))


def readable_html(text: str, *, links: bool = False, label: Label = plain_label, draw: bool = True) -> str:
    """The text as safe HTML. `links`: let http, https and mailto links lead somewhere. `label` has the words
    for a picture, as plain text. `draw=False`: without its Markdown, for a page whose time is used up.
    Never raises."""
    return _clean(_draw(_sound(text), {"links": links, "label": label}, draw))


def hides(text: str, *, draw: bool = True) -> bool:
    """Whether Exact shows something of this text that Readable, with the same `draw`, does not."""
    if _DATA.search(text) or any(_surprising(text, each) for each in unseen_in(text)):
        return True
    drawn = _draw(text, {"label": plain_label, "numbers": True}, draw)
    return _letters(text) != _letters(_visible(_clean(drawn)))


def _draw(text: str, how: dict[str, Any], draw: bool) -> str:
    text = _without_data(text, how["label"])
    if draw and not _costly(text):
        try:
            return str(_MARKDOWN.render(text, how))
        except (RecursionError, ValueError, IndexError):
            pass
    return f'<p class="plain">{_lines(text)}</p>'


def _costly(text: str) -> bool:
    if len(text) > LONGEST or text.count("[") > BRACKETS or text.count("\n") > LINES:
        return True
    # A table is filled up to as many cells as its head has.
    pipes = [line.count("|") for line in text.split("\n") if "|" in line]
    return len(pipes) * max(pipes, default=0) > CELLS


def _surprising(text: str, character: str) -> bool:
    """Joined and coloured emoji are what they look like; every other unseen character is news."""
    if not _EMOJI_JOIN.match(character):
        return True
    return any(not _after_emoji(text, found.start()) for found in re.finditer(character, text))


def _after_emoji(text: str, position: int) -> bool:
    before = text[position - 1] if position else ""
    return bool(before) and (before > "\u2190" or before in "#*0123456789") and not before.isalpha()


def _sound(text: str) -> str:
    """Without what no page can hold: NUL and halves of surrogate pairs."""
    return _UNSOUND.sub("\ufffd", text)


def _without_data(text: str, label: Label) -> str:
    """Data in an address is a wall of letters; its type and size say more."""
    return _DATA.sub(lambda found: label(_picture(found["text"] or "", found["address"])), text)


def _picture(text: str, address: str) -> Picture:
    found = _DATA_ADDRESS.match(address)
    if not found:
        return Picture(text, address)
    size = len(found[3].rstrip("=")) * 3 // 4 if "base64" in found[2] else len(found[3])
    return Picture(text, "", found[1], size)


def _clean(html: str) -> str:
    return nh3.clean(
        html,
        tags=_TAGS,
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        allowed_classes={tag: set(names) for tag, names in _CLASSES.items()},
        url_schemes=set(SCHEMES),
        link_rel="noopener noreferrer nofollow",
    )


def _lines(text: str) -> str:
    return "<br>\n".join(escape(line) for line in text.split("\n"))


def _visible(html: str) -> str:
    return unescape(nh3.clean(html, tags=set()))


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text))


class _Renderer(RendererHTML):
    """Markdown as HTML of our kind."""

    def link_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        address, title = _attributes(tokens[at], "href")
        said = tokens[at + 1].content if tokens[at].markup == "autolink" else ""
        shown = " ".join(filter(None, ("" if said == address else address[:ADDRESS], title)))
        leads = env.get("links") and address.partition(":")[0].lower() in SCHEMES
        after = f' <span class="address">{escape(shown)}</span>' if shown else ""
        env.setdefault("ends", []).append(("</a>" if leads else "</span>") + after)
        return f'<a href="{escape(address)}">' if leads else '<span class="link">'

    def link_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        return str(env["ends"].pop())

    def ordered_list_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        start = tokens[at].attrGet("start")
        env.setdefault("next", []).append(1 if start is None else int(start))
        return f'<ol start="{start}">\n' if start is not None else "<ol>\n"

    def ordered_list_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        env["next"].pop()
        return "</ol>\n"

    def list_item_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        if tokens[at].markup not in (".", ")"):
            return "<li>"
        number = env["next"][-1]
        env["next"][-1] += 1
        return f"<li>{number} " if env.get("numbers") else "<li>"

    def image(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        address, title = _attributes(tokens[at], "src")
        words = self.renderInlineAsText(tokens[at].children, options, env)
        shown = env["label"](_picture(" ".join(filter(None, (words, title))), address))
        return f'<span class="picture">{escape(shown)}</span>'

    def fence(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        language = tokens[at].info.strip()
        head = f'<span class="language">{escape(language)}</span>\n' if language else ""
        return f"{head}<pre><code>{escape(tokens[at].content)}</code></pre>\n"

    def heading_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        return '<p class="heading"><strong>'

    def heading_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
        return "</strong></p>\n"


def _attributes(token: Token, name: str) -> tuple[str, str]:
    return str(token.attrGet(name) or ""), str(token.attrGet("title") or "")


_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable(
    ["table", "strikethrough"]
)
