import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermesweb.hermes.ids import LIMIT, decode_id, encode_id

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=400)


@given(ANYTHING)
def test_every_id_comes_back(text: str) -> None:
    part = encode_id(text)
    assert re.fullmatch(r"[A-Za-z0-9_-]*", part)
    if len(part) <= LIMIT:
        assert decode_id(part) == text


@given(st.text(max_size=60))
def test_only_one_address_for_an_id(part: str) -> None:
    try:
        text = decode_id(part)
    except ValueError:
        return
    assert encode_id(text) == part


@pytest.mark.parametrize(
    "text", ["../../victim", "/etc/passwd", "a%2f..%2fb", 'a"b#c\nd', "\ud800", "", "日本"]
)
def test_hostile_ids(text: str) -> None:
    assert decode_id(encode_id(text)) == text


@pytest.mark.parametrize(
    "part",
    [
        "../../victim",
        "a",  # one letter is no whole byte
        "YQ==",  # padding
        "YR",  # leftover bits
        "YQ\n",
        " YQ",
        "YQ é",
        "+/",
        "_w",  # the byte ff is not UTF-8
        "wIA",  # an overlong form
        "A" * (LIMIT + 4),
        base64.b64encode(b"a?>").decode(),
    ],
)
def test_refused(part: str) -> None:
    with pytest.raises(ValueError, match=r"not|too long"):
        decode_id(part)
