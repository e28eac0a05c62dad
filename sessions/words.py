"""Codes of the list and the search as words for people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from hermesweb.record import shown
from sessions.listing import Member
from sessions.query_text import Query, Term
from sessions.search_count import CAP
from sessions.search_results import Hit, SearchPage, Where

SOURCES = {
    "cli": gettext_lazy("Command line"),
    "tui": gettext_lazy("Terminal window"),
    "api_server": gettext_lazy("API server"),
    "cron": gettext_lazy("Scheduled"),
    "subagent": gettext_lazy("Subagent"),
    "tool": gettext_lazy("Tool"),
    "kanban": gettext_lazy("Kanban"),
    "oneshot": gettext_lazy("One-shot"),
    "telegram": "Telegram",
    "discord": "Discord",
    "slack": "Slack",
    "whatsapp": "WhatsApp",
    "signal": "Signal",
    "matrix": "Matrix",
    "email": gettext_lazy("E-mail"),
}
ROLES = {
    "user": gettext_lazy("User"),
    "assistant": "Hermes",
    "tool": gettext_lazy("Tool result"),
    "system": gettext_lazy("System"),
}
FIELDS = {
    "messages": "",  # the usual place
    "tool_calls": gettext_lazy("tool call"),
    "reasoning": gettext_lazy("reasoning"),
    "api_content": gettext_lazy("as sent to the provider"),
    "titles": gettext_lazy("title"),
    "prompts": gettext_lazy("stored system prompt"),
}
WHERE = {
    "messages": gettext_lazy("Messages"),
    "tool_calls": gettext_lazy("Tool calls"),
    "reasoning": gettext_lazy("Reasoning"),
    "api_content": gettext_lazy("Texts as sent to the provider"),
    "titles": gettext_lazy("Titles"),
    "prompts": gettext_lazy("Stored prompts"),
}
SORTS = {
    "activity": gettext_lazy("Newest activity"),
    "started": gettext_lazy("Newest start"),
    "messages": gettext_lazy("Most messages"),
    "title": gettext_lazy("Title"),
}
STATES = {
    "": gettext_lazy("All"),
    "open": gettext_lazy("Open"),
    "ended": gettext_lazy("Ended"),
    "archived": gettext_lazy("Archived"),
    "kept": gettext_lazy("Not archived"),
}
PARTS = {
    "continuation": gettext_lazy("Continued"),
    "reset": gettext_lazy("After a reset"),
    "branch": gettext_lazy("Branch"),
    "subagent": gettext_lazy("Subagent"),
    "child": gettext_lazy("Started from here"),
}
PART_ICONS = {"branch": "branch", "subagent": "tool", "child": "branch"}
REASONS = {
    "compression": gettext_lazy("ended when it was compressed"),
    "branched": gettext_lazy("ended when a branch was made"),
    "session_reset": gettext_lazy("ended by a reset"),
    "session_switch": gettext_lazy("ended when another session was opened"),
    "resumed_other": gettext_lazy("ended when another session was opened"),
    "superseded_by_resume": gettext_lazy("ended when another session was opened"),
    "new_session": gettext_lazy("ended when a new session was begun"),
    "cli_close": gettext_lazy("ended when the command line was closed"),
    "tui_close": gettext_lazy("ended when the terminal window was closed"),
    "tui_shutdown": gettext_lazy("ended when the terminal window was closed"),
    "agent_close": gettext_lazy("ended when Hermes set it aside"),
    "ws_disconnect": gettext_lazy("ended when its connection was lost"),
    "ws_orphan_reap": gettext_lazy("ended when its connection was lost"),
    "idle_timeout": gettext_lazy("ended after a pause"),
    "cron_complete": gettext_lazy("ended when its task was done"),
    "idle": gettext_lazy("ended after a pause"),
    "daily": gettext_lazy("ended with the day"),
}
INDEXES = {
    "no_index": gettext_lazy("state.db has no full-text index for some of this."),
    "no_module": gettext_lazy("This machine's SQLite cannot use the full-text index of state.db."),
    "index_stale": gettext_lazy("Hermes has marked its full-text index as out of date."),
    "index_broken": gettext_lazy("The full-text index of state.db is damaged."),
    "index_incomplete": gettext_lazy("The full-text index of state.db lacks messages that are stored."),
}
NOTES = {
    "relevance_refused": gettext_lazy(
        "There are too many matches to be sorted by how well they fit, or no index: the newest come first."
    ),
    "accents_count": gettext_lazy("Some texts were read one by one. There, “cafe” does not find “café”."),
    "long_tool_output": gettext_lazy(
        "The index of this release knows only the first 8,192 characters of a tool result. "
        "What comes after them was not searched."
    ),
    "thorough": gettext_lazy("Every text was looked at, also what the index does not know."),
    "slow_fields": gettext_lazy("Reasoning and texts as sent are in no index, so they were read one by one."),
    "damaged": gettext_lazy("Something in state.db could not be read and is left out."),
    "sessions_unfinished": gettext_lazy("Not all titles and stored prompts could be looked at in time."),
}
WARNINGS = ("relevance_refused", "long_tool_output", "damaged", "sessions_unfinished")
UNFINDABLE = {
    "source": gettext_lazy("it never shows sessions of this source"),
    "role": gettext_lazy("it looks only at what people and Hermes said"),
    "undone": gettext_lazy("the turn was taken back"),
    "field": gettext_lazy("it does not look there"),
    "index": gettext_lazy("its index does not have this word here"),
    "query": gettext_lazy("it cannot take these words, or takes them otherwise"),
}
TAKEN = {
    "and_ignored": gettext_lazy("AND changes nothing: all words are looked for anyway."),
    "or_ignored": gettext_lazy("An OR without words on both sides was left out."),
    "not_ignored": gettext_lazy("A NOT without a word after it was left out."),
    "operator_as_word": gettext_lazy("AND, OR and NOT alone were taken as words."),
    "no_operator": gettext_lazy("NEAR is an ordinary word here."),
    "open_quote": gettext_lazy("The quotation mark without its pair was taken to reach to the end."),
    "control_characters": gettext_lazy("Control characters were taken as spaces."),
    "shortened": gettext_lazy("Only the first 5,000 characters were taken."),
    "too_many_words": gettext_lazy("Only the first 40 words were taken."),
    "only_exclusions": gettext_lazy("Words to leave out find nothing alone: add one to look for."),
    "nothing": gettext_lazy("There were no words, so nothing was searched."),
}


@dataclass(frozen=True)
class Word:
    """A term as it was taken: `how` is empty for a plain word."""

    text: str
    how: str


@dataclass(frozen=True)
class Either:
    """One alternative of a search."""

    all: tuple[Word, ...]
    none: tuple[Word, ...]


def taken(query: Query) -> tuple[Either, ...]:
    return tuple(
        Either(tuple(map(_word, each.all)), tuple(map(_word, each.none))) for each in query.alternatives
    )


def taken_notes(query: Query) -> list[str]:
    """What else was decided about the words, each once."""
    return [str(TAKEN[code]) for code in dict.fromkeys(n.code for n in query.explanation) if code in TAKEN]


def _word(term: Term) -> Word:
    if term.kind == "prefix":
        how = _("and words that begin so")
    elif term.part:
        how = _("also inside a longer run")
    elif term.exact:
        how = _("with its punctuation")
    else:
        how = _("as a phrase") if term.kind == "phrase" else ""
    return Word(shown(term.text), how)


def source_name(source: str) -> str:
    return str(SOURCES.get(source) or shown(source)) or _("no source")


def role_name(hit: Hit) -> str:
    """Who said it, and in which field when that is not the usual one."""
    role = str(ROLES.get(hit.role) or shown(hit.role))
    return ", ".join(filter(None, (role, str(FIELDS[hit.field]))))


def index_sentences(page: SearchPage) -> list[str]:
    found = [str(INDEXES[problem]) for problem in page.indexes]
    if page.rebuilt is not None:
        text = _(
            "Hermes is building its full-text index anew, %(percent)s %% is done. The rest was read one by one."
        )
        found.append(text % {"percent": page.rebuilt})
    return found


def note_sentences(page: SearchPage, *, warnings: bool) -> list[str]:
    """Notes that want attention, or the others."""
    return [str(NOTES[note]) for note in page.notes if (note in WARNINGS) == warnings]


def hermes_words(hit: Hit) -> tuple[str, str]:
    """An icon, and whether Hermes' own session_search finds the hit."""
    if hit.hermes == "finds":
        return "disc", _("Hermes finds this with the same words")
    if hit.hermes == "ranks_lower":
        return "partly", _("Hermes finds this and ranks it lower: it puts this source last")
    return "absent", _("Hermes would not find it: %(reason)s") % {"reason": UNFINDABLE.get(hit.reason, "")}


