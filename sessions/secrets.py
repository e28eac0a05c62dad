"""Keys, passwords and personal numbers in a text: where they are, and the text without them.

What a token looks like is in `secret_tokens.py`, from what each service has published. Phone numbers, bank
accounts and cards are only believed when `phonenumbers` and `stdnum` find their check digits and lengths
right. Everything takes time in proportion to the text, whatever it is.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from sessions.secret_numbers import cards, ibans, phones
from sessions.secret_tokens import private_keys, public_start, tokens
from sessions.secret_words import emails, passwords

Kind = Literal["private_key", "token", "password", "iban", "card", "email", "phone"]
MASK: Final = "••••••••"

_DATA: Final = re.compile(r"base64,[\w+/=-]{200,}", re.ASCII)


@dataclass(frozen=True)
class Finding:
    """Something to keep to oneself at `text[start:end]`, in code points."""

    kind: Kind
    start: int
    end: int


def findings_in(text: str, region: str | None = None) -> list[Finding]:
    """All findings, in their order, none inside another. Never raises.

    `region`: a country ("NL") whose phone numbers are found without the sign + too.
    """
    if "base64," in text:  # of a picture, which holds every short pattern by chance
        text = _DATA.sub(lambda found: " " * len(found[0]), text)
    kept: list[Finding] = []
    taken = _Taken()
    for finding in _by_weight(text, region):
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


def _by_weight(text: str, region: str | None) -> Iterator[Finding]:
    """What is the graver finding comes first and keeps its place."""
    found: Sequence[tuple[Kind, Iterable[tuple[int, int]]]] = (
        ("private_key", private_keys(text)),
        ("token", tokens(text)),
        ("password", passwords(text)),
        ("iban", ibans(text)),
        ("card", cards(text)),
        ("email", emails(text)),
        ("phone", phones(text, region)),
    )
    for kind, spans in found:
        for start, end in spans:
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
