"""What a run of clearing came to, in words and in the JSON of the command line."""

from collections.abc import Iterator
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from hermesweb.privacy.remote_words import WHERE_TO_DELETE
from hermesweb.privacy.store_words import words_of
from hermesweb.privacy.wiping.choice import UNKNOWN, Choice
from hermesweb.privacy.wiping.database import DATABASE
from hermesweb.privacy.wiping.order import in_order
from hermesweb.privacy.wiping.outcome import TABLES
from hermesweb.privacy.wiping.place import NotHere
from hermesweb.privacy.wiping.survey import Survey

Words = str | Promise

RESULTS: dict[str, Words] = {
    "wiped": gettext_lazy("Wiped"),
    "partly": gettext_lazy("Partly"),
    "not_wiped": gettext_lazy("Not wiped"),
    "kept": gettext_lazy("Kept"),
    "absent": gettext_lazy("Not present"),
    "out_of_reach": gettext_lazy("Out of reach"),
}
# A reason is a sentence, and says what can be done where something can.
REASONS: dict[str, Words] = {
    "running": gettext_lazy("Hermes has it open, or may. Stop Hermes, then finish it."),
    "hermes_has_it_open": gettext_lazy("Hermes has it open. Stop Hermes, then finish it."),
    "in_use": gettext_lazy("A chat is at work in it. Close the chat, then finish it."),
    "reader": gettext_lazy("Something reads an older state of it. Close that, then finish it."),
    "busy": gettext_lazy("Something else held it all the time. Finish it later."),
    "locked": gettext_lazy("Something else held it all the time. Finish it later."),
    "too_large_while_running": gettext_lazy(
        "It is too large to be written anew beside a running Hermes. Stop Hermes, then finish it."
    ),
    "cannot_tell": gettext_lazy("It is too large to be written anew where it cannot be told whether Hermes runs."),
    "no_space": gettext_lazy("The disk has too little room to write it anew. Make room, then finish it."),
    "being_migrated": gettext_lazy("Hermes is moving its search index just now. Finish it when that is done."),
    "stopped": gettext_lazy("The run was stopped before this was done."),
    "interrupted": gettext_lazy("The run ended before this was done."),
    "failed": gettext_lazy("The database answered with an error; the disk may be full. Make room, then finish it."),
    "not_checked": gettext_lazy("Nobody could look afterwards."),
    "damaged": gettext_lazy(
        "The database is damaged, so it was left as it is: Hermes repairs one at its next start. Then clear it again, "
        "or remove state.db by hand."
    ),
    "unknown_schema": gettext_lazy(
        "The database is of a Hermes that we do not know. With Hermes stopped its files can be removed."
    ),
    "appeared": gettext_lazy("Something was written there while it was cleared, or after. Clear it again."),
    "closed": gettext_lazy("A folder could not be looked into, and it may hold some of this."),
    "permission": gettext_lazy("This user may not remove it. Run the clearing as its owner, or remove it by hand."),
    "foreign_owner": gettext_lazy("It belongs to another user. Run the clearing as that user, or remove it by hand."),
    "read_only": gettext_lazy("It is mounted read-only. Mount it writable, then clear it again."),
    "mounted": gettext_lazy("It is a mount of its own. Unmount it, then clear it again."),
    "full": gettext_lazy("The disk is full. Make room, then clear it again."),
    "link": gettext_lazy("A link is in the way, and links are not followed."),
    "other_names": gettext_lazy(
        "A file of it has another name elsewhere on the disk, which was not chosen. What is in it stays there."
    ),
    "not_a_folder": gettext_lazy("A file is in the place of a folder."),
    "not_a_file": gettext_lazy("A folder has appeared in its place. Clear it again."),
    "database": gettext_lazy("It has the name of a live database."),
    "io": gettext_lazy("The disk answered with an error."),
    "missing": gettext_lazy("It went away meanwhile."),
    "changed": gettext_lazy("It changed meanwhile. Clear it again."),
    "broken": gettext_lazy("config.yaml cannot be read, so single settings cannot be taken out of it."),
    "undecodable": gettext_lazy("config.yaml is no text, so single settings cannot be taken out of it."),
    "too_large": gettext_lazy("config.yaml is too large to be read."),
    "flow_style": gettext_lazy("The settings stand in a line with others in config.yaml. Take them out by hand."),
    "choice": gettext_lazy("By your choice."),
    "shared": gettext_lazy("Other profiles use it too. It has a tick of its own."),
    "outside": gettext_lazy("Outside the home. It has a tick of its own."),
    "needed": gettext_lazy("Nothing about you, or Hermes needs it to start."),
    "ours": gettext_lazy("hermesweb's own, without any text of Hermes."),
    "ours_noted": gettext_lazy(
        "What it had noted about these conversations is removed. People, sign-ins, the activity and reports stay: "
        "no text of Hermes is in them."
    ),
    "remote": gettext_lazy("Only you can remove it, at the service."),
    "report": gettext_lazy("It is not Hermes' own, or at no fixed place. Look at it yourself."),
    "os_level": gettext_lazy(
        "Old blocks of a disk, snapshots of the file system and swap cannot be looked into from here."
    ),
    "in_place": gettext_lazy("Emptied where it stands."),
    "no_sign": gettext_lazy("No sign that it was ever used."),
    "not_looked": gettext_lazy("At no fixed place, so it was not looked for."),
    "not_at_work": gettext_lazy(
        "At no fixed place. In the folders that state.db names as those the agent worked in there is none."
    ),
}  # fmt: skip
_REFUSALS: dict[str, Words] = {
    "the_root": gettext_lazy("this is the root of the whole machine."),
    "the_login_folder": gettext_lazy("this is the folder of a login, not a Hermes home."),
    "not_a_home": gettext_lazy("this folder is no Hermes home."),
    "missing": gettext_lazy("there is no such folder."),
    "unreadable": gettext_lazy("this user may not look into the folder."),
    "not_writable": gettext_lazy("this user may not change the folder, or it is mounted read-only."),
    "under_way": gettext_lazy("this profile is being cleared already."),
    "hermes_runs": gettext_lazy("Hermes runs, or it cannot be told that it does not. Stop it, or say --while-running."),
}  # fmt: skip


