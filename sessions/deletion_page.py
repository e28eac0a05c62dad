"""What a deletion would take, as its preview shows it: the frozen plan, and how things stand now."""

from dataclasses import dataclass
from typing import Final

from django.conf import settings

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.hermes.running import is_running
from hermesweb.privacy.copies import copy_of
from hermesweb.record import shown
from hermesweb.sentences import Words, running_words, state_sentence
from sessions.database import read_state
from sessions.deletion_asked import unused_again
from sessions.deletion_names import Called, called, together
from sessions.deletion_schema import DeletionRefused, refuse_unless_known
from sessions.deletion_values import Counts, DeletionPlan, LeftOut, PlannedConversation, Quote, Unused
from sessions.deletion_words import LEFT_OUT, QUOTES, refused, said, too_little_space
from sessions.deletion_work import Drafted
from sessions.errors import StateError
from sessions.space import space_needed
from sessions.state_files import look_at
from sessions.writer import refuse_unless_ours

LISTED: Final = 50
NAMED: Final = 8  # sessions of one that are asked for their title
EXPORTABLE: Final = 60  # conversations whose ids fit into the address of an export
INCLUDES: Final = {"open": "include_open", "archived": "include_archived", "pinned": "include_pinned"}


@dataclass(frozen=True)
class Goes:
    """A conversation that goes. `part`: its id in an address; `called`: None where it is not there any more."""

    part: str
    id: str
    called: Called | None
    sessions: int
    messages: int


@dataclass(frozen=True)
class Stays:
    """A conversation that is left out, or quotes what goes. `id`: as it was asked for."""

    part: str
    id: str
    called: Called | None
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
    named = [id for each in first for id in in_line(each)[:NAMED]]
    named += [each.id for each in left] + [each.session for each in quotes]
    copy = copy_of(settings.WORK_FOLDER, profile)
    names = read_state(profile.folder, lambda db: called(db, named), copy=copy)
    needed, blocked = room(profile)
    again = unused_again(drafted.asked["unused"]) if drafted.asked["what"] == "unused" else None
    return Preview(
        counts=plan.counts,
        goes=tuple(_goes(each, names) for each in first),
        more=len(plan.conversations) - len(first),
        left_out=tuple(_left_out(each, names) for each in left),
        more_left_out=len(plan.left_out) - len(left),
        quotes=tuple(_quote(each, names) for each in quotes),
        quotes_complete=plan.quotes_complete,
        rows=sum(plan.counts.rows.values()),
        running=running_words(is_running(profile)),
        needed=needed,
        blocked=blocked,
        again=again,
        includes=_includes(plan, again) if again else (),
        export=drafted.asked["query"] if drafted.asked["what"] in ("one", "filter") else "",
        picked=tuple(encode_id(each.id) for each in plan.conversations)
        if len(plan.conversations) <= EXPORTABLE
        else (),
    )


def _goes(each: PlannedConversation, names: dict[str, Called]) -> Goes:
    name = together(names, in_line(each)[:NAMED])
    return Goes(encode_id(each.id), shown(each.id), name, len(each.sessions), each.messages)


def in_line(each: PlannedConversation) -> list[str]:
    """The session it began with and what goes on with it."""
    return [session.id for session in each.sessions if session.part != "subagent"]


def _left_out(each: LeftOut, names: dict[str, Called]) -> Stays:
    return Stays(encode_id(each.id), shown(each.id), names.get(each.id), said(LEFT_OUT, each.why))


def _quote(each: Quote, names: dict[str, Called]) -> Stays:
    return Stays(
        encode_id(each.session),
        shown(each.session),
        names.get(each.session),
        said(QUOTES, each.kind),
        each.count,
    )


def _includes(plan: DeletionPlan, asked: Unused) -> tuple[Include, ...]:
    counts = {why: sum(each.why == why for each in plan.left_out) for why in INCLUDES}
    return tuple(
        Include(why, count) for why, count in counts.items() if count and not getattr(asked, INCLUDES[why])
    )


def room(profile: Profile) -> tuple[int, str]:
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
