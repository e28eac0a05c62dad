"""Where the skills of a profile are: folders below `skills/` that hold a SKILL.md.

As Hermes 0.19 finds them (`_find_skill` in its `tools/skill_manager_tool.py`, tried from outside): by the name
of the folder, at any depth, not behind links, not in folders of tools, not in the supporting folders of another
skill. Hermes takes the first of several; which one that is depends on the disk, so for us they are several.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import list_names, look_at
from hermesweb.hermes.homes import Profile

SKILL_FILE: Final = "SKILL.md"
SUPPORTING: Final = frozenset({"assets", "references", "scripts", "templates"})
FOLDERS_READ: Final = 20_000
DEPTH: Final = 40
FILES_SHOWN: Final = 1_000

_NOT_LOOKED_INTO: Final = frozenset(
    {".git", ".github", ".hub", ".archive", ".venv", "venv", "node_modules", "site-packages", "__pycache__"}
    | {".tox", ".nox", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)


@dataclass(frozen=True)
class Skills:
    """The skill folders of a profile by their names. `problem`: the folder `skills` could not be read."""

    root: Path
    home: Path
    by_name: Mapping[str, tuple[Path, ...]] = field(default_factory=lambda: MappingProxyType({}))
    problem: Unreadable | None = None

    def folders(self, name: object) -> tuple[Path, ...]:
        """The folders of the skills called so; usually one."""
        return self.by_name.get(name, ()) if isinstance(name, str) else ()


@dataclass(frozen=True)
class SkillFile:
    """A file of a skill. `path`: within the skill's folder; `size` in bytes; a link is not followed."""

    path: str
    size: int
    changed: int
    is_link: bool


def skills_folder(profile: Profile) -> Path:
    """Where the skills of a profile lie."""
    return profile.folder / "skills"


def find_skills(profile: Profile) -> Skills:
    """All skills of a profile. Raises nothing."""
    root, home = skills_folder(profile), profile.home.root
    found: dict[str, list[Path]] = {}
    try:
        for folder in _skill_folders(root, home):
            found.setdefault(folder.name, []).append(folder)
    except Unreadable as problem:
        return Skills(root, home, problem=None if problem.why == "missing" else problem)
    return Skills(root, home, MappingProxyType({name: tuple(paths) for name, paths in found.items()}))


def list_files(folder: Path, home: Path) -> tuple[SkillFile, ...]:
    """What is in a skill's folder, by name, the first thousand. What cannot be read is left out."""
    files: list[SkillFile] = []
    for path, status in _below(folder, home, DEPTH):
        if len(files) == FILES_SHOWN:
            break
        if not stat.S_ISDIR(status.st_mode):
            name = str(path.relative_to(folder))
            files.append(SkillFile(name, status.st_size, status.st_mtime_ns, stat.S_ISLNK(status.st_mode)))
    return tuple(files)


def _skill_folders(root: Path, home: Path) -> Iterator[Path]:
    waiting = [root]
    for count in range(FOLDERS_READ):
        if not waiting:
            return
        folder = waiting.pop()
        names = _names(folder, home, is_root=count == 0)
        is_skill = SKILL_FILE in names and folder != root
        if is_skill:
            yield folder
        if len(folder.parts) - len(root.parts) < DEPTH:
            left_out = _NOT_LOOKED_INTO | SUPPORTING if SKILL_FILE in names else _NOT_LOOKED_INTO
            waiting += [
                folder / name for name in names if name not in left_out and _is_folder(folder / name, home)
            ]
    raise Unreadable(root, "too_large")


def _names(folder: Path, home: Path, *, is_root: bool) -> list[str]:
    try:
        return list_names(folder, root=home)
    except Unreadable:
        if is_root:
            raise
        return []


def _is_folder(path: Path, home: Path) -> bool:
    try:
        return stat.S_ISDIR(look_at(path, root=home).st_mode)
    except Unreadable:
        return False


def _below(folder: Path, home: Path, depth: int) -> Iterator[tuple[Path, os.stat_result]]:
    for name in _names(folder, home, is_root=False):
        try:
            status = look_at(folder / name, root=home)
        except Unreadable:
            continue
        yield folder / name, status
        if stat.S_ISDIR(status.st_mode) and depth:
            yield from _below(folder / name, home, depth - 1)
