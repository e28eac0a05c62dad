"""The scan for keys and personal numbers; deleting conversations and what is left over of them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.homes import place_of
from hermesweb.jobs.work import Work, kind, profile_of
from hermesweb.privacy.copies import copy_of
from sessions import deletion_work, left_over_work
from sessions.database import Database, read_state
from sessions.errors import StateDamaged
from sessions.finding_list import findings_at
from sessions.models import Finding, digest_of
from sessions.secret_scan import ScanPage, StoredFinding, scan_findings, scan_sessions
from sessions.transcript_queries import can_read, last_id

MESSAGES, SESSIONS = 100, 50  # of one read: short, so that the agent is never in its way
MOST: Final = 200_000  # findings kept of one profile
BATCH: Final = 500  # rows of one statement
FIRST, LAST = -(2**63), 2**63 - 1  # row ids
BEGINNING: Final = {
    "sessions": False, "done": False, "after": FIRST, "skip": 0, "messages": 0, "session_rows": 0, "kept": 0,
    "cut": 0, "unreadable": 0, "total": 0, "last": 0,
}  # fmt: skip


@kind(deletion_work.KIND)
def delete_sessions(work: Work) -> dict[str, Any]:
    """Delete what somebody agreed to, and prove it. Goes on after the last step that was finished."""
    return deletion_work.run_job(work, profile_of(work))


@kind(deletion_work.FINISH)
def scrub(work: Work) -> dict[str, Any]:
    """What a deletion had to leave until Hermes is stopped."""
    return deletion_work.finish_job(work, profile_of(work))


@kind(deletion_work.AGAIN_LATER)
def sessions_again(work: Work) -> dict[str, Any]:
    """Ten minutes after a deletion beside a running Hermes."""
    return deletion_work.look_later(work, profile_of(work))


@kind(left_over_work.KIND)
def left_over(work: Work) -> dict[str, Any]:
    """Remove the words of what was deleted before, and look. Goes on after the last step that was finished."""
    return left_over_work.run_job(work, profile_of(work))


@kind("findings")
def findings(work: Work) -> dict[str, Any]:
    """Look through every message, then through what sessions themselves hold. Goes on where it was stopped."""
    profile = profile_of(work)
    at: dict[str, Any] = {**BEGINNING, **work.job.checkpoint}
    if not at["total"]:
        at |= _begin(profile)
    while not at["done"]:
        work.step("look", at["messages"], max(at["total"], at["messages"]))
        _one_page(work, profile, at)
        work.save_checkpoint(at)
    return outcome(work, profile, at)


def _one_page(work: Work, profile: Profile, at: dict[str, Any]) -> None:
    """Look at the next rows. Where the database is damaged, one at a time and then past it."""
    try:
        page = _page(profile, at)
    except StateDamaged:
        if at["skip"] == 0:
            at["skip"] = 1
        else:
            at |= {
                "after": at["after"] + at["skip"],
                "skip": at["skip"] * 2,
                "unreadable": at["unreadable"] + 1,
            }
            if at["after"] > LAST or (not at["sessions"] and at["after"] > at["last"]):
                _next_part(at)
        return
    at["kept"] += keep(work.job.pk, profile, page.findings[: MOST - at["kept"]])
    at["session_rows" if at["sessions"] else "messages"] += page.looked_at
    at |= {"cut": at["cut"] + page.cut, "skip": 0}
    if page.next is None:
        _next_part(at)
    else:
        at["after"] = page.next


def _next_part(at: dict[str, Any]) -> None:
    at |= {"done": at["sessions"], "sessions": True, "after": FIRST, "skip": 0}


def _begin(profile: Profile) -> dict[str, int]:
    def look(db: Database) -> dict[str, int]:
        total = int(db.value("SELECT COUNT(*) FROM messages")) if can_read(db) else 0
        return {"total": max(total, 1), "last": last_id(db)}

    return read_state(profile.folder, look, copy=copy_of(settings.WORK_FOLDER, profile))


def _page(profile: Profile, at: dict[str, Any]) -> ScanPage:
    def look(db: Database) -> ScanPage:
        if at["sessions"]:
            return scan_sessions(db, at["after"], 1 if at["skip"] else SESSIONS)
        return scan_findings(db, at["after"], 1 if at["skip"] else MESSAGES)

    return read_state(profile.folder, look, copy=copy_of(settings.WORK_FOLDER, profile))


@transaction.atomic
def keep(job: Any, profile: Profile, found: Sequence[StoredFinding]) -> int:
    """Note these positions; how many. What is known already keeps its place and whether it was dismissed."""
    mine = findings_at(profile)
    digests = {session: digest_of(session) for session in {each.session for each in found}}
    known = {
        _key(each): each.pk for each in mine.filter(digest__in=digests.values(), message__in=_ids(found))
    }
    known |= {_key(each): each.pk for each in mine.filter(digest__in=digests.values(), message=None)}
    new, seen = [], []
    for each in found:
        row = Finding(
            home=profile.home.key, profile=profile.name, place=place_of(profile), session=encode_id(each.session),
            digest=digests[each.session], message=each.message, column=each.column, kind=each.kind,
            start=each.start, end=each.end, job=job,
        )  # fmt: skip
        pk = known.get(_key(row))
        seen.append(pk) if pk else new.append(row)
    for start in range(0, len(seen), BATCH):
        mine.filter(pk__in=seen[start : start + BATCH]).update(job=job)
    Finding.objects.bulk_create(new, batch_size=BATCH)
    return len(found)


def _ids(found: Sequence[StoredFinding]) -> set[int]:
    return {each.message for each in found if each.message is not None}


def _key(finding: Finding) -> tuple[object, ...]:
    return (finding.digest, finding.message, finding.column, finding.kind, finding.start, finding.end)


def outcome(work: Work, profile: Profile, at: dict[str, Any]) -> dict[str, Any]:
    """What is no longer there goes; counts and the newest message looked at stay."""
    mine = findings_at(profile)
    with transaction.atomic():
        mine.exclude(job=work.job.pk).delete()
    kinds = Counter(mine.filter(dismissed=False).values_list("kind", flat=True).iterator())
    return {
        "messages": at["messages"],
        "sessions": at["session_rows"],
        "cut": at["cut"],
        "unreadable": at["unreadable"],
        "last": at["last"],
        "kinds": dict(kinds),
        "full": at["kept"] >= MOST,
    }
