"""What stands beside a conversation: facts, the sessions it is made of, what was found in it, switches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from hermesweb.hermes.homes import Profile
from hermesweb.record import shown
from sessions.finding_list import KindCount, counts_of_sessions
from sessions.reading_asked import ReadAsked
from sessions.reading_words import ABOVE, RELATION_ICONS, RELATIONS, time_words
from sessions.transcript_chain import Chain, Relative
from sessions.transcript_heading import Heading
from sessions.words import REASONS, source_name

NEAR = 15  # sessions named before and after this one
CHILDREN = 30


@dataclass(frozen=True)
class Fact:
    """A name of ours and a value; `code` for recorded ones."""

    name: str
    value: str
    code: bool = False


@dataclass(frozen=True)
class Linked:
    """A session beside this one. `number`: its place in the conversation, 0 outside. `began`: UTC epoch seconds."""

    title: str
    began: float | None
    address: str
    number: int = 0
    current: bool = False
    icon: str = ""
    words: str = ""


@dataclass(frozen=True)
class Rail:
    """Addresses are "" where there is nothing."""

    facts: tuple[Fact, ...]
    segments: tuple[Linked, ...]
    more_segments: int
    around: tuple[Linked, ...]
    more_around: int
    findings: tuple[KindCount, ...]
    undone: int
    with_undone: str
    without_undone: str
    links: str
    prompt: str


def rail_of(
    profile: Profile,
    asked: ReadAsked,
    chain: Chain,
    about: Heading,
    counts: Mapping[str, tuple[int, int, int]],
    *,
    known: bool,
) -> Rail:
    """`known`: whether what is said of the session in its row could be read."""
    place = chain.sessions.index(asked.session)
    near = range(max(0, place - NEAR), min(len(chain.segments), place + NEAR + 1))
    segments = [_segment(profile, asked, chain, number) for number in near]
    around = list(_around(profile, asked, chain, about))
    return Rail(
        facts=tuple(_facts(about) if known else _few_facts(about)),
        segments=tuple(segments) if len(chain.segments) > 1 else (),
        more_segments=len(chain.segments) - len(segments),
        around=tuple(around[:CHILDREN]),
        more_around=max(0, len(around) - CHILDREN),
        findings=tuple(counts_of_sessions(profile, [each.id for each in chain.segments])),
        undone=sum(undone for _live, undone, _compacted in counts.values()),
        with_undone="" if asked.undone else replace(asked, undone=True).address(profile),
        without_undone=replace(asked, undone=False).address(profile) if asked.undone else "",
        links=replace(asked, links=not asked.links).address(profile) if asked.view == "readable" else "",
        prompt=ReadAsked(asked.session).address(profile, "stored_prompt"),
    )


def _facts(about: Heading) -> Iterator[Fact]:
    yield Fact(_("Source"), source_name(about.source))
    if about.model:
        yield Fact(_("Model"), shown(f"{about.model} · {about.provider}" if about.provider else about.model))
    if about.started_at is not None:
        yield Fact(_("Started"), time_words(about.started_at))
    yield from _end(about)
    tokens = about.tokens
    if tokens.input or tokens.output:
        words = _("%(input)s in, %(output)s out")
        yield Fact(
            _("Tokens"),
            words % {"input": intcomma(tokens.input or 0), "output": intcomma(tokens.output or 0)},
        )
    if tokens.cache_read or tokens.cache_write:
        words = _("%(read)s read, %(write)s written")
        counts = {"read": intcomma(tokens.cache_read or 0), "write": intcomma(tokens.cache_write or 0)}
        yield Fact(_("From the cache"), words % counts)
    if about.cost is not None:
        words = _("about $%(cost)s") if about.cost_estimated else "$%(cost)s"
        yield Fact(_("Cost"), words % {"cost": number_format(about.cost, 4)})
    if about.folder:
        yield Fact(_("Folder"), shown(about.folder), code=True)
    if about.user:
        yield Fact(_("Person there"), shown(about.user), code=True)
    yield Fact(_("Session"), shown(about.id), code=True)


def _few_facts(about: Heading) -> Iterator[Fact]:
    yield Fact(_("Session"), shown(about.id), code=True)
    yield Fact(_("State"), _("could not be read"))


def _end(about: Heading) -> Iterator[Fact]:
    if not about.stored:
        yield Fact(_("State"), _("no session row: only its messages are left"))
        return
    reason = str(REASONS.get(about.end_reason) or shown(about.end_reason))
    if about.open:
        yield Fact(_("State"), _("open"))
    else:
        yield Fact(_("Ended"), time_words(about.ended_at) or _("no readable time"))
        if reason:
            yield Fact(_("Why"), reason)
    marks = (
        (about.pinned, _("pinned")),
        (about.archived, _("archived")),
        (about.hidden, _("hidden by Hermes")),
    )
    if any(on for on, _word in marks):
        yield Fact(_("Marked"), ", ".join(word for on, word in marks if on))


def _segment(profile: Profile, asked: ReadAsked, chain: Chain, place: int) -> Linked:
    relative = chain.segments[place]
    address = _address(profile, asked, relative)
    return Linked(relative.title, relative.started_at, address, place + 1, relative.id == asked.session)


def _around(profile: Profile, asked: ReadAsked, chain: Chain, about: Heading) -> Iterator[Linked]:
    inside = set(chain.sessions)
    if about.parent and about.parent.id not in inside:
        # What it is to its parent says what the parent is to it.
        relation = about.parent.relation
        words = str(ABOVE.get(relation, ABOVE["other"]))
        icon = RELATION_ICONS.get(relation, "branch")
        address = _address(profile, asked, about.parent) if about.parent.there else ""
        yield Linked(about.parent.title, about.parent.started_at, address, icon=icon, words=words)
    for relative in (*chain.aside, *about.children):
        if relative.id not in inside:
            inside.add(relative.id)
            yield Linked(
                relative.title,
                relative.started_at,
                _address(profile, asked, relative),
                icon=RELATION_ICONS.get(relative.relation, "branch"),
                words=str(RELATIONS[relative.relation]),
            )


def _address(profile: Profile, asked: ReadAsked, relative: Relative) -> str:
    return ReadAsked(relative.id, view=asked.view, undone=asked.undone, links=asked.links).address(profile)
