"""Markdown for reading: nothing in it acts, loads or leads anywhere, and what it hides is told."""

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sessions.readable import LONGEST, Picture, hides, readable_html

TAGS = {"blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "s", "span", "strong", "ul"}
TABLE = {"table", "tbody", "td", "th", "thead", "tr"}


class Seen(HTMLParser):
    """The tags with their attributes, and the text, as a browser has them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_safe(html: str, links: bool = False) -> None:
    for tag, attributes in Seen(html).tags:
        assert tag in TAGS | TABLE | ({"a"} if links else set())
        assert set(attributes) <= {"class", "start", "href", "rel"}
        address = attributes.get("href") or "https:"
        assert links or "href" not in attributes
        assert address.lower().startswith(("http:", "https:", "mailto:"))


def test_it_works() -> None:
    html = readable_html("# Title\n\nSome *words* and `code`.\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|\n")
    assert '<p class="heading"><strong>Title</strong></p>' in html
    assert "<em>words</em> and <code>code</code>" in html
    assert "<li>one</li>" in html
    assert "<td>1</td>" in html


def test_links_lead_nowhere_until_asked() -> None:
    text = '[here](https://example.org/a?b=1&c "title") and <mailto:a@example.org>'
    html = readable_html(text)
    assert_safe(html)
    assert Seen(html).text.strip() == "here https://example.org/a?b=1&c title and mailto:a@example.org"
    asked = readable_html(text, links=True)
    assert_safe(asked, links=True)
    found = [attributes for tag, attributes in Seen(asked).tags if tag == "a"]
    assert found[0] == {"href": "https://example.org/a?b=1&c", "rel": "noopener noreferrer nofollow"}
    assert Seen(asked).text == Seen(html).text


@pytest.mark.parametrize("address", ["ftp://a.example/b", "/local", "//a.example", "#here", "tel:123"])
def test_other_addresses_never_lead_anywhere(address: str) -> None:
    html = readable_html(f"[x]({address})", links=True)
    assert_safe(html)
    assert address in Seen(html).text


def test_pictures_are_words() -> None:
    html = readable_html('![a cat](https://example.org/cat.png "mine")')
    assert_safe(html)
    assert Seen(html).text.strip() == "a cat mine · https://example.org/cat.png"


@pytest.mark.parametrize("text", ["![cat]({})", "see {} there", '{{"url": "{}"}}'])
def test_data_is_measured_and_not_shown(text: str) -> None:
    found: list[Picture] = []

    def label(picture: Picture) -> str:
        found.append(picture)
        return "a picture"

    html = readable_html(text.format("data:image/png;base64," + "A" * 4000), label=label)
    assert "AAAA" not in html
    assert "a picture" in html
    assert (found[0].media_type, found[0].size) == ("image/png", 3000)


def test_code_stays_as_it_is() -> None:
    html = readable_html("```python\nif a < b & c:\n    print('<script>')\n```")
    assert Seen(html).text == "python\nif a < b & c:\n    print('<script>')\n\n"
    assert "<pre><code>" in html


BAIT = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&#58;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](javascript:alert(1))",
    "<svg/onload=alert(1)>",
    '[x](https://a.example/" onclick="alert(1))',
    "[x]: javascript:alert(1)\n\n[x]",
    "```<script>\nx\n```",
    "`<b onmouseover=alert(1)>`",
    "|<script>|\n|-|\n|<img src=x>|",
    "<!-- --><iframe src=//a.example>",
    "<https://a.example/<script>>",
    "<style>*{display:none}</style>",
    "<a href=https://a.example style=position:fixed>x</a>",
    "&lt;script&gt;",
    "![a<b](https://a.example/<c> 'd\"e')",
]


@pytest.mark.parametrize("text", BAIT)
@pytest.mark.parametrize("links", [False, True])
def test_bait(text: str, links: bool) -> None:
    for around in ("{}", "> {}", "- {}", "# {}", "**{}**", "[{}](https://a.example)"):
        assert_safe(readable_html(around.format(text), links=links), links=links)


PIECES = st.sampled_from(
    [*BAIT, "<", ">", "[", "](", ")", "!", "`", "\n", "\n\n", "|", "&", '"', "*", "  ", "-", "\0"]
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join), st.booleans())
@example("\ud800<script>", True)
def test_nothing_gets_through(text: str, links: bool) -> None:
    html = readable_html(text, links=links)
    assert_safe(html, links=links)
    assert html.isprintable() or html.encode()
    hides(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "# Title\n\n*a* **b** _c_ ~~d~~ `e_f` snake_case",
        "1. one\n2. two\n\n5) five\n6) six",
        "[x](https://example.org/a)",
        "<https://example.org>",
        "![alt](https://example.org/x.png)",
        "```python\nx = 1\n```",
        "<b>bold</b> <!-- a comment -->",
        "👨‍👩‍👧 ❤️ 1️⃣",
        "日本語とemoji 🍵",
        "|a|b|\n|:-|-:|\n|1|2|",
        "a\\*b",
        "---\ntitle: x\n---\nhi",
        "",
    ],
)
def test_what_hides_nothing(text: str) -> None:
    assert not hides(text)


@pytest.mark.parametrize(
    "text",
    [
        "pass\u200bword",
        "a\u202eb",
        "a\0b",
        "a\rb",
        "a\u00a0b",
        "\ud800",
        "x\u200d",
        "a\ufe0f",
        "[r]: https://example.org 'a secret'\n\ntext",
        "[text][r]\n\n[r]: https://example.org",
        "&#112;assword",
        "1. one\n1. two",
        "|a|\n|-|\n|b|c|",
        "[x](https://example.org/" + "a" * 400 + ")",
        "data:image/png;base64," + "A" * 400,
    ],
)
def test_what_hides_something(text: str) -> None:
    assert hides(text)


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_no_letter_is_lost_in_silence(text: str) -> None:
    seen = Seen(readable_html(text)).text
    lost = [each for each in set(text) if each.isalpha() and each.isascii() and each not in seen]
    assert not lost or hides(text)


def test_without_drawing() -> None:
    html = readable_html("# a *b* [c](https://d.example)\n<i>", draw=False)
    assert_safe(html)
    assert Seen(html).text == "# a *b* [c](https://d.example)\n<i>"
    assert hides("1. a\n1. b")
    assert not hides("1. a\n1. b", draw=False)


@pytest.mark.parametrize(
    "text",
    [
        "[" * LONGEST,
        "![" * 25_000,
        "|a" * 500 + "\n" + "|-" * 500 + "\n" + "|\n" * 2000,
        "word\n" * (LONGEST // 4),
        ">" * LONGEST,
        "- " * 10_000,
    ],
)
def test_what_would_take_long_is_shown_as_it_is(text: str) -> None:
    html = readable_html(text)
    assert_safe(html)
    assert len(html) < 12 * len(text) + 1000
    hides(text)
