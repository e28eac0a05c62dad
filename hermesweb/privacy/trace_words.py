"""How something was found, and why something was not looked into, in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from hermesweb.hermes.scan.needles import LONGEST, BadPhrase
from hermesweb.privacy.store_words import WORDS

Words = str | Promise


@dataclass(frozen=True)
class Missed:
    """Why it was not looked into, and what a person can do."""

    why: Words
    what: Words


HOW: Mapping[str, Words] = {
    "bytes": gettext_lazy("as text"),
    "utf16": gettext_lazy("as text in UTF-16"),
    "latin1": gettext_lazy("as text in Latin-1"),
    "json_escaped": gettext_lazy("with the escapes of JSON"),
    "percent": gettext_lazy("with the escapes of addresses"),
    "normalised": gettext_lazy("in another spelling"),
    "sql": gettext_lazy("in rows, by SQL"),
    "index_live": gettext_lazy("in the word index"),
    "index_left_over": gettext_lazy("left over in the word index"),
    "free_page": gettext_lazy("in free pages"),
    "slack": gettext_lazy("in unused bytes of pages"),
    "wal": gettext_lazy("in the write-ahead log"),
    "git": gettext_lazy("in an object of git"),
    "file_name": gettext_lazy("in the name"),
}
# Left over from rows that were deleted or moved.
LEFT_OVER = frozenset(("index_left_over", "free_page", "slack"))

_DELETE_OR_LOOK = gettext_lazy("Unpack it elsewhere and look, or delete it")
_AS_THAT_USER = gettext_lazy("Run the trace as that user")
_AGAIN = gettext_lazy("Trace again")
_START_HERMES = gettext_lazy("Let Hermes open it once, trace again")
NOT_CHECKED: Mapping[str, Missed] = {
    "permission": Missed(gettext_lazy("Belongs to another user"), _AS_THAT_USER),
    "too_large": Missed(gettext_lazy("Too large when unpacked"), _DELETE_OR_LOOK),
    "too_deep": Missed(gettext_lazy("Archives in archives, too deep"), _DELETE_OR_LOOK),
    "encrypted": Missed(
        gettext_lazy("Encrypted"), gettext_lazy("Decrypt it elsewhere and look, or delete it")
    ),
    "unknown_format": Missed(
        gettext_lazy("Packed in an unknown way, read as plain bytes only"), _DELETE_OR_LOOK
    ),
    "damaged": Missed(
        gettext_lazy("Damaged, read as plain bytes where possible"),
        gettext_lazy("Look at it with other tools, or delete it"),
    ),
    "locked": Missed(gettext_lazy("Locked by another program"), _AGAIN),
    "changing": Missed(gettext_lazy("Was written to all the time"), _AGAIN),
    "time": Missed(gettext_lazy("Took too long"), _AGAIN),
    "link": Missed(
        gettext_lazy("A link to another place, and links are not followed"),
        gettext_lazy("Look at where it leads to, or remove the link"),
    ),
    "special": Missed(
        gettext_lazy("No regular file: reading it could wait for ever"),
        gettext_lazy("Nothing: it keeps no text"),
    ),
    "no_git": Missed(
        gettext_lazy("Packed by git, and git is not installed here"), gettext_lazy("Install git, trace again")
    ),
    "no_space": Missed(
        gettext_lazy("Too little space on our own disk for a copy to look into"),
        gettext_lazy("Free some space, trace again"),
    ),
    "hot_journal": Missed(gettext_lazy("A writer broke off here"), _START_HERMES),
    "wal_without_index": Missed(gettext_lazy("Left by a writer that did not end well"), _START_HERMES),
    "index_unusable": Missed(gettext_lazy("The index beside it cannot be read"), _START_HERMES),
    "too_many": Missed(
        gettext_lazy("Too many files for one look"), gettext_lazy("Look through them with other tools")
    ),
    "remote": Missed(
        gettext_lazy("On another machine, which might not answer"), gettext_lazy("Run the trace there")
    ),
    "no_list": Missed(gettext_lazy("state.db could not be asked where the agent worked"), _AGAIN),
    "missing": Missed(gettext_lazy("Was gone when it was its turn"), _AGAIN),
    "died": Missed(gettext_lazy("Looking at it broke off"), _AGAIN),
    "io": Missed(gettext_lazy("The disk reports an error"), gettext_lazy("Check the disk")),
}
_OTHER = Missed(gettext_lazy("Could not be looked into"), gettext_lazy("Look at it with other tools"))


def not_checked_words(why: str) -> Missed:
    return NOT_CHECKED.get(why, _OTHER)


def store_name(store: str) -> Words:
    return WORDS[store].name if store in WORDS else _("In no store we know")


def bad_phrase(problem: BadPhrase) -> str:
    if problem.why == "too_long":
        return _("The phrase is longer than %(longest)s characters. Take a part of it.") % {
            "longest": intcomma(LONGEST)
        }
    return _("The phrase is too short: give at least two letters or digits.")
