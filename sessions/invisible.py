"""Characters of which nothing can be seen on a page, or which change how others are seen.

The same ones that `hermesweb.record` names in exact text; here for modules that know no Django.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

UNSEEN: Final = ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp", "Zs")
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
SEEN_ANYWAY: Final = frozenset("\n\t ")
_VARIATION: Final = re.compile("[\ufe00-\ufe0f\u180b-\u180f\U000e0100-\U000e01ef]")
_ASCII: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def unseen_in(text: str) -> frozenset[str]:
    """The different unseen characters of a text. Fast for long texts: each character is looked up once."""
    if text.isascii():
        return frozenset(_ASCII.findall(text))
    return frozenset(character for character in set(text) if is_unseen(character))


@lru_cache(maxsize=4096)
def is_unseen(character: str) -> bool:
    """Whether nothing, or only white space, can be seen of it. Blanks and newlines are no surprise."""
    if character in SEEN_ANYWAY:
        return False
    if character in BLANK or _VARIATION.match(character):
        return True
    return unicodedata.category(character) in UNSEEN
