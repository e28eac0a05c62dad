"""The queue as the page shows it: each proposal in words, beside what stands there today."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from django.conf import settings
from django.utils.safestring import SafeString

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from hermesweb.privacy.copies import copy_of
from hermesweb.record import record_html, shown
from hermesweb.worddiff import compare
from hermesweb.writable import may_write
from memory.claims import Claim, left_claims
from memory.history import ON_A_PAGE
from memory.limits import Target, usage_text
from memory.page import Files, files_of
from memory.pending import SUBSYSTEMS, PendingQueue, read_pending
from memory.pending_record import PendingRecord
from memory.proposal import Proposal, proposal_view
from memory.proposal_reasons import Reason
from memory.proposal_state import State, state_of_store
from memory.proposal_steps import Step
from memory.queue_words import action_words, memory_heading, notes_of, origin_words, skill_heading
from memory.reason_words import reason_sentence
from memory.rule_words import words_of
from memory.skill_files import Skills, find_skills
from memory.skill_proposal import SkillProposal, skill_view
from memory.switches import Subsystem, provider, write_approval
from sessions.database import read_state
from sessions.memory_calls import MemoryCall, memory_calls

SHOWN = 300  # proposals on one page: of each a form sends up to two fields, and Django takes a thousand
ASKED_SHOWN = 5_000  # characters of a refused text
NEW_TEXTS = ("new_string", "content", "file_content")
NO_DRAFT: Mapping[int, str] = MappingProxyType({})
# What another text can mend; an entry that is not there is not found by it.
MENDED_BY_EDITING = frozenset({"blocked", "separator_inside", "unstorable", "over_limit", "missing_content"})
MENDED_BY_EDITING |= {"span_repeated", "span_unchanged"}


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
    typed: str = ""


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
    editing: bool = False
    steps: tuple[StepView, ...] = ()
    skill: SkillProposal | None = None
    asked: SafeString | None = None
    raw: str = ""

    @property
    def editor(self) -> str:
        """Where the first field for a text stands on the page when they are open."""
        number = next((view.step.number for view in self.steps if view.step.after is not None), 0)
        return f"edited-{self.anchor}-{number}"


@dataclass(frozen=True)
class QueuePage:
    """`interrupted`: decisions of processes that died in the middle of them, or are at it right now. `part`:
    what stands before each anchor on a page with several queues."""

    profile: Profile
    items: tuple[Item, ...]
    more: int
    other_names: tuple[str, ...]
    problems: int
    provider: str | None
    write_approval: bool
    skills_approval: bool
    may_write: bool
    interrupted: int
    part: str

    @property
    def applying(self) -> int:
        return sum(item.applies for item in self.items)

    @property
    def saved_at_once(self) -> bool:
        """Something waits for a subsystem that does not ask for approval."""
        waiting = {item.record.subsystem for item in self.items}
        asks = {"memory": self.write_approval, "skills": self.skills_approval}
        return any(not asks[subsystem] for subsystem in waiting)


def queue_page(profile: Profile) -> QueuePage:
    """Read the queue and everything its proposals are about. Changes nothing."""
    files, queue, claims = files_of(profile), read_pending(profile), claims_of(profile)
    claimed = {claim.path for claim in claims}
    return QueuePage(
        profile=profile,
        items=tuple(items_of(files, queue)),
        more=max(0, len(queue.records) - SHOWN),
        other_names=tuple(shown(path.name) for path in queue.other_names if path not in claimed),
        problems=len(queue.problems),
        provider=provider(files.config),
        write_approval=write_approval(files.config, "memory"),
        skills_approval=write_approval(files.config, "skills"),
        may_write=may_write(profile),
        interrupted=len(claims),
        part=page_part(profile),
    )


def claims_of(profile: Profile) -> list[Claim]:
    """Records that were taken away for a decision which has not come to its end."""
    return [claim for subsystem in SUBSYSTEMS for claim in left_claims(profile, subsystem)]


def page_part(profile: Profile) -> str:
    """Two profiles can hold records of the same name: what tells them apart on one page."""
    return f"{profile.home.key}-{profile.name}-"


def opened(queue: QueuePage, anchor: str, draft: Mapping[int, str] = NO_DRAFT) -> QueuePage:
    """The page with the texts of one proposal open: those proposed, or those of a draft."""
    items = tuple(
        _open(item, draft) if item.anchor == anchor and item.editable and queue.may_write else item
        for item in queue.items
    )
    return replace(queue, items=items)


def _open(item: Item, draft: Mapping[int, str]) -> Item:
    views = [replace(view, typed=draft.get(view.step.number, view.step.after or "")) for view in item.steps]
    return replace(item, editing=True, steps=tuple(views))


def left_over(queue: QueuePage, draft: Mapping[int, str]) -> Sequence[SafeString]:
    """Texts of a draft that no open field takes, because the proposal is gone or another one now."""
    fields = [view for item in queue.items if item.editing for view in item.steps]
    taken = {view.step.number for view in fields if view.step.after is not None}
    return [record_html(text) for number, text in draft.items() if number not in taken]


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
        reason=reason_beside_findings(proposal.reason) if proposal.reason else "",
        pinned=reason_sentence(proposal.pinned_because)
        if proposal.pinned_because and not proposal.reason
        else "",
        usage=usage_text(proposal.after.used, proposal.after.limit)
        if proposal.after and not proposal.reason
        else "",
        notes=tuple(notes_of(record)),
        applies=proposal.reason is None,
        editable=proposal.editable and (proposal.reason is None or proposal.reason.code in MENDED_BY_EDITING),
        steps=tuple(step_view(step) for step in proposal.steps),
        raw="" if proposal.steps else record.summary,
    )


def reason_beside_findings(reason: Reason) -> str:
    """What the scan found stands beside each text."""
    return reason_sentence(replace(reason, cause=None) if reason.code == "blocked" else reason)


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
        asked=asked_of(record.payload) if proposal.reason and not proposal.batch else None,
        raw="" if proposal.steps else record.summary,
    )


def asked_of(payload: Mapping[str, object]) -> SafeString | None:
    """The texts of a change of a skill that is refused, so that one can see what was wanted: the start of them."""
    old, new = payload.get("old_string"), [payload.get(key) for key in NEW_TEXTS]
    texts = [old, next((text for text in new if isinstance(text, str) and text), "")]
    before, after = (text[:ASKED_SHOWN] if isinstance(text, str) else "" for text in texts)
    return compare(before, after).joined if before or after else None


def difference(step: Step) -> SafeString | None:
    """What goes and what comes; without an entry to hold it against, the words that were to find one."""
    operation = step.operation
    if step.before is not None:
        return compare(step.before, step.after or "").joined
    before = operation.old_text if operation.destructive else ""
    after = step.after if step.after is not None else operation.content
    return compare(before, after).joined if before or after else None


def step_view(step: Step) -> StepView:
    operation = step.operation
    expected = step.reason.expected if step.reason else None
    return StepView(
        step=step,
        words=action_words(operation.action),
        html=difference(step),
        matches=tuple(record_html(text) for text in step.matches),
        expected=record_html(expected) if expected else None,
        reason=reason_sentence(step.reason) if step.reason else "",
        findings=tuple(words_of(rule) for rule in step.findings),
    )
