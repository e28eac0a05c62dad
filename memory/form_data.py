"""What the forms of the memory page send, read strictly: anything else was not made by one of our pages."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import cast

from django.core.exceptions import SuspiciousOperation
from django.http import QueryDict

from memory.limits import TARGETS, Target
from memory.operations import Removed
from memory.seen import Seen, fingerprint

SEEN = re.compile(r"(\d{1,6})\.([0-9a-f]{64})\.([01])")
PLACE = re.compile(r"(memory|user)\.(\d{1,6})")
FINGERPRINT = re.compile(r"[0-9a-f]{64}")
KNOWN_DIGITS, KNOWN_ENTRIES = 12, 2_000
KNOWN = re.compile(rf"(?:[0-9a-f]{{{KNOWN_DIGITS}}}){{0,{KNOWN_ENTRIES}}}")


class NotOurForm(SuspiciousOperation):
    """Answered with 400."""


def target_of(data: QueryDict) -> Target:
    value = data.get("target", "")
    if value not in TARGETS:
        raise NotOurForm
    return value


def seen_text(seen: Seen) -> str:
    """How a form carries what was seen of one entry."""
    return f"{seen.position}.{seen.entry}.{int(seen.duplicate)}"


def seen_of(value: str | None) -> Seen:
    found = SEEN.fullmatch(value or "")
    if not found:
        raise NotOurForm
    return Seen(found[2], int(found[1]), found[3] == "1")


def all_seen(data: QueryDict) -> list[Seen]:
    return [seen_of(value) for value in data.getlist("seen")]


def fingerprint_of(data: QueryDict) -> str:
    value = data.get("fingerprint", "")
    if not FINGERPRINT.fullmatch(value):
        raise NotOurForm
    return value


def known_text(entries: Iterable[str]) -> str:
    """How an editor carries which entries the file had when it was opened."""
    return "".join(fingerprint(text)[:KNOWN_DIGITS] for text in islice(entries, KNOWN_ENTRIES))


def known_of(data: QueryDict) -> str:
    value = data.get("known", "")
    if not KNOWN.fullmatch(value):
        raise NotOurForm
    return value


def is_known(text: str, known: str) -> bool:
    """Whether the file had this entry when the editor was opened."""
    marks = {known[at : at + KNOWN_DIGITS] for at in range(0, len(known), KNOWN_DIGITS)}
    return fingerprint(text)[:KNOWN_DIGITS] in marks


def place_of(value: str | None) -> tuple[Target, int] | None:
    """`memory.3` of an address: the entry whose editor is open. Anything else opens none."""
    found = PLACE.fullmatch(value or "")
    return (cast(Target, found[1]), int(found[2])) if found else None


def removed_of(data: QueryDict) -> Sequence[Removed]:
    """The entries that an undo brings back. Their text was in the page."""
    texts, positions = data.getlist("text"), data.getlist("position")
    if len(texts) != len(positions) or not all(
        position.isdecimal() and len(position) < 7 for position in positions
    ):
        raise NotOurForm
    return [Removed(text, int(position)) for text, position in zip(texts, positions, strict=True)]
