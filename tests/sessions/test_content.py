import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.content import PREFIX, plain_text, preview

PARTS = [
    {"type": "text", "text": "look"},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}},
]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("plain", "plain"),
        (42, "42"),
        (1.5, "1.5"),
        (b"caf\xe9", "caf\ufffd"),
        ("a\0b", "a\ufffdb"),
        (PREFIX + json.dumps(PARTS), "look"),
        (PREFIX + json.dumps([{"text": "one"}, "two", 3]), "one\ntwo"),
        (PREFIX + json.dumps({"text": "alone"}), "alone"),
        (PREFIX + json.dumps({"a": 1}), '{"a": 1}'),
        (PREFIX + json.dumps(PARTS)[:40], "look"),
        (PREFIX + '[{"type": "text", "text": ', '[{"type": "text", "text": '),
        (PREFIX + "[" * 100_000, "[" * 100_000),
        (PREFIX.encode() + b'{"text": "bytes"}', "bytes"),
    ],
)
def test_plain_text(content: object, text: str) -> None:
    assert plain_text(content) == text


@given(st.text() | st.binary() | st.integers() | st.none() | st.text().map(lambda text: PREFIX + text))
def test_plain_text_takes_anything(content: object) -> None:
    assert "\0" not in plain_text(content)


@given(st.lists(st.text()), st.integers(0, 30))
def test_a_cut_list_never_raises(texts: list[str], cut: int) -> None:
    stored = PREFIX + json.dumps([{"type": "text", "text": text} for text in texts])
    plain_text(stored[: len(stored) - cut])


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("one\ntwo\r\n\tthree ", "one two three"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 60 + "…"),
        ("日" * 61, "日" * 60 + "…"),
        ("y" * 59 + " z", "y" * 59 + "…"),
    ],
)
def test_preview(content: str, line: str) -> None:
    assert preview(content) == line
