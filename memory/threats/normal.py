"""A text as the rules see it (NFKC, small letters), with the way back to the text as it was written."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, groupby, pairwise
from unicodedata import category, combining, is_normalized, normalize

MANY = 32
"""Marks after one letter beyond which they are put in order here, and not by `normalize`."""

# The one letter (not mark) beside Hangul that joins with the character before it, since Unicode 16.
_JOINING_LETTER = "\U00016d67"


@dataclass(frozen=True)
class Normal:
    """`text` is NFKC; `folded` has the same length, in small letters.

    `starts` says where each cluster starts in `text`, `origins` where it starts in the raw text, in code
    points; both end with a length. Both are empty when `text` is the raw text.
    """

    text: str
    folded: str
    starts: Sequence[int] = ()
    origins: Sequence[int] = ()

    def raw_place(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest piece of the raw text that `text[start:end]` came from."""
        if not self.starts:
            return start, end
        return (
            self.origins[bisect_right(self.starts, start) - 1],
            self.origins[bisect_right(self.starts, end - 1)],
        )


def normal(raw: str) -> Normal:
    """Return `raw` in NFKC, in linear time whatever the order of its combining marks."""
    if is_normalized("NFKC", raw):
        return Normal(raw, fold(raw))
    origins = [at for at, character in enumerate(raw) if at == 0 or begins_cluster(character)]
    origins.append(len(raw))
    pieces = [_composed(raw[start:end]) for start, end in pairwise(origins)]
    text = "".join(pieces)
    return Normal(text, fold(text), list(accumulate(map(len, pieces), initial=0)), origins)


def fold(text: str) -> str:
    """Return `text` in small letters, length unchanged.

    The two Turkish letters are what `re.IGNORECASE` takes for an "i" (the long s and the Kelvin sign
    are gone after NFKC).
    """
    return text.replace("\u0130", "i").lower().replace("\u0131", "i")


@lru_cache(maxsize=4096)
def begins_cluster(character: str) -> bool:
    """Say whether no character before this one can change what NFKC makes of it, nor be changed by it."""
    first = normalize("NFKD", character)[0]
    joins = "\u1161" <= first <= "\u11ff" or first == _JOINING_LETTER
    return not (joins or category(first).startswith("M"))


@lru_cache(maxsize=4096)
def _composed(cluster: str) -> str:
    return normalize("NFKC", cluster if len(cluster) <= MANY else _ordered(cluster))


def _ordered(cluster: str) -> str:
    # `normalize` sorts marks by insertion: quadratic, seconds for a cluster of 65,536. `sorted` is not.
    decomposed = chain.from_iterable(normalize("NFKD", character) for character in cluster)
    runs = groupby(decomposed, key=lambda character: combining(character) > 0)
    return "".join(chain.from_iterable(sorted(run, key=combining) for _, run in runs))
