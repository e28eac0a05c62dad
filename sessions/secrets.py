"""Keys, passwords and personal numbers in a text: where they are, and the text without them.

What a token looks like is in `secret_tokens.py`, from what each service has published. Phone numbers, bank
accounts and cards are only believed when `phonenumbers` and `stdnum` find their check digits and lengths
right. Everything takes time in proportion to the text, whatever it is.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from sessions.secret_numbers import cards, ibans, phones
from sessions.secret_tokens import private_keys, public_start, tokens
from sessions.secret_words import emails, passwords

Kind = Literal["private_key", "token", "password", "iban", "card", "email", "phone"]
MASK: Final = "••••••••"
# What opens or pays for something. Whoever reads what an agent knows about them came for the rest.
SECRET: Final[frozenset[Kind]] = frozenset(("private_key", "token", "password", "iban", "card"))
EVERY: Final[frozenset[Kind]] = frozenset((*SECRET, "email", "phone"))

_DATA: Final = re.compile(r"base64,[\w+/=-]{200,}", re.ASCII)
# At an edge where a text was cut off, what may be the rest of a key.
_CUT_START: Final = re.compile(r"(?=[A-Za-z+/=_-]{0,400}[0-9])[A-Za-z0-9+/=_-]{12,400}")
_CUT_END: Final = re.compile(r"[A-Za-z0-9+/=_-]{12,400}\Z")


@dataclass(frozen=True)
class Finding:
    """Something to keep to oneself at `text[start:end]`, in code points."""

    kind: Kind
    start: int
    end: int


def findings_in(text: str, region: str | None = None, kinds: Collection[Kind] = EVERY) -> list[Finding]:
    """All findings of these kinds, in their order, none inside another. Never raises.

    `region`: a country ("NL") whose phone numbers are found without the sign + too.
    """
    if "base64," in text:  # of a picture, which holds every short pattern by chance
        text = _DATA.sub(lambda found: " " * len(found[0]), text)
    kept: list[Finding] = []
    taken = _Taken()
    for finding in _by_weight(text, region, kinds):
        if taken.add(finding.start, finding.end):
            kept.append(finding)
    return sorted(kept, key=lambda each: each.start)


def mask(text: str, findings: Iterable[Finding]) -> str:
    """The text with a mark of always the same length instead of each finding.

    What tells whose token it is ("sk-proj-") and the last part of an e-mail address stay.
    """
    return "".join(_pieces(text, findings))


def masked(text: str, region: str | None = None) -> str:
    """The text without what is found in it."""
    return mask(text, findings_in(text, region))


def secrets_in(text: str, *, begins: bool = True, ends: bool = True) -> list[Finding]:
    """What opens or pays for something, in a text of which the beginning or the end may be missing."""
    found = findings_in(text, kinds=SECRET)
    first = None if begins else _CUT_START.match(text)
    last = None if ends else _CUT_END.search(text, max(0, len(text) - 400))
    if first and not (found and found[0].start < first.end()):
        found.insert(0, Finding("token", *first.span()))
    if last and any(map(str.isdigit, last[0])) and not (found and found[-1].end > last.start()):
        found.append(Finding("token", *last.span()))
    return found


def masked_between(text: str, begin: int, end: int, there: Iterable[Finding]) -> str:
    """A stretch of the text without any finding; one that reaches beyond the stretch is masked whole."""
    pieces: list[str] = []
    at = begin
    for each in there:
        if each.start < end and each.end > begin:
            pieces += [text[at : max(at, each.start)], stand_in(text[each.start : each.end], each.kind)]
            at = max(at, each.end)
    return "".join([*pieces, text[at:end]])


def stand_in(value: str, kind: Kind) -> str:
    """What is shown instead of a value."""
    if kind == "token":
        return public_start(value) + MASK
    if kind == "email":
        return f"••••@•••.{value.rpartition('.')[2]}"
    return MASK


def _pieces(text: str, findings: Iterable[Finding]) -> Iterator[str]:
    end = 0
    for finding in sorted(findings, key=lambda each: each.start):
        if finding.start >= end:
            yield text[end : finding.start]
            yield stand_in(text[finding.start : finding.end], finding.kind)
            end = finding.end
    yield text[end:]


def _by_weight(text: str, region: str | None, kinds: Collection[Kind]) -> Iterator[Finding]:
    """What is the graver finding comes first and keeps its place."""
    looks: Sequence[tuple[Kind, Callable[[], Iterable[tuple[int, int]]]]] = (
        ("private_key", lambda: private_keys(text)),
        ("token", lambda: tokens(text)),
        ("password", lambda: passwords(text)),
        ("iban", lambda: ibans(text)),
        ("card", lambda: cards(text)),
        ("email", lambda: emails(text)),
        ("phone", lambda: phones(text, region)),
    )
    for kind, look in looks:
        for start, end in look() if kind in kinds else ():
            yield Finding(kind, start, end)


class _Taken:
    """Stretches of a text that do not overlap."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> bool:
        """Whether this stretch was still free."""
        at = bisect_left(self._starts, end)
        if at and self._ends[at - 1] > start:
            return False
        self._starts.insert(at, start)
        self._ends.insert(at, end)
        return True
