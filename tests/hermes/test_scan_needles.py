import html
import io
import json
import unicodedata
import urllib.parse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermesweb.hermes.scan.events import Database, End, Hit, NotChecked, Progress, decode, encode
from hermesweb.hermes.scan.needles import BadPhrase, needles_of
from hermesweb.hermes.scan.search import search

WAYS = {
    "UTF-8": lambda text: text.encode(),
    "upper case": lambda text: text.upper().encode(),
    "composed": lambda text: unicodedata.normalize("NFC", text).encode(),
    "decomposed": lambda text: unicodedata.normalize("NFD", text).encode(),
    "compatible": lambda text: unicodedata.normalize("NFKC", text).encode(),
    "compatible, decomposed": lambda text: unicodedata.normalize("NFKD", text).encode(),
    "UTF-16, little": lambda text: text.encode("utf-16-le"),
    "UTF-16, big": lambda text: text.encode("utf-16-be"),
    "JSON": lambda text: json.dumps(text).encode(),
    "JSON, large digits": lambda text: large(json.dumps(text)).encode(),
    "JSON in JSON": lambda text: json.dumps(json.dumps(text)).encode(),
    "JSON in JSON in JSON": lambda text: json.dumps(json.dumps(json.dumps(text))).encode(),
    "percent": lambda text: urllib.parse.quote(text).encode(),
    "percent, small digits": lambda text: urllib.parse.quote(text).lower().encode(),
    "form": lambda text: urllib.parse.quote_plus(text).encode(),
    "HTML": lambda text: html.escape(text, quote=False).encode(),
}
LETTERS = st.characters(categories=["Lu", "Ll", "Lo", "Nd"], max_codepoint=0xD7FF) | st.sampled_from(
    "éüñßçøłÅ😀中я"
)
PHRASES = st.lists(st.text(LETTERS, min_size=2, max_size=8), min_size=1, max_size=3).map(" ".join)


def large(text: str) -> str:
    for digit in "abcdef":
        text = text.replace(f"00{digit}", f"00{digit.upper()}")
    return text


def hows(phrase: str, content: bytes) -> list[str]:
    return [found.how for found in search(io.BytesIO(content).read, [needles_of(phrase)])]


@given(
    phrase=PHRASES,
    way=st.sampled_from(sorted(WAYS)),
    before=st.binary(max_size=40),
    after=st.binary(max_size=9),
)
def test_it_is_found_in_every_way_to_write_it(phrase: str, way: str, before: bytes, after: bytes) -> None:
    assert hows(phrase, before + b"\n" + WAYS[way](phrase) + b"\n" + after)


@settings(max_examples=40)
@given(phrase=PHRASES, way=st.sampled_from(sorted(WAYS)), others=st.lists(PHRASES, min_size=4, max_size=4))
def test_it_is_found_among_many(phrase: str, way: str, others: list[str]) -> None:
    needles = [needles_of(each) for each in [*others, phrase]]
    content = io.BytesIO(b"\n" + WAYS[way](phrase) + b"\n")
    assert 4 in {found.phrase for found in search(content.read, needles)}


@given(content=st.binary(max_size=3_000))
def test_bytes_without_it_are_no_hit(content: bytes) -> None:
    assert not hows("Grüße an zqxwvk", content.replace(b"zqx", b""))


@pytest.mark.parametrize(
    "written", ["josé garcía", "JOSÉ\n  GARCÍA", "Jose\u0301\u00a0Garci\u0301a", "ｊｏｓｅ garcia"]
)
def test_accents_case_width_and_blanks_make_no_difference(written: str) -> None:
    assert hows("Jose Garcia", written.encode())
    assert hows(written, b"Jose Garcia")


@pytest.mark.parametrize(
    ("content", "how"),
    [
        ("Grüße".encode(), "bytes"),
        ("GRÜßE".encode(), "bytes"),
        (b"grusse", "normalised"),
        ("Grüße".encode("latin-1"), "latin1"),
        ("Grüße".encode("utf-16-le"), "utf16"),
        (b"Gr\\u00FC\\u00dfe", "json_escaped"),
        (b"Gr\\\\u00fc\\\\u00dfe", "json_escaped"),
        (b"Gr%C3%BC%c3%9fe", "percent"),
    ],
)
def test_it_says_how(content: bytes, how: str) -> None:
    assert hows("Grüße", b"... " + content + b" ...") == [how]


@pytest.mark.parametrize("sign", ["\u00ad", "\u200b", "\u200d", "\u200f", "\u2066", "\ufeff"])
def test_what_nobody_sees_makes_no_difference(sign: str) -> None:
    written = f"velge{sign}guvo53"
    assert hows("velgeguvo53", written.encode())
    assert hows("velgeguvo53", json.dumps(written).encode())
    assert hows(written, b"velgeguvo53") == ["normalised"]


def test_accents_that_were_not_typed_are_found_in_every_letter_of_a_large_file() -> None:
    content = b"x" * 200_000 + "Ĵȯṣé Ǵåřçïá".encode() + b"y" * 200_000
    assert hows("jose garcia", content) == ["normalised"]


def test_quotes_slashes_and_line_ends_may_be_escaped() -> None:
    phrase = 'say "hi" in a/b'
    assert hows(phrase, json.dumps(phrase).replace("/", "\\/").encode()) == ["json_escaped"]
    assert hows("one two", rb'"one\ntwo"') == ["json_escaped"]


@settings(max_examples=40)
@given(place=st.integers(65_400, 65_700))
def test_it_is_found_once_where_two_blocks_meet(place: int) -> None:
    content = io.BytesIO(b"x" * place + b"velgeguvo53" + b"y" * 70_000)
    assert [found.offset for found in search(content.read, [needles_of("velgeguvo53")])] == [place]


def test_utf16_is_counted_once() -> None:
    assert hows("canary word", "a canary word here".encode("utf-16-le")) == ["utf16"]
    assert hows("canary word", "a canary word here".encode("utf-16-be")) == ["utf16"]


@pytest.mark.parametrize("phrase", ["", " ", "a", " é ", "?!"])
def test_a_single_letter_is_refused(phrase: str) -> None:
    with pytest.raises(BadPhrase) as refused:
        needles_of(phrase)
    assert refused.value.why == "too_short"


def test_a_phrase_that_is_a_book_is_refused() -> None:
    with pytest.raises(BadPhrase) as refused:
        needles_of("word " * 400)
    assert refused.value.why == "too_long"


@pytest.mark.parametrize(
    "line",
    [
        Hit("a!b", "t.c", "sql", 2, None, {"rowid": 3}, 1),
        NotChecked("é\n", "link"),
        Progress(1, 2, "x"),
        End(),
        Database("d"),
    ],
)
def test_a_line_comes_back_as_it_was(line: Hit) -> None:
    assert "\n" not in encode(line)
    assert decode(encode(line)) == line


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"type": "hit"}', '{"type": "other"}', '{"type": "end", "more": 1}']
)
def test_another_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json's own is one
        decode(text)
