"""Where words stand in a text: in code points of the text as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sessions.query_text import parse
from sessions.search_marks import marks, merged
from sessions.search_texts import fragments


def marked(words: str, text: str) -> list[str] | None:
    found = marks(parse(words).alternatives, text)
    return None if found is None else [text[begin:end] for begin, end in found]


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("fix", "Fix it, FIX it, prefix", ["Fix", "FIX"]),
        ("fix", "prefix fixed", None),
        ("fix*", "prefix fixed", ["fix"]),
        ("cafe", "Un CAFÉ noir", ["CAFÉ"]),
        ("école", "e\u0301cole", ["e\u0301cole"]),
        ("morning report", "report of the morning", ["report", "morning"]),
        ('"morning report"', "Morning\n  report. report morning", ["Morning\n  report"]),
        ("C++", "C and C++ and ABC++", ["C++"]),
        ("50%", "50 or 50% or 150%", ["50%"]),
        ("it's", "its it's", ["it's"]),
        ("大别", "明天讨论大别山项目", ["大别"]),
        ("項目 OR project", "the project", ["project"]),
        ("fix -bug", "fix the bug", None),
        ("👩🏽‍🚀", "done 👩🏽‍🚀 ✅", ["👩🏽‍🚀"]),
        ("<b>", "see <b>this</b>", ["<b>"]),
        ("ｆｕｌｌ", "a ＦＵＬＬ width", ["ＦＵＬＬ"]),
        ("strasse", "Straße", None),
        ("a.b", "a+b a.b", ["a.b"]),
    ],
)
def test_places(words: str, text: str, found: list[str] | None) -> None:
    assert marked(words, text) == found


def test_overlapping_marks_are_one() -> None:
    assert merged([(3, 5), (1, 4), (7, 8), (8, 9)]) == ((1, 5), (7, 8), (8, 9))


def test_a_fragment_is_a_piece_around_the_words() -> None:
    text = "x " * 300 + "needle" + " y" * 300
    (piece,) = fragments(text, marks(parse("needle").alternatives, text) or ())
    ((begin, end),) = piece.marks
    assert piece.text[begin:end] == "needle"
    assert (piece.begins, piece.ends) == (False, False)
    assert len(piece.text) < 200


@given(some.text(), some.text())
def test_marks_are_inside_the_text(words: str, text: str) -> None:
    for begin, end in marks(parse(words).alternatives, text) or ():
        assert 0 <= begin < end <= len(text)


@given(some.text(min_size=1), some.text(), some.text())
def test_fragments_say_the_same_as_the_text(needle: str, before: str, after: str) -> None:
    text = before + " " + needle + " " + after
    places = marks(parse(needle).alternatives, text) or ()
    for piece in fragments(text, places):
        assert piece.text in text
        for begin, end in piece.marks:
            assert 0 <= begin < end <= len(piece.text)