def name_of(identity: str) -> str:
    """A store in words."""
    return _("Unknown files") if identity == UNKNOWN else str(words_of(identity).name)


def reason(why: str) -> str:
    """Why, as a sentence; the code itself for one that a newer version wrote."""
    return str(REASONS.get(why, why))


def refusal(problem: Exception) -> str:
    """Why nothing was done."""
    code = problem.why if isinstance(problem, NotHere) else getattr(problem, "code", "")
    return refusal_of(code) or _("it could not be begun (%(code)s).") % {
        "code": code or type(problem).__name__
    }


def refusal_of(code: str) -> str:
    """The same for a code; "" for one that is none of ours."""
    return str(_REFUSALS.get(code, ""))


def plain(content: dict[str, Any]) -> dict[str, Any]:
    """A report as `manage.py wipe --json` prints it."""
    keys = ("id", "outcome", "why", "verified", "bytes_before", "bytes_after")
    return {
        "outcome": content["outcome"],
        "stores": [{key: each[key] for key in keys} for each in content["stores"]],
        "unknown_files": content["unknown_files"],
    }


def plan(found: Survey, choice: Choice) -> dict[str, Any]:
    """The same before anything is done: what is chosen stands there as not wiped."""
    others = sorted(set(found.files) - choice.stores - {UNKNOWN})
    rows = [_planned(name, found, choice) for name in [*in_order(Choice(choice.stores)), *others]]
    return {
        "outcome": "incomplete",
        "stores": rows,
        "unknown_files": [each.name for each in found.of(UNKNOWN)],
    }


def _planned(name: str, found: Survey, choice: Choice) -> dict[str, Any]:
    size, chosen = found.bytes_of(name), name in choice.stores
    outcome = "absent" if not found.of(name) else "not_wiped" if chosen else "kept"
    why = "dry_run" if outcome == "not_wiped" else ""
    return {
        "id": name,
        "outcome": outcome,
        "why": why,
        "verified": False,
        "bytes_before": size,
        "bytes_after": size,
    }


def plan_lines(found: Survey, choice: Choice) -> Iterator[str]:
    yield _("Nothing was done. This would go:")
    for name in in_order(choice):
        parts = found.of(name)
        if parts:
            files = ngettext("%(count)d file", "%(count)d files", len(parts)) % {"count": len(parts)}
            yield f"  {name}: {name_of(name)}, {files}, {filesizeformat(found.bytes_of(name))}"


def _beyond(places: list[dict[str, Any]]) -> Iterator[str]:
    """Where copies went, and Hermes' own command for uploads that it can take back."""
    for place in places:
        yield f"  {place['service'] or place['address']}: {WHERE_TO_DELETE[place['delete_at']]}"
        if place["delete_at"] == "debug_delete":
            yield f"    hermes debug delete {place['address']}"


def lines(content: dict[str, Any]) -> Iterator[str]:
    """A report for a terminal: what is left first."""
    yield _("Everything that was chosen is wiped.") if content["complete"] else _("Not everything is gone.")
    stores = [each for each in (*content["stores"], content["unknown"]) if each["id"] not in TABLES]
    tables = [each for each in content["stores"] if each["id"] in TABLES and each.get("rows_before")]
    for result in ("not_wiped", "partly", "kept", "out_of_reach", "wiped"):
        some = [each for each in stores if each["outcome"] == result]
        if some:
            yield f"{RESULTS[result]}: {len(some)}"
        for each in some:
            yield f"  {each['id']}: {name_of(each['id'])}. {reason(each['why'])}".rstrip()
            yield from (f"    {name}" for name in each["left"])
            for table in tables if each["id"] == DATABASE else ():
                yield f"    {table['id']}: {name_of(table['id'])}. {RESULTS[table['outcome']]}"
    yield from _beyond(content.get("remote", []))
    for name in content["unknown_files"]:
        yield _("Unknown file: %(name)s") % {"name": name}
