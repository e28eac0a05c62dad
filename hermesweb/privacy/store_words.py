"""The store catalogue in words for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from hermesweb import picture
from hermesweb.privacy.store_names import (
    conversations,
    media,
    memory,
    messaging,
    ours,
    outside,
    providers,
    remote,
    scheduling,
    settings,
    state,
)

Words = str | Promise


@dataclass(frozen=True)
class StoreWords:
    """What a store is called, and a sentence about what is in it."""

    name: Words
    holds: Words


_AREAS = (
    memory, state, conversations, media, providers, scheduling, messaging, settings, outside, remote, ours
)  # fmt: skip
WORDS: Mapping[str, StoreWords] = MappingProxyType(
    {identity: StoreWords(*words) for area in _AREAS for identity, words in area.NAMES.items()}
)

CLEARED: Mapping[str, Words] = {
    "default": _("By default"),
    "backups": _("Backups, on request"),
    "yours": _("Yours, we ask"),
    "credentials": _("Keys, on request"),
    "contacts": _("Contacts, on request"),
    "live": _("Not while Hermes runs"),
    "out_of_reach": _("Out of reach"),
    "keep": _("Stays"),
}
CLEARED_BECAUSE: Mapping[str, Words] = {
    "default": _("Written by Hermes. It is ticked unless you say otherwise."),
    "backups": _("Your last way back. It has a tick of its own."),
    "yours": _("You or the agent made it for you. You are asked about it."),
    "credentials": _("Hermes or you must sign in again afterwards."),
    "contacts": _("People must pair again afterwards, or chats are no longer known by name."),
    "live": _("It belongs to a Hermes that runs and means nothing once it has stopped."),
    "out_of_reach": _("hermesweb cannot remove it. It says where you can."),
    "keep": _("Nothing about you is in it, or something else needs it."),
}
KINDS: Mapping[str, Words] = {
    **{kind: name for kind, (name, _holds, _gone) in picture.KINDS.items() if kind != "unknown"},
    "remote": _("At services of others"),
}
WHERE: Mapping[str, Words] = {
    "profile": _("In the profile"),
    "root": _("In the home, for all profiles"),
    "outside": _("Outside the home"),
    "remote": _("On other machines"),
    "ours": _("At hermesweb"),
}
STATES: Mapping[str, Words] = {
    "present": _("Present"),
    "absent": _("Absent"),
    "unreadable": _("Unreadable"),
    "remote": _("Out of reach"),
    "inside": _("Part of another store"),
    "elsewhere": _("At no fixed place"),
    "not_looked_for": _("Not looked for"),
}
METHODS: Mapping[str, Words] = {
    "delete": _("The files are removed."),
    "lock_and_delete": _("The file is removed while Hermes’ own lock is held."),
    "lock_and_rewrite": _("An empty list is written while Hermes’ own lock is held."),
    "database_delete": _("The database is removed with its side files, once Hermes has stopped."),
    "sql": _("The rows are deleted, the index is built again and the file is made small."),
    "truncate_or_delete": _("It is emptied where it is while Hermes runs, otherwise removed."),
    "ask": _("You are asked what should go."),
    "report": _("It is named, with where you can remove it. Nothing is done."),
    "keep": _("It stays."),
}
HAZARDS: Mapping[str, Words] = {
    "adds_again": _("Approving a proposal later writes the fact back."),
    "app_open": _("The browser or app has to be closed first."),
    "breaks_locking": _("Without it two programs could write at the same time."),
    "comes_back": _("Hermes reads it in again at its next start."),
    "elsewhere_too": _("Settings can put it at another place, where it is not counted."),
    "environment": _("It holds the variables of a shell, and so perhaps keys."),
    "holds_credentials": _("It holds keys or sign-ins."),
    "ids_stay": _("Hermes’ own revoke leaves the numbers of people in it."),
    "index_keeps_words": _("Deleted words stay in it until the index is built again."),
    "kept_open": _("A running Hermes writes on into it even after it is removed."),
    "last_way_back": _("Without it nothing can be restored."),
    "logs_out": _("Hermes or you must sign in again."),
    "moved_only": _("Hermes’ own delete only moves it into an archive."),
    "never_unlink": _("It must not be removed or replaced while a program has it open."),
    "no_fixed_place": _("It lies wherever somebody put it, so not all of it may be found."),
    "open_chat_keeps": _("An open chat keeps the old text in its prompt until it ends."),
    "packed": _("It is packed: a plain search finds nothing in it."),
    "pair_again": _("People must pair again."),
    "provider_not_told": _("A removal here does not reach the memory service."),
    "remote_copies_stay": _("It has the names of copies elsewhere. Look at them before it goes."),
    "replayed": _("What is in it is sent to the service at the next start."),
    "restored": _("An update of Hermes may put it back."),
    "rewritten": _("A running Hermes writes it anew."),
    "shared": _("All profiles share it."),
    "stock_text": _("The text that Hermes came with takes its place."),
    "together": _("Only cleared together with its counterpart it stays gone."),
    "upload_list": _("It is the only list of what was uploaded. Remove the uploads first."),
    "whole_copies": _("It holds other stores as a whole."),
}
CHECKS: Mapping[str, Words] = {
    "files": _("Afterwards the files are looked for, and the words in what is left."),
    "sql_and_bytes": _("Afterwards the words are looked for by query and in the bytes."),
    "archives": _("Afterwards the words are looked for inside the archives that are left."),
    "git": _("Afterwards the words are looked for in all stored versions."),
    "names": _("Afterwards the names of files are looked at."),
    "none": _("Nothing has to be checked, or nobody can from here."),
}


def words_of(identity: str) -> StoreWords:
    """The words for a store; for one of a later version its id."""
    return WORDS.get(identity) or StoreWords(identity, "")
