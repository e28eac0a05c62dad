"""Which skills the curator of Hermes must not take away: those with `pinned` in `skills/.usage.json`."""

import json
from typing import Final

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from memory.skill_files import Skills

_LIMIT: Final = 4 * 1024 * 1024  # bytes


def is_pinned(name: str, skills: Skills) -> bool:
    """Whether the skill is pinned. A file that cannot be understood pins nothing, as in Hermes."""
    try:
        content = read_file(skills.root / ".usage.json", root=skills.home, limit=_LIMIT)
        values = json.loads(content)
    except (Unreadable, ValueError, RecursionError):
        return False
    about = values.get(name) if isinstance(values, dict) else None
    return isinstance(about, dict) and bool(about.get("pinned"))
