"""What a deletion left behind, in words: where it is, why, and what can be done."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.hermes.ids import decode_id
from hermesweb.privacy.store_words import words_of
from hermesweb.record import shown
from sessions.deletion_names import Called
from sessions.deletion_words import LEFT_FILES, LEFT_OUT, PHASES, WAITING, phrases_in_words, places, said


@dataclass(frozen=True)
class Left:
    """Something that is still there: what, why, how to deal with it. `part`: of a conversation, for a link, with what
    it is `called` now. `files`: of a store, the first ones."""

    name: str
    why: str
    advice: str = ""
    part: str = ""
    store: str = ""
    files: tuple[str, ...] = ()
    called: Called | None = None


def left_of(outcome: Mapping[str, Any]) -> Iterator[Left]:
    """Of a deletion, in the order of its steps."""
    close = _("Close the chat, then delete it again.")
    for part, why in outcome.get("left_out", []):
        advice = _("Look at it, and choose again.")
        if why != "begun":
            advice = _("It was not touched.") + f" {advice}"
        yield Left(id_of(part), said(LEFT_OUT, why), advice, part)
    for path, why in outcome.get("left_files", []):
        yield Left(shown(path), said(LEFT_FILES, why), _("Remove it by hand, if it is only about this."))
    yield from waiting_in_state(outcome, _("Stop Hermes, then finish."))
    if outcome.get("chats", {}).get("waiting"):
        yield Left(
            "sessions/sessions.json",
            _("A running gateway would write it back."),
            _("Stop Hermes, then finish."),
        )
    elif outcome.get("chats", {}).get("why"):
        yield Left("sessions/sessions.json", said(LEFT_FILES, outcome["chats"]["why"]))
    for part in outcome.get("came_back", []):
        yield Left(
            id_of(part), _("It is there again: a chat was open and stored its next turn."), close, part
        )
    if "rows" in outcome.get("issues", ()):
        yield Left("state.db", _("Rows of a deleted conversation are there again."), close)
    proof = outcome.get("proof") or {}
    yield from found_in_state(
        proof, _("Stop Hermes, then finish."), _("Stop Hermes, then finish, or delete again.")
    )
    yield from found_elsewhere(proof, _("Deleting conversations leaves it as it is."))


def waiting_in_state(outcome: Mapping[str, Any], advice: str) -> Iterator[Left]:
    """The phases of removing words that could not be done."""
    for phase in outcome.get("waiting", []):
        sentence = said(WAITING, phase["reason"])
        if space := phase.get("space"):
            needed = filesizeformat(space["needed_here"] + space["needed_temporary"])
            sentence += " " + _("It needs %(needed)s.") % {"needed": needed}
        why = _("Words are still in it") + f" ({said(PHASES, phase['phase'])}). {sentence}"
        yield Left("state.db", why, advice)


def found_in_state(proof: Mapping[str, Any], wait: str, again: str) -> Iterator[Left]:
    """What a look at state.db and its side files found. `wait`: what to do where only Hermes keeps it."""
    for each in proof.get("state", []):
        why = _("%(phrases)s in %(places)s.") % {
            "phrases": phrases_in_words(each["phrases"]),
            "places": places(each["how"]),
        }
        yield Left(each["file"], why, again)
    rows = max(proof.get("rows_counted", 0), proof.get("rows_written", 0))
    if rows and not proof["state"]:
        why = ngettext(
            "A search index has something of %(n)d message.",
            "A search index has something of %(n)d messages.",
            rows,
        )
        yield Left("state.db", why % {"n": rows}, wait)
    if not proof.get("index_read", True):
        yield Left("state.db", _("There was no time to read a search index whole."), wait)


def found_elsewhere(proof: Mapping[str, Any], left: str) -> Iterator[Left]:
    """Other files with some of the phrases, by store: of backups there can be hundreds. `left`: why they stay."""
    found = sorted(proof.get("elsewhere", []), key=lambda each: (each["store"] == "unknown", each["store"]))
    for store, some in groupby(found, key=lambda each: str(each["store"])):
        yield _in_store("" if store == "unknown" else store, list(some), left)


def _in_store(store: str, found: Sequence[Mapping[str, Any]], left: str) -> Left:
    files = ngettext("%(n)d file", "%(n)d files", len(found)) % {"n": len(found)}
    times = sum(each["count"] for each in found)
    found_at = ngettext("%(files)s, %(n)d time.", "%(files)s, %(n)d times.", times)
    see = _("Its page says what can be done.")
    return Left(
        str(words_of(store).name) if store else _("Unknown file"),
        _("Some of the phrases: %(where)s") % {"where": found_at % {"files": files, "n": times}},
        f"{left} {see}" if store else _("Look at it, and remove it by hand."),
        store=store,
        files=tuple(shown(each["file"]) for each in found),
    )


def id_of(part: str) -> str:
    """The id behind the part of an address."""
    try:
        return shown(decode_id(part))
    except ValueError:
        return part
