"""What a deletion takes, leaves and comes to, in words."""

from collections.abc import Mapping
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from hermesweb.record import shown

STEPS: Mapping[str, Any] = {
    "check": gettext_lazy("Checking that it can be done"),
    "samples": gettext_lazy("Noting phrases to look for at the end"),
    "rows": gettext_lazy("Deleting the conversations from state.db"),
    "files": gettext_lazy("Deleting their files"),
    "chats": gettext_lazy("Taking them out of the list of chats"),
    "words": gettext_lazy("Removing the deleted words from state.db"),
    "look": gettext_lazy("Looking whether a conversation came back"),
    "proof": gettext_lazy("Looking for the noted phrases in every file"),
}
PHASES: Mapping[str, Any] = {
    "merge": gettext_lazy("out of the search index, in small steps, so that Hermes can go on writing"),
    "rebuild": gettext_lazy("building a search index anew"),
    "checkpoint": gettext_lazy("out of the write-ahead log"),
    "vacuum": gettext_lazy("out of free pages: state.db is written anew"),
    "last_checkpoint": gettext_lazy("out of the write-ahead log, once more"),
}
WAITING: Mapping[str, Any] = {
    "hermes_has_it_open": gettext_lazy("Hermes has state.db open."),
    "reader": gettext_lazy("A program reads an older state of state.db, so its write-ahead log has to be kept."),
    "busy": gettext_lazy("Another program was writing all the time."),
    "too_large_while_running": gettext_lazy(
        "state.db is too large to be written anew while Hermes runs: one of its writes would fail."
    ),
    "cannot_tell": gettext_lazy("Whether Hermes runs cannot be seen from here."),
    "no_space": gettext_lazy("There is too little room on the disk."),
    "being_migrated": gettext_lazy("Hermes is moving its search index just now."),
    "stopped": gettext_lazy("It was asked to stop."),
    "failed": gettext_lazy("It was ended, or SQLite refused."),
}  # fmt: skip
LEFT_OUT: Mapping[str, Any] = {
    "open": gettext_lazy("It has never ended."),
    "archived": gettext_lazy("It is archived."),
    "pinned": gettext_lazy("It is pinned."),
    "recent": gettext_lazy("It began long ago but was used since."),
    "undated": gettext_lazy("It has no believable time."),
    "leased": gettext_lazy("A turn is being taken in it right now."),
    "locked": gettext_lazy("Hermes is compressing it right now."),
    "missing": gettext_lazy("There is no such conversation."),
    "changed": gettext_lazy("Something was added after you saw what goes."),
    "begun": gettext_lazy(
        "Something was added while it was being deleted. Some of its messages are deleted."
    ),
    "odd_id": gettext_lazy("Its id is not text. Only clearing everything takes it along."),
    "busy": gettext_lazy("state.db could not be written any more."),
    "stopped": gettext_lazy("It was stopped before."),
}
QUOTES: Mapping[str, Any] = {
    "summary": gettext_lazy("a summary of it"),
    "branch_copy": gettext_lazy("a copy of its messages in a branch"),
    "search_result": gettext_lazy("found by a search of the agent"),
    "delegation_result": gettext_lazy("a result of a subagent"),
}
LEFT_FILES: Mapping[str, Any] = {
    "ambiguous": gettext_lazy("It may belong to another conversation as well."),
    "still_there": gettext_lazy("It is still there."),
    "came_back": gettext_lazy("It was written anew meanwhile."),
    "permission": gettext_lazy("This user may not remove it."),
    "read_only": gettext_lazy("The disk is mounted so that it can only be read."),
    "link": gettext_lazy("It is a link, and links are not followed."),
    "foreign_owner": gettext_lazy("It belongs to another user."),
}
PLACES: Mapping[str, Any] = {
    "free_page": gettext_lazy("free pages"),
    "slack": gettext_lazy("gaps between rows"),
    "index_left_over": gettext_lazy("entries of the search index whose message is gone"),
    "index_live": gettext_lazy("the search index"),
    "wal": gettext_lazy("the write-ahead log"),
    "git": gettext_lazy("a stored version in git"),
    "file_name": gettext_lazy("the name of a file"),
}
NOT_CHECKED: Mapping[str, Any] = {
    "permission": gettext_lazy("This user may not read it."),
    "too_large": gettext_lazy("It is too large."),
    "too_deep": gettext_lazy("It is packed too many times over."),
    "encrypted": gettext_lazy("It is encrypted."),
    "unknown_format": gettext_lazy("It is in no format that can be looked into."),
    "damaged": gettext_lazy("It is damaged."),
    "locked": gettext_lazy("Another program held it."),
    "time": gettext_lazy("There was no time for all of it."),
    "link": gettext_lazy("It is a link, and links are not followed."),
    "special": gettext_lazy("It is no regular file."),
    "changing": gettext_lazy("It changed all the time."),
    "died": gettext_lazy("The search ended there."),
    "io": gettext_lazy("The disk reports an error."),
}
_REFUSED: Mapping[str, Any] = {
    "no_table": gettext_lazy("It has no table of conversations or messages."),
    "no_version": gettext_lazy("It does not say which schema it has."),
    "newer_version": gettext_lazy("Its schema, %(name)s, is newer than what hermesweb knows."),
    "older_version": gettext_lazy("Its schema, %(name)s, is older than what hermesweb knows."),
    "unknown_table": gettext_lazy("It has a table of conversations that hermesweb does not know: %(name)s."),
    "unknown_trigger": gettext_lazy("It has a trigger that hermesweb does not know: %(name)s."),
    "no_fts5": gettext_lazy("The SQLite of hermesweb lacks full-text search: %(name)s."),
    "no_tokenizer": gettext_lazy("The SQLite of hermesweb lacks a tokenizer that its search index needs: %(name)s."),
    "no_function": gettext_lazy("The SQLite of hermesweb lacks a function that it needs: %(name)s."),
    "schema_changed": gettext_lazy("Its tables were changed by somebody at the same time."),
}  # fmt: skip
_PROBLEMS: Mapping[str, Any] = {
    "under_way": gettext_lazy("This profile is being cleared, or another deletion runs. Try again when that is over."),
    "hermes_runs": gettext_lazy("Hermes runs, or it cannot be told that it does not."),
    "plan_lost": gettext_lazy(
        "What was to go cannot be read any more: the secret of this installation changed. Choose again."
    ),
}  # fmt: skip


