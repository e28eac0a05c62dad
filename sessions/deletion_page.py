"""What a deletion would take, as its preview shows it: the frozen plan, and how things stand now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.hermes.running import is_running
from hermesweb.privacy.copies import copy_of
from hermesweb.sentences import Words, running_words, state_sentence
from sessions.database import Database, read_state
from sessions.deletion_asked import unused_again
from sessions.deletion_schema import DeletionRefused, refuse_unless_known
from sessions.deletion_values import Counts, DeletionPlan, LeftOut, PlannedConversation, Quote, Unused
from sessions.deletion_words import LEFT_OUT, QUOTES, refused, said, too_little_space
from sessions.deletion_work import Drafted
from sessions.errors import StateError
from sessions.secrets import mask, secrets_in
from sessions.space import space_needed
from sessions.state_files import look_at
from sessions.transcript_family_queries import titles_of
from sessions.writer import refuse_unless_ours

LISTED: Final = 50
EXPORTABLE: Final = 60  # conversations whose ids fit into the address of an export
INCLUDES: Final = {"open": "include_open", "archived": "include_archived", "pinned": "include_pinned"}


@dataclass(frozen=True)
class Goes:
    """A conversation that goes. `part`: its id in an address."""

    part: str
    title: str
    sessions: int
    messages: int


@dataclass(frozen=True)
class Stays:
    """A conversation that is left out, or quotes what goes."""

    part: str
    title: str
    why: str
    count: int = 0


@dataclass(frozen=True)
class Include:
    """A choice that takes more along: how many conversations were left out for lack of it."""

    name: str
    count: int


@dataclass(frozen=True)
class Preview:
    """`blocked`: why nothing can be deleted, "" if it can. `rows`: side rows beside sessions and messages.
    `again`: for "unused", what was asked; `includes`: what can be taken along."""

    counts: Counts
    goes: tuple[Goes, ...]
    more: int
    left_out: tuple[Stays, ...]
    more_left_out: int
    quotes: tuple[Stays, ...]
    quotes_complete: bool
    rows: int
    running: Words
    needed: int
    blocked: str
    again: Unused | None
    includes: tuple[Include, ...]
    export: str
    picked: tuple[str, ...]

    @property
    def nothing(self) -> bool:
        return not self.counts.conversations


def preview_of(profile: Profile, drafted: Drafted) -> Preview:
    """Raises StateError where not even titles can be read."""
    plan = drafted.plan
    first = plan.conversations[:LISTED]
    left, quotes = plan.left_out[:LISTED], plan.quotes[:LISTED]
    named = [each.id for each in first] + [each.id for each in left] + [each.session for each in quotes]
    copy = copy_of(settings.WORK_FOLDER, profile)
    titles = read_state(profile.folder, lambda db: _titles(db, named), copy=copy)
    needed, blocked = _room(profile)
    again = unused_again(drafted.asked["unused"]) if drafted.asked["what"] == "unused" else None
    return Preview(
        counts=plan.counts,
        goes=tuple(_goes(each, titles) for each in first),
        more=len(plan.conversations) - len(first),
        left_out=tuple(_left_out(each, titles) for each in left),
        more_left_out=len(plan.left_out) - len(left),
        quotes=tuple(_quote(each, titles) for each in quotes),
        quotes_complete=plan.quotes_complete,
        rows=sum(plan.counts.rows.values()),
        running=running_words(is_running(profile)),
        needed=needed,
        blocked=blocked,
        again=again,
        includes=_includes(plan, again) if again else (),
        export=drafted.asked["query"] if drafted.asked["what"] in ("one", "filter") else "",
        picked=tuple(each.part for each in (_goes(one, titles) for one in plan.conversations))
        if len(plan.conversations) <= EXPORTABLE
        else (),
    )


def _titles(db: Database, ids: Sequence[str]) -> dict[Any, str]:
    return {
        id: mask(title, secrets_in(title, ends=False)) for id, title in titles_of(db, ids).items() if title
    }


def _goes(each: PlannedConversation, titles: dict[Any, str]) -> Goes:
    return Goes(encode_id(each.id), titles.get(each.id, ""), len(each.sessions), each.messages)


def _left_out(each: LeftOut, titles: dict[Any, str]) -> Stays:
    return Stays(encode_id(each.id), titles.get(each.id, ""), said(LEFT_OUT, each.why))


def _quote(each: Quote, titles: dict[Any, str]) -> Stays:
    return Stays(encode_id(each.session), titles.get(each.session, ""), said(QUOTES, each.kind), each.count)


def _includes(plan: DeletionPlan, asked: Unused) -> tuple[Include, ...]:
    counts = {why: sum(each.why == why for each in plan.left_out) for why in INCLUDES}
    return tuple(
        Include(why, count) for why, count in counts.items() if count and not getattr(asked, INCLUDES[why])
    )


def _room(profile: Profile) -> tuple[int, str]:
    """Bytes that removing the words needs, and why nothing can be deleted."""
    ours = settings.WORK_FOLDER / "deleting"
    try:
        refuse_unless_ours(look_at(profile.folder, needs_index=False))
        read_state(profile.folder, refuse_unless_known, copy=copy_of(settings.WORK_FOLDER, profile))
        ours.mkdir(mode=0o700, parents=True, exist_ok=True)
        space = space_needed(profile.folder, ours)
    except DeletionRefused as problem:
        return 0, refused(problem.why, problem.name)
    except StateError as problem:
        return 0, state_sentence(problem)
    plain = vars(space)
    return space.needed_here + space.needed_temporary, "" if space.enough else too_little_space(plain)
