"""What a skill record asks for beside what is on the disk now. Reads, and changes nothing.

From `apply_skill_pending` in Hermes' `tools/skill_manager_tool.py` of 0.19, tried from outside. Stricter:

- A patch needs its old text letter by letter. Hermes also takes one that is merely similar, with other white
  space, indentation or case, and so changes what nobody has named.
- Nothing behind a link is changed, and of several skills with one name none.
- Hermes notes each use in `.usage.json`; we do not.
- The optional `skills.guard_agent_created`, off by default, makes Hermes scan the whole skill by other rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from memory.pending_record import PendingRecord
from memory.proposal_reasons import Code, Reason
from memory.skill_files import SKILL_FILE, Skills
from memory.skill_pins import is_pinned
from memory.skill_text import inner_path, refused_name, refused_text

ACTIONS: Final = frozenset({"create", "edit", "patch", "write_file", "remove_file", "delete"})
READ_LIMIT: Final = 4 * 1024 * 1024  # bytes


@dataclass(frozen=True)
class SkillChange:
    """`folder`: of the skill; `target`: the file that is written or removed, SKILL.md for a whole skill.
    `before` and `after`: its content, None where it is not there. `reason`: why it is not done."""

    action: str
    name: str
    folder: Path | None = None
    target: Path | None = None
    before: bytes | None = None
    after: bytes | None = None
    reason: Reason | None = None

    @property
    def new_text(self) -> str:
        """What would be in the file, for the scan and the diff."""
        return "" if self.after is None else self.after.decode()

    @property
    def inner(self) -> str:
        """The path of the file within the skill's folder."""
        if self.target is None or self.folder is None:
            return ""
        return str(self.target.relative_to(self.folder))


class _Refused(Exception):
    """Ends the look at a record as soon as something stands against it."""

    def __init__(self, reason: Reason, folder: Path | None = None, target: Path | None = None) -> None:
        super().__init__()
        self.reason, self.folder, self.target = reason, folder, target


def change_of(record: PendingRecord, skills: Skills) -> SkillChange:
    """What a skill record would do. Raises nothing."""
    if record.problem is not None:
        return SkillChange(record.action, "", reason=Reason(record.problem, cause=record.unreadable))
    return change_of_payload(record.payload, skills)


def change_of_payload(payload: Mapping[str, object], skills: Skills) -> SkillChange:
    """The same for the payload of a record, or one operation of a batch. Raises nothing."""
    action, name = payload.get("action"), payload.get("name")
    shown = (action if isinstance(action, str) else "", name if isinstance(name, str) else "")
    if shown[0] not in ACTIONS:
        return SkillChange(*shown, reason=Reason("not_supported_action"))
    try:
        return _CHANGES[shown[0]](_Look(payload, skills))
    except _Refused as refused:
        return SkillChange(*shown, refused.folder, refused.target, reason=refused.reason)


@dataclass(frozen=True)
class _Look:
    """One payload beside the skills there are. Each method raises _Refused."""

    payload: Mapping[str, object]
    skills: Skills

    def text(self, key: str, missing: Code, *, empty: bool = False) -> str:
        value = self.payload.get(key)
        if value is None or (value == "" and not empty):
            raise _Refused(Reason(missing))
        if not isinstance(value, str):
            raise _Refused(Reason("malformed", detail=key))
        return value

    def name(self) -> str:
        return self.text("name", "bad_name")

    def folder(self) -> Path:
        folders = self.skills.folders(self.name())
        if self.skills.problem is not None:
            raise _Refused(Reason("target_unreadable", cause=self.skills.problem))
        if not folders:
            raise _Refused(Reason("no_such_skill"))
        if len(folders) > 1:
            shown = tuple(str(folder.relative_to(self.skills.root)) for folder in folders)
            raise _Refused(Reason("several_skills", matches=shown))
        return folders[0]

    def path(self) -> PurePosixPath:
        path = inner_path(self.text("file_path", "missing_path"))
        if isinstance(path, Reason):
            raise _Refused(path)
        return path

    def content(self, folder: Path, target: Path) -> bytes | None:
        try:
            return read_file(target, root=self.skills.home, limit=READ_LIMIT)
        except Unreadable as problem:
            if problem.why == "missing":
                return None
            raise _Refused(Reason("target_unreadable", cause=problem), folder, target) from problem

    def readable(self, folder: Path, target: Path) -> str | None:
        content = self.content(folder, target)
        try:
            return None if content is None else content.decode()
        except UnicodeDecodeError as error:
            cause = Unreadable(target, "undecodable", offset=error.start)
            raise _Refused(Reason("target_unreadable", cause=cause), folder, target) from error

    def done(self, folder: Path, target: Path, before: bytes | None, after: str | None) -> SkillChange:
        content = None if after is None else after.encode()
        name, action = str(self.payload.get("name")), str(self.payload.get("action"))
        return SkillChange(action, name, folder, target, before, content)


