"""The text around a found place: marked, masked, and without what is no text."""

import pytest

from hermesweb.hermes.scan.excerpts import Excerpt
from hermesweb.privacy.trace_excerpt import masked_html

KEY = "sk-proj-" + "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2Yz3A"


@pytest.mark.parametrize(
    ("excerpt", "html"),
    [
        (Excerpt("likes ", "tea", " & <b>"), "likes <mark>tea</mark> &amp; &lt;b&gt;"),
        (Excerpt(f"{KEY} and ", "tea", ""), "sk-proj-•••••••• and <mark>tea</mark>"),
        (Excerpt("key sk-proj-", KEY[8:14], f"{KEY[14:]} ends"), "key <mark>sk-proj-••••••••</mark> ends"),
        (Excerpt("a\ufffd\ufffdb ", "tea", "\ufffd"), "a·b <mark>tea</mark>·"),
    ],
)
def test_it_works(excerpt: Excerpt, html: str) -> None:
    assert masked_html(excerpt) == html
