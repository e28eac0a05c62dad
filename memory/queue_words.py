"""What a proposal is, in words: its heading, where it comes from, what is odd about its record."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.record import shown
from memory.pending_record import PendingRecord
from memory.proposal import Proposal
from memory.reason_words import file_name
from memory.skill_proposal import SkillProposal, SkillStep


def action_words(action: str) -> str:
    return {
        "add": _("Add"),
        "replace": _("Replace"),
        "remove": _("Remove"),
        "patch": _("Change some words"),
    }.get(action, _("Something else"))


def memory_heading(proposal: Proposal) -> str:
    name = file_name(proposal.target) or _("a memory file")
    if proposal.batch:
        count = len(proposal.steps)
        return ngettext("%(count)s change to %(name)s", "%(count)s changes to %(name)s, as one", count) % {
            "count": count,
            "name": name,
        }
    action = proposal.steps[0].operation.action if proposal.steps else ""
    return {
        "add": _("Add an entry to %(name)s"),
        "replace": _("Replace an entry in %(name)s"),
        "remove": _("Remove an entry from %(name)s"),
        "patch": _("Change words of an entry in %(name)s"),
    }.get(action, _("A proposal for %(name)s that cannot be read")) % {"name": name}


def skill_heading(proposal: SkillProposal) -> str:
    if not proposal.steps:
        return _("A proposal for a skill that cannot be read")
    step: SkillStep = proposal.steps[0]
    if proposal.batch:
        return _("Several changes of skills, as one")
    return {
        "create": _("Make the skill %(name)s"),
        "edit": _("Write SKILL.md of %(name)s anew"),
        "patch": _("Change the skill %(name)s"),
        "write_file": _("Write a file of the skill %(name)s"),
        "remove_file": _("Remove a file of the skill %(name)s"),
        "delete": _("Delete the skill %(name)s"),
    }.get(step.action, _("Something else with the skill %(name)s")) % {"name": shown(step.name)}


def origin_words(record: PendingRecord) -> str:
    return {
        "background_review": _("Proposed by the background review"),
        "foreground": _("Proposed in a conversation"),
    }.get(record.origin, _("Proposed; it does not say by what"))


def notes_of(record: PendingRecord) -> Iterator[str]:
    words = {
        "odd_name": _("Its file name is not one that Hermes gives."),
        "inner_id_differs": _(
            "The id inside the record is another than the name of its file. The file name counts."
        ),
        "other_subsystem": _("The record says that it belongs to the other queue. The folder counts."),
        "bad_time": _("The record holds no readable time. Hermes' own list fails because of it."),
        "byte_order_mark": _("The record starts with a byte order mark. Hermes 0.19 does not list it."),
    }
    yield from (words[note] for note in record.notes)