def _create(look: _Look) -> SkillChange:
    content = look.text("content", "missing_content")
    category = look.payload.get("category")
    _refuse(refused_name(look.name(), category) or refused_text(content, is_skill=True))
    if look.skills.problem is not None:
        raise _Refused(Reason("target_unreadable", cause=look.skills.problem))
    if there := look.skills.folders(look.name()):
        raise _Refused(Reason("skill_exists"), there[0], there[0] / SKILL_FILE)
    folder = look.skills.root / str(category or "") / look.name()
    target = folder / SKILL_FILE
    return look.done(folder, target, look.content(folder, target), content)


def _edit(look: _Look) -> SkillChange:
    content = look.text("content", "missing_content")
    _refuse(refused_text(content, is_skill=True))
    folder = look.folder()
    target = folder / SKILL_FILE
    return look.done(folder, target, _encoded(look.readable(folder, target)), content)


def _write_file(look: _Look) -> SkillChange:
    path = look.path()
    content = look.text("file_content", "missing_content", empty=True)
    _refuse(refused_text(content, is_skill=False))
    folder = look.folder()
    target = folder / path
    return look.done(folder, target, _encoded(look.readable(folder, target)), content)


def _patch(look: _Look) -> SkillChange:
    old, new = (
        look.text("old_string", "missing_old_text"),
        look.text("new_string", "missing_new_text", empty=True),
    )
    folder = look.folder()
    named = look.payload.get("file_path") or None
    target = folder / (look.path() if named else SKILL_FILE)
    before = look.content(folder, target)
    text = look.readable(folder, target)
    if text is None:
        raise _Refused(Reason("no_such_file"), folder, target)
    text = _line_feeds(text)
    after, reason = _patched(text, old, new, all_of_them=bool(look.payload.get("replace_all")))
    # Hermes asks for a sound head only when the record does not name the file.
    reason = reason or refused_text(after, is_skill=not named)
    if reason is not None:
        raise _Refused(reason, folder, target)
    return look.done(folder, target, before, after)


def _patched(text: str, old: str, new: str, *, all_of_them: bool) -> tuple[str, Reason | None]:
    if old == new:
        return text, Reason("span_unchanged")
    if old not in text:
        old = _line_feeds(old)
    times = text.count(old)
    if not times:
        return text, Reason("no_match")
    if times > 1 and not all_of_them:
        return text, Reason("several_matches", size=times)
    return text.replace(old, new), None


def _remove_file(look: _Look) -> SkillChange:
    path, folder = look.path(), look.folder()
    target = folder / path
    before = look.content(folder, target)
    if before is None:
        raise _Refused(Reason("no_such_file"), folder, target)
    return look.done(folder, target, before, None)


def _delete(look: _Look) -> SkillChange:
    folder = look.folder()
    target = folder / SKILL_FILE
    if is_pinned(folder.name, look.skills):
        raise _Refused(Reason("pinned"), folder, target)
    heir = look.payload.get("absorbed_into")
    heir = heir.strip() if isinstance(heir, str) else ""
    if heir and (heir == folder.name or not look.skills.folders(heir)):
        raise _Refused(Reason("no_such_heir", detail=heir), folder, target)
    return look.done(folder, target, look.content(folder, target), None)


def _refuse(reason: Reason | None) -> None:
    if reason is not None:
        raise _Refused(reason)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


_CHANGES: Final = {
    "create": _create,
    "edit": _edit,
    "patch": _patch,
    "write_file": _write_file,
    "remove_file": _remove_file,
    "delete": _delete,
}
