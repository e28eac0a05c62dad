"""What somebody wants to be looked for: typed, or pointed at on another page, whose text is then read here.

A page never carries the text itself: what is masked for who reads it would stand in its source.
"""

import re
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from hermesweb.accounts.access import visible
from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.look import look_at_memory
from memory.seen import fingerprint
from sessions.database import Database, read_state
from sessions.finding_list import decode_long, findings_at
from sessions.secret_scan import StoredFinding, stored_text
from sessions.secrets import MASK, findings_in, masked, masked_between, secrets_in
from sessions.transcript_queries import session_of

ENTRY: Final = 300  # characters; of a longer one the first words are taken
WORDS: Final = 200
_SEEN = re.compile(r"\d{1,6}\.([0-9a-f]{64})\.[01]")
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)


TYPED: Final = ""
VALUE: Final = "finding"  # where a phrase comes from; a value is the finding itself


class NothingThere(Exception):
    """The entry, message or finding that was pointed at is not there any more."""


def phrase_of(request: HttpRequest, profile: Profile) -> tuple[str, str]:
    """The phrase, and where it comes from. Raises NothingThere, StateError."""
    readers: dict[str, Callable[[HttpRequest, Profile], str]] = {
        "seen": _entry,
        "message": _message,
        VALUE: _finding,
    }
    for name, read in readers.items():
        if name in request.POST:
            return read(request, profile), name
    return typed_of(request), TYPED


def typed_of(request: HttpRequest) -> str:
    """What stands in the form: all that may be shown in it again."""
    return request.POST.get("phrase", "").strip()


def shown_phrase(phrase: str, source: str) -> str:
    """A phrase for a page. Alone a value does not look like one, and the end of a text may have cut a key."""
    if source == VALUE:
        return MASK
    if source == TYPED:
        return masked(phrase)
    there = {*findings_in(phrase), *secrets_in(phrase, ends=False)}
    return masked_between(phrase, 0, len(phrase), sorted(there, key=lambda each: (each.start, -each.end)))


def profiles_of(request: HttpRequest, profile: Profile) -> list[Profile]:
    """The profiles of this home that whoever asks may see."""
    return [each for home, found in visible(request) if home.key == profile.home.key for each in found]


def chosen_of(request: HttpRequest, profile: Profile) -> list[str]:
    """The names that were ticked, of those that may be; all of them for who only pointed at something."""
    names = [each.name for each in profiles_of(request, profile)]
    if "phrase" not in request.POST:
        return names
    ticked = set(request.POST.getlist("profiles"))
    return [name for name in names if name in ticked]


def first_words(text: str) -> str:
    """As much of a long text as is good to look for, without half a word at its end."""
    text = " ".join(text.split())
    if len(text) <= WORDS:
        return text
    return text[:WORDS].rpartition(" ")[0] or text[:WORDS]


def _entry(request: HttpRequest, profile: Profile) -> str:
    seen = _SEEN.fullmatch(request.POST["seen"])
    _config, _release, stores = look_at_memory(profile, None)
    for store in stores:
        for entry in store.entries:
            if seen and store.target == request.POST.get("target") and fingerprint(entry.text) == seen[1]:
                return entry.text.strip() if len(entry.text) <= ENTRY else first_words(entry.text)
    raise NothingThere


def _message(request: HttpRequest, profile: Profile) -> str:
    number = request.POST["message"]

    def read(db: Database) -> str | None:
        session = session_of(db, int(number))
        place = StoredFinding(session or "", int(number), "content", "token", 0, 0)
        return stored_text(db, place)

    return first_words(_read(profile, read)) if _NUMBER.fullmatch(number) else ""


def _finding(request: HttpRequest, profile: Profile) -> str:
    number = request.POST["finding"]
    found = findings_at(profile).filter(pk=int(number)).first() if _NUMBER.fullmatch(number) else None
    if found is None:
        raise NothingThere
    place = StoredFinding(
        decode_long(found.session), found.message, found.column, "token", found.start, found.end
    )
    return _read(profile, lambda db: stored_text(db, place))[found.start : found.end][:ENTRY]


def _read(profile: Profile, read: Callable[[Database], str | None]) -> str:
    text = read_state(profile.folder, read, copy=copy_of(settings.WORK_FOLDER, profile))
    if text is None:
        raise NothingThere
    return text
