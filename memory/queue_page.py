"""The queue as the page shows it: each proposal in words, beside what stands there today."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.privacy.copies import copy_of
from hermesweb.record import record_html, shown
from hermesweb.worddiff import compare
from hermesweb.writable import may_write
from memory.history import ON_A_PAGE
from memory.limits import Target, usage_text
from memory.page import Files, files_of
from memory.pending import PendingQueue, read_pending
from memory.pending_record import PendingRecord
from memory.proposal import Proposal, proposal_view
from memory.proposal_state import State, state_of_store
from memory.proposal_steps import Step
from memory.reason_words import file_name, reason_sentence
from memory.rule_words import words_of
from memory.skill_files import Skills, find_skills
from memory.skill_proposal import SkillProposal, SkillStep, skill_view
from memory.switches import Subsystem, provider, write_approval
from sessions.database import read_state
from sessions.memory_calls import MemoryCall, memory_calls

SHOWN = 500  # proposals on one page


@dataclass(frozen=True)
class StepView:
    """One operation: what it does in words, and the entry with what goes and what comes."""

    step: Step
    words: str
    html: SafeString | None
    matches: tuple[SafeString, ...]
    expected: SafeString | None
    reason: str
    findings: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """One proposal, memory or skill. `decision` is what its buttons send."""

    record: PendingRecord
    decision: str
    anchor: str
    heading: str
    origin: str
    call: MemoryCall | None
    reason: str
    pinned: str
    usage: str
    notes: tuple[str, ...]
    applies: bool
    editable: bool = False
    steps: tuple[StepView, ...] = ()
    skill: SkillProposal | None = None
    raw: str = ""


@dataclass(frozen=True)
class QueuePage:
    profile: Profile
    items: tuple[Item, ...]
    more: int
    other_names: tuple[str, ...]
    problems: int
    provider: str | None
    write_approval: bool
    skills_approval: bool
    may_write: bool

    @property
    def applying(self) -> int:
        return sum(item.applies for item in self.items)


def queue_page(profile: Profile) -> QueuePage:
    """Read the queue and everything its proposals are about. Changes nothing."""
    files, queue = files_of(profile), read_pending(profile)
    return QueuePage(
        profile=profile,
        items=tuple(items_of(files, queue)),
        more=max(0, len(queue.records) - SHOWN),
        other_names=tuple(shown(path.name) for path in queue.other_names),
        problems=len(queue.problems),
        provider=provider(files.config),
        write_approval=write_approval(files.config, "memory"),
        skills_approval=write_approval(files.config, "skills"),
        may_write=may_write(profile),
    )


def items_of(files: Files, queue: PendingQueue) -> Iterator[Item]:
    states = {store.target: state_of_store(store, files.config) for store in files.stores}
    calls = calls_by_record(files.profile) if queue.records else {}
    skills: Skills | None = find_skills(files.profile) if queue.skills else None
    for record in queue.records[:SHOWN]:
        call = calls.get(record.id) if record.subsystem == "memory" else None
        if record.subsystem == "memory":
            yield memory_item(proposal_view(record, states), states, call)
        else:
            yield skill_item(skill_view(record, files.profile, files.release.rules, skills))


def calls_by_record(profile: Profile) -> Mapping[str, MemoryCall]:
    """Which call of the memory tool put a record aside, as far as state.db tells."""
    try:
        found = read_state(
            profile.folder,
            lambda db: memory_calls(db, ON_A_PAGE).calls,
            copy=copy_of(settings.WORK_FOLDER, profile),
        )
    except HermesError:
        return {}
    return {call.pending_id: call for call in found if call.pending_id}


def anchor_of(subsystem: Subsystem, record: str) -> str:
    """Where a proposal stands on the page; also how an address names the one whose texts are open."""
    return f"{subsystem}-{encode_id(record)}"


def memory_item(proposal: Proposal, states: Mapping[Target, State], call: MemoryCall | None) -> Item:
    record = proposal.record
    return Item(
        record=record,
        decision=f"memory.{encode_id(record.id)}.{proposal.seen}",
        anchor=anchor_of("memory", record.id),
        heading=memory_heading(proposal),
        origin=origin_words(record),
        call=call,
        reason=reason_sentence(proposal.reason) if proposal.reason else "",
        pinned=reason_sentence(proposal.pinned_because)
        if proposal.pinned_because and not proposal.reason
        else "",
        usage=usage_text(proposal.after.used, proposal.after.limit)
        if proposal.after and not proposal.reason
        else "",
        notes=tuple(notes_of(record)),
        applies=proposal.reason is None,
        editable=proposal.editable,
        steps=tuple(step_view(step) for step in proposal.steps),
        raw="" if proposal.steps else record.summary,
    )


def skill_item(proposal: SkillProposal) -> Item:
    record = proposal.record
    return Item(
        record=record,
        decision=f"skills.{encode_id(record.id)}.{proposal.seen}",
        anchor=anchor_of("skills", record.id),
        heading=skill_heading(proposal),
        origin=origin_words(record),
        call=None,
        reason=reason_sentence(proposal.reason, skill=True) if proposal.reason else "",
        pinned="",
        usage="",
        notes=tuple(notes_of(record)),
        applies=proposal.reason is None,
        skill=proposal,
        raw="" if proposal.steps else record.summary,
    )


def step_view(step: Step) -> StepView:
    operation = step.operation
    before, after = step.before, step.after
    html: SafeString | None = None
    if before is not None or after is not None:
        html = compare(before or "", after or "").joined
    elif operation.content or operation.old_text:
        html = compare(operation.old_text, operation.content).joined
    expected = step.reason.expected if step.reason else None
    return StepView(
        step=step,
        words=action_words(operation.action),
        html=html,
        matches=tuple(record_html(text) for text in step.matches),
        expected=record_html(expected) if expected else None,
        reason=reason_sentence(step.reason) if step.reason else "",
        findings=tuple(words_of(rule) for rule in step.findings),
    )


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