def total_sentence(page: SearchPage) -> str:
    """How many messages there are, as far as that is known."""
    count = intcomma(page.total)
    if page.total_exact:
        return ngettext("%(count)s message", "%(count)s messages", page.total) % {"count": count}
    if page.total == 0:
        return _("Not counted")
    if page.total >= CAP:
        return _("More than %(count)s messages") % {"count": intcomma(CAP - 1)}
    return ngettext("At least %(count)s message", "At least %(count)s messages", page.total) % {
        "count": count
    }


def heading(page: SearchPage, where: Set[Where]) -> str:
    """What was found, in numbers. `where`: what was searched."""
    if not page.query.alternatives:
        return _("Nothing was searched")
    messages = bool(where - {"titles", "prompts"})
    found, count = [total_sentence(page)] if messages else [], len(page.sessions)
    if count or page.more_sessions or not messages:
        if "prompts" not in where:
            text = ngettext("%(count)s title", "%(count)s titles", count)
        elif "titles" not in where:
            text = ngettext("%(count)s stored prompt", "%(count)s stored prompts", count)
        else:
            text = ngettext("%(count)s title or stored prompt", "%(count)s titles and stored prompts", count)
        counted = text % {"count": intcomma(count)}
        found.append(_("at least %(counted)s") % {"counted": counted} if page.more_sessions else counted)
    return ", ".join(found)


def places_words(where: Set[Where]) -> str:
    """Titles, stored prompts, or both, as a heading."""
    searched = [str(WHERE[each]) for each in ("titles", "prompts") if each in where]
    return _("Titles and stored prompts") if len(searched) == 2 else "".join(searched)


def part_words(members: Sequence[Member]) -> Iterator[tuple[Member, str, str, str]]:
    """Each session inside a conversation with its icon, what it is, and how it ended."""
    for member in members:
        reason = REASONS.get(member.end_reason)
        ended = str(reason) if reason else shown(member.end_reason)
        yield member, PART_ICONS.get(member.part, ""), str(PARTS.get(member.part, "")), ended


def choices(names: Mapping[str, Any], chosen: Iterable[str]) -> list[tuple[str, str, bool]]:
    """Value, label and whether it is chosen."""
    picked = set(chosen)
    return [(value, str(label), value in picked) for value, label in names.items()]
