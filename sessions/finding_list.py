"""What the last scan found, from our own database: kinds, counts, positions."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.functions import Coalesce

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import decode_id
from hermesweb.homes import place_of
from hermesweb.jobs.models import Job
from sessions.finding_words import KINDS
from sessions.models import Finding, digest_of

ON_A_PAGE = 50
MOST = 500  # sessions asked for at once


@dataclass(frozen=True)
class KindCount:
    kind: str
    words: str
    count: int


@dataclass(frozen=True)
class SessionCount:
    """A session with findings. `newest`: the id of the newest message with one, 0 for none."""

    session: str
    digest: str
    newest: int
    count: int


def findings_of(profile: Profile, *, dismissed: bool = False) -> QuerySet[Finding]:
    return findings_at(profile).filter(dismissed=dismissed)


def findings_at(profile: Profile) -> QuerySet[Finding]:
    """What was found in this very folder: another one may have had its name before."""
    return Finding.objects.filter(home=profile.home.key, profile=profile.name, place=place_of(profile))


def last_scan(profile: Profile) -> Job | None:
    """The last scan that reached the end."""
    done = Job.objects.filter(kind="findings", home=profile.home.key, profile=profile.name)
    return done.filter(place=place_of(profile), state=Job.State.DONE).order_by("-ended").first()


def counted_by_kind(findings: QuerySet[Finding]) -> list[KindCount]:
    """In the order of their weight."""
    found = dict(findings.order_by().values_list("kind").annotate(Count("id")))
    return [KindCount(kind, str(KINDS[kind]), found[kind]) for kind in KINDS if kind in found]


def counts_of_sessions(profile: Profile, sessions: Iterable[str]) -> list[KindCount]:
    digests = [digest_of(each) for each in list(sessions)[:MOST]]
    return counted_by_kind(findings_of(profile).filter(digest__in=digests))


def counted_by_session(
    findings: QuerySet[Finding], after: tuple[int, str] | None
) -> tuple[list[SessionCount], tuple[int, str] | None]:
    """A page of sessions, that with the newest message first, and where the next page begins."""
    rows = findings.order_by().values("session", "digest")
    counted = rows.annotate(newest=Coalesce(Max("message"), 0), count=Count("id"))
    if after is not None:
        newest, digest = after
        counted = counted.filter(Q(newest__lt=newest) | Q(newest=newest, digest__gt=digest))
    page = list(counted.order_by("-newest", "digest")[: ON_A_PAGE + 1])
    found = [
        SessionCount(decode_long(each["session"]), each["digest"], each["newest"], each["count"])
        for each in page[:ON_A_PAGE]
    ]
    more = len(page) > ON_A_PAGE
    return found, (found[-1].newest, found[-1].digest) if more else None


def newest_first(
    findings: QuerySet[Finding], after: tuple[int, str] | None
) -> tuple[list[Finding], tuple[int, str] | None]:
    """A page of single findings, those of the newest message first, and where the next page begins."""
    placed = findings.annotate(at=Coalesce("message", 0))
    if after is not None:
        at, pk = after[0], int(after[1]) if after[1].isascii() and after[1].isdecimal() else 0
        placed = placed.filter(Q(at__lt=at) | Q(at=at, pk__lt=pk))
    page: list[Finding] = list(placed.order_by("-at", "-pk")[: ON_A_PAGE + 1])
    last = page[ON_A_PAGE - 1] if len(page) > ON_A_PAGE else None
    return page[:ON_A_PAGE], None if last is None else (last.message or 0, str(last.pk))


def decode_long(part: str) -> str:
    """The id in a row; "" for one that is longer than any address."""
    try:
        return decode_id(part)
    except ValueError:
        return ""
