from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hermesweb.hermes.errors import Unreadable
from memory.entry import entries_of
from memory.limits import RELEASES, Rules
from memory.parsing import BOM, DELIMITER, decode, round_trips, split_entries, used_characters

PARTS = st.sampled_from(
    [
        "a",
        "b",
        " ",
        "\n",
        "\r\n",
        "\r",
        "§",
        DELIMITER,
        "\r\n§\r\n",
        "\ufeff",
        "\u200b",
        "\xa0",
        "[BLOCKED:",
        "~/.ssh",
        "\x1c",
        "é",
        "e\u0301",
    ]
)
CONTENT = st.lists(PARTS, max_size=30).map("".join)
RULES = st.sampled_from(RELEASES)
PATH = Path("MEMORY.md")


@given(CONTENT, RULES)
def test_entries_are_stripped_and_hold_no_delimiter(content: str, rules: Rules) -> None:
    for entry in entries_of(decode(content.encode(), PATH), rules):
        assert entry.text
        assert entry.text == entry.text.strip()
        assert DELIMITER not in entry.text
        assert "\r" not in entry.text


@given(CONTENT, RULES)
def test_a_duplicate_points_back_to_the_first(content: str, rules: Rules) -> None:
    entries = entries_of(decode(content.encode(), PATH), rules)
    texts = [entry.text for entry in entries]
    for entry in entries:
        first = texts.index(entry.text)
        assert entry.duplicate_of == (None if first == entry.position else first)


@given(st.lists(CONTENT, max_size=5))
def test_what_hermes_writes_comes_back(contents: list[str]) -> None:
    """Hermes writes stripped entries joined; no half of a delimiter may stand at an end of one."""
    entries = [text.replace("§", "").replace("\r", "").strip() for text in contents]
    written = DELIMITER.join(entry for entry in entries if entry)
    assert split_entries(written) == [entry for entry in entries if entry]
    assert round_trips(written)


@given(CONTENT)
def test_used_is_never_more_than_what_is_there(content: str) -> None:
    entries = split_entries(content)
    assert used_characters(entries) <= len(content)
    assert used_characters(entries) == used_characters([*entries, *entries])


@given(st.booleans(), CONTENT)
@example(bom=True, content=f"a{DELIMITER}a")
@example(bom=True, content=f"{DELIMITER}{BOM}")
def test_both_releases_are_judged_the_same_through_either(bom: bool, content: str) -> None:
    """Whose rules the page is read by makes no difference to what it says of the other release."""
    text = decode((BOM * bom + content).encode(), PATH)
    old, new = entries_of(text, "0.19"), entries_of(text, "0.22")
    # A mark with nothing after it is one more entry at the start, for 0.19 only.
    assert len(old) - len(new) in (0, 1)
    for one, other in zip(reversed(old), reversed(new), strict=False):
        assert one.blocked_by == other.blocked_by


@given(st.binary(max_size=40))
def test_any_bytes_are_text_or_a_problem_with_an_offset(content: bytes) -> None:
    good = len(content.decode(errors="ignore").encode()) == len(content)
    if good:
        assert decode(content, PATH).raw.encode() == content
        return
    with pytest.raises(Unreadable) as problem:
        decode(content, PATH)
    with pytest.raises(UnicodeDecodeError) as error:
        content.decode()
    assert (problem.value.why, problem.value.offset) == ("undecodable", error.value.start)
