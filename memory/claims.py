"""Takes a waiting record away while it is carried out, so that it is carried out once.

The record gets a name beside its own that Hermes does not list: `<name>.json.<before>.<after>.hermesweb_claim`.
The two are fingerprints of the file that the change is for, as it is before and after it. With the record a
process owns the claim (`hermesweb.hermes.own`), and that ends with the process. What a killed one leaves says
by itself how far it came:

    killed                                  left behind            the file is    `recover` does
    before the claim                        the record             as before      nothing: it waits as ever
    after the claim, before the change      the claim              as before      gives the record its name back
    after the change, before the removal    the claim              as after       removes the claim
    the same, and somebody wrote since      the claim              neither        gives the name back

In the last case it waits again although it was carried out: nothing is lost, it is shown beside what is there
now, and to approve it again does no harm: an addition is there already, a change no longer finds its entry.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import list_names, read_file
from hermesweb.hermes.folders import discard, rename_file
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.locks import Busy
from hermesweb.hermes.own import owned
from hermesweb.hermes.writing import NotWritten
from memory.pending import RECORD_LIMIT, pending_folder
from memory.pending_record import PendingRecord, parse_record
from memory.switches import Subsystem

Moment = Literal["claimed", "changed", "removed"]
Told = Callable[[Moment], None]
Outcome = Literal[
    "put_back",  # it had not been carried out, or it cannot be told: it waits again
    "finished",  # it had been carried out
    "in_use",  # by a process that lives
    "name_taken",  # a record of that name waits already: the claim stays
    "not_written",  # the system refuses
]
NOTHING: Final = "0" * 16

_CLAIM = re.compile(r"(.+\.json)\.([0-9a-f]{16})\.([0-9a-f]{16})\.hermesweb_claim")


@dataclass(frozen=True)
class Claim:
    """A record that was taken away. `record`: with the name it had."""

    path: Path
    record: PendingRecord
    before: str
    after: str


@dataclass(frozen=True)
class Recovered:
    """What became of a claim that was left behind. `id`: of the record."""

    id: str
    subsystem: Subsystem
    outcome: Outcome


def untold(moment: Moment) -> None:
    """For who does not want to know how far a decision is."""


def content_mark(content: bytes | None) -> str:
    """What stands for the content of a file in the name of a claim; None for a file that is not there."""
    return NOTHING if content is None else hashlib.sha256(content).hexdigest()[:16]


@contextmanager
def claimed(
    record: PendingRecord,
    before: bytes | None,
    after: bytes | None,
    content_now: Callable[[], bytes | None],
    *,
    root: Path,
    told: Told,
) -> Iterator[None]:
    """Take an owned record away; what is done inside changes its file from `before` to `after`. The record is
    gone afterwards, or back when that fails. Raises NotWritten, "missing" if it is gone already."""
    name = f"{record.path.name}.{content_mark(before)}.{content_mark(after)}.hermesweb_claim"
    path = rename_file(record.path, name, root=root)
    told("claimed")
    try:
        yield
    except NotWritten:
        if not _is_now(after, content_now):  # a file can be in place when the disk cannot be asked to keep it
            rename_file(path, record.path.name, root=root)
            raise
    told("changed")
    with suppress(NotWritten):  # it is carried out; what cannot be removed now is for `recover`
        discard(path, root=root)
    told("removed")


def left_claims(profile: Profile, subsystem: Subsystem) -> list[Claim]:
    """The records that are taken away right now, and those that a killed process left so. Raises nothing."""
    folder, root = pending_folder(profile, subsystem), profile.home.root
    claims = []
    with suppress(Unreadable):
        for name in list_names(folder, root=root):
            if found := _CLAIM.fullmatch(name):
                with suppress(Unreadable):
                    content = read_file(folder / name, root=root, limit=RECORD_LIMIT)
                    record = parse_record(folder / found[1], subsystem, content)
                    claims.append(Claim(folder / name, record, found[2], found[3]))
    return claims


def recover(
    profile: Profile, subsystem: Subsystem, content_now: Callable[[PendingRecord], bytes | None]
) -> tuple[Recovered, ...]:
    """Settle what killed processes left. `content_now`: what the file that a record is for holds, None without
    one; it may raise Unreadable. Raises nothing."""
    claims = left_claims(profile, subsystem)
    root = profile.home.root
    return tuple(Recovered(each.record.id, subsystem, _settle(each, root, content_now)) for each in claims)


def _settle(claim: Claim, root: Path, content_now: Callable[[PendingRecord], bytes | None]) -> Outcome:
    try:
        with owned(claim.path, root=root):
            if _is_now(claim.after, lambda: content_now(claim.record)):
                discard(claim.path, root=root)
                return "finished"
            rename_file(claim.path, claim.record.path.name, root=root)
            return "put_back"
    except Busy:
        return "in_use"
    except NotWritten as refused:
        return "name_taken" if refused.why == "changed" else "not_written"


def _is_now(wanted: str | bytes | None, content_now: Callable[[], bytes | None]) -> bool:
    mark = wanted if isinstance(wanted, str) else content_mark(wanted)
    try:
        return content_mark(content_now()) == mark
    except Unreadable:
        return False
