"""Records from any hand: whatever is in them, there is a view, and a decision ends in a value."""

import json
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hermesweb.hermes.errors import HermesError
from memory.approval import approve, reject
from memory.limits import RELEASES, Rules
from memory.skill_approval import approve_skill
from tests.approval_builders import decision, memory_of, shown, shown_skill, skill, waiting
from tests.memory_builders import SEPARATOR, memory_home, pending_record, write

WORDS = [
    "tea",
    "green tea",
    "",
    " ",
    "a\n§\nb",
    "a\0b",
    "\ud800",
    "..",
    "brew",
    "references/a.md",
    "SKILL.md",
]
ODD = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.sampled_from(WORDS)
VALUES = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)
)
ACTIONS = [
    "add",
    "replace",
    "remove",
    "patch",
    "batch",
    "create",
    "edit",
    "write_file",
    "remove_file",
    "delete",
]
FIELDS = ["content", "new_text", "old_text", "matched_entry", "name", "category", "file_path", "file_content"]
FIELDS += ["old_string", "new_string", "replace_all", "absorbed_into"]
OPERATIONS = st.fixed_dictionaries(
    {"action": st.sampled_from(ACTIONS) | VALUES},
    optional={name: st.sampled_from([*WORDS, skill()]) | VALUES for name in FIELDS},
)
PAYLOADS = st.builds(
    lambda single, target, operations: single | target | operations,
    OPERATIONS,
    st.fixed_dictionaries({}, optional={"target": st.sampled_from(["memory", "user"]) | VALUES}),
    st.fixed_dictionaries({}, optional={"operations": st.lists(OPERATIONS | VALUES, max_size=4) | VALUES}),
)


@given(payload=PAYLOADS | VALUES, rules=st.sampled_from(RELEASES))
@settings(max_examples=250, deadline=None)
def test_any_record(payload: Any, rules: Rules) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        home = memory_home(folder / "home")
        home.memory(SEPARATOR.join(["tea", "green tea"]))
        write(home.folder / "skills/brew/SKILL.md", skill())
        write(folder / "out", "stays")
        content = json.dumps(pending_record(payload=payload)).encode()
        for subsystem in ("memory", "skills"):
            home.pending(content, subsystem=subsystem)
        with suppress(HermesError):
            approve(memory_of(home, rules), decision(shown(home, rules=rules)))
        with suppress(HermesError):
            approve_skill(home.profile, decision(shown_skill(home, rules=rules)))
        if waiting(home):
            reject(home.profile, "memory", decision(shown(home, rules=rules)))
        assert sorted(path.name for path in folder.iterdir()) == ["home", "out"]
        assert {path.name for path in home.folder.iterdir()} == {"memories", "pending", "skills"}
    finally:
        shutil.rmtree(folder)
