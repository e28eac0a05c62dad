"""The findings of a profile as their page shows them."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.jobs.models import Job
from hermesweb.privacy.copies import copy_of
from sessions.database import Database, read_state
from sessions.errors import StateError
from sessions.finding_excerpts import Excerpt, read_excerpts
from sessions.finding_list import (
    KindCount,
    counted_by_kind,
    counted_by_session,
    findings_of,
    last_scan,
    newest_first,
)
from sessions.finding_words import ONE
from sessions.models import Finding, digest_of
from sessions.names import Name, names
from sessions.reading_asked import ReadAsked
from sessions.reading_words import COLUMNS
from sessions.transcript_queries import can_read, last_id


@dataclass(frozen=True)
class FindingsAsked:
    """`session`: whose findings are shown one by one, None for counts only. `dismissed`: those put aside."""

    session: str | None = None
    kind: str = ""
    dismissed: bool = False
    after: tuple[int, str] | None = None

    def address(self, profile: Profile) -> str:
        path = reverse("findings", args=[profile.home.key, profile.name])
        known = {"session": encode_id(self.session) if self.session is not None else "", "kind": self.kind}
        known |= {"dismissed": "1" if self.dismissed else ""}
        known |= {"after": f"{self.after[0]}.{self.after[1]}" if self.after else ""}
        query = urlencode({key: value for key, value in known.items() if value})
        return f"{path}?{query}" if query else path


@dataclass(frozen=True)
class Found:
    """A finding with its masked excerpt. `there`: the conversation at its message."""

    finding: Finding
    excerpt: Excerpt
    kind: str
    column: str
    there: str


@dataclass(frozen=True)
class SessionRow:
    """A session with findings. `name` is None for one that is not there any more."""

    name: Name | None
    count: int
    address: str


@dataclass(frozen=True)
class FindingsPage:
    """`behind`: messages stored since the last scan began; None without one."""

    asked: FindingsAsked
    scan: Job | None
    behind: int | None
    kinds: tuple[tuple[KindCount, str], ...]
    total: int
    aside: int
    sessions: tuple[SessionRow, ...]
    found: tuple[Found, ...]
    dropped: int
    title: str
    older: str
    first: str
    everything: str
    switched: str
    conversation: str


def findings_page(profile: Profile, asked: FindingsAsked) -> FindingsPage:
    """Counts from our database, excerpts from state.db. Raises StateError."""
    rows = findings_of(profile, dismissed=asked.dismissed)
    if asked.session is not None:
        rows = rows.filter(digest=digest_of(asked.session))
    fitting = rows.filter(kind=asked.kind) if asked.kind else rows
    scan = last_scan(profile)
    sessions: list[SessionRow] = []
    found, dropped, following = list[Found](), 0, None
    if asked.session is None:
        counted, following = counted_by_session(fitting, asked.after)
        known = names(profile, [each.session for each in counted])
        sessions = [
            SessionRow(
                known.get(each.session),
                each.count,
                _of(asked, session=each.session).address(profile) if each.session else "",
            )
            for each in counted
        ]
    else:
        found, dropped, following = _found(profile, asked, fitting)
    name = None if asked.session is None else names(profile, [asked.session]).get(asked.session)
    kinds = counted_by_kind(rows)
    return FindingsPage(
        asked=asked,
        scan=scan,
        behind=_behind(profile, scan),
        kinds=tuple((each, _of(asked, kind=each.kind).address(profile)) for each in kinds),
        total=sum(each.count for each in kinds),
        aside=findings_of(profile, dismissed=not asked.dismissed).count(),
        sessions=tuple(sessions),
        found=tuple(found),
        dropped=dropped,
        title=name.title if name else "",
        older=_of(asked, after=following).address(profile) if following else "",
        first=_of(asked).address(profile) if asked.after else "",
        everything=FindingsAsked(dismissed=asked.dismissed).address(profile),
        switched=_of(asked, kind="", dismissed=not asked.dismissed).address(profile),
        conversation=ReadAsked(asked.session).address(profile) if asked.session else "",
    )


def _of(asked: FindingsAsked, **changed: Any) -> FindingsAsked:
    """The same from its beginning, but for what is changed."""
    return FindingsAsked(
        **{"session": asked.session, "kind": asked.kind, "dismissed": asked.dismissed, **changed}
    )


def _found(
    profile: Profile, asked: FindingsAsked, rows: Any
) -> tuple[list[Found], int, tuple[int, str] | None]:
    """A page of single findings; those whose place holds something else now are dropped for good."""
    page, more = newest_first(rows, asked.after)
    some = sorted(page, key=lambda each: (-(each.message or 0), each.column, each.start))
    read = read_excerpts(profile, some)
    Finding.objects.filter(pk__in=[each.pk for each in read.gone]).delete()
    found = [_view(profile, asked.session or "", each) for each in read.shown]
    return found, len(read.gone), more


def _view(profile: Profile, session: str, excerpt: Excerpt) -> Found:
    finding = excerpt.finding
    there = ReadAsked(session, at=finding.message).address(profile)
    if there and finding.message is not None:
        there += f"#m{finding.message}"
    column = str(COLUMNS.get(finding.column, finding.column))
    return Found(finding, excerpt, str(ONE[finding.kind]), column, there)


def _behind(profile: Profile, scan: Job | None) -> int | None:
    """How many messages came after the newest one the scan knew of."""
    if scan is None:
        return None
    last = scan.outcome.get("last")

    def look(db: Database) -> int:
        question = "SELECT COUNT(*) FROM (SELECT 1 FROM messages WHERE rowid > ? LIMIT 100000)"
        return int(db.value(question, (last,))) if can_read(db) and last_id(db) else 0

    try:
        copy = copy_of(settings.WORK_FOLDER, profile)
        return read_state(profile.folder, look, copy=copy) if isinstance(last, int) else None
    except StateError:
        return None
