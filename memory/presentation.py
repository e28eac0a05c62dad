"""Memory entries as the page shows them: marks, letters, notes."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.record import Mark, record_html
from hermesweb.sentences import unreadable_sentence
from memory.alike import alike
from memory.blocked import Span, inside_emoji, spans
from memory.entries import Entry, Store
from memory.form_data import known_text, seen_text
from memory.history import History
from memory.limits import LIMIT_KEYS, usage_text
from memory.parsing import BOM
from memory.prompt import placeholder, shown_text
from memory.rule_words import words_of
from memory.seen import seen_entry
from sessions.memory_calls import Origin
from sessions.prompts import Standing

SHOWN_ENTRIES = 400  # all of them can be deleted at once and come back: Django takes 1,000 fields of a form
SHOWN_CHARACTERS = 20_000  # of one entry; ten times the whole limit


@dataclass(frozen=True)
class Reason:
    letter: str
    words: str
    rule: str
    harmless: bool


@dataclass(frozen=True)
class EntryView:
    """`seen` is what a form about the entry carries. `placeholder`: what Hermes puts in its place."""

    entry: Entry
    number: int
    html: SafeString
    reasons: tuple[Reason, ...]
    blocked_by: str
    cut: int
    seen: str
    place: str
    placeholder: str
    alike: int | None
    standing: Standing | None
    origin: Origin | None

    @property
    def editable(self) -> bool:
        """A form sends a NUL back as another character, so such an entry can be deleted only."""
        return "\0" not in self.entry.text

    @property
    def kind(self) -> str:
        """The class of the record: what matters most about it."""
        if self.entry.duplicate_of is not None:
            return "double"
        if not self.entry.scanned:
            return "unscanned"
        return "blocked" if self.entry.blocked else ""

    @property
    def harmless(self) -> bool:
        return bool(self.reasons) and all(reason.harmless for reason in self.reasons)


@dataclass(frozen=True)
class StoreView:
    store: Store
    entries: tuple[EntryView, ...]
    usage: str
    problem: str
    notes: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.store.path.name

    @property
    def more(self) -> int:
        """Entries that are not shown."""
        return len(self.store.entries) - len(self.entries)

    @property
    def known(self) -> str:
        """What an editor carries about all entries of the file."""
        return known_text(entry.text for entry in self.store.entries)

    @property
    def meter_limit(self) -> float:
        """The end of the meter; 0 where the limit is none that a meter could show."""
        value = self.store.limit.value or 0
        try:
            return value if 0 < float(value) < math.inf else 0
        except OverflowError:  # a whole number of hundreds of digits
            return 0

    @property
    def meter_low(self) -> float:
        return self.meter_limit * 0.8

    @property
    def meter_high(self) -> float:
        return max(self.meter_limit - 1, 0)

    @property
    def meter_value(self) -> float:
        if self.store.over_limit and not self.meter_limit:
            return 1  # a limit of 0 with something in it: the meter, from 0 to 1, is full
        return min(self.store.used, self.meter_limit)

    @property
    def over_by(self) -> float:
        return math.ceil(self.store.used - self.meter_limit) if self.store.over_limit else 0

    @property
    def untidy(self) -> bool:
        """Hermes would write the file otherwise, or can change nothing in it as it is."""
        odd_ends = self.store.line_ends not in ("none", "lf")
        return bool(
            odd_ends
            or self.store.bom
            or self.duplicates
            or self.store.over_limit
            or self.store.refuses_changes
            or not self.store.round_trips
        )

    @property
    def blocked(self) -> int:
        return sum(bool(entry.blocked) and entry.scanned for entry in self.store.entries)

    @property
    def unscanned(self) -> int:
        return sum(not entry.scanned for entry in self.store.entries)

    @property
    def duplicates(self) -> int:
        return sum(entry.duplicate_of is not None for entry in self.store.entries)


def store_view(store: Store, *, with_entries: bool = True, history: History | None = None) -> StoreView:
    near = alike(store.entries) if with_entries else {}
    return StoreView(
        store=store,
        entries=tuple(
            entry_view(entry, store, near.get(entry.position), history)
            for entry in store.entries[:SHOWN_ENTRIES]
        )
        if with_entries
        else (),
        usage=usage_text(store.used, store.limit.value) if store.limit.value is not None else "",
        problem=unreadable_sentence(store.problem) if store.problem else "",
        notes=tuple(notes_of(store)),
    )


def entry_view(entry: Entry, store: Store, near: int | None, history: History | None) -> EntryView:
    found = found_in(entry, store)
    letters = dict(zip(dict.fromkeys(span.rule for span in found), letters_in_order(), strict=False))
    text = entry.text[:SHOWN_CHARACTERS]
    marks = [Mark(span.start, span.end, letters[span.rule]) for span in found if span.start < len(text)]
    reasons = tuple(
        Reason(
            letter,
            reason_words(rule, entry, store),
            rule,
            all(inside_emoji(entry.text, s) for s in found if s.rule == rule),
        )
        for rule, letter in letters.items()
    )
    return EntryView(
        entry=entry,
        number=entry.position + 1,
        html=record_html(text, marks),
        reasons=reasons,
        blocked_by=releases(entry),
        cut=len(entry.text) - len(text),
        seen=seen_text(seen_entry(entry)),
        place=f"{store.target}.{entry.position}",
        placeholder=(placeholder(entry, store.target, store.rules) or "") if entry.scanned else "",
        alike=near,
        standing=history.standing(shown_text(entry, store)) if history else None,
        origin=history.origin(store.target, entry.text) if history else None,
    )


def reason_words(rule: str, entry: Entry, store: Store) -> str:
    at_start = store.bom and entry.position == 0 and entry.text[:1] == BOM and BOM not in entry.text[1:]
    if rule.endswith("_U+FEFF") and at_start:
        return _("The invisible character U+FEFF is at the start of the file: a byte order mark.")
    return words_of(rule)


def found_in(entry: Entry, store: Store) -> list[Span]:
    """What to mark: by the rules of this home's release, and what only the other release reacts to."""
    if not (any(entry.blocked_by.values()) or entry.would_find):
        return []
    found = {*spans(entry.text, "0.19"), *spans(entry.text, "0.22")}
    merged: list[Span] = []
    for span in sorted(found, key=lambda span: (span.rule, span.start)):
        last = merged[-1] if merged else None
        if last and last.rule == span.rule and span.start <= last.end:
            merged[-1] = Span(last.rule, last.start, max(last.end, span.end))
        else:
            merged.append(span)
    return sorted(merged, key=lambda span: (span.start, span.end, span.rule))


