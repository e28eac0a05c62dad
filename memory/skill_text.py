"""What Hermes 0.19 asks of a SKILL.md, and of the paths beside it. Tried from outside, with many texts
(`_validate_frontmatter` and the like in its `tools/skill_manager_tool.py`)."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from hermesweb.hermes.safe_yaml import BadYaml, load_yaml
from memory.proposal_reasons import Reason
from memory.skill_files import SKILL_FILE, SUPPORTING

LONGEST: Final = 100_000  # characters of a SKILL.md, and of any other file of a skill
LONGEST_NAME: Final = 64
LONGEST_DESCRIPTION: Final = 1_024
LONGEST_PATH: Final = 1_024  # characters; Hermes makes whatever the system lets it
LONGEST_PART: Final = 255  # bytes

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
_FENCE: Final = "---"
_END = re.compile(r"\n---\s*\n")
_MARK: Final = "\ufeff"


@dataclass(frozen=True)
class Frontmatter:
    """What a SKILL.md says about itself. `name` and `description` as text; empty when they are not there."""

    name: str = ""
    description: str = ""
    problem: str = ""


def frontmatter(text: str) -> Frontmatter:
    """The head of a SKILL.md. `problem`: why Hermes would not take the text: "empty" "no_start" "not_closed"
    "not_yaml" "not_a_mapping" "no_name" "no_description" "long_description" "no_body"."""
    if not text.strip():
        return Frontmatter(problem="empty")
    head = text.lstrip(_MARK)
    end = _END.search(head, len(_FENCE))
    if not head.startswith(_FENCE):
        return Frontmatter(problem="no_start")
    if end is None:
        return Frontmatter(problem="not_closed")
    try:
        values = load_yaml(head[len(_FENCE) : end.start()]).value
    except BadYaml:
        return Frontmatter(problem="not_yaml")
    if not isinstance(values, dict):
        return Frontmatter(problem="not_a_mapping")
    name, description = (
        "" if values.get(key) is None else str(values[key]) for key in ("name", "description")
    )
    return Frontmatter(name, description, _problem(values, description, head[end.end() :]))


def _problem(values: dict[object, object], description: str, body: str) -> str:
    problems = {
        "no_name": "name" not in values,
        "no_description": "description" not in values,
        "long_description": len(description) > LONGEST_DESCRIPTION,
        "no_body": not body.strip(),
    }
    return next((problem for problem, holds in problems.items() if holds), "")


def refused_text(text: str, *, is_skill: bool) -> Reason | None:
    """Why Hermes would not take the text as a SKILL.md, or as another file of a skill."""
    problem = frontmatter(text).problem if is_skill else ""
    if problem:
        return Reason("bad_frontmatter", detail=problem)
    return Reason("too_long", size=len(text), limit=LONGEST) if len(text) > LONGEST else None


def refused_name(name: str, category: object) -> Reason | None:
    """Why Hermes would not make a skill of that name in that category (None or empty for none)."""
    if not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        return Reason("bad_name")
    if category in (None, ""):
        return None
    if not isinstance(category, str):
        return Reason("bad_category")
    stripped = category.strip()
    fits = not stripped or (_NAME.fullmatch(stripped) and len(stripped) <= LONGEST_NAME)
    return None if fits and category == stripped else Reason("bad_category")


def inner_path(written: str) -> PurePosixPath | Reason:
    """The path of a file within a skill's folder, from a record. SKILL.md, or something in one of the four
    supporting folders; never upwards."""
    path = PurePosixPath(written)
    if "\0" in written or ".." in path.parts or path.is_absolute():
        return Reason("path_outside")
    if path.parts == (SKILL_FILE,):
        return path
    if len(path.as_posix()) > LONGEST_PATH or any(
        len(part.encode("utf-8", "surrogatepass")) > LONGEST_PART for part in path.parts
    ):
        return Reason("path_not_allowed")
    if not path.parts or path.parts[0] not in SUPPORTING:
        return Reason("path_not_allowed")
    return path if len(path.parts) > 1 else Reason("path_not_allowed")
