"""Findings read again from state.db: an excerpt around each, with everything in it masked, or one value."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.conf import settings
from django.utils.safestring import SafeString

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.record import Mark, record_html
from sessions import secrets
from sessions.database import Database, read_state
from sessions.finding_list import decode_long
from sessions.models import Finding
from sessions.secret_scan import StoredFinding, stored_text
from sessions.secrets import findings_in, masked_between, stand_in

AROUND: Final = 60  # characters on each side
LONGEST: Final = 2_000  # characters of a value that are shown


@dataclass(frozen=True)
class Excerpt:
    """A finding as it stands in state.db now. `begins`, `ends`: nothing was cut off there."""

    finding: Finding
    html: SafeString
    begins: bool
    ends: bool


@dataclass(frozen=True)
class Excerpts:
    """`gone`: findings whose place holds something else now."""

    shown: tuple[Excerpt, ...]
    gone: tuple[Finding, ...]


def read_excerpts(profile: Profile, findings: Sequence[Finding], *, unmasked: int | None = None) -> Excerpts:
    """Read the texts again. Everything is masked but the finding with the key `unmasked`. Raises StateError."""
    copy = copy_of(settings.WORK_FOLDER, profile)
    return read_state(profile.folder, lambda db: _read(db, findings, unmasked), copy=copy)


def _read(db: Database, findings: Sequence[Finding], unmasked: int | None) -> Excerpts:
    shown: list[Excerpt] = []
    gone: list[Finding] = []
    for _place, group in groupby(findings, key=_place_of):
        some = list(group)
        text = stored_text(db, _stored(some[0]))
        there = [] if text is None else findings_in(text)
        places = {(each.kind, each.start, each.end) for each in there}
        for each in some:
            if text is None or (each.kind, each.start, each.end) not in places:
                gone.append(each)
            else:
                shown.append(_excerpt(text, each, there, unmasked=each.pk == unmasked))
    return Excerpts(tuple(shown), tuple(gone))


def _place_of(finding: Finding) -> tuple[Any, ...]:
    return finding.digest, finding.message, finding.column


def _stored(finding: Finding) -> StoredFinding:
    kind: Any = finding.kind
    session = decode_long(finding.session)
    return StoredFinding(session, finding.message, finding.column, kind, finding.start, finding.end)


def _excerpt(text: str, finding: Finding, there: Iterable[secrets.Finding], *, unmasked: bool) -> Excerpt:
    kind: Any = finding.kind
    value = text[finding.start : finding.end]
    begin, end = max(0, finding.start - AROUND), min(len(text), finding.end + AROUND)
    before = masked_between(text, begin, finding.start, there)
    after = masked_between(text, finding.end, end, there)
    middle = value[:LONGEST] if unmasked else stand_in(value, kind)
    html = record_html(before + middle + after, [Mark(len(before), len(before) + len(middle))])
    return Excerpt(finding, html, begin == 0, end == len(text))