def letters_in_order() -> Iterator[str]:
    yield from ascii_lowercase
    yield from (first + second for first in ascii_lowercase for second in ascii_lowercase)


def releases(entry: Entry) -> str:
    blocking = [release for release, found in entry.blocked_by.items() if found]
    if not blocking or not entry.scanned:
        return ""
    if len(blocking) > 1:
        return _("Blocked by 0.19 and by 0.22.")
    return _("Blocked by 0.19 only.") if blocking == ["0.19"] else _("Blocked by 0.22 only.")


def notes_of(store: Store) -> Iterator[str]:
    """What a person should know about the file beside its entries."""
    limit = store.limit
    if not store.enabled:
        yield _("Switched off in config.yaml: Hermes neither loads this file nor writes to it.")
    if store.not_loaded_because:
        yield _(
            "Hermes loads nothing of this file: %(because)s cannot be used, and the agent starts without saying so."
        ) % {"because": store.not_loaded_because}
    elif limit.effect == "as_it_stands":
        yield _(
            "The limit in config.yaml (%(key)s) is taken as it stands, although it is no usual value."
        ) % {"key": LIMIT_KEYS[store.target]}
    if not limit.certain:
        yield _("config.yaml cannot be read as it is, so the limit is a guess.")
    if store.over_limit:
        free = math.ceil(store.used - (limit.value or 0))
        yield ngettext(
            "Everything still loads. Every later save by Hermes fails until %(free)s character is freed.",
            "Everything still loads. Every later save by Hermes fails until %(free)s characters are freed.",
            free,
        ) % {"free": intcomma(free)}
    if store.refuses_changes:
        yield _("Hermes will refuse to change or remove entries here: the file was not written by it.")
    elif not store.round_trips:
        yield _("The file is not as Hermes would write it: blank lines or a separator too many.")
    if store.raw_characters != store.used and store.exists and not store.problem:
        yield _("The file itself has %(raw)s characters; what Hermes does not load is not counted.") % {
            "raw": intcomma(store.raw_characters)
        }
    if store.bom:
        yield _(
            "The file starts with a byte order mark (U+FEFF). Hermes 0.19 takes it for a part of the first entry and "
            "blocks that; 0.22 leaves it out."
        )
