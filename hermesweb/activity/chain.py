"""The lines of the activity as a chain: each holds a digest of itself and of the one before it.

A line that was edited, removed or put elsewhere no longer fits its neighbours. Who may write to our database and
knows this file can compute the whole chain anew; a seal noted elsewhere finds that out too.
"""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from django.db import connection, transaction
from django.utils import timezone

from hermesweb.accounts.models import Household
from hermesweb.activity.models import Action, Activity, Chain

What = Literal["changed", "missing", "end", "beginning", "seal"]
FIELDS = ("number", "at", "person_id", "name", "action", "home", "profile", "address", "about", "digest")
NOTED = 40  # digits of a digest in the line about a removal


@dataclass(frozen=True)
class Broken:
    """`what`: a line was changed or moved; some are missing; the last ones are; the beginning was removed without
    a word; or the noted seal is of no line."""

    what: What
    number: int


@dataclass(frozen=True)
class Verified:
    """What a check found. `seal`: the digest of the last line, to be noted elsewhere."""

    lines: int
    first: datetime | None
    seal: str
    broken: Broken | None


def append(**values: Any) -> Activity:
    """Write one line."""
    with transaction.atomic():
        chain = Chain.objects.select_for_update().get_or_create(pk=1)[0]
        line = _append(chain, **values)
        if chain.looked_on != line.at.date():
            chain.looked_on = line.at.date()
            remove_old(chain, line.at)
        chain.save()
    return line


def _append(chain: Chain, **values: Any) -> Activity:
    line = Activity(number=chain.number + 1, at=timezone.now(), **values)
    line.digest = digest_of(chain.digest, line)
    line.save()
    chain.number, chain.digest = line.number, line.digest
    return line


def digest_of(before: str, line: Any) -> str:
    """The digest of a line, given that of the one before it."""
    at = line.at.astimezone(UTC).isoformat(timespec="microseconds")
    fields = [line.person_id, line.name, line.action, line.home, line.profile, line.address, line.about]
    text = json.dumps([before, line.number, at, *fields], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def remove_old(chain: Chain, now: datetime) -> None:
    """Remove the lines that are older than an owner wants them kept, and write down that it was done."""
    days = Household.now().activity_days
    if not days:
        return
    kept = Activity.objects.filter(at__gte=now - timedelta(days=days)).order_by("number").first()
    last = Activity.objects.filter(number__lt=kept.number).first() if kept else None
    if last is None:
        return
    _remove_up_to(last.number)
    chain.removed, chain.removed_digest = last.number, last.digest
    _append(chain, action=Action.ACTIVITY_TRIMMED, about=_note(chain))


def _remove_up_to(number: int) -> None:
    """The one place where lines go. Not through the model, which refuses it."""
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {Activity._meta.db_table} WHERE number <= %s", [number])  # noqa: S608


def _note(chain: Chain) -> str:
    return f"{chain.removed} {chain.removed_digest[:NOTED]}"


def verify(seal: str = "") -> Verified:
    """Read the whole chain, without holding anybody up. *seal*: a digest noted earlier, which has to be among them."""
    chain = _now()
    found = _verify(chain, seal)
    if _now().removed != chain.removed:  # the oldest lines were removed meanwhile
        found = _verify(_now(), seal)
    return found


def _now() -> Chain:
    return Chain.objects.filter(pk=1).first() or Chain(pk=1)


def _verify(chain: Chain, seal: str) -> Verified:
    """The lines fit each other, one of them is the last that *chain* knows, and none goes beyond it but those that
    came meanwhile."""
    before, number, count, first, note = chain.removed_digest, chain.removed, 0, None, ""
    sealed, reached = not seal, (number, before) == (chain.number, chain.digest)
    for line in Activity.objects.order_by("number").values_list(*FIELDS, named=True).iterator(2_000):
        if line.number != number + 1:
            return Verified(count, first, before, Broken("missing", number + 1))
        if line.digest != digest_of(before, line):
            return Verified(count, first, before, Broken("changed", line.number))
        before, number, count, first = line.digest, line.number, count + 1, first or line.at
        sealed = sealed or line.digest == seal
        reached = reached or (number, before) == (chain.number, chain.digest)
        note = line.about if line.action == Action.ACTIVITY_TRIMMED else note
    if not reached or number > _now().number:
        return Verified(count, first, before, Broken("end", number + 1))
    if chain.removed and note != _note(chain):
        return Verified(count, first, before, Broken("beginning", chain.removed))
    return Verified(count, first, before, None if sealed else Broken("seal", 0))
