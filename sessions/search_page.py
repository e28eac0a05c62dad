"""A search as its page shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.privacy.copies import copy_of
from hermesweb.record import Mark, record_html
from sessions.asked import LONGEST_ADDRESS, SearchAsked
from sessions.database import Database, read_state
from sessions.list_counts import counts_of
from sessions.list_page import counted_choices
from sessions.query_text import parse
from sessions.search import search
from sessions.search_results import Fragment, Hit, SearchPage
from sessions.secrets import mask, masked_between, secrets_in
from sessions.words import (
    STATES,
    WHERE,
    Either,
    choices,
    heading,
    hermes_words,
    index_sentences,
    note_sentences,
    places_words,
    role_name,
    source_name,
    taken,
    taken_notes,
)

HITS, CONVERSATIONS = 20, 10  # on a page
SECONDS = 0.2  # for the texts that no index knows


@dataclass(frozen=True)
class HitView:
    """A hit: its text with the words marked, where it leads, and what Hermes' own search makes of it."""

    hit: Hit
    html: SafeString
    address: str
    who: str
    source: str
    icon: str
    hermes: str


@dataclass(frozen=True)
class GroupView:
    """The hits of one conversation. `address`: of the conversation at its newest hit."""

    title: str
    source: str
    address: str
    hits: tuple[HitView, ...]
    more: bool


@dataclass(frozen=True)
class Results:
    """What was found. Addresses are "" where there is nothing."""

    page: SearchPage
    heading: str
    places: str
    taken: tuple[Either, ...]
    taken_notes: list[str]
    hits: tuple[HitView, ...]
    groups: tuple[GroupView, ...]
    sessions: tuple[HitView, ...]
    warnings: list[str]
    notes: list[str]
    older: str
    first: str
    with_undone: str
    with_compacted: str
    titles_only: str

    @property
    def nothing(self) -> bool:
        return not (self.hits or self.groups or self.sessions)

    @property
    def undone(self) -> int:
        return self.page.left_out.get("undone", 0)

    @property
    def compacted(self) -> int:
        return self.page.left_out.get("compacted", 0)


@dataclass(frozen=True)
class SearchForm:
    """What stands in the form."""

    asked: SearchAsked
    where: tuple[tuple[str, str, bool], ...]
    sources: tuple[tuple[str, str, bool], ...]
    models: tuple[tuple[str, str, bool], ...]
    states: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True)
class _Found:
    page: SearchPage | None
    sources: Mapping[str, int]
    models: Mapping[str, int]


def search_form(asked: SearchAsked, sources: Mapping[str, int], models: Mapping[str, int]) -> SearchForm:
    return SearchForm(
        asked,
        tuple(choices(WHERE, asked.where)),
        counted_choices(sources, asked.limits.source, names=True),
        counted_choices(models, asked.limits.model),
        tuple(choices(STATES, [asked.limits.state])),
    )


def search_page(profile: Profile, asked: SearchAsked, *, run: bool) -> tuple[SearchForm, Results | None]:
    """The form, and what was found when the search is to be `run`. Raises StateError."""
    copy = copy_of(settings.WORK_FOLDER, profile)
    found = read_state(profile.folder, lambda db: _found(db, asked, run), copy=copy)
    results = None if found.page is None else _results(profile, asked, found.page)
    return search_form(asked, found.sources, found.models), results


def _found(db: Database, asked: SearchAsked, run: bool) -> _Found:
    page = _with_known_total(_searched(db, asked), asked) if run else None
    counts = counts_of(db)
    return _Found(page, counts.sources, counts.models)


def _searched(db: Database, asked: SearchAsked) -> SearchPage:
    return search(
        db,
        parse(asked.words),
        where=asked.where,
        filters=asked.limits.filters(hidden=not asked.listed),
        sort="relevance" if asked.relevance else "newest",
        after=asked.after,
        limit=CONVERSATIONS if asked.group else HITS,
        group=asked.group,
        include_undone=asked.undone,
        include_compacted=asked.compacted,
        thorough=asked.after.thorough if asked.after else False,
        seconds=SECONDS,
    )


