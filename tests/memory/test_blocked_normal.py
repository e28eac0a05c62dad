"""The text as the rules see it is NFKC, exactly, and leads back to where it came from."""

import sys
from unicodedata import decomposition, normalize

from hypothesis import given
from hypothesis import strategies as st

from memory.threats.normal import MANY, begins_cluster, fold, normal

EVERY_CHARACTER = [chr(code) for code in range(sys.maxunicode + 1)]
# Marks of several classes, Hangul, half-width and full-width forms, vowel signs that join, a long expansion.
AWKWARD = (
    "aE\u0301\u0316\u0345\u0327\u05b4"
    "\u1100\u1161\u11a8\uac00\uff76\uff9e\uff41\u09c7\u09be\ufb2c\u0344\ufdfa\u00c5"
)
TEXTS = st.text(st.sampled_from(AWKWARD) | st.characters(), max_size=60)


@given(TEXTS)
def test_it_is_nfkc(raw):
    assert normal(raw).text == normalize("NFKC", raw)


@given(st.text(st.sampled_from(AWKWARD), min_size=MANY, max_size=200))
def test_it_is_nfkc_with_many_marks(raw):
    assert normal(raw).text == normalize("NFKC", raw)


def test_it_is_nfkc_with_marks_out_of_order():
    raw = "e" + "\u0301" * 500 + "\u0316" * 500 + "\u0344" * 500 + " x"
    assert normal(raw).text == normalize("NFKC", raw)


def test_no_character_that_joins_with_the_one_before_it_begins_a_cluster():
    pairs = [decomposition(character).split() for character in EVERY_CHARACTER]
    seconds = {chr(int(pair[1], 16)) for pair in pairs if len(pair) == 2 and not pair[0].startswith("<")}
    vowels_and_tails = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    assert [second for second in seconds | vowels_and_tails if begins_cluster(second)] == []


def test_small_letters_keep_every_length_and_kind():
    for character in EVERY_CHARACTER:
        small = fold(character)
        assert len(small) == 1
        assert (small.isalnum(), small.isspace()) == (character.isalnum(), character.isspace())


@given(TEXTS, st.data())
def test_the_way_back(raw, data):
    prepared = normal(raw)
    if not prepared.text:
        return
    start = data.draw(st.integers(0, len(prepared.text) - 1))
    end = data.draw(st.integers(start + 1, len(prepared.text)))
    raw_start, raw_end = prepared.raw_place(start, end)
    assert 0 <= raw_start < raw_end <= len(raw)
    assert prepared.text[start:end] in normalize("NFKC", raw[raw_start:raw_end])


@given(TEXTS)
def test_the_whole_leads_back_to_the_whole(raw):
    prepared = normal(raw)
    if prepared.text:
        assert prepared.raw_place(0, len(prepared.text)) == (0, len(raw))
