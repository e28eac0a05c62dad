"""Numbers that belong to a person: bank accounts, cards and telephones.

What looks like one is found here; whether it is one is said by `stdnum` (check digits, lengths by country) and
`phonenumbers` (numbering plans).
"""

import re
from collections.abc import Iterator
from typing import Final

import phonenumbers
from stdnum import iban, luhn

Span = tuple[int, int]

_IBAN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}")
_CARD: Final = re.compile(r"(?<![\w.+=/-])[2-6][0-9]{3}(?:[ -]?[0-9]){10,15}(?![\w-]|\.[0-9])", re.ASCII)
_ISSUED: Final = re.compile(
    r"(?:4[0-9]{15}|5[1-5][0-9]{14}|2(?:2[2-9]|[3-6][0-9]|7[01])[0-9]{13}|2720[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|35[0-9]{14}|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}|62[0-9]{14,17})\Z"
)
_PHONE: Final = re.compile(
    r"(?:(?<![\w+.,-])\+|(?<![\w+.,/=:-])00)[1-9](?:[ ()/.\u00a0-]{0,3}[0-9]){6,14}(?![\w-])", re.ASCII
)
_NATIONAL: Final = re.compile(r"(?<![\w+.,/=:-])[0(](?:[ ()/.\u00a0-]{0,3}[0-9]){7,13}(?![\w-])", re.ASCII)
_GAPS: Final = re.compile(r"[^0-9A-Za-z+]")


def ibans(text: str) -> Iterator[Span]:
    """Where numbers of bank accounts are."""
    for found in _IBAN.finditer(text):
        # Capitals that follow may have been taken along, so shorter ones are tried as well.
        ends = [at for at in range(found.end(), found.start() + 14, -1) if text[at - 1].isalnum()]
        whole = (at for at in ends if not text[at : at + 1].isalnum())
        end = next((at for at in whole if _account(_GAPS.sub("", text[found.start() : at]))), None)
        if end is not None:
            yield found.start(), end


def cards(text: str) -> Iterator[Span]:
    """Where numbers of payment cards are."""
    for found in _CARD.finditer(text):
        number = _GAPS.sub("", found[0])
        if _ISSUED.match(number) and luhn.is_valid(number):
            yield found.span()


def phones(text: str, region: str | None = None) -> Iterator[Span]:
    """Where telephone numbers are: with their country, or as one calls within `region`."""
    if "+" in text or "00" in text:
        for found in _PHONE.finditer(text):
            number = _GAPS.sub("", found[0])
            if _telephone("+" + number.removeprefix("00") if number[0] == "0" else number, None):
                yield found.span()
    for found in _NATIONAL.finditer(text) if region else ():
        if _telephone(_GAPS.sub("", found[0]), region):
            yield found.span()


def _account(number: str) -> bool:
    return iban.is_valid(number)


def _telephone(number: str, region: str | None) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False
