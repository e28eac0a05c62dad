"""Stored text on a page: whatever it is, it is shown whole, and as text."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermesweb.record import Mark, name_of, record_html, shown, unseen

# Any code point, lone surrogates and NUL too, with many of those that hide, reorder or break out.
SPECIAL = "\0\r\n\t \ud800\udfff\u200b\u200d\u202e\u2066\ufeff\ufe0f\u00ad\u00a0<>&\"'`{}%=/\\;\u2028\U000e0041é中👩"
TEXT = st.text(st.one_of(st.sampled_from(SPECIAL), st.characters(exclude_categories=[])), max_size=60)
MARKS = st.lists(
    st.builds(
        lambda start, length, note: Mark(start, start + length, note),
        st.integers(0, 70),
        st.integers(0, 70),
        st.sampled_from(["a", "b", "aa", '"><script>']),
    ),
    max_size=6,
)
NO_PLACE_IN_A_PAGE = {"\0", "\r", *map(chr, range(0xD800, 0xE000))}
ALLOWED = {("span", "unseen", "data-name"), ("mark", "rule", "data-note"), ("mark", "rule", None)}


class Reader(HTMLParser):
    """Reads the text back, and notes every element."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.elements, self.marked = "", set(), []
        self.depth = 0
        self.names: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        own = [name for name in values if name != "class"]
        assert len(own) <= 1
        self.elements.add((tag, values.get("class"), own[0] if own else None))
        self.names += [values["data-name"] or ""] if "data-name" in values else []
        self.depth += tag == "mark"

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "mark"

    def handle_data(self, data: str) -> None:
        self.text += data
        self.marked += [self.depth > 0] * len(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError("a declaration")

    def handle_pi(self, data: str) -> None:
        raise AssertionError("an instruction")


def in_a_page(text: str) -> str:
    return "".join(character for character in text if character not in NO_PLACE_IN_A_PAGE)


@given(TEXT, MARKS)
def test_the_text_is_whole_and_only_our_own_elements_are_in_it(text: str, marks: list[Mark]) -> None:
    html = record_html(text, marks)
    html.encode("utf-8")
    reader = Reader(html)
    assert reader.text == in_a_page(text)
    assert reader.elements <= ALLOWED


@given(TEXT, MARKS)
def test_marks_change_nothing_but_what_is_marked(text: str, marks: list[Mark]) -> None:
    reader = Reader(record_html(text, marks))
    inside = [any(mark.start <= place < mark.end for mark in marks) for place in range(len(text))]
    assert reader.text == Reader(record_html(text)).text
    assert reader.marked == [
        one for one, character in zip(inside, text, strict=True) if character not in NO_PLACE_IN_A_PAGE
    ]


@given(TEXT)
def test_what_cannot_be_seen_is_named(text: str) -> None:
    names = [name_of(c) for before, c in zip(" " + text, text, strict=False) if unseen(c, before)]
    assert [name for name in names if name != "U+FE0F"] == [
        name for name in Reader(record_html(text)).names if name != "U+FE0F"
    ]


@given(TEXT)
def test_a_heading_is_one_line_without_hidden_characters(text: str) -> None:
    line = shown(text)
    line.encode("utf-8")
    assert "\n" not in line
    assert not [c for before, c in zip(" " + line, line, strict=False) if unseen(c, before) and c != "\xa0"]


@pytest.mark.parametrize(
    "character", ["\0", "\r", "\x1b", "\x7f", "\x85", "\xa0", "\xad", "\u061c", "\u115f", "\u200b", "\u200e"]
)
def test_hidden_characters_have_their_name(character: str) -> None:
    assert f'data-name="{name_of(character)}"' in record_html(f"a{character}b")


@pytest.mark.parametrize(
    "character",
    ["\u2028", "\u202e", "\u2066", "\u2800", "\u3164", "\ufeff", "\ue000", "\U000e0041", "\ud800"],
)
def test_more_hidden_characters_have_their_name(character: str) -> None:
    assert f'data-name="{name_of(character)}"' in record_html(f"a{character}b")


@pytest.mark.parametrize("text", ["plain", "Größe", "日本語", "🙂", "❤️", "a\tb\nc", "1️⃣"[:2]])
def test_what_can_be_seen_is_not_named(text: str) -> None:
    assert "unseen" not in record_html(text)


def test_markup_in_the_text_stays_text() -> None:
    text = "<script>alert(1)</script><img src=x onerror=alert(1)>&lt;{{ 7*7 }}"
    html = record_html(text, [Mark(3, 12, "a")])
    assert "<script" not in html
    assert "<img" not in html
    assert Reader(html).text == text


def test_each_letter_stands_once_where_its_mark_ends() -> None:
    html = record_html("abcdef", [Mark(0, 4, "a"), Mark(2, 6, "b")])
    assert html == (
        '<mark class="rule">ab</mark><mark class="rule" data-note="a">cd</mark>'
        '<mark class="rule" data-note="b">ef</mark>'
    )
