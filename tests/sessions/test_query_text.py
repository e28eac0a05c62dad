"""How the words of a search are taken: never an error, always explained. Case C11."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sessions.query_text import LONGEST, MOST_TERMS, Query, Term, parse

OPERATORS = ["AND", "OR", "NOT", "-", '"', "*", "(", "NEAR", "a", "water", "大别", " ", "\t", "\0", ".", "--"]


def codes(words: str) -> list[str]:
    return [note.code for note in parse(words).explanation]


def taken(words: str) -> list[tuple[list[str], list[str]]]:
    """The texts that are wanted and not wanted, by alternative."""
    return [
        ([term.text for term in each.all], [term.text for term in each.none])
        for each in parse(words).alternatives
    ]


def only(words: str) -> Term:
    (alternative,) = parse(words).alternatives
    (term,) = alternative.all
    return term


def test_words_are_all_wanted() -> None:
    assert taken("garden  water") == [(["garden", "water"], [])]
    assert codes("garden water") == ["word", "word"]


def test_a_phrase_stays_together() -> None:
    assert only('"garden water"') == Term("garden water", "phrase")
    assert only("“garden water”") == Term("garden water", "phrase")
    assert only('"garden wat"*') == Term("garden wat", "prefix")


def test_or_separates_alternatives() -> None:
    assert taken("a b OR c") == [(["a", "b"], []), (["c"], [])]
    assert codes("a OR c") == ["word", "or", "word"]


@pytest.mark.parametrize(
    "words", ["garden -water", "garden NOT water", "-water garden", "garden AND NOT water"]
)
def test_a_minus_or_not_excludes(words: str) -> None:
    assert taken(words) == [(["garden"], ["water"])]
    assert "without" in codes(words)


def test_a_star_wants_a_beginning() -> None:
    assert only("gard*") == Term("gard", "prefix")
    assert codes("gard*") == ["prefix"]


@pytest.mark.parametrize(
    "word",
    ["it's", "gateway/run.py", "user@host", "a,b", "50%", "#123", "e=mc2", "[x]", "C++", "my-app.conf"],
)
def test_punctuation_inside_a_word_counts(word: str) -> None:
    assert_exact(word)


@pytest.mark.parametrize(
    "word", ["C:\\dir", "--force", ".env", "sure_thing", "<script>", "👩🏽‍🚀", "(", "*", "..."]
)
def test_words_of_nothing_but_punctuation_are_words(word: str) -> None:
    assert_exact(word)


def assert_exact(word: str) -> None:
    term = only(word)
    assert (term.text, term.exact) == (word, True)
    assert codes(word) == ["exact"]


@pytest.mark.parametrize(
    ("words", "word"), [("TODO:", "TODO"), ("(foo)", "foo"), ("why?", "why"), ("‘a’", "a")]
)
def test_punctuation_of_a_sentence_does_not(words: str, word: str) -> None:
    assert only(words) == Term(word, "word")


def test_quotes_keep_punctuation() -> None:
    assert only('"C++ compiler"') == Term("C++ compiler", "phrase", exact=True)


def test_scripts_without_spaces_are_found_inside_words() -> None:
    assert only("大别山") == Term("大别山", "word", part=True)
    assert only("SQLite项目").part
    assert codes("山") == ["part"]


def test_only_operators_are_words() -> None:
    assert only("AND") == Term("AND", "word")
    assert codes("AND")[0] == "operator_as_word"
    assert taken("OR NOT") == [(["OR", "NOT"], [])]


def test_near_is_a_word() -> None:
    assert taken("a NEAR b") == [(["a", "NEAR", "b"], [])]
    assert "no_operator" in codes("a NEAR b")


def test_a_lost_operator_is_said() -> None:
    assert codes("a OR") == ["word", "or_ignored"]
    assert codes("OR a") == ["or_ignored", "word"]
    assert codes("a NOT") == ["word", "not_ignored"]
    assert codes("a AND b") == ["word", "and_ignored", "word"]


def test_only_exclusions_find_nothing_and_say_so() -> None:
    assert taken("NOT fix") == []
    assert codes("NOT fix") == ["without", "only_exclusions"]
    assert taken("a OR -b") == [(["a"], [])]
    assert "only_exclusions" in codes("a OR -b")


def test_an_open_quote_goes_to_the_end() -> None:
    assert only('"open') == Term("open", "word")
    assert codes('"open')[0] == "open_quote"


def test_control_characters_are_spaces() -> None:
    assert taken("a\0b") == [(["a", "b"], [])]
    assert "control_characters" in codes("a\0b")


@pytest.mark.parametrize("words", ["", "   ", "\0", "\u3000\n"])
def test_no_words(words: str) -> None:
    assert taken(words) == []
    assert codes(words)[-1] == "nothing"


def test_what_is_too_long_is_cut_and_said() -> None:
    assert len(only("a" * (LONGEST + 1)).text) == LONGEST
    assert codes("a" * (LONGEST + 1)) == ["shortened", "word"]
    assert "shortened" not in codes("a" * LONGEST)
    many = parse("a " * (MOST_TERMS + 1))
    assert len(many.terms) == MOST_TERMS
    assert "too_many_words" in [note.code for note in many.explanation]


def test_half_a_surrogate_pair_is_replaced() -> None:
    parse("\ud800").terms[0].text.encode()


def explained(query: Query) -> None:
    assert query.explanation
    assert all(alternative.all for alternative in query.alternatives)
    for term in query.terms:
        assert term.text
        assert term.text == term.text.strip() or term.exact
        assert "\0" not in term.text
        term.text.encode()
    if not query.alternatives:
        assert {note.code for note in query.explanation} & {"nothing", "only_exclusions"}


@given(some.text())
def test_any_text_is_taken_and_explained(text: str) -> None:
    explained(parse(text))


@given(some.lists(some.sampled_from(OPERATORS)))
def test_any_mixture_of_operators_is_taken_and_explained(parts: list[str]) -> None:
    explained(parse(" ".join(parts)))
    explained(parse("".join(parts)))


@given(
    some.text(alphabet=some.characters(categories=["L", "N"]), min_size=1).filter(lambda text: text.isascii())
)
def test_a_plain_word_is_that_word(text: str) -> None:
    if text not in ("AND", "OR", "NOT", "NEAR"):
        assert only(text) == Term(text, "word")
