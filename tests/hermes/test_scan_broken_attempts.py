"""What somebody found who tried to break the search: each was "found nowhere" once."""

from urllib.parse import quote

import pytest

from hermesweb.hermes.scan.left_over import LeftOver
from hermesweb.hermes.scan.needles import needles_of
from hermesweb.hermes.scan.search import search


def places(content: bytes, phrase: str) -> list[int]:
    given = iter([content])
    return [found.offset for found in search(lambda size: next(given, b""), [needles_of(phrase)])]


def test_a_short_file_that_grows_while_it_is_read() -> None:
    given = [b"jose garcia\n", b"", b"y" * 1000]
    found = search(lambda size: given.pop(0) if given else b"", [needles_of("jose garcia")])
    assert [each.offset for each in found] == [0]


@pytest.mark.parametrize(
    ("phrase", "written"),
    [
        ("ガギグ", quote("カ\u3099キ\u3099ク\u3099")),
        ("لآد", r"\u0644\u0627\u0653\u062f"),
        ("ﾀﾞｲｽｹ", "ﾀﾞｲｽｹ"),
        ("שלום", "שָׁלוֹם"),
    ],
)
def test_marks_in_every_way_of_writing_them(phrase: str, written: str) -> None:
    assert places(f"-> {written} <-".encode(), phrase) == [3]


def test_a_word_longer_than_the_ends_of_words_can_be() -> None:
    assert not LeftOver([needles_of("ab" * 200)]).may_have(b"x")
    assert places(b"-> " + b"ab" * 200, "ab" * 200) == [3]


@pytest.mark.parametrize("phrase", ["㈱田中", "㎏ab", "Heinrich Ⅷ", "ﷲ", "ﭘﺪر", "㋿元年"])
def test_letters_that_stand_for_others_as_they_were_typed(phrase: str) -> None:
    assert places(f"-> {phrase} <-".encode(), phrase) == [3]
    assert places(b"->" + f" {phrase} <-".encode("utf-16-le"), phrase)[:1] == [4]