def said(words: Mapping[str, Any], code: object) -> str:
    """In words; the code itself for one that a newer version wrote."""
    return str(words.get(str(code), code))


def refused(why: str, name: str) -> str:
    """Why nothing is deleted from this state.db."""
    reason = str(_REFUSED.get(why, ""))
    if "%(name)s" in reason:
        reason %= {"name": shown(name)}
    begin = _("Nothing can be deleted from this state.db; reading it works.")
    return f"{begin} {reason}".strip()


def too_little_space(space: Mapping[str, Any]) -> str:
    """With the numbers, of the disk that lacks most."""
    if space["one_disk"]:
        needed, free = space["needed_here"] + space["needed_temporary"], space["free_here"]
    elif space["free_here"] < space["needed_here"]:
        needed, free = space["needed_here"], space["free_here"]
    else:
        needed, free = space["needed_temporary"], space["free_temporary"]
    return _(
        "Removing the words needs %(needed)s of room, and there are %(free)s. Nothing was deleted: make room first."
    ) % {"needed": filesizeformat(needed), "free": filesizeformat(free)}


def problem_of(outcome: Mapping[str, Any]) -> str:
    """Why a deletion did not begin, "" for what job_problem knows better."""
    code = outcome.get("problem", "")
    if code == "deletion_refused":
        return refused(outcome["why"], outcome["name"])
    if code == "too_little_space":
        return too_little_space(outcome)
    return str(_PROBLEMS.get(code, ""))


def places(how: list[str]) -> str:
    """Where in a file, without what only a developer wants to know."""
    known = [str(PLACES[each]) for each in how if each in PLACES]
    tables = [
        _("rows of %(table)s") % {"table": each} for each in how if "." in each and "_content." not in each
    ]
    return ", ".join(dict.fromkeys([*tables, *known])) or _("its bytes")


def phrases_in_words(count: int) -> str:
    return ngettext("%(n)d phrase", "%(n)d phrases", count) % {"n": count}