def _with_known_total(page: SearchPage, asked: SearchAsked) -> SearchPage:
    """When every hit is on this page, their number is known without counting."""
    whole = asked.after is None and page.next is None and "damaged" not in page.notes
    if page.groups and whole and not any(group.more for group in page.groups):
        return replace(page, total=sum(len(group.hits) for group in page.groups), total_exact=True)
    return page


def _results(profile: Profile, asked: SearchAsked, page: SearchPage) -> Results:
    def view(hit: Hit) -> HitView:
        icon, words = hermes_words(hit)
        address = _conversation(profile, hit, asked.token)
        return HitView(hit, _hit_html(hit), address, role_name(hit), source_name(hit.source), icon, words)

    first = replace(asked, after=None)
    groups = []
    for group in page.groups:
        hits = tuple(map(view, group.hits))
        title = next((hit.title for hit in group.hits if hit.title), "")
        groups.append(GroupView(title, hits[0].source, hits[0].address, hits, group.more))
    titles = replace(first, where=asked.where & {"titles", "prompts"}, group=False)
    return Results(
        page=page,
        heading=heading(page, asked.where),
        places=places_words(asked.where),
        taken=taken(page.query),
        taken_notes=taken_notes(page.query),
        hits=tuple(map(view, page.hits)),
        groups=tuple(groups),
        sessions=tuple(map(view, page.sessions)),
        warnings=index_sentences(page) + note_sentences(page, warnings=True),
        notes=note_sentences(page, warnings=False),
        older=replace(asked, after=page.next).address(profile) if page.next else "",
        first=first.address(profile) if asked.after else "",
        with_undone=replace(first, undone=True).address(profile),
        with_compacted=replace(first, compacted=True).address(profile),
        titles_only=titles.address(profile) if page.more_sessions and titles.where != asked.where else "",
    )


def _conversation(profile: Profile, hit: Hit, token: str) -> str:
    """The conversation at the hit with the words marked; "" when the message belongs to none."""
    if not hit.session:
        return ""
    path = reverse("conversation", args=[profile.home.key, profile.name, encode_id(hit.session)])
    at = {} if hit.message is None else {"at": str(hit.message)}
    address = f"{path}?{urlencode(at | {'found': token})}"
    if len(address) > LONGEST_ADDRESS:  # a session id can be of any length
        address = f"{path}?{urlencode(at)}"
    return address if hit.message is None else f"{address}#m{hit.message}"


def _hit_html(hit: Hit) -> SafeString:
    """The pieces of the text around the words, with a line of what came before and after."""
    parts: list[str] = [_context("", hit.before.text, "\n")] if hit.before and hit.before.text else []
    parts.append("\n".join(map(_piece, hit.fragments)))
    if hit.after and hit.after.text:
        parts.append(_context("\n", hit.after.text, ""))
    return mark_safe("".join(parts))  # noqa: S308  every part is escaped


def _piece(piece: Fragment) -> SafeString:
    """A piece with its words marked; a key or a password in it is not shown, whatever was looked for."""
    secrets = secrets_in(piece.text, begins=piece.begins, ends=piece.ends)
    text, marks = "", list[Mark]()
    at = 0
    for start, end in piece.marks:
        if any(each.start < end and start < each.end for each in secrets):
            continue
        text += masked_between(piece.text, at, start, secrets)
        marks.append(Mark(len(text), len(text) + end - start))
        text, at = text + piece.text[start:end], end
    text += masked_between(piece.text, at, len(piece.text), secrets)
    marked = record_html(text, marks)
    cut = ["cut-before"] * (not piece.begins) + ["cut-after"] * (not piece.ends)
    return format_html('<span class="{}">{}</span>', " ".join(cut), marked) if cut else marked


def _context(before: str, line: str, after: str) -> SafeString:
    line = mask(line, secrets_in(line, ends=False))
    return format_html('<span class="context">{}</span>', record_html(before + line + after))
