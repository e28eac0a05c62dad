"""A change of a skill that waits, beside the file as it is today."""

from collections.abc import Mapping
from dataclasses import dataclass

from hermesweb.hermes.homes import Profile
from memory.blocked import findings
from memory.limits import Rules
from memory.pending_record import PendingRecord
from memory.proposal import joined_seen
from memory.proposal_reasons import Reason
from memory.skill_change import SkillChange, change_of, change_of_payload
from memory.skill_diff import DiffLine, diff_lines
from memory.skill_files import SKILL_FILE, SkillFile, Skills, find_skills, list_files
from memory.skill_text import Frontmatter, frontmatter

OPERATIONS_SHOWN = 50


@dataclass(frozen=True)
class SkillStep:
    """One change of one file. `where`: the skill's folder within `skills/`, `file`: the path within it.
    `today` and `proposed`: what SKILL.md says about itself, None for another file. `findings`: what the scan
    for memory entries says about the new text; Hermes does not scan skills so, and it hinders nothing."""

    action: str
    name: str
    where: str
    file: str
    lines: tuple[DiffLine, ...]
    today: Frontmatter | None
    proposed: Frontmatter | None
    findings: tuple[str, ...]
    removes_skill: bool
    reason: Reason | None


@dataclass(frozen=True)
class SkillProposal:
    """`files`: what is in the skill's folder today. `reason`: why it would not be applied; without one it can
    be approved. `seen`: what the form carries. A batch (0.22) is shown, each operation beside today's files,
    and cannot be approved here."""

    record: PendingRecord
    steps: tuple[SkillStep, ...]
    files: tuple[SkillFile, ...]
    seen: str
    reason: Reason | None

    @property
    def batch(self) -> bool:
        """Several changes that belong together."""
        return self.record.payload.get("action") == "batch"


def skill_view(
    record: PendingRecord, profile: Profile, rules: Rules, skills: Skills | None = None
) -> SkillProposal:
    """A skill record beside today's files. `skills`: of `find_skills`, for who looks at many records; `rules`:
    for the scan. Raises nothing."""
    skills = skills or find_skills(profile)
    rows = record.payload.get("operations")
    if record.payload.get("action") == "batch" and isinstance(rows, list):
        operations = [row for row in rows[:OPERATIONS_SHOWN] if isinstance(row, Mapping)]
        changes = [change_of_payload(row, skills) for row in operations]
        reason: Reason | None = Reason("batch_of_skills" if rules == "0.22" else "not_supported_action")
    else:
        changes = [change_of(record, skills)]
        reason = changes[0].reason
    files = list_files(changes[0].folder, skills.home) if changes and changes[0].folder else ()
    steps = tuple(_step(change, skills, rules) for change in changes)
    return SkillProposal(record, steps, files, seen_skill(record, changes, files), reason)


def seen_skill(record: PendingRecord, changes: list[SkillChange], files: tuple[SkillFile, ...]) -> str:
    """What the form of a skill record carries: the record, the file it is about, and for a whole skill that
    goes all of its files."""
    shown: list[object] = [(str(change.target), change.before) for change in changes]
    if any(change.action == "delete" for change in changes):
        shown += files
    return joined_seen(record, repr(shown).encode("utf-8", "surrogateescape"))


def _step(change: SkillChange, skills: Skills, rules: Rules) -> SkillStep:
    before = (change.before or b"").decode("utf-8", "replace")
    is_skill = change.inner == SKILL_FILE
    return SkillStep(
        action=change.action,
        name=change.name,
        where=str(change.folder.relative_to(skills.root)) if change.folder else "",
        file=change.inner,
        lines=() if change.reason else diff_lines(before, change.new_text),
        today=frontmatter(before) if is_skill and change.before is not None else None,
        proposed=frontmatter(change.new_text) if is_skill and change.after is not None else None,
        findings=tuple(findings(change.new_text, rules)),
        removes_skill=is_skill and change.after is None and change.reason is None,
        reason=change.reason,
    )
