"""Texts as the reading page draws them, and words marked in them."""

import re
import sys
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from hermesweb.record import PLAIN, unseen
from sessions.query_text import parse
from sessions.readable import hides, readable_html
from sessions.reading_marks import marked_html
from sessions.reading_text import calm

MARKDOWN = st.text(st.sampled_from("ab 1.)-\n\t*_`#>|[](!)&;<~\\x\u200b\u00e9\u660e\uff0c="), max_size=80)
WORDS = ["restic", '"backup tool"', "b", "naive", "a OR b", "大别", "%", "x*"]


def test_what_is_taken_as_plain_is_seen() -> None:
    plain = [chr(code) for code in range(sys.maxunicode + 1) if PLAIN.fullmatch(chr(code))]
    assert not [character for character in plain if unseen(character)]


@given(MARKDOWN)
def test_what_is_calm_hides_nothing(text: str) -> None:
    assert not (calm(text) and hides(text))


@given(MARKDOWN, st.sampled_from(WORDS))
def test_marking_changes_no_character(text: str, words: str) -> None:
    html = readable_html(text)
    marked = marked_html(html, parse(words).alternatives)
    assert unescape(re.sub("</?mark>", "", marked)) == unescape(html)
    assert marked.count("<mark>") == marked.count("</mark>")


def test_words_are_marked_across_elements() -> None:
    html = readable_html("the back**up** tool & a<b>")
    marked = marked_html(html, parse('"backup tool" b').alternatives)
    assert marked.count("<mark>") == 4
    assert "<mark>back</mark><strong><mark>up</mark></strong><mark> tool</mark>" in marked
    assert "&lt;<mark>b</mark>&gt;" in marked
