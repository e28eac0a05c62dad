"""With RE2 and without it the same is found, in bytes that were made to be hard to search."""

import io
import platform
import sqlite3
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermesweb.hermes.scan import linear
from hermesweb.hermes.scan.events import Hit
from hermesweb.hermes.scan.finders import Finder, Piecewise, Whole, finder_of
from hermesweb.hermes.scan.folding import letters_like, spellings
from hermesweb.hermes.scan.needles import Needles, needles_of
from hermesweb.hermes.scan.patterns import (
    beginning_of,
    every_mark,
    utf8_pattern,
    utf16_big,
    utf16_little,
    utf16_pattern,
)  # fmt: skip
from hermesweb.hermes.scan.search import search
from hermesweb.hermes.scan.sought import Wholes
from hermesweb.hermes.scan.sql_scan import scan_database
from hermesweb.hermes.scan.sql_sieve import Sieves
from tests.hermes.test_scan_gates import NOISE, PHRASES, odd_text
from tests.home_builders import recorded_home
from tests.scan_builders import look_at, without_re2

HARD = (*PHRASES, "straße", "ﬁſh", "Иванов", "田中さん", "c#9", "aa", "office official", "ŀŀ", "١٢٣")
NEEDLES = {phrase: needles_of(phrase) for phrase in HARD}
WIDE = ("utf-16-le", "utf-16-be")


@st.composite
def hard_bytes(draw: st.DrawFn, phrases: Sequence[str]) -> bytes:
    """Some of the phrases, spelled in odd ways, in several encodings, cut and run together."""
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        phrase = draw(st.sampled_from(phrases))
        if draw(st.integers(0, 3)):
            parts.append(draw(odd_text(phrase)))
        else:
            text = phrase.upper() if draw(st.booleans()) else phrase
            parts.append(text.encode(draw(st.sampled_from(WIDE)))[draw(st.integers(0, 1)) :])
        parts.append(draw(NOISE))
    return b"".join(parts)


def is_one(needles: Needles, written: bytes) -> bool:
    """By the whole expressions, as Python reads them."""
    ways = (
        utf8_pattern(needles.folded),
        *(utf16_pattern(needles.folded, each) for each in (utf16_little, utf16_big)),
    )
    return any(linear.linear(way).fullmatch(written.lower()) for way in ways)


def test_it_is_there_where_it_is_made_for() -> None:
    assert platform.machine() in ("x86_64", "aarch64", "arm64")
    assert isinstance(finder_of((NEEDLES["garcia"],)), Whole)
    with without_re2():
        assert isinstance(finder_of((NEEDLES["garcia"],)), Piecewise)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), phrase=st.sampled_from(HARD))
def test_nothing_is_passed_over_and_nothing_invented(data: st.DataObject, phrase: str) -> None:
    content = data.draw(hard_bytes([phrase]))
    whole = [match for _, match in Whole([NEEDLES[phrase]]).matches(content)]
    for match in NEEDLES[phrase].find(content):
        assert any(one.start < match.end and match.start < one.end for one in whole), match
    for match in whole:
        assert is_one(NEEDLES[phrase], content[match.start : match.end]), match


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_many_phrases_are_found_as_each_alone(data: st.DataObject) -> None:
    content = data.draw(hard_bytes(HARD))
    together = Whole([*NEEDLES.values()])
    found = {number for number, _ in together.matches(content)}
    assert found == together.phrases_in(content)
    assert found == {
        number for number, each in enumerate(NEEDLES.values()) if Whole([each]).phrases_in(content)
    }


@settings(max_examples=30, deadline=None)
@given(data=st.data(), phrase=st.sampled_from(HARD))
def test_a_file_in_parts_has_what_it_has_in_one(data: st.DataObject, phrase: str) -> None:
    step = Whole.step
    before = b"x" * (step + data.draw(st.integers(-40, 40)))
    content = before + data.draw(hard_bytes([phrase])) + b"y" * step + data.draw(hard_bytes([phrase]))
    found = [found.offset for found in search(io.BytesIO(content).read, [NEEDLES[phrase]])]
    whole = [match.start for _, match in Whole([NEEDLES[phrase]]).matches(content)]
    assert bool(found) == bool(whole)
    assert set(found) <= set(whole)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_same_values_of_a_column_hold_them(data: st.DataObject) -> None:
    phrases = data.draw(st.lists(st.sampled_from(PHRASES), min_size=1, max_size=3, unique=True))
    values = data.draw(st.lists(hard_bytes(phrases) | NOISE, min_size=1, max_size=6))
    needles = [NEEDLES[phrase] for phrase in phrases]
    numbers = range(len(needles))
    sieved = {where[:2] for where in Sieves(needles).in_each(values, numbers)}
    found = {where[:2] for where in Wholes(needles).in_each(values, numbers)}
    assert sieved <= found
    assert {number for _, number in found} <= Wholes(needles).anywhere(b"\x1f".join(values))
    for row, number in found - sieved:  # UTF-16, which the sieves only see where there is more of it
        assert Whole([needles[number]]).phrases_in(values[row])


