"""The quick look for odd spellings against the whole expressions."""

import json
import re
import urllib.parse
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermesweb.hermes.scan.blocks import Block
from hermesweb.hermes.scan.folding import fold, spellings
from hermesweb.hermes.scan.needles import gate_for, needles_of
from hermesweb.hermes.scan.patterns import every_mark, utf8_pattern

PHRASES = (
    "velgeguvo53",
    "garcia",
    "grusse",
    "ab",
    "office assistant",
    "jose garcia",
    "kg wasser",
    "naïve æther",
)
NEEDLES = {phrase: needles_of(phrase) for phrase in PHRASES}
NOISE = st.binary(max_size=6) | st.sampled_from(
    [
        b"",
        b" ",
        b"\n",
        b"%",
        b"%4",
        b"\\",
        b"\\u",
        b"\\n",
        b"\xc3",
        b"\xc3\xa9",
        b"\xcc\x81",
        b"\xff\xff",
        b"\xe1x",
    ]
)
WRITTEN: dict[str, Callable[[str], bytes]] = {
    "as it is": lambda letter: letter.encode(),
    "JSON": lambda letter: json.dumps(letter)[1:-1].encode(),
    "JSON, ASCII too": lambda letter: b"".join(b"\\u%04X" % ord(each) for each in letter),
    "JSON in JSON": lambda letter: json.dumps(json.dumps(letter)[1:-1])[1:-1].encode(),
    "percent": lambda letter: "".join(f"%{byte:02X}" for byte in letter.encode()).encode(),
    "form": lambda letter: urllib.parse.quote_plus(letter).encode(),
}


@st.composite
def odd_text(draw: st.DrawFn, phrase: str) -> bytes:
    """The phrase with some letters written in another way, sometimes with one left out, with noise around."""
    parts = [draw(NOISE) + b" "]  # half an escape before a letter could be read in two ways
    for letter in phrase:
        ways = [letter, letter.upper(), *(spellings(fold(letter)) if letter != " " else ())]
        written = draw(st.sampled_from(ways)) if draw(st.booleans()) else letter
        if draw(st.integers(0, 9)) == 0:
            written += draw(st.sampled_from(every_mark()))
        way = draw(st.sampled_from(sorted(WRITTEN))) if draw(st.booleans()) else "as it is"
        parts.append(WRITTEN[way](written))
    if draw(st.integers(0, 3)) == 0:
        del parts[draw(st.integers(0, len(parts) - 1))]
    return b"".join([*parts, draw(NOISE)])


def found_by_expression(phrase: str, content: bytes) -> bool:
    return expression(phrase).search(content.lower()) is not None


@cache
def expression(phrase: str) -> re.Pattern[bytes]:
    return re.compile(utf8_pattern(needles_of(phrase).folded), re.DOTALL)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), phrase=st.sampled_from(PHRASES))
def test_nothing_the_whole_expression_finds_is_passed_over(data: st.DataObject, phrase: str) -> None:
    content = data.draw(odd_text(phrase))
    found = any(match.how != "utf16" for match in NEEDLES[phrase].find(content))
    assert found == found_by_expression(phrase, content)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), phrase=st.sampled_from(PHRASES))
def test_a_gate_for_many_lets_through_what_one_for_each_does(data: st.DataObject, phrase: str) -> None:
    content = data.draw(odd_text(phrase))
    block = Block(content, gate_for(NEEDLES.values()), many=True)
    for each in NEEDLES.values():
        assert [match.start for match in each.find(block)] == [match.start for match in each.find(content)]


@pytest.mark.parametrize("phrase", ["velgeguvo53", "ab"])
def test_every_single_letter_may_be_written_otherwise(phrase: str) -> None:
    for place, letter in enumerate(phrase):
        for way in spellings(letter):
            content = b"\0" + (phrase[:place] + way + phrase[place + 1 :]).encode() + b"\0"
            assert any(NEEDLES[phrase].find(content)), way