@pytest.mark.parametrize("phrase", [*HARD, "a few words of a rather long phrase"])
@pytest.mark.parametrize("letters", [1, 3, 8, 24])
def test_what_has_the_phrase_has_its_beginning(phrase: str, letters: int) -> None:
    folded = needles_of(phrase).folded
    begun = beginning_of(folded, letters)
    assert begun
    assert begun == begun.strip()
    assert folded.startswith(begun)
    assert (begun == folded) if len(folded) <= letters else len(begun) <= letters + 8


@pytest.mark.parametrize("letters", range(1, 9))
def test_a_beginning_is_not_cut_through_what_one_letter_can_stand_for(letters: int) -> None:
    for several in (each for each in letters_like() if len(each) > 1 and " " not in each):
        word = f"{'q' * (letters - 1)}{several}zzz"
        begun = linear.linear(utf8_pattern(beginning_of(word, letters)))
        for way in letters_like()[several]:
            assert begun.search(word.replace(several, way).encode().lower()), (word, way)


@pytest.mark.parametrize("phrase", ["velgeguvo53", "an", "иванов"])
@pytest.mark.parametrize("encoding", ["utf-8", *WIDE])
def test_every_letter_may_be_written_otherwise(phrase: str, encoding: str) -> None:
    finder = Whole([NEEDLES.get(phrase) or needles_of(phrase)])
    for place, letter in enumerate(phrase):
        for way in (*spellings(letter), *(letter + mark for mark in every_mark() if place < len(phrase) - 1)):
            content = b"x!" + (phrase[:place] + way + phrase[place + 1 :]).encode(encoding) + b"!x"
            assert [*finder.matches(content)], way


@pytest.mark.parametrize("way", [nullcontext, without_re2])
def test_a_phrase_too_long_for_one_expression_is_found(way: type[nullcontext[None]]) -> None:
    phrase = "wörter über wörter " * 50
    content = b"\0" * 70_000 + phrase.upper().encode() + b"\0" * 70_000
    with way():
        assert len([*search(io.BytesIO(content).read, [needles_of(phrase)])]) == 1


def test_forty_phrases_are_looked_for_at_once() -> None:
    phrases = [f"phrase number {number} of some" for number in range(40)]
    finder: Finder = Whole([needles_of(phrase) for phrase in phrases])
    content = b"x" * 50_000 + "PHRASE NUMBER 37 ÖF SOME".encode() + b"x" * 50_000
    assert {number for number, _ in finder.matches(content)} == {37}


def test_a_home_has_the_same_places(tmp_path: Path) -> None:
    home = recorded_home("0.22", tmp_path)
    words = [canary["word"] for canary in home.manifest["canaries"]][::4]
    fast = look_at(home.root, *words)
    with without_re2():
        slow = look_at(home.root, *words)
    assert len(fast.hits) > 20
    assert sorted(map(repr, fast.hits)) == sorted(map(repr, slow.hits))
    assert fast.missed == slow.missed


def test_a_database_has_the_same_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b BLOB, c INTEGER, session_id TEXT)"
        )
        rows = [
            (f"row {number} Jośe\x1fGarcía", "JOSE garcia".encode("utf-16-le"), number, f"s{number % 3}")
            if number % 7 == 0
            else (f"row {number} jose gar\x1fcia", None, number, "s")
            for number in range(3_000)
        ]
        connection.executemany("INSERT INTO t(a, b, c, session_id) VALUES(?, ?, ?, ?)", rows)
        connection.execute("UPDATE t SET a = 'jose garcia' WHERE id = 1234")

    def found() -> list[Hit]:
        events = scan_database(path, ["José García", "1999"])
        return [event for event in events if isinstance(event, Hit)]

    fast = found()
    with without_re2():
        slow = found()
    assert sorted((hit.where, hit.phrase, hit.count) for hit in fast) == [
        ("t.a", 0, 1), ("t.a", 1, 1), ("t.b", 0, 429), ("t.c", 1, 1),
    ]  # fmt: skip
    assert fast == slow
